// SPDX-License-Identifier: GPL-3.0-or-later; first-kernel misses kernel at line 2: triple(int*, int)
__global__ void triple(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = 3 * data[i] + 1;
}
