// SPDX-License-Identifier: GPL-3.0-or-later
// Fragments -> matrices that lie row by row, and back. gpu/ptx/matrix_form.h draws the picture: one register of 32 lanes
// is a tile, so that whole tiles move and no lane is asked for its place.
#pragma once

#include "gpu/emulator/lanes/products.h"
#include "gpu/emulator/lanes/turned.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// Elements as they lie in memory or in a register of all lanes, one behind the other -> floats, whole numbers, doubles.
void elementsOf(ptx::Type type, const void* from, std::uint32_t count, float* to);
void elementsOf(ptx::Type type, const void* from, std::uint32_t count, std::int32_t* to);
void elementsOf(ptx::Type type, const void* from, std::uint32_t count, double* to);

// A block's scale: ue8m0 or ue4m3.
double scaleOf(ptx::Type type, std::uint8_t bits);

// Exponent of the smallest normal number; of fp8 that of the halves that mma makes of them.
std::int32_t leastExponent(ptx::Type type);

// a: rows of the registers of a; to: m x stride, its first columns.
template <class T>
void gatherA(Exec& x, const ptx::MatrixForm& form, const std::vector<Row>& a, T* to, std::uint32_t stride) {
    const ptx::Fragment f = ptx::fragmentOf(form, ptx::MatrixRole::A);
    const bool async = form.kind == ptx::MatrixForm::Kind::AsyncProduct;
    const std::uint32_t width = 4 * f.perRegister(), halves = !async && f.rows == 8 ? 1 : 2,
                        of16 = f.columns / width * halves;
    T tile[8 * 128];
    for (std::uint32_t r = 0; r < f.registers; ++r) {
        elementsOf(form.a, x.rows + a[r], 8 * width, tile);
        const std::uint32_t row = r / of16 * 16 + r % of16 % halves * 8, column = r % of16 / halves * width;
        for (std::uint32_t g = 0; g < 8; ++g)
            for (std::uint32_t c = 0; c < width; c += 4) // fours, for a compiler that does not know the width
                std::memcpy(to + (row + g) * stride + column + c, tile + g * width + c, 4 * sizeof(T));
    }
}

// to: k x n.
template <class T>
void gatherB(Exec& x, const ptx::MatrixForm& form, const std::vector<Row>& b, T* to) {
    const ptx::Fragment f = ptx::fragmentOf(form, ptx::MatrixRole::B);
    const std::uint32_t height = 4 * f.perRegister(), down = f.rows / height;
    T tile[8 * 128];
    for (std::uint32_t r = 0; r < f.registers; ++r) {
        elementsOf(form.b, x.rows + b[r], 8 * height, tile);
        T* at = to + r % down * height * form.n + r / down * 8;
        if constexpr (sizeof(T) == 4) {
            turnMatrix(tile, height, 8, height, at, form.n);
            continue;
        }
        for (std::uint32_t k = 0; k < height; ++k)
            for (std::uint32_t g = 0; g < 8; ++g)
                at[k * form.n + g] = tile[g * height + k];
    }
}

