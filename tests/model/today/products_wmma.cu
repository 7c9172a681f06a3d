// SPDX-License-Identifier: GPL-3.0-or-later
// Products by nvcuda::wmma: from padded shared memory, filled by plain loads or by cp.async in two stages, and straight
// from global memory. The right factor has k contiguous.
#include "mma_tiles.h"

#include <mma.h>

using namespace nvcuda;

template <Of T>
struct Element;
template <>
struct Element<Of::F16> {
    using Type = __half;
    using Fragment = __half;
    static constexpr int depth = 16;
};
template <>
struct Element<Of::BF16> {
    using Type = __nv_bfloat16;
    using Fragment = __nv_bfloat16;
    static constexpr int depth = 16;
};
template <>
struct Element<Of::TF32> {
    using Type = float;
    using Fragment = wmma::precision::tf32;
    static constexpr int depth = 8;
};
template <>
struct Element<Of::S8> {
    using Type = signed char;
    using Fragment = signed char;
    static constexpr int depth = 16;
};
template <Of T>
using Left = wmma::fragment<wmma::matrix_a, 16, 16, Element<T>::depth, typename Element<T>::Fragment, wmma::row_major>;
template <Of T>
using Right = wmma::fragment<wmma::matrix_b, 16, 16, Element<T>::depth, typename Element<T>::Fragment, wmma::col_major>;
template <Of T>
using Sums = wmma::fragment<wmma::accumulator, 16, 16, Element<T>::depth, Sum<T>>;

// A warp's 16 x 16, without shared memory. Blocks of 4 x 2 warps.
template <Of T>
__global__ void __launch_bounds__(256)
    fromGlobal(const typename Element<T>::Type* a, const typename Element<T>::Type* b, Sum<T>* c, int columns,
               int depth) {
    const int warp = int(threadIdx.x) / 32, row = (int(blockIdx.y) * 4 + warp / 2) * 16;
    const int column = (int(blockIdx.x) * 2 + warp % 2) * 16;
    Sums<T> sums;
    wmma::fill_fragment(sums, Sum<T>(0));
    for (int k = 0; k < depth; k += Element<T>::depth) {
        Left<T> left;
        Right<T> right;
        wmma::load_matrix_sync(left, a + long(row) * depth + k, unsigned(depth));
        wmma::load_matrix_sync(right, b + long(column) * depth + k, unsigned(depth));
        wmma::mma_sync(sums, left, right, sums);
    }
    wmma::store_matrix_sync(c + long(row) * columns + column, sums, unsigned(columns), wmma::mem_row_major);
}

