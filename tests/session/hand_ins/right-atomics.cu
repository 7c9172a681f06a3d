// SPDX-License-Identifier: GPL-3.0-or-later; fewer-atomics passes
__global__ void addUp(int* total, const int* in, int n) {
    __shared__ int ofBlock;
    if (threadIdx.x == 0)
        ofBlock = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&ofBlock, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, ofBlock);
}
