// SPDX-License-Identifier: GPL-3.0-or-later
// A node's fields are written and its pointer published by a relaxed store.
#include <cstdio>
#include <cuda/atomic>
struct Node { int key, value; };
__device__ Node nodes[2];
__device__ int head;
__global__ void list(int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> h(head);
    if (blockIdx.x == 0) {
        nodes[1].key = 7;
        nodes[1].value = 70;
#ifdef FIXED
        h.store(1, cuda::memory_order_release);
#else
        h.store(1, cuda::memory_order_relaxed);
#endif
    } else {
        int at;
        while ((at = h.load(cuda::memory_order_acquire)) == 0) { }
        out[0] = nodes[at].key;
        out[1] = nodes[at].value;
    }
}
int main() {
    int *o, r[2];
    cudaMalloc(&o, 8);
    list<<<2, 1>>>(o);
    cudaMemcpy(r, o, 8, cudaMemcpyDeviceToHost);
    printf("%d %d\n", r[0], r[1]);
    cudaFree(o);
    return r[0] != 7 || r[1] != 70;
}
