// SPDX-License-Identifier: GPL-3.0-or-later; any-size-any-grid misses ends at line 4: before the beginning
__global__ void addOne(int* data, int n) {
    for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i > -n; i -= gridDim.x * blockDim.x)
        data[i] += 1;
}
