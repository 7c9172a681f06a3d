// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose blocks meet at words of global memory, so that the order of their instructions shows (turns_test.cpp).
// turns.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -lineinfo -ptx turns.cu -o turns.ptx   (the path in .file cut down to the name)

extern "C" {

// Eight words; each is set by the first block that has it, and all blocks that have it add.
__global__ void setsByBlock(int* out) {
    int* const mine = out + blockIdx.x % 8;
    if (blockIdx.x < 8 && threadIdx.x == 0)
        *mine = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(mine, 1);
}

__device__ __noinline__ void put(volatile int* word, int value) {
    *word = value;
}
__device__ __noinline__ void add(int* word) {
    atomicAdd(word, 1);
}
__global__ void setsByFunctions(int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        put(out, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        add(out);
}

__global__ void lastStaysByBlock(int* out) {
    out[blockIdx.x % 4] = blockIdx.x;
}

__global__ void takesATicket(unsigned* next, int* ticketOf) {
    if (threadIdx.x == 0)
        ticketOf[blockIdx.x] = atomicInc(next, 0xffffffff);
}

__device__ float work(int item) {
    float v = item;
    for (int i = 0; i < 100; ++i)
        v = v * 1.0001f + threadIdx.x;
    return v;
}
// The same items, out of a queue and dealt out.
__global__ void takesFromAQueue(unsigned* next, float* out, int* takenBy, int n) {
    __shared__ unsigned mine;
    for (;;) {
        if (threadIdx.x == 0)
            mine = atomicAdd(next, 1);
        __syncthreads();
        const unsigned item = mine;
        if (item >= n)
            return;
        out[item * blockDim.x + threadIdx.x] = work(item);
        if (threadIdx.x == 0)
            ++takenBy[blockIdx.x];
        __syncthreads();
    }
}
__global__ void isDealtOut(float* out, int n) {
    for (int item = blockIdx.x; item < n; item += gridDim.x) {
        out[item * blockDim.x + threadIdx.x] = work(item);
        __syncthreads();
    }
}

} // extern "C"
