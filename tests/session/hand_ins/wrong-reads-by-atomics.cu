// SPDX-License-Identifier: GPL-3.0-or-later; product-by-tiles misses goal 1: bytes
__global__ void multiply(int* c, int* a, int* b, int n) {
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum += atomicOr(a + row * n + k, 0) * atomicOr(b + k * n + column, 0);
    c[row * n + column] = sum;
}
