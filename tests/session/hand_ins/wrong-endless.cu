// SPDX-License-Identifier: GPL-3.0-or-later; any-size-any-grid misses ends: does not end
__global__ void addOne(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        data[i] = data[i] + 1; // and on with the same element
        if (data[i] < 0)
            i += gridDim.x * blockDim.x;
    }
}
