// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel misses kernel: tripel
__global__ void tripel(int* out, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i] + 1;
}
