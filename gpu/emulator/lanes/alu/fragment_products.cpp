// SPDX-License-Identifier: GPL-3.0-or-later
// A vector holds a column of sixteen rows; b's elements are numbers by which whole columns of a are multiplied. For a
// product of 16 x 8 x 16 that makes half an operation for each sixteen products to find the largest exponent of each sum,
// and four to bring them to units of its last bit and to add them.
#include "gpu/emulator/lanes/fragment_products.h"

#if defined(__AVX512F__)

#include "gpu/emulator/lanes/alu/lanes.h"
#include "gpu/emulator/lanes/alu/moves.h"

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using Element = FragmentProduct::Element;

constexpr i32 none = -1000; // exponent of zero, and less than -500 of a product with zero
constexpr i32 leastRegular = -90, mostRegular = 120;
constexpr u32 columns = 8, rows = 16, mostDepth = 32;

inline __m512i same(i32 v) {
    return _mm512_set1_epi32(v);
}

// Two registers, of the rows 0 to 7 and 8 to 15, whose lanes hold four words of each row, one behind the other: the
// columns of these words, and back. Rows come in the order 0 4 8 12 1 5 9 13 ..., which is nobody's concern.
inline void columnsOf(const std::byte* upper, const std::byte* lower, __m512i (&v)[4]) {
    v[0] = _mm512_loadu_si512(upper);
    v[1] = _mm512_loadu_si512(upper + 64);
    v[2] = _mm512_loadu_si512(lower);
    v[3] = _mm512_loadu_si512(lower + 64);
    turn(v);
}
inline void putColumns(__m512i (&v)[4], std::byte* upper, std::byte* lower) {
    turn(v);
    _mm512_storeu_si512(upper, v[0]);
    _mm512_storeu_si512(upper + 64, v[1]);
    _mm512_storeu_si512(lower, v[2]);
    _mm512_storeu_si512(lower + 64, v[3]);
}

inline __m512 fromHalves(__m256i v) {
    return _mm512_cvtph_ps(v);
}
// The lower and the upper half of each word.
template <Element e>
inline void bothHalves(__m512i v, __m512& low, __m512& high) {
    if constexpr (e == Element::F16) {
        low = fromHalves(_mm512_cvtepi32_epi16(v));
        high = fromHalves(_mm512_cvtepi32_epi16(_mm512_srli_epi32(v, 16)));
    } else {
        low = _mm512_castsi512_ps(_mm512_slli_epi32(v, 16));
        high = _mm512_castsi512_ps(_mm512_and_si512(v, same(i32(0xffff0000u))));
    }
}

// Of the format whose smallest normal number has the exponent `least`. special: gains lanes with infinity or NaN.
inline __m512i exponentsOf(__m512 v, i32 least, __mmask16& special) {
    const __m512i magnitude = _mm512_and_si512(_mm512_castps_si512(v), same(0x7fffffff));
    special = __mmask16(special | _mm512_cmpge_epi32_mask(magnitude, same(0x7f800000)));
    const __m512i e = _mm512_max_epi32(_mm512_sub_epi32(_mm512_srli_epi32(magnitude, 23), same(127)), same(least));
    return _mm512_mask_mov_epi32(e, _mm512_testn_epi32_mask(magnitude, magnitude), same(none));
}

template <Element e>
constexpr u32 together = e == Element::TF32 ? 1 : 2; // elements of a register
template <Element e>
constexpr i32 least = e == Element::F16 ? -14 : -126;

// Sixteen rows of a by columns, with their exponents twice in a word.
struct ColumnsA {
    __m512 value[mostDepth];
    __m512i exponents[mostDepth];
};
// count columns that are there.
template <Element e>
void columnsOfA(const FragmentProduct& p, u32 tile, u32 count, ColumnsA& a, __mmask16& special) {
    constexpr u32 height = 4 * together<e>;
    const std::byte* const* const registers = p.rowsA + tile * 2 * (count / height);
    for (u32 k = 0; k < count; k += height) {
        __m512i words[4];
        columnsOf(registers[k / height * 2], registers[k / height * 2 + 1], words);
        for (u32 t = 0; t < 4; ++t)
            if constexpr (e == Element::TF32) // the lower 13 bits are not looked at
                a.value[k + t] = _mm512_castsi512_ps(_mm512_and_si512(words[t], same(i32(0xffffe000u))));
            else
                bothHalves<e>(words[t], a.value[k + 2 * t], a.value[k + 2 * t + 1]);
    }
    for (u32 k = 0; k < count; ++k) {
        const __m512i own = exponentsOf(a.value[k], least<e>, special);
        a.exponents[k] = _mm512_mask_blend_epi16(0xaaaaaaaau, own, _mm512_slli_epi32(own, 16));
    }
}

