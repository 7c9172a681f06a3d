// SPDX-License-Identifier: GPL-3.0-or-later
// A device-wide table is filled and counted by its host name.
#include <cstdio>
__device__ unsigned table[256];
__device__ unsigned total;
__global__ void count(const unsigned char *text, int n, unsigned *bins) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&bins[text[i]], 1u); }
int main() {
    const int n = 4096; unsigned char *text; unsigned *bins; cudaMalloc(&text, n); cudaMemset(text, 7, n);
#ifdef FIXED
    cudaGetSymbolAddress((void **)&bins, table);
    unsigned zero[256] = {}; cudaMemcpyToSymbol(table, zero, sizeof zero);
#else
    bins = table;
    unsigned zero[256] = {}; printf("%s\n", cudaGetErrorName(cudaMemcpy(table, zero, sizeof zero, cudaMemcpyHostToDevice)));
#endif
    count<<<n / 256, 256>>>(text, n, bins);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
