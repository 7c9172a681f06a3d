// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void transpose(int* out, const int* in, int width, int height) {
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    int row = blockIdx.x * 16 + threadIdx.y, column = blockIdx.y * 16 + threadIdx.x;
    out[row * height + column] = tile[threadIdx.x][threadIdx.y];
}
