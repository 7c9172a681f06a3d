// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of a reduction in shared memory, a barrier after each, over and over: nothing but what a warp waits for there.
// And loads behind a predicate, whether a lane wants them or none does.
#include "timing.h"

#define ROUNDS(name, ...)                                                                                              \
    extern "C" __global__ void name(u64* cycles, u32* sink, u32 times) {                                               \
        __shared__ int words[2048];                                                                                    \
        const u32 tid = threadIdx.x;                                                                                   \
        words[tid] = 0;                                                                                                \
        __syncthreads();                                                                                               \
        const u64 t0 = now();                                                                                          \
        u32 rounds = 0;                                                                                                \
        for (u32 k = 0; k < times; ++k) {                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        const u64 t1 = now();                                                                                          \
        for (u32 s = 1; s < blockDim.x; s *= 2)                                                                        \
            rounds += times;                                                                                           \
        if (tid == 0) {                                                                                                \
            cycles[0] = t1 - t0;                                                                                       \
            cycles[1] = rounds;                                                                                        \
            sink[0] = words[0];                                                                                        \
        }                                                                                                              \
    }
ROUNDS(
    rounds_conflicts, for (u32 s = 1; s < blockDim.x; s *= 2) {
        const int index = 2 * s * tid;
        if (index < blockDim.x)
            words[index] += words[index + s];
        __syncthreads();
    })
ROUNDS(
    rounds_same_free, for (u32 s = 1; s < blockDim.x; s *= 2) {
        const int index = 2 * s * tid;
        if (index < blockDim.x)
            words[tid] += words[tid + s];
        __syncthreads();
    })
ROUNDS(
    rounds_sequential, for (u32 s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            words[tid] += words[tid + s];
        __syncthreads();
    })
ROUNDS(
    rounds_none_wanted, for (u32 s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid + times * 1024 < s)
            words[tid] += words[tid + s];
        __syncthreads();
    })

// Eight loads a turn, each added to the address of the next, which stays the same. `none` is 0.
#define CHAIN(name, want, load)                                                                                        \
    extern "C" __global__ void name(u64* cycles, u32* sink, u32 turns, u32 none) {                                     \
        __shared__ u32 words[32];                                                                                      \
        words[threadIdx.x] = 0;                                                                                        \
        u32 at = u32(__cvta_generic_to_shared(words));                                                                 \
        __syncthreads();                                                                                               \
        const u64 t0 = now();                                                                                          \
        for (u32 k = 0; k < turns; ++k)                                                                                \
            asm volatile("{.reg .pred p; .reg .u32 r; setp." want ".u32 p, %1, 0; mov.u32 r, 0;" X8(load) "}"          \
                         : "+r"(at)                                                                                    \
                         : "r"(none)                                                                                   \
                         : "memory");                                                                                  \
        const u64 t1 = now();                                                                                          \
        if (threadIdx.x == 0) {                                                                                        \
            cycles[0] = t1 - t0;                                                                                       \
            cycles[1] = 8 * turns;                                                                                     \
        }                                                                                                              \
        sink[threadIdx.x] = at;                                                                                        \
    }
#define LOAD "@p ld.volatile.shared.u32 r, [%0]; add.u32 %0, %0, r;"
CHAIN(chain_wanted, "eq", LOAD)
CHAIN(chain_unwanted, "ne", LOAD)
