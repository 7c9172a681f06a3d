// SPDX-License-Identifier: GPL-3.0-or-later
// One number that everybody wants to add to: how many elements are over a threshold?

// All threads of the grid queue at one address.
extern "C" __global__ void atomicGlobal(const int* data, int* counter, int threshold, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && data[i] > threshold) {
        atomicAdd(counter, 1);
    }
}

// Threads queue within their block; then each block adds once.
extern "C" __global__ void atomicTwoLevel(const int* data, int* counter, int threshold, int n) {
    __shared__ int blockCounter;
    if (threadIdx.x == 0) {
        blockCounter = 0;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && data[i] > threshold) {
        atomicAdd(&blockCounter, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(counter, blockCounter);
    }
}