// Eight warps of 32 x BN / 2 make 128 x BN; rows of 64 bytes of k with 16 between them.
template <Of T, int BN, bool Asynchronous>
__global__ void __launch_bounds__(256) byTiles(const char* a, const char* b, Sum<T>* c, int columns, int depth) {
    using E = typename Element<T>::Type;
    constexpr int BM = 128, wide = 80, stage = (BM + BN) * wide, across = 64 / int(sizeof(E));
    constexpr int pieces = (BM + BN) * 4 / 256, step = Element<T>::depth;
    extern __shared__ __align__(128) char memory[];
    const int warp = int(threadIdx.x) / 32, row = warp / 2 * 32, column = warp % 2 * (BN / 2);
    const long stride = long(depth) * int(sizeof(E));
    a += blockIdx.y * BM * stride;
    b += blockIdx.x * BN * stride;
    const auto from = [&](int piece, int k) {
        const int at = piece * 256 + int(threadIdx.x), r = at / 4;
        return (r < BM ? a + r * stride : b + (r - BM) * stride) + k * 64 + at % 4 * 16;
    };
    const auto to = [&](int piece, int k) {
        const int at = piece * 256 + int(threadIdx.x);
        return memory + k % 2 * stage + at / 4 * wide + at % 4 * 16;
    };
    Sums<T> sums[2][BN / 32];
    for (auto& line : sums)
        for (auto& s : line)
            wmma::fill_fragment(s, Sum<T>(0));
    uint4 next[Asynchronous ? 1 : pieces];
    const int stages = depth / across;
#pragma unroll
    for (int p = 0; p < pieces; ++p)
        if constexpr (Asynchronous)
            copy16(sharedAddress(to(p, 0)), from(p, 0));
        else
            *reinterpret_cast<uint4*>(to(p, 0)) = *reinterpret_cast<const uint4*>(from(p, 0));
    commitCopies();
    for (int k = 0; k < stages; ++k) {
        if constexpr (Asynchronous)
            waitForCopies<0>();
        __syncthreads();
        if (k + 1 < stages) {
#pragma unroll
            for (int p = 0; p < pieces; ++p)
                if constexpr (Asynchronous)
                    copy16(sharedAddress(to(p, k + 1)), from(p, k + 1));
                else
                    next[p] = *reinterpret_cast<const uint4*>(from(p, k + 1));
            commitCopies();
        }
        const E* tile = reinterpret_cast<const E*>(memory + k % 2 * stage);
        constexpr int line = wide / int(sizeof(E));
#pragma unroll
        for (int s = 0; s < across; s += step) {
            Left<T> left[2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
                wmma::load_matrix_sync(left[i], tile + (row + 16 * i) * line + s, line);
#pragma unroll
            for (int j = 0; j < BN / 32; ++j) {
                Right<T> right;
                wmma::load_matrix_sync(right, tile + (BM + column + 16 * j) * line + s, line);
#pragma unroll
                for (int i = 0; i < 2; ++i)
                    wmma::mma_sync(sums[i][j], left[i], right, sums[i][j]);
            }
        }
        if constexpr (!Asynchronous)
            if (k + 1 < stages)
#pragma unroll
                for (int p = 0; p < pieces; ++p)
                    *reinterpret_cast<uint4*>(to(p, k + 1)) = next[p];
    }
    c += (long(blockIdx.y) * BM + row) * columns + blockIdx.x * BN + column;
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < BN / 32; ++j)
            wmma::store_matrix_sync(c + long(16 * i) * columns + 16 * j, sums[i][j], unsigned(columns),
                                    wmma::mem_row_major);
}

template <Of T, class Launch>
void measure(const char* name, int rows, int columns, int depth, Launch launch) {
    if (!chosen(name))
        return;
    const Matrix a = random<T>(rows, depth, 1), b = random<T>(columns, depth, 2);
    Memory memory;
    const auto* left = (const char*)memory.holding(a.bytes);
    const auto* right = (const char*)memory.holding(b.bytes);
    auto* c = memory.of<Sum<T>>(std::size_t(rows) * columns);
    twice([&] { launch(left, right, c); });
    say(name, isProduct(a, b, back(c, std::size_t(rows) * columns)));
}
template <Of T, int BN, bool Asynchronous>
void tiles(const char* name, int rows, int columns, int depth) {
    constexpr int bytes = (128 + BN) * 80 * 2;
    CHECK(cudaFuncSetAttribute(byTiles<T, BN, Asynchronous>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    measure<T>(name, rows, columns, depth, [=](const char* a, const char* b, Sum<T>* c) {
        byTiles<T, BN, Asynchronous><<<dim3(columns / BN, rows / 128), 256, bytes>>>(a, b, c, columns, depth);
    });
}
template <Of T>
void direct(const char* name, int rows, int columns, int depth) {
    measure<T>(name, rows, columns, depth, [=](const char* a, const char* b, Sum<T>* c) {
        using E = typename Element<T>::Type;
        fromGlobal<T><<<dim3(columns / 32, rows / 64), 256>>>((const E*)a, (const E*)b, c, columns, depth);
    });
}

int main(int argc, char** argv) {
    begin(argc, argv);
    direct<Of::F16>("wmma_f16_from_global", 512, 512, 512);
    direct<Of::S8>("wmma_s8_from_global", 512, 768, 512);
    tiles<Of::F16, 128, false>("wmma_f16_square_768", 768, 768, 768);
    tiles<Of::F16, 64, true>("wmma_f16_two_stages", 1024, 512, 512);
    tiles<Of::BF16, 128, true>("wmma_bf16_square_1024", 1024, 1024, 512);
    tiles<Of::BF16, 64, false>("wmma_bf16_thin_128", 128, 2048, 1024);
    tiles<Of::TF32, 64, true>("wmma_tf32_square_512", 512, 512, 512);
    tiles<Of::TF32, 128, false>("wmma_tf32_wide_1024", 256, 1024, 512);
    tiles<Of::S8, 128, true>("wmma_s8_square_1024", 1024, 1024, 1024);
    return end();
}
