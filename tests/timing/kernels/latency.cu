// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles from one instruction to the next that needs its result: one warp, each operation waits for the one before.
// The operations are written in PTX, so that no compiler folds the chain.
#include "timing.h"

#define CHAIN(name, type, start, op)                                                                                   \
    extern "C" __global__ void name(u64* cycles, type* sink, type seed) {                                              \
        type x = start, y = seed;                                                                                      \
        TIMED(op)                                                                                                      \
        sink[threadIdx.x] = x + y;                                                                                     \
    }

// An addition and an exclusive or by turns, so that no two additions become one of three operands or a multiplication.
CHAIN(latency_add_xor, u32, threadIdx.x, asm volatile("add.u32 %0, %0, %1; xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y));)
// Two values that add up in turn: ptxas makes every other addition a multiplication by 1, in the other pipe.
CHAIN(latency_add_two_pipes, u32, threadIdx.x,
      asm volatile("{ .reg .u32 t; add.u32 t, %0, %1; mov.u32 %1, %0; mov.u32 %0, t; }"
                   : "+r"(x), "+r"(y));)
CHAIN(latency_mul, u32, threadIdx.x, asm volatile("mul.lo.u32 %0, %0, %1;" : "+r"(x) : "r"(y));)
CHAIN(latency_mad, u32, threadIdx.x, asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(y));)
// A product of 64 bits whose upper half is the next factor.
CHAIN(latency_mad_wide, u64, u64(threadIdx.x) << 32,
      asm volatile("{ .reg .u32 low, high; mov.b64 {low, high}, %0; mad.wide.u32 %0, high, 5, %1; }"
                   : "+l"(x)
                   : "l"(y));)
CHAIN(latency_shl, u32, threadIdx.x, asm volatile("shl.b32 %0, %1, %0;" : "+r"(x) : "r"(y));)
CHAIN(latency_min, u32, threadIdx.x,
      asm volatile("{ .reg .u32 t; min.u32 t, %0, %1; mov.u32 %1, %0; mov.u32 %0, t; }"
                   : "+r"(x), "+r"(y));)
CHAIN(latency_popc, u32, threadIdx.x, asm volatile("popc.b32 %0, %0;" : "+r"(x));)
CHAIN(latency_setp_selp, u32, threadIdx.x,
      asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, 7, p; }"
                   : "+r"(x)
                   : "r"(y));)
CHAIN(latency_rem, u32, threadIdx.x + 9, asm volatile("rem.u32 %0, %1, %0; or.b32 %0, %0, 3;" : "+r"(x) : "r"(y));)
CHAIN(latency_div, u32, threadIdx.x + 9, asm volatile("div.u32 %0, %1, %0; or.b32 %0, %0, 3;" : "+r"(x) : "r"(y));)
CHAIN(latency_fadd, float, float(threadIdx.x), asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(y));)
CHAIN(latency_fma, float, float(threadIdx.x), asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));)
CHAIN(latency_fdiv, float, float(threadIdx.x), asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(y));)
CHAIN(latency_sqrt, float, float(threadIdx.x), asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x));)
CHAIN(latency_rsqrt, float, float(threadIdx.x), asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));)
CHAIN(latency_ex2, float, float(threadIdx.x), asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));)
CHAIN(latency_cvt, float, float(threadIdx.x),
      asm volatile("{ .reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t; }"
                   : "+f"(x));)
CHAIN(latency_dadd, double, double(threadIdx.x), asm volatile("add.f64 %0, %0, %1;" : "+d"(x) : "d"(y));)
CHAIN(latency_dfma, double, double(threadIdx.x), asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(y));)
CHAIN(latency_shfl, u32, threadIdx.x, asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));)
// A compare and a vote.
CHAIN(latency_vote, u32, threadIdx.x,
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                   : "+r"(x)
                   : "r"(y));)
