// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for much waits for the slowest: loads of many lines at once from memory that nothing has touched, and a
// dependent loop through shared memory with conflicts.
#include "timing.h"

// Each lane follows a chain of its own; `share` lanes beside each other want the same sector. All of the table is zero.
extern "C" __global__ void chains(u64* cycles, u32* sink, const char* table, u32 mask, u32 steps, u32 share) {
    u64 h = (threadIdx.x / share + 77) * 0x9e3779b97f4a7c15ull;
    u32 at = u32(h >> 20) & mask & ~31u;
    const u64 t0 = now();
    for (u32 s = 0; s < steps; ++s) {
        u32 x;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(table + at) : "memory");
        h = h * 6364136223846793005ull + 1442695040888963407ull + x;
        at = u32(h >> 20) & mask & ~31u;
    }
    const u64 t1 = now();
    cycles[0] = t1 - t0;
    cycles[1] = steps;
    sink[threadIdx.x] = at;
}

// Eight loads of a line each, 64 KB apart, then all are waited for.
extern "C" __global__ void batch8(u64* cycles, u32* sink, const char* rows, u32 steps) {
    const char* p = rows + threadIdx.x * 4;
    const u64 t0 = now();
    for (u32 s = 0; s < steps; ++s) {
        u32 x[8], sum = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k)
            asm volatile("ld.global.u32 %0, [%1];" : "=r"(x[k]) : "l"(p + k * 65536) : "memory");
#pragma unroll
        for (int k = 0; k < 8; ++k)
            sum += x[k];
        p += 8 * 65536 + sum;
    }
    const u64 t1 = now();
    cycles[0] = t1 - t0;
    cycles[1] = steps;
    sink[threadIdx.x] = u32(u64(p));
}

// Two loads and a store, `ways` lanes on the same bank in each.
extern "C" __global__ void conflict_chain(u64* cycles, u32* sink, u32 ways, u32 steps) {
    __shared__ volatile u32 words[2048];
    for (u32 k = threadIdx.x; k < 2048; k += blockDim.x)
        words[k] = 0;
    __syncthreads();
    const u32 a = threadIdx.x % 32 * ways % 1024, b = (a + 1) % 1024;
    const u64 t0 = now();
    for (u32 s = 0; s < steps; ++s)
        words[a] += words[b];
    __syncthreads();
    const u64 t1 = now();
    cycles[0] = t1 - t0;
    cycles[1] = steps;
    sink[threadIdx.x] = words[a];
}

// A word each at random.
extern "C" __global__ void scatter(u64* cycles, u32* sink, char* table, u32 mask, u32 rounds) {
    u64 h = (blockIdx.x * blockDim.x + threadIdx.x + 99) * 0x9e3779b97f4a7c15ull;
    for (u32 r = 0; r < rounds; ++r) {
        h = h * 6364136223846793005ull + 1442695040888963407ull;
        *(volatile u32*)(table + (u32(h >> 20) & mask & ~3u)) = 0;
    }
    if (h == 1)
        cycles[0] = sink[0];
}
