// SPDX-License-Identifier: GPL-3.0-or-later; fewer-atomics misses clean at line 5: global
__global__ void addUp(int* total, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        *total = *total + in[i];
}