// From pairs of columns to the four columns among which each row has its pair, with zeros for what is not there.
template <Element e>
void sparseColumnsOfA(const FragmentProduct& p, ColumnsA& a, __mmask16& special) {
    ColumnsA there;
    columnsOfA<e>(p, 0, p.k / 2, there, special);
    alignas(64) u32 places[rows];
    for (u32 i = 0; i < rows; ++i)
        places[i] = p.places[i % 4 * 4 + i / 4]; // the order of columnsOf
    const __m512i all = _mm512_load_si512(places), zero = same(i32(u32(none & 0xffff) << 16 | u32(none & 0xffff)));
    for (u32 k = 0; k < p.k; k += 4) {
        const auto place = [&](u32 n) { return _mm512_and_si512(_mm512_srli_epi32(all, k + 2 * n), same(3)); };
        const __m512i first = place(0), second = place(1);
        for (i32 n = 0; n < 4; ++n) {
            const __mmask16 one = _mm512_cmpeq_epi32_mask(first, same(n)),
                            other = _mm512_cmpeq_epi32_mask(second, same(n));
            a.value[k + u32(n)] =
                _mm512_mask_mov_ps(_mm512_maskz_mov_ps(one, there.value[k / 2]), other, there.value[k / 2 + 1]);
            a.exponents[k + u32(n)] = _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(zero, one, there.exponents[k / 2]),
                                                            other, there.exponents[k / 2 + 1]);
        }
    }
}

// Eight columns of b, number by number: those of a register, which has `height` of each column, one behind the other; the
// exponents of a column and of the fourth one from it in a word.
struct NumbersB {
    alignas(64) float value[mostDepth * columns];
    alignas(64) u32 exponents[mostDepth * columns / 2];
};
template <Element e>
constexpr u32 placeOf(u32 k, u32 column) {
    constexpr u32 height = 4 * together<e>;
    return k / height * columns * height + column * height + k % height;
}
template <Element e>
constexpr u32 placeOfPair(u32 k, u32 column) {
    constexpr u32 height = 4 * together<e>;
    return k / height * columns / 2 * height + column * height + k % height;
}
template <Element e>
void numbersOfB(const FragmentProduct& p, u32 tile, NumbersB& b, __mmask16& special) {
    constexpr u32 height = 4 * together<e>, ofRegister = columns * height, vectors = ofRegister / 16;
    const std::byte* const* const registers = p.rowsB + tile * (p.k / height);
    for (u32 r = 0; r < p.k / height; ++r) {
        __m512i exponents[vectors];
        for (u32 i = 0; i < vectors; ++i) {
            __m512 v;
            if constexpr (e == Element::TF32) {
                v = _mm512_castsi512_ps(
                    _mm512_and_si512(_mm512_loadu_si512(registers[r] + 64 * i), same(i32(0xffffe000u))));
            } else {
                const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(registers[r] + 32 * i));
                v = e == Element::F16 ? fromHalves(halves)
                                      : _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
            }
            _mm512_store_ps(b.value + r * ofRegister + 16 * i, v);
            exponents[i] = exponentsOf(v, least<e>, special);
        }
        for (u32 i = 0; i < vectors / 2; ++i)
            _mm512_store_si512(
                b.exponents + r * ofRegister / 2 + 16 * i,
                _mm512_mask_blend_epi16(0xaaaaaaaau, exponents[i], _mm512_slli_epi32(exponents[i + vectors / 2], 16)));
    }
}

