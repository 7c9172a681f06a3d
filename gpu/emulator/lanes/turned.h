// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen words turned: what lies lane by lane in memory (a vector load, a fragment of a matrix) becomes rows of lanes,
// and back. Vectors of 16 bytes, which every processor that we run on has.
#pragma once

#include <cstdint>
#include <cstring>

namespace warpglass::emulator {

using FourWords = std::uint32_t __attribute__((vector_size(16)));
using TwoLongs = std::uint64_t __attribute__((vector_size(16)));

[[gnu::always_inline]] inline FourWords fourWords(const void* from) {
    FourWords v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

// Word i of vector k <-> word k of vector i.
[[gnu::always_inline]] inline void turn(FourWords (&v)[4]) {
    const FourWords a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5),
                    b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5),
                    c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7),
                    d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// Half i of vector k <-> half k of vector i.
using EightHalves = std::uint16_t __attribute__((vector_size(16)));
[[gnu::always_inline]] inline void turn(EightHalves (&v)[8]) {
    FourWords low[4], high[4]; // pairs of rows, their columns 0 to 3 and 4 to 7
    for (int i = 0; i < 4; ++i) {
        low[i] = reinterpret_cast<FourWords>(__builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 1, 9, 2, 10, 3, 11));
        high[i] =
            reinterpret_cast<FourWords>(__builtin_shufflevector(v[2 * i], v[2 * i + 1], 4, 12, 5, 13, 6, 14, 7, 15));
    }
    turn(low);
    turn(high);
    for (int i = 0; i < 4; ++i) {
        v[i] = reinterpret_cast<EightHalves>(low[i]);
        v[4 + i] = reinterpret_cast<EightHalves>(high[i]);
    }
}

// A matrix of 4-byte elements, rows and columns multiples of four: to[c * strideTo + r] = from[r * strideFrom + c].
template <class T>
void turnMatrix(const T* from, std::uint32_t strideFrom, std::uint32_t rows, std::uint32_t columns, T* to,
                std::uint32_t strideTo) {
    static_assert(sizeof(T) == 4);
    for (std::uint32_t r = 0; r < rows; r += 4)
        for (std::uint32_t c = 0; c < columns; c += 4) {
            FourWords v[4];
            for (std::uint32_t i = 0; i < 4; ++i)
                v[i] = fourWords(from + (r + i) * strideFrom + c);
            turn(v);
            for (std::uint32_t i = 0; i < 4; ++i)
                std::memcpy(to + (c + i) * strideTo + r, &v[i], sizeof v[i]);
        }
}

} // namespace warpglass::emulator
