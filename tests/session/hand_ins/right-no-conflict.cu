// SPDX-License-Identifier: GPL-3.0-or-later; no-bank-conflict passes
// No column more: the columns of row y are exchanged, another way in each row.
__global__ void transpose32(int* out, const int* in, int width, int height) {
    __shared__ int tile[32][32];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        tile[y][x ^ y] = in[(blockIdx.y * 32 + y) * width + blockIdx.x * 32 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        out[(blockIdx.x * 32 + y) * height + blockIdx.y * 32 + x] = tile[x][y ^ x];
}
