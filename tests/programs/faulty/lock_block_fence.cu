// SPDX-License-Identifier: GPL-3.0-or-later
// A lock taken by one thread of each block; the fence inside is of the block only.
#include <cstdio>
__device__ int lock;
__global__ void add(int *sum, const int *v) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) { }
#ifdef FIXED
        __threadfence();
#else
        __threadfence_block();
#endif
        *sum = *sum + v[blockIdx.x];
#ifdef FIXED
        __threadfence();
#else
        __threadfence_block();
#endif
        atomicExch(&lock, 0);
    }
}
int main() {
    int h[64], r, want = 0, *s, *v;
    for (int i = 0; i < 64; i++) want += h[i] = i;
    cudaMalloc(&s, 4); cudaMalloc(&v, sizeof h);
    cudaMemset(s, 0, 4);
    cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice);
    add<<<64, 32>>>(s, v);
    cudaMemcpy(&r, s, 4, cudaMemcpyDeviceToHost);
    printf("%d (want %d)\n", r, want);
    cudaFree(s); cudaFree(v);
    return r != want;
}