// Columns of an accumulator, eight of sixteen rows.
void columnsOfC(const FragmentProduct& p, u32 tile, __m512 (&c)[columns]) {
    __m512i words[4];
    if (p.halvesC) {
        columnsOf(p.rowsC[2 * tile], p.rowsC[2 * tile + 1], words);
        for (u32 t = 0; t < 4; ++t)
            bothHalves<Element::F16>(words[t], c[2 * t], c[2 * t + 1]);
        return;
    }
    for (u32 odd = 0; odd < 2; ++odd) {
        columnsOf(p.rowsC[4 * tile + odd], p.rowsC[4 * tile + 2 + odd], words);
        for (u32 t = 0; t < 4; ++t)
            c[2 * t + odd] = _mm512_castsi512_ps(words[t]);
    }
}
void putColumnsOfD(const FragmentProduct& p, u32 tile, const __m512* d) {
    __m512i words[4];
    if (p.halvesD) {
        const auto halves = [](__m512 v) {
            return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
        };
        for (u32 t = 0; t < 4; ++t)
            words[t] = _mm512_or_si512(halves(d[2 * t]), _mm512_slli_epi32(halves(d[2 * t + 1]), 16));
        putColumns(words, p.rowsD[2 * tile], p.rowsD[2 * tile + 1]);
        return;
    }
    for (u32 odd = 0; odd < 2; ++odd) {
        for (u32 t = 0; t < 4; ++t)
            words[t] = _mm512_castps_si512(d[2 * t + odd]);
        putColumns(words, p.rowsD[4 * tile + odd], p.rowsD[4 * tile + 2 + odd]);
    }
}

// What a column of sums needs beside its products: the largest exponent of each sum, and what follows from it.
struct Sums {
    __m512 scale, weight; // 2 to the fraction minus that exponent, and the other way round
    __m512i accumulator;  // in units of the last bit kept
};
inline Sums sumsOf(__m512i largest, __m512 c, i32 leastC, i32 fraction, __mmask16& irregular) {
    const __m512i bits = _mm512_castps_si512(c), magnitude = _mm512_and_si512(bits, same(0x7fffffff));
    const __m512i exponent =
        _mm512_max_epi32(_mm512_sub_epi32(_mm512_srli_epi32(magnitude, 23), same(127)), same(leastC));
    const __m512i own = _mm512_mask_mov_epi32(exponent, _mm512_testn_epi32_mask(magnitude, magnitude), same(2 * none));
    // A sum of nothing but zeros is the accumulator: taken by its own exponent no bit of it is lost, but zero's sign.
    const __mmask16 isEmpty = _mm512_cmplt_epi32_mask(largest, same(none / 2));
    largest = _mm512_max_epi32(largest, own);
    irregular = __mmask16(
        irregular | _mm512_cmpgt_epi32_mask(largest, same(mostRegular)) |
        (_mm512_cmplt_epi32_mask(largest, same(leastRegular)) & _mm512_cmpgt_epi32_mask(largest, same(none / 2))) |
        (isEmpty & _mm512_cmpeq_epi32_mask(bits, same(i32(0x80000000u)))));
    largest = _mm512_max_epi32(largest, same(leastRegular));
    Sums s;
    s.scale = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_sub_epi32(same(fraction + 127), largest), 23));
    s.weight = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(largest, same(127 - fraction)), 23));
    s.accumulator = _mm512_cvttps_epi32(_mm512_mul_ps(c, s.scale));
    return s;
}

