// SPDX-License-Identifier: GPL-3.0-or-later
// n * n elements counted in 32 bits: the size wraps and the buffer is small.
#include <cstdio>
__global__ void last(char *a, long long n) { a[n - 1] = 1; }
int main() {
    int n = 65537;
#ifdef FIXED
    size_t bytes = (size_t)n * n;
#else
    size_t bytes = (unsigned)(n * (unsigned)n);
#endif
    char *a;
    cudaMalloc(&a, bytes);
    last<<<1, 1>>>(a, (long long)n * n);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%zu %s\n", bytes, cudaGetErrorString(e));
    cudaFree(a);
    return e != 0;
}
