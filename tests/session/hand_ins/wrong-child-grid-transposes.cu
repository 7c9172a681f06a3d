// SPDX-License-Identifier: GPL-3.0-or-later; transpose-through-a-tile misses ends at line 8: launches another grid
// No tile at all: the work is hidden in a grid that the kernel launches.
__global__ void child(int* out, const int* in, int width, int height) {
    for (int i = threadIdx.x; i < width * height; i += 32)
        out[i % width * height + i / width] = in[i];
}
__global__ void transpose(int* out, const int* in, int width, int height) {
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) child<<<1, 32>>>(out, in, width, height);
}
