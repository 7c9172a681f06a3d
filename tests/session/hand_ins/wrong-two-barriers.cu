// SPDX-License-Identifier: GPL-3.0-or-later; mend-the-race misses goal 2: barriers
__global__ void reverseBlocks(int* out, const int* in) {
    __shared__ int cell[256];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    __syncthreads();
    cell[t] = in[base + t];
    __syncthreads();
    out[base + t] = cell[blockDim.x - 1 - t];
}
