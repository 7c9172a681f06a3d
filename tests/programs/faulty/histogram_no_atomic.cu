// SPDX-License-Identifier: GPL-3.0-or-later
// Bins in global memory counted without atomics.
#include <cstdio>
__global__ void count(const unsigned char *in, int n, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n) atomicAdd(&bins[in[i]], 1);
#else
    if (i < n) bins[in[i]]++;
#endif
}
int main() {
    const int n = 4096;
    static unsigned char h[n];
    int r[256], *b;
    unsigned char *a;
    for (int i = 0; i < n; i++) h[i] = i * 7;
    cudaMalloc(&a, n); cudaMalloc(&b, sizeof r);
    cudaMemcpy(a, h, n, cudaMemcpyHostToDevice);
    cudaMemset(b, 0, sizeof r);
    count<<<n / 256, 256>>>(a, n, b);
    cudaMemcpy(r, b, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[7]);
    cudaFree(a); cudaFree(b);
    return r[7] != 16;
}
