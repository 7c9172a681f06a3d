// SPDX-License-Identifier: GPL-3.0-or-later; product-by-tiles misses clean: shared
__global__ void multiply(int* c, const int* a, const int* b, int n) {
    __shared__ int tileA[16][16], tileB[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    int sum = 0;
    for (int at = 0; at < n; at += 16) {
        tileA[y][x] = a[row * n + at + x];
        tileB[y][x] = b[(at + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += tileA[y][k] * tileB[k][x];
    }
    c[row * n + column] = sum;
}
