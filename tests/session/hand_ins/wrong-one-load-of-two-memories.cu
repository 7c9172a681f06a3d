// SPDX-License-Identifier: GPL-3.0-or-later; no-bank-conflict misses goal 1: conflicts
__global__ void transpose32(int* out, const int* in, int width, int height) {
    __shared__ int tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    for (int k = -int(blockDim.y); k < 32; k += blockDim.y) { // the first time in global memory
        const int* from = k < 0 ? in : &tile[threadIdx.x][threadIdx.y + k];
        int value;
        asm volatile("ld.b32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
        if (k >= 0)
            out[(row + k) * height + column] = value;
    }
}
