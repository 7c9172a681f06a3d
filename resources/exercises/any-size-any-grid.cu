// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void addOne(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = data[i] + 1;
}
