// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-synchronous tree as written before Volta.
#include <cstdio>
__global__ void sum(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
#ifdef FIXED
    for (int d = 16; d > 0; d >>= 1) {
        __syncwarp();
        int v = t < d ? s[t + d] : 0;
        __syncwarp();
        if (t < d) s[t] += v;
    }
    __syncwarp();
#else
    for (int d = 16; d > 0; d >>= 1) if (t < d) s[t] += s[t + d];
#endif
    if (t == 0) *out = s[0];
}
int main() {
    int h[32], r, *a, *b;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, 4);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(a, b);
    cudaMemcpy(&r, b, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r);
    cudaFree(a); cudaFree(b);
    return r != 496;
}
