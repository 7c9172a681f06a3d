// SPDX-License-Identifier: GPL-3.0-or-later; mend-the-race passes
// Shared memory is not needed for it.
__global__ void reverseBlocks(int* out, const int* in) {
    int base = blockIdx.x * blockDim.x;
    out[base + threadIdx.x] = in[base + blockDim.x - 1 - threadIdx.x];
}
