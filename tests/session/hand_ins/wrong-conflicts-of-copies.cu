// SPDX-License-Identifier: GPL-3.0-or-later; no-bank-conflict misses ends at line 7: cp.async moves data
__global__ void transpose32(int* out, const int* in, int width, int height) {
    __shared__ int tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += blockDim.y) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][threadIdx.y + k]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + (y + k) * width + x) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.y, column = blockIdx.y * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += blockDim.y)
        out[(row + k) * height + column] = tile[threadIdx.y + k][threadIdx.x];
}
