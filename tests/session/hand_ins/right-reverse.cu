// SPDX-License-Identifier: GPL-3.0-or-later; mend-the-race passes
__global__ void reverseBlocks(int* out, const int* in) {
    int first = blockIdx.x * blockDim.x;
    out[first + threadIdx.x] = in[first + blockDim.x - threadIdx.x - 1];
}
