// SPDX-License-Identifier: GPL-3.0-or-later
// Flood fill by recursion: as deep as the region is long, on the stack of one kilobyte that CUDA gives.
#include <cstdio>
__device__ __noinline__ int flood(const unsigned char *map, unsigned char *seen, int at, int n) {
    volatile int here[8]; here[at & 7] = at;
    if (at >= n || seen[at] || !map[at]) return 0;
    seen[at] = 1;
    return 1 + flood(map, seen, at + 1, n) + (here[at & 7] - at);
}
__global__ void area(const unsigned char *map, unsigned char *seen, int n, int *out) { if (threadIdx.x == 0) *out = flood(map, seen, 0, n); }
int main() {
    const int n = 2000; unsigned char *map, *seen; int *out, r = -1;
    cudaMalloc(&map, n); cudaMalloc(&seen, n); cudaMalloc(&out, 4); cudaMemset(map, 1, n); cudaMemset(seen, 0, n);
#ifdef FIXED
    cudaDeviceSetLimit(cudaLimitStackSize, 256 * 1024);
#endif
    area<<<1, 32>>>(map, seen, n, out);
    cudaError_t e = cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", r, cudaGetErrorName(e));
}
