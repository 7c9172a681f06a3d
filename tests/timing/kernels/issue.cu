// SPDX-License-Identifier: GPL-3.0-or-later
// How many instructions an SM starts a cycle: each warp runs `rounds` times 32 instructions that do not wait for each
// other, and its lane 0 writes the clock before and after. One block: the SM's rate is all instructions over
// (latest end - earliest start).
#include "timing.h"

#define STAMPED(body)                                                                                                  \
    __syncthreads();                                                                                                   \
    const u64 begin = now();                                                                                           \
    _Pragma("unroll 1") for (u32 i = 0; i < rounds; ++i) {                                                             \
        body                                                                                                           \
    }                                                                                                                  \
    const u64 end = now();                                                                                             \
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;                                                     \
    if (threadIdx.x % 32 == 0) {                                                                                       \
        clocks[2 * warp] = begin;                                                                                      \
        clocks[2 * warp + 1] = end;                                                                                    \
    }

#define EACH(op) op(0) op(1) op(2) op(3) op(4) op(5) op(6) op(7)
#define RATE(name, type, op)                                                                                           \
    extern "C" __global__ void name(u64* clocks, type* sink, u32 rounds, type y) {                                     \
        type a0 = type(threadIdx.x), a1 = a0 + y, a2 = a1 + y, a3 = a2 + y, a4 = a3 + y, a5 = a4 + y, a6 = a5 + y,     \
             a7 = a6 + y;                                                                                              \
        STAMPED(X4(EACH(op)))                                                                                          \
        sink[blockIdx.x * blockDim.x + threadIdx.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;                           \
    }

// Each value takes its neighbour's, so that no two additions can become one of three operands.
#define NEXT_0 a1
#define NEXT_1 a2
#define NEXT_2 a3
#define NEXT_3 a4
#define NEXT_4 a5
#define NEXT_5 a6
#define NEXT_6 a7
#define NEXT_7 a0
#define OP_ADD(n) asm volatile("add.u32 %0, %0, %1;" : "+r"(a##n) : "r"(NEXT_##n));
#define OP_MAD(n) asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(a##n) : "r"(y));
#define OP_SHF(n) asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(a##n) : "r"(y));
#define OP_SETP(n)                                                                                                     \
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, 7, %2, p; }"                                     \
                 : "+r"(a##n)                                                                                          \
                 : "r"(y), "r"(NEXT_##n));
#define OP_FMA(n) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(a##n) : "f"(y));
#define OP_DFMA(n) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(a##n) : "d"(y));
#define OP_RSQRT(n) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(a##n));
#define OP_SHFL(n) asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(a##n));
#define OP_POPC(n) asm volatile("popc.b32 %0, %0;" : "+r"(a##n));
RATE(rate_add, u32, OP_ADD)
RATE(rate_mad, u32, OP_MAD)
RATE(rate_shift, u32, OP_SHF)
RATE(rate_setp_selp, u32, OP_SETP)
RATE(rate_fma, float, OP_FMA)
RATE(rate_dfma, double, OP_DFMA)
RATE(rate_rsqrt, float, OP_RSQRT)
RATE(rate_shfl, u32, OP_SHFL)
RATE(rate_popc, u32, OP_POPC)

// 32 different words a round, `step` bytes apart, so that no access is left out as done before. `zero` is 0, which the
// compiler does not know: the address is another one each round.
#define EACH_AT(op, step)                                                                                              \
    op(0, 0 * step) op(1, 1 * step) op(2, 2 * step) op(3, 3 * step) op(4, 4 * step) op(5, 5 * step) op(6, 6 * step)    \
        op(7, 7 * step) op(0, 8 * step) op(1, 9 * step) op(2, 10 * step) op(3, 11 * step) op(4, 12 * step)             \
            op(5, 13 * step) op(6, 14 * step) op(7, 15 * step) op(0, 16 * step) op(1, 17 * step) op(2, 18 * step)      \
                op(3, 19 * step) op(4, 20 * step) op(5, 21 * step) op(6, 22 * step) op(7, 23 * step) op(0, 24 * step)  \
                    op(1, 25 * step) op(2, 26 * step) op(3, 27 * step) op(4, 28 * step) op(5, 29 * step)               \
                        op(6, 30 * step) op(7, 31 * step)

