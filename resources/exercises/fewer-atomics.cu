// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void addUp(int* total, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(total, in[i]);
}
