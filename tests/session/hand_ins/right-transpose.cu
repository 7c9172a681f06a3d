// SPDX-License-Identifier: GPL-3.0-or-later; transpose-through-a-tile passes
__global__ void transpose(int* out, const int* in, int width, int height) {
    __shared__ int turned[16 * 16];
    int tx = threadIdx.x, ty = threadIdx.y;
    turned[tx * 16 + ty] = in[(blockIdx.y * 16 + ty) * width + blockIdx.x * 16 + tx];
    __syncthreads();
    out[(blockIdx.x * 16 + ty) * height + blockIdx.y * 16 + tx] = turned[ty * 16 + tx];
}
