// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles are scaled in shared memory and stored by bulk copies, two buffers; the fence is made before the writes, not behind.
#include <cstdint>
#include <cstdio>
__device__ inline uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
constexpr int W = 256;
__global__ void scale(const float *in, float *out, int tiles, float a) {
    __shared__ alignas(128) float buf[2][W];
    for (int t = 0; t < tiles; t++) {
        int b = t & 1;
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        __syncthreads();
#ifndef FIXED
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
        buf[b][threadIdx.x] = a * in[t * W + threadIdx.x];
#ifdef FIXED
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(out + t * W), "r"(smem(buf[b])), "r"(W * 4) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
int main() {
    const int tiles = 6; static float h[tiles * W]; float *a, *b;
    for (int i = 0; i < tiles * W; i++) h[i] = i;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<1, W>>>(a, b, tiles, 2.f);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %s\n", h[tiles * W - 1], cudaGetErrorName(cudaGetLastError()));
}
