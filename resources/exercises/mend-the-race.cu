// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void reverseBlocks(int* out, const int* in) {
    __shared__ int cell[256];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    cell[t] = in[base + t];
    out[base + t] = cell[blockDim.x - 1 - t];
}
