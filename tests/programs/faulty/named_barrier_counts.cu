// SPDX-License-Identifier: GPL-3.0-or-later
// Producer warp and consumer warp meet at a named barrier with different counts.
#include <cstdio>
__global__ void meet(int *out) {
    __shared__ int s[32];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = threadIdx.x;
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    } else {
#ifdef FIXED
        asm volatile("barrier.sync 1, 64;" ::: "memory");
#else
        asm volatile("barrier.sync 1, 96;" ::: "memory");
#endif
        out[threadIdx.x - 32] = s[threadIdx.x - 32];
    }
}
int main() {
    int *o, h[32];
    cudaMalloc(&o, sizeof h);
    meet<<<1, 64>>>(o);
    cudaError_t e = cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorString(e), h[31]);
    cudaFree(o);
    return e != 0;
}