// products and accumulator: below 2^31 each. Cut to 23 bits behind the point; for halves the last of them is odd if one
// was lost, so that the rounding to halves is the only one.
template <bool toHalves>
inline __m512 sumOf(__m512i products, const Sums& s) {
    __m256 parts[2];
    for (int i = 0; i < 2; ++i) {
        const auto half = [&](__m512i v) {
            return _mm512_cvtepi32_epi64(i ? _mm512_extracti64x4_epi64(v, 1) : _mm512_castsi512_si256(v));
        };
        const __m512i sum = _mm512_add_epi64(half(products), half(s.accumulator));
        if constexpr (toHalves) {
            constexpr i64 kept = i64(~u64(0) << 29);
            const __m512i bits = _mm512_castpd_si512(_mm512_cvtepi64_pd(sum)); // exact
            const __mmask8 lost = _mm512_test_epi64_mask(bits, _mm512_set1_epi64(~kept));
            const __m512i cut = _mm512_and_si512(bits, _mm512_set1_epi64(kept));
            parts[i] = _mm512_cvtpd_ps(
                _mm512_castsi512_pd(_mm512_mask_or_epi64(cut, lost, cut, _mm512_set1_epi64(kept & -kept))));
        } else {
            parts[i] = _mm512_cvt_roundepi64_ps(sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        }
    }
    return _mm512_mul_ps(_mm512_insertf32x8(_mm512_castps256_ps512(parts[0]), parts[1], 1), s.weight);
}

// One tile of 16 x 8: its columns.
template <Element e, bool toHalves, u32 depth>
void tileOf(const FragmentProduct& p, const ColumnsA& a, const NumbersB& b, const __m512 (&c)[columns], __m512* d,
            __mmask16& irregular) {
    const i32 leastC = p.halvesC ? -14 : -126;
    for (u32 n = 0; n < columns / 2; ++n) { // and the fourth one from it
        __m512i most = _mm512_set1_epi16(2 * none);
        for (u32 k = 0; k < depth; ++k)
            most =
                _mm512_max_epi16(most, _mm512_add_epi16(a.exponents[k], same(i32(b.exponents[placeOfPair<e>(k, n)]))));
        const Sums first = sumsOf(_mm512_srai_epi32(_mm512_slli_epi32(most, 16), 16), c[n], leastC, i32(p.fraction),
                                  irregular),
                   second = sumsOf(_mm512_srai_epi32(most, 16), c[n + 4], leastC, i32(p.fraction), irregular);
        __m512i sum = _mm512_setzero_si512(), other = sum;
        for (u32 k = 0; k < depth; ++k) {
            const __m512 v = a.value[k];
            const auto product = [&](u32 column, const Sums& s) {
                return _mm512_cvttps_epi32(
                    _mm512_mul_ps(_mm512_mul_ps(v, _mm512_set1_ps(b.value[placeOf<e>(k, column)])), s.scale));
            };
            sum = _mm512_add_epi32(sum, product(n, first));
            other = _mm512_add_epi32(other, product(n + 4, second));
        }
        d[n] = sumOf<toHalves>(sum, first);
        d[n + 4] = sumOf<toHalves>(other, second);
    }
}

template <Element e, bool toHalves, u32 depth>
bool multiply(const FragmentProduct& p) {
    const u32 down = p.m / rows, across = p.n / columns;
    __m512 d[2 * columns]; // 256 sums
    NumbersB b[4];
    __mmask16 bad = 0;
    for (u32 n = 0; n < across; ++n)
        numbersOfB<e>(p, n, b[n], bad);
    for (u32 m = 0; m < down; ++m) {
        ColumnsA a;
        if (p.sparse)
            sparseColumnsOfA<e>(p, a, bad);
        else
            columnsOfA<e>(p, m, p.k, a, bad);
        if (bad)
            return false;
        for (u32 n = 0; n < across; ++n) {
            const u32 tile = m * across + n;
            __m512 c[columns];
            columnsOfC(p, tile, c);
            tileOf<e, toHalves, depth>(p, a, b[n], c, d + columns * tile, bad);
        }
    }
    if (bad)
        return false;
    for (u32 tile = 0; tile < down * across; ++tile)
        putColumnsOfD(p, tile, d + columns * tile);
    return true;
}

template <Element e, u32 depth>
bool multiply(const FragmentProduct& p) {
    return p.halvesD ? multiply<e, true, depth>(p) : multiply<e, false, depth>(p);
}

template <Element e>
bool multiplyDeep(const FragmentProduct& p) {
    return p.k == 32   ? p.sparse && multiply<e, 32>(p)
           : p.k == 16 ? multiply<e, 16>(p)
                       : p.k == 8 && !p.sparse && multiply<e, 8>(p);
}

bool floats(const FragmentProduct& p) {
    switch (p.a) {
    case Element::F16:
        return multiplyDeep<Element::F16>(p);
    case Element::BF16:
        return multiplyDeep<Element::BF16>(p);
    case Element::TF32:
        return p.k == 8 ? multiply<Element::TF32, 8>(p) : p.k == 4 && multiply<Element::TF32, 4>(p);
    default:
        return false;
    }
}

// Four bytes of each row are a word, multiplied by four of b's and added by one instruction, which takes the first ones
// as unsigned and the others as signed: signed ones of a are made larger by 128, unsigned ones of b less, and what that
// adds is taken away. All of it modulo 2^32, in which the sum of products is exact.
void wholes(const FragmentProduct& p) {
    const u32 down = p.m / rows, across = p.n / columns, deep = p.k / 16; // registers of a column of b
    const bool signedA = p.a == Element::S8, unsignedB = p.b == Element::U8;
    const __m512i ones = _mm512_set1_epi8(1), turns = _mm512_set1_epi8(i8(-128));
    alignas(64) i32 b[4][2][32], sumsB[4][32]; // of two registers
    for (u32 n = 0; n < across; ++n)
        for (u32 half = 0; half < 2; ++half) {
            __m512i sum = _mm512_setzero_si512();
            for (u32 r = 0; r < deep; ++r) {
                __m512i v = _mm512_loadu_si512(p.rowsB[n * deep + r] + 64 * half);
                if (unsignedB)
                    v = _mm512_xor_si512(v, turns);
                _mm512_store_si512(b[n][r] + 16 * half, v);
                sum = _mm512_dpbusd_epi32(sum, ones, v);
            }
            // Of the four words of each column.
            sum = _mm512_add_epi32(sum, _mm512_shuffle_epi32(sum, _MM_PERM_CDAB));
            sum = _mm512_add_epi32(sum, _mm512_shuffle_epi32(sum, _MM_PERM_BADC));
            _mm512_store_si512(sumsB[n] + 16 * half, _mm512_slli_epi32(sum, 7));
        }
    __m512i d[2 * columns];
    for (u32 m = 0; m < down; ++m) {
        __m512i a[8], sumsA = _mm512_setzero_si512();
        for (u32 r = 0; r < deep; ++r) {
            __m512i words[4];
            columnsOf(p.rowsA[(m * deep + r) * 2], p.rowsA[(m * deep + r) * 2 + 1], words);
            for (u32 t = 0; t < 4; ++t) {
                a[4 * r + t] = signedA ? _mm512_xor_si512(words[t], turns) : words[t];
                sumsA = _mm512_dpbusd_epi32(sumsA, a[4 * r + t], ones);
            }
        }
        if (signedA)
            sumsA = _mm512_sub_epi32(sumsA, same(i32(128 * p.k)));
        const __m512i more = unsignedB ? _mm512_slli_epi32(sumsA, 7) : _mm512_setzero_si512();
        for (u32 n = 0; n < across; ++n) {
            const u32 tile = m * across + n;
            __m512 c[columns];
            columnsOfC(p, tile, c);
            for (u32 column = 0; column < columns; ++column) {
                __m512i sum = more;
                for (u32 r = 0; r < deep; ++r)
                    for (u32 t = 0; t < 4; ++t)
                        sum = _mm512_dpbusd_epi32(sum, a[4 * r + t], same(b[n][r][4 * column + t]));
                if (signedA)
                    sum = _mm512_sub_epi32(sum, same(sumsB[n][4 * column]));
                const __m512i own = _mm512_castps_si512(c[column]);
                __m512i all = _mm512_add_epi32(sum, own);
                if (p.saturates) {
                    const __mmask16 over =
                        _mm512_movepi32_mask(_mm512_and_si512(_mm512_xor_si512(sum, all), _mm512_xor_si512(own, all)));
                    all = _mm512_mask_xor_epi32(all, over, _mm512_srai_epi32(own, 31), same(0x7fffffff));
                }
                d[columns * tile + column] = all;
            }
        }
    }
    for (u32 tile = 0; tile < down * across; ++tile) {
        __m512 sums[columns];
        for (u32 column = 0; column < columns; ++column)
            sums[column] = _mm512_castsi512_ps(d[columns * tile + column]);
        putColumnsOfD(p, tile, sums);
    }
}

// A vector holds a row: its even columns, then its odd ones.
void doubles(const DoubleFragments& p) {
    const auto at = [](const std::byte* row, u32 lane) { return reinterpret_cast<const double*>(row) + lane; };
    const u32 down = p.m / 8, deep = p.k / 4;
    __m512d b[16], sums[16];
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                  high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    for (u32 r = 0; r < deep; ++r) {
        __m512d v[4]; // two columns each
        for (u32 i = 0; i < 4; ++i)
            v[i] = _mm512_loadu_pd(at(p.b[r], 8 * i));
        const __m512d first = _mm512_unpacklo_pd(v[0], v[1]), second = _mm512_unpackhi_pd(v[0], v[1]),
                      third = _mm512_unpacklo_pd(v[2], v[3]), fourth = _mm512_unpackhi_pd(v[2], v[3]);
        b[4 * r] = _mm512_permutex2var_pd(first, low, third);
        b[4 * r + 1] = _mm512_permutex2var_pd(second, low, fourth);
        b[4 * r + 2] = _mm512_permutex2var_pd(first, high, third);
        b[4 * r + 3] = _mm512_permutex2var_pd(second, high, fourth);
    }
    for (u32 row = 0; row < p.m; ++row) {
        const u32 tile = row / 8, lane = row % 8 * 4;
        __m512d sum = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(at(p.c[2 * tile], lane))),
                                         _mm256_loadu_pd(at(p.c[2 * tile + 1], lane)), 1);
        for (u32 k = 0; k < p.k; ++k)
            sum = _mm512_fmadd_pd(_mm512_set1_pd(*at(p.a[k / 4 * down + tile], lane + k % 4)), b[k], sum);
        sums[row] = sum;
    }
    for (u32 row = 0; row < p.m; ++row) {
        const u32 tile = row / 8, offset = row % 8 * 32;
        _mm256_storeu_pd(reinterpret_cast<double*>(p.d[2 * tile] + offset), _mm512_castpd512_pd256(sums[row]));
        _mm256_storeu_pd(reinterpret_cast<double*>(p.d[2 * tile + 1] + offset), _mm512_extractf64x4_pd(sums[row], 1));
    }
}

