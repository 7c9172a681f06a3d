// SPDX-License-Identifier: GPL-3.0-or-later
// A block's tile of a product by mma.sync: both factors have k contiguous, come by cp.async in several stages, lie
// swizzled in shared memory and are read by ldmatrix. One step of k is 32 bytes, whatever the type.
#pragma once

#include "today.h"

__device__ inline unsigned sharedAddress(const void* p) {
    return unsigned(__cvta_generic_to_shared(p));
}
__device__ inline void copy16(unsigned to, const void* from, bool there = true) { // zeros where nothing is
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ inline void commitCopies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int Left>
__device__ inline void waitForCopies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
}
__device__ inline void loadMatrices(unsigned (&to)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}
__device__ inline void loadMatricesTurned(unsigned (&to)[4], unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}

#define TODAY_MMA(name, letter)                                                                                        \
    asm volatile("mma.sync.aligned." name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"           \
                 : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])                              \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
template <Of T>
__device__ inline void multiply(Sum<T> (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    if constexpr (T == Of::F16)
        TODAY_MMA("m16n8k16.row.col.f32.f16.f16.f32", "f");
    else if constexpr (T == Of::BF16)
        TODAY_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
    else if constexpr (T == Of::TF32)
        TODAY_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "f");
    else if constexpr (T == Of::E4M3)
        TODAY_MMA("m16n8k32.row.col.f32.e4m3.e4m3.f32", "f");
    else
        TODAY_MMA("m16n8k32.row.col.s32.s8.s8.s32", "r");
}

// Where 16 bytes of a row lie in a tile with rows of Wide bytes, so that eight rows' pieces lie in different banks.
template <int Wide>
__device__ inline unsigned swizzled(int row, int piece) {
    if constexpr (Wide == 128)
        return unsigned(row * 128 + ((piece ^ (row & 7)) << 4));
    else
        return unsigned(row * 64 + ((piece ^ ((row >> 1) & 3)) << 4));
}

// Rows of a matrix in memory, `stride` bytes from each other.
struct Rows {
    const char* first;
    long stride;
    int count;
    __device__ bool there(int row, int) const { return row < count; }
    __device__ const char* at(int row, int byte) const { return first + row * stride + byte; }
};

// A tile of BM x BN, a warp's WM x WN, Wide bytes of k in a stage.
template <Of T_, int BM_, int BN_, int WM_, int WN_, int Wide_, int Stages_>
struct Tile {
    static constexpr Of T = T_;
    static constexpr int BM = BM_, BN = BN_, WM = WM_, WN = WN_, Wide = Wide_, Stages = Stages_;
    static constexpr int threads = 32 * (BM / WM) * (BN / WN), stage = (BM + BN) * Wide, shared = stage * Stages;
    static constexpr int size = bytesOf(T);      // of an element
    static constexpr int elements = Wide / size; // of k in a stage
    Sum<T> sums[WM / 16][WN / 8][4];

    __device__ void clear() {
        for (auto& row : sums)
            for (auto& piece : row)
                for (auto& s : piece)
                    s = 0;
    }
    template <int Count, class From>
    __device__ static void load(unsigned to, const From& from, int byte) {
        constexpr int pieces = Wide / 16;
#pragma unroll
        for (int k = int(threadIdx.x); k < Count * pieces; k += threads) {
            const int row = k / pieces, piece = k % pieces;
            const bool there = from.there(row, byte + 16 * piece);
            copy16(to + swizzled<Wide>(row, piece), from.at(there ? row : 0, there ? byte + 16 * piece : 0), there);
        }
    }
    // Adds what stages first to last - 1 of k make.
    template <class A, class B>
    __device__ void add(char* memory, const A& a, const B& b, int first, int last) {
        const unsigned at = sharedAddress(memory);
        const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
        const int row = warp / (BN / WN) * WM, column = warp % (BN / WN) * WN;
        const auto fetch = [&](int k) {
            if (k < last) {
                const unsigned to = at + unsigned((k - first) % Stages * stage);
                load<BM>(to, a, k * Wide);
                load<BN>(to + BM * Wide, b, k * Wide);
            }
            commitCopies();
        };
        for (int k = 0; k < Stages - 1; ++k)
            fetch(first + k);
        for (int k = first; k < last; ++k) {
            waitForCopies<Stages - 2>();
            __syncthreads();
            fetch(k + Stages - 1);
            const unsigned tileA = at + unsigned((k - first) % Stages * stage), tileB = tileA + BM * Wide;
#pragma unroll
            for (int step = 0; step < Wide / 32; ++step) {
                unsigned left[WM / 16][4], right[WN / 16][4];
#pragma unroll
                for (int i = 0; i < WM / 16; ++i)
                    loadMatrices(left[i], tileA + swizzled<Wide>(row + 16 * i + lane % 16, 2 * step + lane / 16));
#pragma unroll
                for (int j = 0; j < WN / 16; ++j)
                    loadMatrices(right[j], tileB + swizzled<Wide>(column + 16 * j + lane % 8 + lane / 16 * 8,
                                                                  2 * step + lane / 8 % 2));
#pragma unroll
                for (int i = 0; i < WM / 16; ++i)
#pragma unroll
                    for (int j = 0; j < WN / 8; ++j)
                        multiply<T>(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
            }
        }
        waitForCopies<0>();
        __syncthreads();
    }
    // Gives each pair of neighbouring sums to `take(row, column, first, second)`, rows and columns of the tile.
    template <class Take>
    __device__ void each(Take take) const {
        const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
        const int row = warp / (BN / WN) * WM + lane / 4, column = warp % (BN / WN) * WN + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < WM / 16; ++i)
#pragma unroll
            for (int j = 0; j < WN / 8; ++j) {
                take(row + 16 * i, column + 8 * j, sums[i][j][0], sums[i][j][1]);
                take(row + 16 * i + 8, column + 8 * j, sums[i][j][2], sums[i][j][3]);
            }
    }
};
template <class S>
struct Pair;
template <>
struct Pair<float> {
    using Type = float2;
};
template <>
struct Pair<int> {
    using Type = int2;
};
template <class S>
__device__ inline void storePair(S* to, S first, S second) {
    *reinterpret_cast<typename Pair<S>::Type*>(to) = {first, second};
}
