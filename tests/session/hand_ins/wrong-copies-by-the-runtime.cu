// SPDX-License-Identifier: GPL-3.0-or-later; transpose-through-a-tile misses ends at line 4: cudaMemcpyAsync moves data
__global__ void transpose(int* out, const int* in, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    cudaMemcpyAsync(out + x * height + y, in + y * width + x, sizeof(int), cudaMemcpyDeviceToDevice, 0);
}
