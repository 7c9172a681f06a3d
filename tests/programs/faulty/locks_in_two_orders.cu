// SPDX-License-Identifier: GPL-3.0-or-later
// Two locks in two orders, one block after the other.
#include <cstdio>
__device__ int a, b, balance[2];
__device__ void lock(int *m) { while (atomicCAS(m, 0, 1)) { } __threadfence(); }
__device__ void unlock(int *m) { __threadfence(); atomicExch(m, 0); }
__global__ void transfer() {
    if (threadIdx.x) return;
#ifdef FIXED
    int *first = &a, *second = &b;
#else
    int *first = blockIdx.x & 1 ? &b : &a, *second = blockIdx.x & 1 ? &a : &b;
#endif
    lock(first); lock(second); balance[0]--; balance[1]++; unlock(second); unlock(first);
}
int main() { transfer<<<4, 32>>>(); printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); }
