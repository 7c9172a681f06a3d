// SPDX-License-Identifier: GPL-3.0-or-later
// Products of small matrices as tensor cores make them: the inner loops of mma, wmma and wgmma.
//
// Floats. A tensor core adds the products of one step and the accumulator all at once: each product is exact, all terms
// are shifted to the largest exponent among them, what lies below so many bits behind its point is cut off, the sum of
// what is left is exact, and it is cut (f32) or rounded to nearest (f16) once. Exponents are those of the operands'
// formats, a product's is the sum of its factors'. Sources: Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of
// NVIDIA tensor cores" (PeerJ Computer Science 7:e330, 2021), for the way; Xie, Wang, Yang and Yang, "MMA-Sim"
// (arXiv:2511.10909), for the bits of each architecture: 25 on Hopper, 13 for wgmma on fp8, whose f32 result keeps 13
// bits too; one step takes all k of an instruction there. Small whole numbers come out exactly in any such model.
//
// Doubles are fused multiply-adds in order of k; whole numbers are exact.
//
// Compiled once an instruction set in alu/, as the arithmetic of lanes is. Eight columns are one vector (four without
// AVX2). The largest exponent of each sum is found first; a product, made as float, is exact, and so is the power of two
// that brings it to units of the last bit kept: a conversion to whole numbers cuts it, and whole numbers are added. That
// is five or six operations for eight products. Sums that leave the exponents of f32 on the way are made one by one.
#pragma once

#include <cstdint>

namespace warpglass::emulator {

// Row-major, close together: a is m x k, b is k x n, c and d are m x n. m and n are multiples of 8, m <= 32; k is one of
// 4, k <= 64. With fraction = 25 no more than 16 products of a sum are not zero.
struct FloatProduct {
    std::uint32_t m = 0, n = 0, k = 0;
    std::uint32_t strideA = 0;                                // floats from row to row of a
    std::int32_t fraction = 25;                               // bits that are kept behind the point of the largest term
    std::int32_t leastA = -126, leastB = -126, leastC = -126; // exponents of the smallest normal numbers
    const float *a = nullptr, *b = nullptr, *c = nullptr;
    float* d = nullptr;         // not c
    bool toHalves = false;      // d: rounded to the nearest f16; else
    std::uint32_t cutBits = 23; // cut to so many bits behind the point
};
struct WholeProduct {
    std::uint32_t m = 0, n = 0, k = 0;
    bool saturates = false;
    const std::int32_t *a = nullptr, *b = nullptr, *c = nullptr;
    std::int32_t* d = nullptr;
};
struct DoubleProduct { // to nearest; k is any number
    std::uint32_t m = 0, n = 0, k = 0;
    const double *a = nullptr, *b = nullptr, *c = nullptr;
    double* d = nullptr;
};

struct BitProduct { // a: m x words, b: 8 x words (turned), d: m x 8, to which is added
    std::uint32_t m = 0, words = 0;
    bool exclusive = false; // xor, else and
    const std::uint32_t *a = nullptr, *b = nullptr;
    std::int32_t* d = nullptr;
};

struct Products {
    void (*floats)(const FloatProduct&);
    void (*wholes)(const WholeProduct&);
    void (*doubles)(const DoubleProduct&);
    void (*bits)(const BitProduct&);
    void (*widenHalves)(const std::uint16_t* from, std::uint32_t count, float* to); // by eights
    // 8 x 8 from rows that lie `stride` apart, close together.
    void (*narrowTile)(const float* from, std::uint32_t stride, std::uint16_t* to);
    // at[i] += values[i], 64 of them; what was there to `before`, if it is not nullptr. values may be before.
    void (*addHalves)(std::uint16_t* at, const std::uint16_t* values, std::uint16_t* before);
};
const Products& products(); // what this processor can run

namespace baseline {
extern const Products matrixProducts;
}
namespace avx2 { // x86-64 only
extern const Products matrixProducts;
}

} // namespace warpglass::emulator
