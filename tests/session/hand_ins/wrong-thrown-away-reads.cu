// SPDX-License-Identifier: GPL-3.0-or-later; transpose-through-a-tile misses goal 1: sectors
__global__ void transpose(int* out, const int* in, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, thrown = 0;
    for (int k = 0; k < 200; ++k)
        thrown += ((volatile const int*)in)[threadIdx.y % 2 * 16 + threadIdx.x];
    out[x * height + y] = in[y * width + x] + (thrown == 123456789);
}
