// SPDX-License-Identifier: GPL-3.0-or-later
// Producer warp and consumer warps with full barriers only: nobody says when a stage is free again.
#include <cstdint>
#include <cstdio>
__device__ inline uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
constexpr int W = 128, S = 2;
__device__ void wait(uint64_t *bar, unsigned parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" :: "r"(smem(bar)), "r"(parity) : "memory");
}
__device__ void arrive(uint64_t *bar) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(smem(bar)) : "memory"); }
__global__ void dot(const float *in, float *out, int tiles) {
    __shared__ alignas(128) float stage[S][W];
    __shared__ uint64_t full[S], empty[S];
    if (threadIdx.x == 0) for (int s = 0; s < S; s++) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(smem(&full[s])) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" :: "r"(smem(&empty[s])) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) for (int t = 0; t < tiles; t++) {
            int s = t % S;
#ifdef FIXED
            if (t >= S) wait(&empty[s], (t / S - 1) & 1);
#endif
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(smem(&full[s])), "r"(W * 4) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(smem(stage[s])), "l"(in + t * W), "r"(W * 4), "r"(smem(&full[s])) : "memory");
#ifndef FIXED
            wait(&full[s], (t / S) & 1);
#endif
        }
        return;
    }
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        wait(&full[t % S], (t / S) & 1);
        sum += stage[t % S][threadIdx.x];
        arrive(&empty[t % S]);
    }
    out[threadIdx.x] = sum;
}
int main() {
    const int tiles = 6; static float h[tiles * W]; float *a, *b;
    for (int i = 0; i < tiles * W; i++) h[i] = i / W + 1;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, W * 4); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    dot<<<1, 160>>>(a, b, tiles);
    cudaMemcpy(h, b, W * 4, cudaMemcpyDeviceToHost);
    printf("%g %s\n", h[0], cudaGetErrorName(cudaGetLastError()));
}
