// SPDX-License-Identifier: GPL-3.0-or-later
// Every thread reports; the report is longer than the buffer.
#include <cstdio>
__global__ void trace(const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) printf("cell %d of %d holds %f in block %d\n", i, n, x[i], blockIdx.x);
}
int main() {
    const int n = 40000; float *x;
    cudaMalloc(&x, n * 4); cudaMemset(x, 0, n * 4);
#ifdef FIXED
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20);
#endif
    trace<<<(n + 255) / 256, 256>>>(x, n);
    cudaDeviceSynchronize();
}
