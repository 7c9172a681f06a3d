// SPDX-License-Identifier: GPL-3.0-or-later
// Memory latency by pointer chasing: each load's address is the value of the load before.
#include "timing.h"

__constant__ u32 zeros[64] = {0};

// `ways` lanes of the warp want different words of the same bank; each word holds its own address.
extern "C" __global__ void chase_shared(u64* cycles, u32* sink, u32 ways) {
    __shared__ u32 words[1024];
    const u32 lane = threadIdx.x & 31, banks = 32 / ways;
    u32 x = u32(__cvta_generic_to_shared(&words[lane / banks * 32 + lane % banks]));
    asm volatile("st.shared.u32 [%0], %0;" ::"r"(x) : "memory");
    __syncthreads();
    TIMED(asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x)::"memory");)
    sink[threadIdx.x] = x;
}

// Global memory in the cache: one thread, 128 steps of `stride` bytes over a ring of `steps` words that it has written.
// With at most 128 steps the second round finds all of them in the cache (a sector that was only written in part must
// be fetched when it is read first).
#define CHASE_GLOBAL(name, operator)                                                                                   \
    extern "C" __global__ void name(u64* cycles, u64* sink, char* ring, u32 stride, u32 steps) {                       \
        for (u32 i = 0; i < steps; ++i)                                                                                \
            *(volatile u64*)(ring + u64(i) * stride) = u64(ring + u64((i + 1) % steps) * stride);                      \
        __threadfence();                                                                                               \
        u64 x = u64(ring);                                                                                             \
        TIMED(asm volatile("ld.global" operator".u64 %0, [%0];" : "+l"(x)::"memory");)                                 \
        sink[threadIdx.x] = x;                                                                                         \
    }
CHASE_GLOBAL(chase_l1, ".ca")
CHASE_GLOBAL(chase_l2, ".cg")

// The same with an index in place of a pointer, as most programs write it: the address is worked out each time.
#define CHASE_INDEX(name, operator)                                                                                    \
    extern "C" __global__ void name(u64* cycles, u32* sink, u32* ring, u32 stride, u32 steps) {                        \
        for (u32 i = 0; i < steps; ++i)                                                                                \
            *(volatile u32*)(ring + i * stride) = (i + 1) % steps * stride;                                            \
        __threadfence();                                                                                               \
        u32 x = 0;                                                                                                     \
        TIMED(asm volatile("ld.global" operator".u32 %0, [%1];" : "=r"(x) : "l"(ring + x) : "memory");)                \
        sink[threadIdx.x] = x;                                                                                         \
    }
CHASE_INDEX(chase_l1_index, ".ca")
CHASE_INDEX(chase_l2_index, ".cg")

extern "C" __global__ void chase_shared_index(u64* cycles, u32* sink, u32 steps) {
    __shared__ u32 words[1024];
    for (u32 i = threadIdx.x; i < steps; i += blockDim.x)
        words[i] = (i + 1) % steps;
    __syncthreads();
    u32 x = threadIdx.x;
    TIMED(x = *(volatile u32*)(words + x);)
    sink[threadIdx.x] = x;
}

// Memory that nothing has touched: all zero, so that the value can be added to the next address. An addition of 64 bits
// a step comes with it; chase_l2_sum is the same in the cache, to tell what that costs.
extern "C" __global__ void chase_fresh(u64* cycles, u64* sink, char* buffer, u32 stride, u32 steps) {
    u64 x = 0;
    const char* p = buffer;
    const u64 t0 = now();
    for (u32 i = 0; i < steps; ++i) {
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
        p += stride + x;
    }
    if (x == 1)
        p = nullptr;
    const u64 t1 = now();
    cycles[0] = t1 - t0;
    cycles[1] = steps;
    sink[threadIdx.x] = u64(p);
}

extern "C" __global__ void chase_constant(u64* cycles, u32* sink) {
    u32 x = zeros[threadIdx.x];
    TIMED(asm volatile("{ .reg .u64 a, b; mov.u64 b, zeros; cvt.u64.u32 a, %0; add.u64 a, b, a; ld.const.u32 %0, [a]; }"
                       : "+r"(x));)
    sink[threadIdx.x] = x;
}

extern "C" __global__ void chase_local(u64* cycles, u64* sink) {
    volatile u64 words[32];
    for (int i = 0; i < 32; ++i)
        words[i] = u64(__cvta_generic_to_local((const void*)&words[(i + 1) % 32]));
    u64 x = words[31];
    TIMED(asm volatile("ld.local.u64 %0, [%0];" : "+l"(x)::"memory");)
    sink[threadIdx.x] = x;
}

// Atomics whose result the next one adds: one thread on global and shared memory, or `lanes` lanes on one word or
// on 32.
extern "C" __global__ void chase_atomic_global(u64* cycles, u32* sink, u32* target, u32 spread) {
    u32* p = target + threadIdx.x * spread;
    u32 x = threadIdx.x;
    TIMED(asm volatile("atom.global.add.u32 %0, [%1], %0;" : "+r"(x) : "l"(p) : "memory");)
    sink[threadIdx.x] = x;
}
extern "C" __global__ void chase_atomic_shared(u64* cycles, u32* sink, u32 spread) {
    __shared__ u32 words[1024];
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    const u32 p = u32(__cvta_generic_to_shared(&words[threadIdx.x * spread]));
    u32 x = threadIdx.x;
    TIMED(asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(p) : "memory");)
    sink[threadIdx.x] = x;
}
// A compare and swap, which shared memory does in one piece.
extern "C" __global__ void chase_cas_shared(u64* cycles, u32* sink, u32 spread) {
    __shared__ u32 words[1024];
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    const u32 p = u32(__cvta_generic_to_shared(&words[threadIdx.x * spread]));
    u32 x = threadIdx.x;
    TIMED(asm volatile("atom.shared.cas.b32 %0, [%1], %0, 5;" : "+r"(x) : "r"(p) : "memory");)
    sink[threadIdx.x] = x;
}