// e4m3 in the upper bytes of halves: one bit less of the exponent's and of another bias, and one NaN.
inline __m512i halvesOfE4m3(__m512i v) {
    const __m512i sign = _mm512_and_si512(v, _mm512_set1_epi16(i16(0x8000))),
                  magnitude = _mm512_and_si512(v, _mm512_set1_epi16(0x7f00)), bits = _mm512_srli_epi16(magnitude, 1);
    const auto scaled = [](__m256i halves) {
        return _mm512_cvtps_ph(_mm512_mul_ps(_mm512_cvtph_ps(halves), _mm512_set1_ps(256)), _MM_FROUND_NO_EXC); // exact
    };
    const __m512i value = _mm512_inserti64x4(_mm512_castsi256_si512(scaled(_mm512_castsi512_si256(bits))),
                                             scaled(_mm512_extracti64x4_epi64(bits, 1)), 1);
    const __mmask32 nan = _mm512_cmpeq_epi16_mask(magnitude, _mm512_set1_epi16(0x7f00));
    return _mm512_mask_mov_epi16(_mm512_or_si512(value, sign), nan, _mm512_set1_epi16(0x7fff));
}
template <bool e4m3>
void widenBytes(const std::byte* from, std::byte* lower, std::byte* upper) {
    for (u32 half = 0; half < 128; half += 64) {
        const __m512i v = _mm512_loadu_si512(from + half);
        // Of bytes 0 1 2 3 the first two and the last two, each in the upper half of 16 bits.
        const __m512i first = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(v, same(0xff)), 8),
                                              _mm512_slli_epi32(_mm512_and_si512(v, same(0xff00)), 16));
        const __m512i last = _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi32(v, 8), same(0xff00)),
                                             _mm512_and_si512(v, same(i32(0xff000000u))));
        _mm512_storeu_si512(lower + half, e4m3 ? halvesOfE4m3(first) : first);
        _mm512_storeu_si512(upper + half, e4m3 ? halvesOfE4m3(last) : last);
    }
}

} // namespace

const FragmentProducts fragmentProducts = {&floats, &wholes, &doubles, &widenBytes<true>, &widenBytes<false>};

} // namespace warpglass::emulator::WARPGLASS_ALU

#endif
