// SPDX-License-Identifier: GPL-3.0-or-later
// One block writes data and raises a flag, another polls it: no fence, no release.
#include <cstdio>
__device__ int data[64];
__device__ volatile int ready;
__global__ void pass(int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x + 100;
        __syncthreads();
#ifdef FIXED
        __threadfence();
#endif
        if (threadIdx.x == 0) ready = 1;
    } else {
        if (threadIdx.x == 0) while (ready == 0) { }
#ifdef FIXED
        __threadfence();
#endif
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x];
    }
}
int main() {
    int *o, h[64], zero = 0, bad = 0;
    cudaMalloc(&o, sizeof h);
    cudaMemcpyToSymbol(ready, &zero, 4);
    pass<<<2, 64>>>(o);
    cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) bad += h[i] != i + 100;
    printf("%d wrong\n", bad);
    cudaFree(o);
    return bad != 0;
}
