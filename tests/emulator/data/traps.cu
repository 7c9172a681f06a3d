// SPDX-License-Identifier: GPL-3.0-or-later
// Small kernels, each with one trap of SIMT execution or of PTX arithmetic. traps.ptx is made from this file:
//   nvcc -arch=compute_75 -O3 -ptx traps.cu -o traps.ptx
#include <cassert>
#include <cstdio>

extern "C" {

__global__ void partialWarp(unsigned* out) { out[threadIdx.x] = __activemask(); }

__global__ void returnBeforeBarrier(int* out) {
    __shared__ int values[64];
    if (threadIdx.x >= 40) {
        return;
    }
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[39 - threadIdx.x];
}

__global__ void barrierNobodyOpens(int* out) {
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;");
    }
    out[threadIdx.x] = 1;
}

__global__ void barrierInBothSides(int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    if (threadIdx.x % 2 == 0) {
        atomicAdd(&total, 1);
        asm volatile("bar.sync 0;");
    } else {
        atomicAdd(&total, 100);
        asm volatile("bar.sync 0;");
    }
    out[threadIdx.x] = total;
}

// out[t]: value received; out[32 + t]: predicate.
__global__ void shuffleDown(int* out, int delta) {
    int value = threadIdx.x * 10, got, in;
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, 31, 0xffffffff; selp.s32 %1, 1, 0, p; }"
                 : "=r"(got), "=r"(in)
                 : "r"(value), "r"(delta));
    out[threadIdx.x] = got;
    out[32 + threadIdx.x] = in;
}

__global__ void shuffleModes(int* out) {
    int t = threadIdx.x;
    out[t] = __shfl_up_sync(0xffffffff, t, 3, 8);
    out[32 + t] = __shfl_xor_sync(0xffffffff, t, 5, 16);
    out[64 + t] = __shfl_sync(0xffffffff, t, 13, 8);
    out[96 + t] = __shfl_down_sync(0xffffffff, t, 2, 4);
}

__global__ void voteUnderDivergence(unsigned* out) {
    int t = threadIdx.x;
    if (t % 3 == 0) {
        out[t] = __ballot_sync(__activemask(), t % 2 == 0);
    } else {
        out[t] = __popc(__activemask());
    }
}

__global__ void barrierReductions(int* out) {
    int t = threadIdx.x;
    int count = __syncthreads_count(t % 5 == 0);
    int all = __syncthreads_and(t < 96);
    int any = __syncthreads_or(t == 77);
    out[t] = count * 100 + all * 10 + any;
}

__global__ void spinLockInWarp(int* lock, int* count) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int*)count += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// A lock that hangs in lock-step: the winner waits for the losers at the reconvergence point.
__global__ void spinLockThatHangs(int* lock, int* count) {
    asm volatile("{ .reg .pred p; .reg .b32 r;\n"
                 "again: atom.global.cas.b32 r, [%0], 0, 1;\n"
                 " setp.ne.s32 p, r, 0;\n"
                 " @p bra again; }" ::"l"(lock)
                 : "memory");
    *(volatile int*)count += 1;
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void switchOnLane(int* out) {
    int t = threadIdx.x, r;
    switch (t % 7) {
    case 0: r = t * 3 + 1; break;
    case 1: r = t ^ 21; break;
    case 2: r = t / 3; break;
    case 3: r = t << 4; break;
    case 4: r = 1000 - t; break;
    case 5: r = t * t; break;
    default: r = -t; break;
    }
    out[t] = r;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 10); }

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negate(int x) { return -x; }
__device__ int (*const table[3])(int) = {twice, square, negate};
__global__ void functionPointers(int* out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x); }

__global__ void genericPointer(int* data, int* out) {
    __shared__ int fast[32];
    fast[threadIdx.x] = 1000 + threadIdx.x;
    __syncwarp();
    int* p = threadIdx.x % 2 ? data : fast;
    out[threadIdx.x] = p[threadIdx.x];
}

