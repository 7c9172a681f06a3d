// SPDX-License-Identifier: GPL-3.0-or-later
// Products of mma and wmma from fragments to fragments, without a matrix between: with vectors of sixteen rows, whose
// registers of a fragment need to be turned only (products.h has the way for everybody else, and says how a tensor core
// adds).
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpglass::emulator {

// Rows of the fragments' registers, as gpu/ptx/matrix_form.h numbers them: 16-row tiles of a and c, 8-column tiles of b
// and c. d may be any of the others.
struct FragmentProduct {
    enum class Element : std::uint8_t { F16, BF16, TF32, S8, U8 };
    Element a = Element::F16, b = Element::F16; // the same, but for whole numbers
    bool halvesC = false, halvesD = false;      // f16, else f32; of whole numbers s32
    bool saturates = false;                     // of whole numbers
    // Of f16 and bf16, 16 x 8 only: a has half of its elements, two of four that follow each other; which, two bits for each
    // say, row by row.
    bool sparse = false;
    std::uint32_t places[16]{};
    // Multiples of 16 and 8, m * n <= 256; k: of floats up to 16 that are there, else up to 32.
    std::uint32_t m = 0, n = 0, k = 0;
    std::uint32_t fraction = 25; // of floats: bits that are kept behind the point of the largest term
    const std::byte *rowsA[8]{}, *rowsB[8]{}, *rowsC[8]{};
    std::byte* rowsD[8]{};
};

// Doubles, m x 8 x k, fused to nearest in order of k: tiles of 8 x 4 of a (first those of the same k) and of 4 x 8 of b, a
// register each; of an 8 x 8 tile of c the even columns are one register and the odd ones the next. d may be any of the
// others.
struct DoubleFragments {
    std::uint32_t m = 0, k = 0; // 8 or 16; 4, 8 or 16
    const std::byte *a[8], *b[4], *c[4];
    std::byte* d[4];
};

struct FragmentProducts {
    // False, and nothing is done: infinities, NaN, or exponents that f32 has no room for.
    bool (*floats)(const FragmentProduct&);
    void (*wholes)(const FragmentProduct&);
    void (*doubles)(const DoubleFragments&);
    // A register of four e4m3 or e5m2 a lane: two of two f16, those of the lower and those of the upper half.
    void (*widenE4m3)(const std::byte* from, std::byte* lower, std::byte* upper);
    void (*widenE5m2)(const std::byte* from, std::byte* lower, std::byte* upper);
};
// nullptr on processors without AVX-512 and its byte products.
const FragmentProducts* fragmentProducts();

namespace avx512 {
extern const FragmentProducts fragmentProducts;
}

} // namespace warpglass::emulator
