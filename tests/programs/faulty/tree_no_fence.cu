// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of a tree are summed by whoever finds both children ready, by flags: sums and flags are volatile, and no fence says
// that a flag is not seen before its sum.
#include <cstdio>
const int inner = 1023;
#ifdef FIXED
#define FENCE __threadfence()
#else
#define FENCE
#endif
__global__ void sums(volatile int *sum, volatile int *ready) {
    int step = blockDim.x * gridDim.x;
    for (int k = inner - int(blockIdx.x * blockDim.x + threadIdx.x); k > 0;) {
        if (ready[2 * k] && ready[2 * k + 1]) {
            FENCE;
            int both = sum[2 * k] + sum[2 * k + 1];
            sum[k] = both;
            FENCE;
            ready[k] = 1;
            k -= step;
        }
    }
}
int main() {
    int h[2048], f[2048], all, *s, *r;
    for (int i = 0; i < 2048; i++) { h[i] = 1; f[i] = i > inner; }
    cudaMalloc(&s, sizeof h); cudaMalloc(&r, sizeof f);
    cudaMemcpy(s, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(r, f, sizeof f, cudaMemcpyHostToDevice);
    sums<<<4, 64>>>(s, r);
    cudaMemcpy(&all, s + 1, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", all);
    cudaFree(s); cudaFree(r);
    return all != 1024;
}
