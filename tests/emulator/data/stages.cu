// SPDX-License-Identifier: GPL-3.0-or-later
// A producer warp fills two stages of shared memory by bulk copies, four warps add them up. What tells the producer that a stage
// has been read: an mbarrier of all readers, one of each warp's first lane, a barrier of the block, or nothing (`refills`: the
// producer waits for its own copy alone). `readsOnce` has as many stages as tiles.
// stages.ptx: nvcc -ptx -O3 -arch=compute_90 -lineinfo -std=c++17
#include <cstdint>

constexpr int W = 128;

__device__ uint32_t at(const void* p) {
    return uint32_t(__cvta_generic_to_shared(p));
}
__device__ void init(uint64_t* bar, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}
__device__ void arrive(uint64_t* bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(bar)) : "memory");
}
__device__ void wait(uint64_t* bar, unsigned parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\n"
                 "DONE:\n}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void fetch(float* to, const float* from, uint64_t* bar) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(W * 4) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(W * 4), "r"(at(bar))
                 : "memory");
}

enum class Frees { Never, EachThread, EachWarp };

template <Frees how, int stages>
__device__ void dot(const float* in, float* out, int tiles) {
    __shared__ alignas(128) float stage[stages][W];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0)
        for (int s = 0; s < stages; ++s) {
            init(&full[s], 1);
            init(&empty[s], how == Frees::EachWarp ? 4 : W);
        }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x >= W) {
        if (threadIdx.x == W)
            for (int t = 0; t < tiles; ++t) {
                const int s = t % stages;
                if (how != Frees::Never && t >= stages)
                    wait(&empty[s], (t / stages - 1) & 1);
                fetch(stage[s], in + t * W, &full[s]);
                if (how == Frees::Never)
                    wait(&full[s], (t / stages) & 1);
            }
        return;
    }
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        wait(&full[t % stages], (t / stages) & 1);
        sum += stage[t % stages][threadIdx.x];
        if (how == Frees::EachWarp)
            __syncwarp();
        if (how == Frees::EachThread || threadIdx.x % 32 == 0)
            arrive(&empty[t % stages]);
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void refills(const float* in, float* out, int tiles) {
    dot<Frees::Never, 2>(in, out, tiles);
}
extern "C" __global__ void refillsWhatThreadsFreed(const float* in, float* out, int tiles) {
    dot<Frees::EachThread, 2>(in, out, tiles);
}
extern "C" __global__ void refillsWhatWarpsFreed(const float* in, float* out, int tiles) {
    dot<Frees::EachWarp, 2>(in, out, tiles);
}
extern "C" __global__ void readsOnce(const float* in, float* out, int tiles) {
    dot<Frees::Never, 8>(in, out, tiles);
}
// Thread 0 asks for the next tile behind a barrier of all.
extern "C" __global__ void refillsBehindABarrier(const float* in, float* out, int tiles) {
    __shared__ alignas(128) float stage[2][W];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s)
            init(&full[s], 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        for (int t = 0; t < 2; ++t)
            fetch(stage[t], in + t * W, &full[t]);
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        wait(&full[t % 2], (t / 2) & 1);
        sum += stage[t % 2][threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0 && t + 2 < tiles)
            fetch(stage[t % 2], in + (t + 2) * W, &full[t % 2]);
    }
    out[threadIdx.x] = sum;
}
