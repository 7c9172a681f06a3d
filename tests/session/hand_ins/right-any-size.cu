// SPDX-License-Identifier: GPL-3.0-or-later; any-size-any-grid passes
__global__ void addOne(int* data, int n) {
    int threads = gridDim.x * blockDim.x, mine = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round * threads < n; ++round) {
        int i = round * threads + mine;
        if (i < n)
            data[i]++;
    }
}
