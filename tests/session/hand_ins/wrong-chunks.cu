// SPDX-License-Identifier: GPL-3.0-or-later; any-size-any-grid misses goal 1 at line 6: sectors
__global__ void addOne(int* data, int n) {
    int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i)
        data[i] = data[i] + 1;
}
