// SPDX-License-Identifier: GPL-3.0-or-later; fewer-atomics misses clean at line 12: race in global
__global__ void addUp(int* total, const int* in, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        *total += sum;
}
