// SPDX-License-Identifier: GPL-3.0-or-later
// What synchronisation and control flow cost: cycles a barrier, a loop's turn, a branch that splits a warp.
#include "timing.h"

extern "C" __global__ void barrier_block(u64* cycles, u32*) {
    TIMED(asm volatile("bar.sync 0;" ::: "memory");)
}
extern "C" __global__ void barrier_warp(u64* cycles, u32*) {
    TIMED(asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");)
}

// A loop whose body is one addition: add, compare, branch. cycles[0] for n turns, cycles[1] for 3 n. The number of
// turns is one number for all threads, or (`more` is 0, which the compiler does not know) one that a thread has for
// itself.
#define LOOP(name, turnsOf)                                                                                            \
    extern "C" __global__ void name(u64* cycles, u32* sink, u32 n, u32 more) {                                         \
        u32 x = threadIdx.x;                                                                                           \
        u64 out[2] = {0, 0};                                                                                           \
        _Pragma("unroll") for (int part = 0; part < 2; ++part) {                                                       \
            const u32 turns = turnsOf(part == 0 ? n : 3 * n);                                                          \
            const u64 t0 = now();                                                                                      \
            _Pragma("unroll 1") for (u32 i = 0; i < turns;                                                             \
                                     ++i) asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(n));               \
            out[part] = now() - t0;                                                                                    \
        }                                                                                                              \
        if (threadIdx.x == 0) {                                                                                        \
            cycles[0] = out[0];                                                                                        \
            cycles[1] = out[1];                                                                                        \
        }                                                                                                              \
        sink[threadIdx.x] = x;                                                                                         \
    }
#define SAME(turns) (turns)
#define OWN(turns) ((turns) + threadIdx.x * more)
LOOP(loop_turn_same, SAME)
LOOP(loop_turn_own, OWN)

// n and 3 n turns of a loop with an if whose two sides have 16 dependent additions each: lanes below `split` take the
// one, the others the other. With split 0 and 32 the warp stays whole.
extern "C" __global__ void branch_split(u64* cycles, u32* sink, u32 n, u32 split) {
    u32 x = threadIdx.x, y = n;
    const bool low = (threadIdx.x & 31) < split;
    u64 out[2] = {0, 0};
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const u32 turns = part == 0 ? n : 3 * n;
        const u64 t0 = now();
#pragma unroll 1
        for (u32 i = 0; i < turns; ++i) {
            if (low) {
                X16(asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(y));)
            } else {
                X16(asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(x) : "r"(y));)
            }
            __syncwarp();
        }
        out[part] = now() - t0;
    }
    if (threadIdx.x == 0) {
        cycles[0] = out[0];
        cycles[1] = out[1];
    }
    sink[threadIdx.x] = x;
}
