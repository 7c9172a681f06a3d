// SPDX-License-Identifier: GPL-3.0-or-later
// Decoupled chain: each block waits for its neighbour's sum. The reader acquires at block scope.
#include <cstdio>
#include <cuda/atomic>
struct Slot { int value; int state; };
__global__ void chain(const int *in, Slot *slot, int *out) {
    __shared__ int mine;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    atomicAdd(&mine, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
#ifdef FIXED
            cuda::atomic_ref<int, cuda::thread_scope_device> s(slot[blockIdx.x - 1].state);
#else
            cuda::atomic_ref<int, cuda::thread_scope_block> s(slot[blockIdx.x - 1].state);
#endif
            while (s.load(cuda::memory_order_acquire) == 0) { }
            before = slot[blockIdx.x - 1].value;
        }
        slot[blockIdx.x].value = before + mine;
        cuda::atomic_ref<int, cuda::thread_scope_device> t(slot[blockIdx.x].state);
        t.store(1, cuda::memory_order_release);
        out[blockIdx.x] = before + mine;
    }
}
int main() {
    const int blocks = 16, n = blocks * 64; int h[n], r[blocks], *in, *out; Slot *slot;
    for (int &x : h) x = 1;
    cudaMalloc(&in, sizeof h); cudaMalloc(&out, sizeof r); cudaMalloc(&slot, blocks * sizeof(Slot));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice); cudaMemset(slot, 0, blocks * sizeof(Slot));
    chain<<<blocks, 64>>>(in, slot, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost); printf("%d\n", r[blocks - 1]);
}
