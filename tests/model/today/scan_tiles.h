// SPDX-License-Identifier: GPL-3.0-or-later
// What scans and sorts by tiles are made of.
#pragma once

#include "today.h"

__device__ inline int lanesBelow(unsigned lanes) {
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    return __popc(lanes & below);
}
template <class T>
__device__ inline T warpScan(T x) { // with its own
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const T other = __shfl_up_sync(~0u, x, step);
        if (int(threadIdx.x) % 32 >= step)
            x += other;
    }
    return x;
}
// What threads before this one have; `all` is the block's sum.
template <int Threads, class T>
__device__ inline T blockScan(T x, T& all) {
    __shared__ T warps[Threads / 32];
    const int warp = int(threadIdx.x) / 32;
    const T own = warpScan(x);
    if (threadIdx.x % 32 == 31)
        warps[warp] = own;
    __syncthreads();
    T before = 0;
    all = 0;
#pragma unroll
    for (int w = 0; w < Threads / 32; ++w) {
        before += w < warp ? warps[w] : 0;
        all += warps[w];
    }
    __syncthreads();
    return before + own - x;
}

// What a tile says of itself: nothing, its sum, or all up to its end.
struct State {
    unsigned flag, value;
};
__device__ inline State look(const unsigned long long* at) {
    const unsigned long long word = *(volatile const unsigned long long*)at;
    return {unsigned(word >> 32), unsigned(word)};
}
__device__ inline void tell(unsigned long long* at, unsigned flag, unsigned value) {
    *(volatile unsigned long long*)at = (unsigned long long)flag << 32 | value;
}
template <class T>
__device__ inline unsigned bits(T x) {
    return reinterpret_cast<const unsigned&>(x);
}
template <class T>
__device__ inline T fromBits(unsigned x) {
    return reinterpret_cast<const T&>(x);
}
// A warp looks back over 32 tiles at once.
template <class T>
__device__ inline T lookBack(unsigned long long* states, int tile, T sum) {
    const int lane = int(threadIdx.x) % 32;
    if (lane == 0)
        tell(states + tile, tile == 0 ? 2 : 1, bits(sum));
    T before = 0;
    for (int from = tile - 1; from >= 0; from -= 32) {
        State s{2, 0};
        if (from - lane >= 0)
            do
                s = look(states + from - lane);
            while (s.flag == 0);
        const unsigned whole = __ballot_sync(~0u, s.flag == 2);
        const int nearest = whole ? __ffs(int(whole)) - 1 : 32;
        T part = lane <= nearest ? fromBits<T>(s.value) : T(0);
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            part += __shfl_xor_sync(~0u, part, step);
        before += part;
        if (whole)
            break;
    }
    if (lane == 0 && tile > 0)
        tell(states + tile, 2, bits(before + sum));
    return before;
}
__device__ inline int nextTile(int* tickets) {
    __shared__ int tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(tickets, 1);
    __syncthreads();
    return tile;
}

inline std::vector<unsigned> words(int count, unsigned mask = ~0u) {
    std::vector<unsigned> values(count);
    Random draw{1};
    for (unsigned& v : values)
        v = (draw.next() << 8 ^ draw.next()) & mask;
    return values;
}