// m: rows of the matrix that this warp has. Raw: as the registers hold them, 32 or 64 bits.
template <class Raw, class F>
void eachPairOfC(std::uint32_t m, std::uint32_t n, const std::vector<Row>& registers, F f) {
    const std::uint32_t halves = m == 8 ? 1 : 2, across = n / 8;
    for (std::uint32_t r = 0; r + 1 < registers.size(); r += 2) {
        const std::uint32_t tile = r / (2 * halves), half = r / 2 % halves;
        f(registers[r], registers[r + 1], (tile / across * 16 + half * 8) * n + tile % across * 8);
    }
}
// Sums of wmma's m8n32 lie as those of its product turned, m32n8 (matrix_form.h).
constexpr bool isTurned(std::uint32_t m, std::uint32_t n) {
    return m == 8 && n == 32;
}
template <class Raw>
void gatherC(Exec& x, std::uint32_t m, std::uint32_t n, const std::vector<Row>& c, Raw* to) {
    if (isTurned(m, n)) {
        Raw turned[8 * 32];
        gatherC(x, n, m, c, turned);
        for (std::uint32_t k = 0; k < 8 * 32; ++k)
            to[k] = turned[k % 32 * 8 + k / 32];
        return;
    }
    eachPairOfC<Raw>(m, n, c, [&](Row left, Row right, std::uint32_t at) {
        const Raw *l = rowAt<const Raw>(x, left), *r = rowAt<const Raw>(x, right);
        if constexpr (sizeof(Raw) == 4) {
            for (std::uint32_t g = 0; g < 8; ++g) {
                const FourWords a = fourWords(l + 4 * g), b = fourWords(r + 4 * g);
                const FourWords first = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                                second = __builtin_shufflevector(a, b, 2, 6, 3, 7);
                std::memcpy(to + at + g * n, &first, sizeof first);
                std::memcpy(to + at + g * n + 4, &second, sizeof second);
            }
            return;
        }
        for (std::uint32_t lane = 0; lane < 32; lane += 2) {
            TwoLongs a, b;
            std::memcpy(&a, l + lane, sizeof a);
            std::memcpy(&b, r + lane, sizeof b);
            Raw* const pairs = to + at + lane / 4 * n + lane % 4 * 2;
            const TwoLongs first = __builtin_shufflevector(a, b, 0, 2), second = __builtin_shufflevector(a, b, 1, 3);
            std::memcpy(pairs, &first, sizeof first);
            std::memcpy(pairs + 2, &second, sizeof second);
        }
    });
}
template <class Raw>
void scatterD(Exec& x, std::uint32_t m, std::uint32_t n, const Raw* from, const std::vector<Row>& d) {
    if (isTurned(m, n)) {
        Raw turned[8 * 32];
        for (std::uint32_t k = 0; k < 8 * 32; ++k)
            turned[k % 32 * 8 + k / 32] = from[k];
        scatterD(x, n, m, turned, d);
        return;
    }
    eachPairOfC<Raw>(m, n, d, [&](Row left, Row right, std::uint32_t at) {
        Raw *l = rowAt<Raw>(x, left), *r = rowAt<Raw>(x, right);
        if constexpr (sizeof(Raw) == 4) {
            for (std::uint32_t g = 0; g < 8; ++g) {
                const FourWords first = fourWords(from + at + g * n), second = fourWords(from + at + g * n + 4);
                const FourWords a = __builtin_shufflevector(first, second, 0, 2, 4, 6),
                                b = __builtin_shufflevector(first, second, 1, 3, 5, 7);
                std::memcpy(l + 4 * g, &a, sizeof a);
                std::memcpy(r + 4 * g, &b, sizeof b);
            }
            return;
        }
        for (std::uint32_t lane = 0; lane < 32; lane += 2) {
            TwoLongs a, b;
            const Raw* const pairs = from + at + lane / 4 * n + lane % 4 * 2;
            std::memcpy(&a, pairs, sizeof a);
            std::memcpy(&b, pairs + 2, sizeof b);
            const TwoLongs lefts = __builtin_shufflevector(a, b, 0, 2), rights = __builtin_shufflevector(a, b, 1, 3);
            std::memcpy(l + lane, &lefts, sizeof lefts);
            std::memcpy(r + lane, &rights, sizeof rights);
        }
    });
}
// Halves of c and d: two in a register, which is therefore a tile of eight columns.
void gatherHalves(Exec& x, std::uint32_t m, std::uint32_t n, const std::vector<Row>& c, float* to);
void scatterHalves(Exec& x, std::uint32_t m, std::uint32_t n, const float* from, const std::vector<Row>& d);

// The same of either: halves or f32.
void gatherSums(Exec& x, ptx::Type type, std::uint32_t m, std::uint32_t n, const std::vector<Row>& c, float* to);
void scatterSums(Exec& x, ptx::Type type, std::uint32_t m, std::uint32_t n, const float* from,
                 const std::vector<Row>& d);

// d = a * b + c on floats by steps of `step` k; a has `strideA` floats a row. cutBits: of an f32 result.
struct FloatTiles {
    ptx::Type a = ptx::Type::F16, b = ptx::Type::F16, c = ptx::Type::F32, d = ptx::Type::F32;
    std::uint32_t m = 0, n = 0, k = 0, step = 0;
    std::int32_t fraction = 25;
    std::uint32_t cutBits = 23;
    std::int32_t leastE4m3 = -14; // the exponent of its smallest normal number: as halves; -6 as it is
};
// Steps go to and fro between c and d, which has room for m * n; the one with the result.
float* multiplyFloats(const FloatTiles& t, const float* a, const float* b, float* c, float* d);

} // namespace warpglass::emulator
