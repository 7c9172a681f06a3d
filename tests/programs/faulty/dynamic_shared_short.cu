// SPDX-License-Identifier: GPL-3.0-or-later
// Dynamic shared memory asked for in elements, not in bytes.
#include <cstdio>
__global__ void rev(int *a, int n) {
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[n - 1 - threadIdx.x];
}
int main() {
    const int n = 512;
    static int h[n];
    for (int i = 0; i < n; i++) h[i] = i;
    int *a;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
#ifdef FIXED
    rev<<<1, n, n * sizeof(int)>>>(a, n);
#else
    rev<<<1, n, n>>>(a, n);
#endif
    cudaError_t e = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorString(e), h[0]);
    cudaFree(a);
    return e != 0;
}
