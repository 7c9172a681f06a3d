// SPDX-License-Identifier: GPL-3.0-or-later
// A ring of two stages filled by bulk copies; the parity is the stage's number, not the round's.
#include <cstdint>
#include <cstdio>
__device__ inline uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
constexpr int W = 128, S = 2;
__device__ void wait(uint64_t *bar, unsigned parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}" :: "r"(smem(bar)), "r"(parity) : "memory");
}
__global__ void total(const float *in, float *out, int tiles) {
    __shared__ alignas(128) float stage[S][W];
    __shared__ uint64_t full[S];
    if (threadIdx.x == 0) for (int s = 0; s < S; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(smem(&full[s])) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    auto fetch = [&](int t) {
        int s = t % S;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(smem(&full[s])), "r"(W * 4) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(smem(stage[s])), "l"(in + t * W), "r"(W * 4), "r"(smem(&full[s])) : "memory");
    };
    if (threadIdx.x == 0) for (int t = 0; t < S; t++) fetch(t);
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
#ifdef FIXED
        wait(&full[t % S], (t / S) & 1);
#else
        wait(&full[t % S], 0);
#endif
        sum += stage[t % S][threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0 && t + S < tiles) fetch(t + S);
    }
    out[threadIdx.x] = sum;
}
int main() {
    const int tiles = 5; static float h[tiles * W]; float *a, *b;
    for (int i = 0; i < tiles * W; i++) h[i] = i / W + 1;
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, W * 4); cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    total<<<1, W>>>(a, b, tiles);
    cudaMemcpy(h, b, W * 4, cudaMemcpyDeviceToHost);
    printf("%g %s\n", h[0], cudaGetErrorName(cudaGetLastError()));
}
