// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel misses ends at line 5: not shown
__global__ void triple(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 256)
        out[i] = 3 * in[i] + 1;
}
