// SPDX-License-Identifier: GPL-3.0-or-later
// A flag between blocks released and acquired at block scope only.
#include <cstdio>
#include <cuda/atomic>
__device__ int value;
__device__ int flag;
#ifdef FIXED
using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
#else
using Flag = cuda::atomic_ref<int, cuda::thread_scope_block>;
#endif
__global__ void pass(int *out) {
    Flag f(flag);
    if (blockIdx.x == 0) {
        value = 42;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) { }
        *out = value;
    }
}
int main() {
    int *o, r;
    cudaMalloc(&o, 4);
    pass<<<2, 1>>>(o);
    cudaMemcpy(&r, o, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", r);
    cudaFree(o);
    return r != 42;
}
