// SPDX-License-Identifier: GPL-3.0-or-later; product-by-tiles passes
__global__ void multiply(int* c, const int* a, const int* b, int n) {
    __shared__ int left[2][16][16], below[2][16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x, sum = 0;
    for (int tile = 0; tile < n / 16; ++tile) { // two tiles in turn: one barrier a round
        int now = tile % 2;
        left[now][y][x] = a[row * n + tile * 16 + x];
        below[now][y][x] = b[(tile * 16 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += left[now][y][k] * below[now][k][x];
    }
    c[row * n + column] = sum;
}
