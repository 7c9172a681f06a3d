// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void transpose(int* out, const int* in, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[x * height + y] = in[y * width + x];
}
