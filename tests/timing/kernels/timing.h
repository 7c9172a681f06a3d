// SPDX-License-Identifier: GPL-3.0-or-later
// What the microbenchmarks share. Each kernel reads the SM's clock around a short and a long run of the same operation
// and writes both differences: the cost of one operation is (long - short) / (longOps - shortOps), and whatever reading
// the clock costs falls out. The first of two rounds fills the instruction cache; the second is the one written.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

constexpr int shortOps = 32, longOps = 96;

#define X4(op) op op op op
#define X8(op) X4(op) X4(op)
#define X16(op) X4(X4(op))
#define X32(op) X16(op) X16(op)
#define X64(op) X4(X16(op))
#define X96(op) X64(op) X32(op)

__device__ __forceinline__ u64 now() {
    u64 t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

// Runs op once, then 32 times, then 96 times, with the clock read between; twice. Thread 0 writes the two differences.
#define TIMED(op)                                                                                                      \
    u64 first = 0, second = 0;                                                                                         \
    _Pragma("unroll 1") for (int round = 0; round < 2; ++round) {                                                      \
        op const u64 t0 = now();                                                                                       \
        X32(op) const u64 t1 = now();                                                                                  \
        X96(op) const u64 t2 = now();                                                                                  \
        first = t1 - t0;                                                                                               \
        second = t2 - t1;                                                                                              \
    }                                                                                                                  \
    if (threadIdx.x == 0) {                                                                                            \
        cycles[0] = first;                                                                                             \
        cycles[1] = second;                                                                                            \
    }
