// SPDX-License-Identifier: GPL-3.0-or-later
// The last thread writes one element past the end.
#include <cstdio>
__global__ void fill(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n) a[i] = i;
#else
    if (i <= n) a[i] = i;
#endif
}
int main() {
    const int n = 1000;
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    fill<<<4, 256>>>(a, n);
    static int r[n];
    cudaMemcpy(r, a, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[n - 1]);
    cudaFree(a);
    return 0;
}
