// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void addOne(int* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = data[i] + 1;
}