// Loads from and stores to shared memory: `ways` lanes want different words of the same bank.
extern "C" __global__ void rate_shared(u64* clocks, u32* sink, u32 rounds, u32 ways, u32 zero) {
    __shared__ u32 words[2048];
    const u32 lane = threadIdx.x & 31, banks = 32 / ways;
    for (u32 i = threadIdx.x; i < 2048; i += blockDim.x)
        words[i] = 0;
    u32 p = u32(__cvta_generic_to_shared(&words[lane / banks * 32 + lane % banks]));
    u32 a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0;
#define OP_LDS(n, at) asm volatile("ld.volatile.shared.u32 %0, [%1+%2];" : "=r"(a##n) : "r"(p), "n"(at) : "memory");
    STAMPED(EACH_AT(OP_LDS, 128) p += zero;)
    sink[threadIdx.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;
}
extern "C" __global__ void rate_shared_store(u64* clocks, u32* sink, u32 rounds, u32 ways, u32 zero) {
    __shared__ u32 words[2048];
    const u32 lane = threadIdx.x & 31, banks = 32 / ways;
    u32 p = u32(__cvta_generic_to_shared(&words[lane / banks * 32 + lane % banks]));
#define OP_STS(n, at) asm volatile("st.shared.u32 [%0+%1], %2;" ::"r"(p), "n"(at), "r"(rounds) : "memory");
    STAMPED(EACH_AT(OP_STS, 128) p += zero;)
    __syncthreads();
    sink[threadIdx.x] = words[threadIdx.x];
}
extern "C" __global__ void rate_shared_atomic(u64* clocks, u32* sink, u32 rounds, u32 spread) {
    __shared__ u32 words[1024];
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    const u32 p = u32(__cvta_generic_to_shared(&words[(threadIdx.x % 32) * spread]));
#define OP_ATOMS(n) asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(p), "r"(threadIdx.x) : "memory");
    STAMPED(X4(EACH(OP_ATOMS)))
    __syncthreads();
    sink[threadIdx.x] = words[threadIdx.x];
}

// Loads from and stores to global memory (each value loaded is added up, or the load would be left out), lanes `stride`
// bytes apart (at most 32); 32 pieces of 1024 bytes, which are in the cache after a first round.
#define RATE_GLOBAL(name, operator)                                                                                    \
    extern "C" __global__ void name(u64* clocks, u32* sink, u32 rounds, char* data, u32 stride, u64 zero) {            \
        char* p = data + (threadIdx.x % 32) * stride;                                                                  \
        u32 a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0;                                            \
        for (u32 k = 0; k < 32; ++k)                                                                                   \
            asm volatile("ld.global" operator".u32 %0, [%1];" : "=r"(a0) : "l"(p + k * 1024) : "memory");              \
        STAMPED(EACH_AT(OP_##name, 1024) p += zero;)                                                                   \
        sink[blockIdx.x * blockDim.x + threadIdx.x] = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;                           \
    }
#define OP_rate_l1(n, at)                                                                                              \
    asm volatile("{ .reg .u32 t; ld.global.ca.u32 t, [%1+%2];\n add.u32 %0, %0, t; }"                                  \
                 : "+r"(a##n)                                                                                          \
                 : "l"(p), "n"(at)                                                                                     \
                 : "memory");
#define OP_rate_l2(n, at)                                                                                              \
    asm volatile("{ .reg .u32 t; ld.global.cg.u32 t, [%1+%2];\n add.u32 %0, %0, t; }"                                  \
                 : "+r"(a##n)                                                                                          \
                 : "l"(p), "n"(at)                                                                                     \
                 : "memory");
RATE_GLOBAL(rate_l1, ".ca")
RATE_GLOBAL(rate_l2, ".cg")

// Each warp writes its own 32 KB.
extern "C" __global__ void rate_store(u64* clocks, u32* sink, u32 rounds, char* data, u32 stride, u64 zero) {
    char* p = data + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32768 + (threadIdx.x % 32) * stride;
#define OP_STG(n, at) asm volatile("st.global.u32 [%0+%1], %2;" ::"l"(p), "n"(at), "r"(rounds) : "memory");
    STAMPED(EACH_AT(OP_STG, 1024) p += zero;)
    sink[0] = 0;
}

// Additions in global memory without a result: lanes `stride` bytes apart, warps `warpStride`.
extern "C" __global__ void rate_global_atomic(u64* clocks, u32* sink, u32 rounds, char* data, u32 stride,
                                              u32 warpStride) {
    const u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    char* p = data + u64(index / 32) * warpStride + (threadIdx.x % 32) * stride;
#define OP_RED(n) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(index) : "memory");
    STAMPED(X4(EACH(OP_RED)))
    sink[0] = 0;
}