__global__ void localArray(int* out, int n) {
    int a[8];
    for (int i = 0; i < 8; ++i) {
        a[i] = i * i + threadIdx.x;
    }
    out[threadIdx.x] = a[(threadIdx.x + n) % 8];
}

// 128-bit a + b and a - b, low and high words.
__global__ void carry(const unsigned long long* in, unsigned long long* out) {
    unsigned long long a0 = in[0], a1 = in[1], b0 = in[2], b1 = in[3], r0, r1, s0, s1;
    asm("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;" : "=l"(r0), "=l"(r1) : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
    asm("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;" : "=l"(s0), "=l"(s1) : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
    out[0] = r0;
    out[1] = r1;
    out[2] = s0;
    out[3] = s1;
}

// For each x: rcp and sqrt in four modes, x / 3 in four modes.
__global__ void rounding(const float* in, float* out) {
    float x = in[threadIdx.x];
    float* o = out + 12 * threadIdx.x;
    o[0] = __frcp_rn(x);
    o[1] = __frcp_rz(x);
    o[2] = __frcp_rd(x);
    o[3] = __frcp_ru(x);
    o[4] = __fsqrt_rn(x);
    o[5] = __fsqrt_rz(x);
    o[6] = __fsqrt_rd(x);
    o[7] = __fsqrt_ru(x);
    o[8] = __fdiv_rn(x, 3.0f);
    o[9] = __fdiv_rz(x, 3.0f);
    o[10] = __fadd_rd(x, 1e-9f);
    o[11] = __fmaf_ru(x, x, 0.1f);
}

__global__ void minMax(const float* in, float* out) {
    float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    out[2 * threadIdx.x] = fminf(a, b);
    out[2 * threadIdx.x + 1] = fmaxf(a, b);
}

__global__ void shifts(unsigned* out, unsigned value) {
    unsigned n = threadIdx.x * 2, l, r;
    int s;
    asm("shl.b32 %0, %1, %2;" : "=r"(l) : "r"(value), "r"(n));
    asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(value), "r"(n));
    asm("shr.s32 %0, %1, %2;" : "=r"(s) : "r"(value), "r"(n));
    out[3 * threadIdx.x] = l;
    out[3 * threadIdx.x + 1] = r;
    out[3 * threadIdx.x + 2] = s;
}

__global__ void conversions(const float* in, int* out) {
    float x = in[threadIdx.x];
    int* o = out + 6 * threadIdx.x;
    int s8;
    asm("{ .reg .s16 t; cvt.sat.s8.s32 t, %1; cvt.s32.s16 %0, t; }" : "=r"(s8) : "r"(__float2int_rz(x)));
    o[0] = __float2int_rz(x);
    o[1] = (int)__float2uint_rz(x);
    o[2] = __float2int_rn(x);
    o[3] = __float2int_ru(x);
    o[4] = s8;
    o[5] = (int)(__float2ll_rd(x) >> 3);
}

__global__ void subWords(unsigned char* bytes, unsigned short* halves) {
    int t = threadIdx.x;
    bytes[t] = (unsigned char)(t * 7);
    halves[t] = (unsigned short)(bytes[t] * 300);
}

__global__ void vectorLoad(const int* in, int4* out, int offset) {
    out[threadIdx.x] = *(const int4*)(in + 4 * threadIdx.x + offset);
}

__global__ void printing(float f) {
    if (threadIdx.x < 2) {
        printf("%d %s %5.2f|%c|%lld %u%%\n", (int)threadIdx.x - 1, "text", f, 'x', 1234567890123ll, 4000000000u);
    }
}

__global__ void assertion(int limit) { assert((int)threadIdx.x < limit); }

__global__ void bitTricks(const unsigned* in, unsigned* out) {
    unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    unsigned* o = out + 8 * threadIdx.x;
    o[0] = __popc(a);
    o[1] = __clz(a);
    o[2] = __brev(a);
    o[3] = __byte_perm(a, b, 0x3715);
    o[4] = __funnelshift_l(a, b, 13);
    asm("bfe.u32 %0, %1, 5, 9;" : "=r"(o[5]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(o[6]) : "r"(a), "r"(b));
    o[7] = __dp4a(a, b, 5u);
}

__global__ void redux(unsigned* out) {
    unsigned t = threadIdx.x;
    unsigned same = __match_any_sync(0xffffffff, t / 5);
    out[t] = same;
}

// Faults
__global__ void outOfBounds(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = n;
}
__global__ void nullPointer(int* data) {
    int* p = data ? (int*)0 : data;
    asm volatile("st.global.u32 [%0], 7;" ::"l"(p));
}
__global__ void uninitialisedShared(int* out) {
    __shared__ int values[32];
    if (threadIdx.x != 5) {
        values[threadIdx.x] = 1;
    }
    __syncthreads();
    out[threadIdx.x] = values[31 - threadIdx.x];
}
__global__ void readsFirst(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void sharedRace(int* out) {
    __shared__ int values[64];
    values[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void noRace(int* out) {
    __shared__ int values[64];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void volatileTail(int* data) {
    volatile int* v = data;
    int t = threadIdx.x;
    v[t] += v[t + 16];
    v[t] += v[t + 8];
}
__global__ void safeTail(int* data) {
    volatile int* v = data;
    int t = threadIdx.x, other = v[t + 16];
    v[t] += other;
    __syncwarp();
    other = v[t + 8];
    __syncwarp();
    v[t] += other;
}
__global__ void divideByZero(int* out, int d) { out[threadIdx.x] = 100 / (d + (int)threadIdx.x); }
__global__ void endless(volatile int* flag) {
    while (*flag == 0) {
    }
}

// Order
__global__ void countAll(int* counter, int* histogram) {
    atomicAdd(counter, 1);
    atomicAdd(&histogram[(blockIdx.x * 7 + threadIdx.x) % 16], 1);
}
__global__ void ticket(int* counter, int* order) {
    if (threadIdx.x == 0) {
        order[atomicAdd(counter, 1)] = blockIdx.x;
    }
}
__global__ void floatSum(float* sum) { atomicAdd(sum, 1.0f / (1 + blockIdx.x * blockDim.x + threadIdx.x)); }

__global__ void divergent(int* out, int lanes) {
    int t = threadIdx.x;
    int v = 0;
    if (t < lanes) {
        for (int i = 0; i < 3; ++i) {
            v += out[t] + i;
        }
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + t), "r"(v) : "memory");
    } else {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + t), "r"(t) : "memory");
    }
    out[t] += 1;
}

__global__ void bankConflict(int* out, int stride) {
    __shared__ int values[1024];
    values[threadIdx.x * stride] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = values[threadIdx.x * stride];
}

// A cell becomes one when its left neighbour is: lanes look until they see it, in whatever order they go.
__global__ void settles(volatile int* cell) {
    const int t = threadIdx.x;
    bool waits;
    do {
        waits = false;
        if (cell[t] == 0) {
            if (t == 0 || cell[t - 1] != 0)
                cell[t] = 1;
            else
                waits = true;
        }
    } while (waits);
}
// A sum by halves, in a loop: each turn reads what other lanes have stored in the turn before.
__global__ void sumsInALoop(volatile int* v) {
    const int t = threadIdx.x;
#pragma unroll 1
    for (int s = 16; s > 0; s /= 2)
        v[t] += v[t + s];
}
// All lanes have stored before one of them goes on from the vote.
__global__ void votesBetween(volatile int* v, int* out) {
    const int t = threadIdx.x;
    v[t] = 10 * t;
    const int any = __any_sync(0xffffffffu, t > 3);
    out[t] = v[t ^ 1] + any;
}
}
