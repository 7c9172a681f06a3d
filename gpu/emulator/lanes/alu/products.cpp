// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/lanes/products.h"
#include "gpu/emulator/lanes/alu/small_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// A vector of columns, as wide as the processor's. Of its doubles there are two halves.
#if defined(__AVX2__)
constexpr u32 width = 8;
#else
constexpr u32 width = 4;
#endif
using Floats = float __attribute__((vector_size(4 * width)));
using Ints = i32 __attribute__((vector_size(4 * width)));
using HalfFloats = float __attribute__((vector_size(2 * width)));
using HalfInts = i32 __attribute__((vector_size(2 * width)));
using Doubles = double __attribute__((vector_size(4 * width)));
using Longs = i64 __attribute__((vector_size(4 * width)));

template <class V>
[[gnu::always_inline]] inline V load(const void* from) {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
template <class V>
[[gnu::always_inline]] inline void store(void* to, V v) {
    std::memcpy(to, &v, sizeof v);
}
template <class To, class From>
[[gnu::always_inline]] inline To bitsAs(From v) {
    return load<To>(&v);
}
[[gnu::always_inline]] inline Ints larger(Ints a, Ints b) {
#if defined(__AVX2__)
    return reinterpret_cast<Ints>(_mm256_max_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE4_1__)
    return reinterpret_cast<Ints>(_mm_max_epi32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return a > b ? a : b;
#endif
}

constexpr i32 none = -1000; // exponent of zero, and less than -500 of a product with zero
// Largest exponents with which products are floats and their scale is one, too: a product that is too small for a float
// then is so small that nothing is left of it.
constexpr i32 leastRegular = -90, mostRegular = 120;

// The exponent of v in a format whose smallest normal number has the exponent `least`.
inline i32 exponentOf(float v, i32 least) {
    const u32 bits = std::bit_cast<u32>(v) & 0x7fffffffu;
    const i32 e = std::max(i32(bits >> 23) - 127, least);
    return bits == 0 ? none : e;
}

// True if there is an infinity or a NaN.
bool exponents(const float* __restrict from, u32 count, i32 least, i32* __restrict to) {
    u32 special = 0;
#pragma GCC ivdep
    for (u32 i = 0; i < count; ++i) {
        to[i] = exponentOf(from[i], least);
        special |= (std::bit_cast<u32>(from[i]) & 0x7f800000u) == 0x7f800000u ? 1u : 0u;
    }
    return special != 0;
}

void cut(const double* from, u32 count, u32 bits, float* to) {
    const u64 mask = ~u64(0) << (52 - bits);
    for (u32 i = 0; i < count; ++i) {
        const double v = from[i];
        if (v != v)
            to[i] = std::bit_cast<float>(0x7fffffffu);
        else if (std::fabs(v) < 0x1p-126)
            to[i] = float(std::ldexp(std::trunc(std::ldexp(v, 126 + int(bits))), -126 - int(bits)));
        else
            to[i] = float(std::bit_cast<double>(std::bit_cast<u64>(v) & mask));
    }
}

// Of the type of the result.
float finished(const FloatProduct& p, double sum) {
    if (p.toHalves)
        return widened<F16>(narrow<F16, Round::Nearest>(std::bit_cast<u32>(oddOf(sum)), 0, 0, F16::infinity));
    float r;
    cut(&sum, 1, p.cutBits, &r);
    return r;
}

// One sum, for operands of any size, infinities and NaN among them.
double one(const FloatProduct& p, u32 m, u32 n) {
    const float *a = p.a + m * p.strideA, *b = p.b + n;
    const float c = p.c[m * p.n + n];
    double plain = c;
    bool isEmpty = true;
    i32 most = exponentOf(c, p.leastC);
    for (u32 k = 0; k < p.k; ++k) {
        plain += double(a[k]) * double(b[k * p.n]);
        const i32 ea = exponentOf(a[k], p.leastA), eb = exponentOf(b[k * p.n], p.leastB);
        if (ea == none || eb == none)
            continue;
        isEmpty = false;
        most = std::max(most, ea + eb);
    }
    if (!std::isfinite(plain))
        return plain;
    if (isEmpty) // no product but zeros: the accumulator stays as it is
        return c;
    const int shift = p.fraction - most;
    auto sum = i64(std::ldexp(double(c), shift)); // towards zero
    for (u32 k = 0; k < p.k; ++k)
        sum += i64(std::ldexp(double(a[k]) * double(b[k * p.n]), shift));
    return std::ldexp(double(sum), -shift);
}

void slowly(const FloatProduct& p) {
    for (u32 m = 0; m < p.m; ++m)
        for (u32 n = 0; n < p.n; ++n)
            p.d[m * p.n + n] = finished(p, one(p, m, n));
}

// What a strip of columns needs beside its products: the largest exponent of each sum, and what follows from it.
struct Sums {
    Floats scale, weight; // 2 to the fraction minus that exponent, and the other way round
    Ints accumulator;     // in units of the last bit kept
    Ints irregular;
};
[[gnu::always_inline]] inline Sums sumsOf(const FloatProduct& p, Ints largest, const float* from) {
    const Floats c = load<Floats>(from);
    const Ints bits = bitsAs<Ints>(c), magnitude = bits & 0x7fffffff;
    const Ints own = magnitude == 0 ? Ints{} + 2 * none : larger((magnitude >> 23) - 127, Ints{} + p.leastC);
    // A sum of nothing but zeros is the accumulator: taken by its own exponent no bit of it is lost, but zero's sign.
    const Ints isEmpty = largest < none / 2;
    largest = larger(largest, own);
    Sums s;
    s.irregular = (largest > mostRegular) | ((largest < leastRegular) & (largest > none / 2)) |
                  (isEmpty & (bits == Ints{} + i32(0x80000000u)));
    largest = larger(largest, Ints{} + leastRegular);
    s.scale = bitsAs<Floats>((p.fraction + 127 - largest) << 23);
    s.weight = bitsAs<Floats>((largest + 127 - p.fraction) << 23);
    s.accumulator = __builtin_convertvector(c * s.scale, Ints);
    return s;
}

// products and accumulator: below 2^31 each. Cut to so many bits, with toHalves the last of them odd if one was lost, so
// that the rounding to halves is the only one.
template <bool toHalves>
[[gnu::always_inline]] inline Floats sumOf(Ints products, const Sums& s, i64 kept) {
    HalfFloats parts[2];
    HalfInts p[2], c[2];
    std::memcpy(p, &products, sizeof p);
    std::memcpy(c, &s.accumulator, sizeof c);
    for (int i = 0; i < 2; ++i) {
        const Doubles sum = __builtin_convertvector(p[i], Doubles) + __builtin_convertvector(c[i], Doubles);
        Longs bits = bitsAs<Longs>(sum);
        if constexpr (toHalves)
            bits |= ((bits & ~kept) != 0) & (kept & -kept);
        bits &= kept;
        parts[i] = __builtin_convertvector(bitsAs<Doubles>(bits), HalfFloats);
    }
    Floats r;
    std::memcpy(&r, parts, sizeof r);
    return r * s.weight;
}

// False if some sums are to be made one by one, with an accumulator that is infinite or NaN, too. 16 products of less than 4 * 2^25 units are a 32-bit number; where k is
// more the operands have fewer bits, or every second one is zero.
template <bool toHalves, u32 knownK>
bool strips(const FloatProduct& p, const i32* ea, const i32* eb) {
    const u32 products = knownK ? knownK : p.k;
    const i64 kept = i64(~u64(0) << (52 - (toHalves ? 23 : p.cutBits)));
    Ints irregular = {};
    for (u32 m = 0; m < p.m; m += 2) // two rows, for each b that is read
        for (u32 n = 0; n < p.n; n += width) {
            const i32 *e0 = ea + m * products, *e1 = e0 + products;
            Ints most0 = Ints{} + 2 * none, most1 = most0;
            for (u32 k = 0; k < products; ++k) {
                const Ints e = load<Ints>(eb + k * p.n + n);
                most0 = larger(most0, e + e0[k]);
                most1 = larger(most1, e + e1[k]);
            }
            const Sums s0 = sumsOf(p, most0, p.c + m * p.n + n), s1 = sumsOf(p, most1, p.c + (m + 1) * p.n + n);
            irregular |= s0.irregular | s1.irregular;
            const float *a0 = p.a + m * p.strideA, *a1 = a0 + p.strideA;
            using Bits = u32 __attribute__((vector_size(sizeof(Ints)))); // of the irregular ones they may run over
            Bits sum0 = {}, sum1 = {};
            for (u32 k = 0; k < products; ++k) {
                const Floats b = load<Floats>(p.b + k * p.n + n);
                sum0 += (Bits) __builtin_convertvector(a0[k] * b * s0.scale, Ints);
                sum1 += (Bits) __builtin_convertvector(a1[k] * b * s1.scale, Ints);
            }
            store(p.d + m * p.n + n, sumOf<toHalves>((Ints)sum0, s0, kept));
            store(p.d + (m + 1) * p.n + n, sumOf<toHalves>((Ints)sum1, s1, kept));
        }
    i32 any = 0;
    for (u32 i = 0; i < width; ++i)
        any |= irregular[i];
    return any == 0;
}

template <bool toHalves>
bool strips(const FloatProduct& p, const i32* ea, const i32* eb) {
    return p.k == 16  ? strips<toHalves, 16>(p, ea, eb)
           : p.k == 8 ? strips<toHalves, 8>(p, ea, eb)
                      : strips<toHalves, 0>(p, ea, eb);
}

void floats(const FloatProduct& p) {
    alignas(32) i32 ea[32 * 64], eb[64 * 256]; // as many of them as exponents() fills are read
    bool special = exponents(p.b, p.k * p.n, p.leastB, eb);
    if (p.strideA == p.k)
        special |= exponents(p.a, p.m * p.k, p.leastA, ea);
    else
        for (u32 m = 0; m < p.m; ++m)
            special |= exponents(p.a + m * p.strideA, p.k, p.leastA, ea + m * p.k);
    if (special)
        return slowly(p);
    const bool regular = p.toHalves ? strips<true>(p, ea, eb) : strips<false>(p, ea, eb);
    if (p.toHalves)
        for (u32 i = 0; i < p.m * p.n; i += 8) {
            alignas(16) u16 h[8];
            narrowAll<F16, Round::Nearest, u16, 8>(p.d + i, h, nullptr, {});
            for (u32 j = 0; j < 8; ++j)
                p.d[i + j] = widened<F16>(h[j]);
        }
    if (regular)
        return;
    for (u32 m = 0; m < p.m; ++m)
        for (u32 n = 0; n < p.n; ++n) {
            const float c = p.c[m * p.n + n];
            i32 products = 2 * none;
            for (u32 k = 0; k < p.k; ++k)
                products = std::max(products, ea[m * p.k + k] + eb[k * p.n + n]); // NOLINT(clang-analyzer-core.*)
            const i32 largest = std::max(products, exponentOf(c, p.leastC));
            const bool isEmpty = products < none / 2;
            if (largest > mostRegular || (largest < leastRegular && largest > none / 2) ||
                (isEmpty && std::bit_cast<u32>(c) == 0x80000000u))
                p.d[m * p.n + n] = finished(p, one(p, m, n));
        }
}

// a and b hold two numbers of 16 bits each: the sum of their products.
[[gnu::always_inline]] inline Ints pairProducts(Ints a, Ints b) {
#if defined(__AVX2__)
    return reinterpret_cast<Ints>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

// Operands have nine bits at most: two of them that follow each other in k go into a word.
void wholes(const WholeProduct& p) {
    const u32 pairs = p.k / 2;
    alignas(32) i32 a[16 * 64], b[32 * 256];
    for (u32 i = 0; i < p.m * pairs; ++i)
        a[i] = (p.a[2 * i] & 0xffff) | i32(u32(p.a[2 * i + 1]) << 16);
    for (u32 k = 0; k < pairs; ++k)
        for (u32 n = 0; n < p.n; n += width) {
            const Ints low = load<Ints>(p.b + 2 * k * p.n + n), high = load<Ints>(p.b + (2 * k + 1) * p.n + n);
            store(b + k * p.n + n, (low & 0xffff) | (high << 16));
        }
    for (u32 m = 0; m < p.m; m += 2)
        for (u32 n = 0; n < p.n; n += width) {
            Ints sums[2] = {};
            const i32 *a0 = a + m * pairs, *a1 = a0 + pairs;
            for (u32 k = 0; k < pairs; ++k) {
                const Ints v = load<Ints>(b + k * p.n + n);
                sums[0] += pairProducts(Ints{} + a0[k], v);
                sums[1] += pairProducts(Ints{} + a1[k], v);
            }
            for (u32 i = 0; i < 2; ++i) {
                using Words = u32 __attribute__((vector_size(4 * width))); // may wrap
                const Ints c = load<Ints>(p.c + (m + i) * p.n + n);
                Ints d = bitsAs<Ints>(bitsAs<Words>(sums[i]) + bitsAs<Words>(c));
                if (p.saturates) {
                    const Ints over = ((sums[i] ^ d) & (c ^ d)) >> 31;
                    d = (d & ~over) | (((c >> 31) ^ 0x7fffffff) & over);
                }
                store(p.d + (m + i) * p.n + n, d);
            }
        }
}

void doubles(const DoubleProduct& p) {
    for (u32 m = 0; m < p.m; ++m)
        for (u32 n = 0; n < p.n; n += width / 2) {
            Doubles sum = load<Doubles>(p.c + m * p.n + n);
            for (u32 k = 0; k < p.k; ++k) {
                const Doubles b = load<Doubles>(p.b + k * p.n + n);
#if defined(__FMA__)
                sum = reinterpret_cast<Doubles>(_mm256_fmadd_pd(
                    _mm256_set1_pd(p.a[m * p.k + k]), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(sum)));
#else
                for (u32 i = 0; i < width / 2; ++i)
                    sum[i] = std::fma(p.a[m * p.k + k], b[i], sum[i]);
#endif
            }
            store(p.d + m * p.n + n, sum);
        }
}

template <bool exclusive>
void bitsOf(const BitProduct& p) {
    for (u32 m = 0; m < p.m; ++m)
        for (u32 n = 0; n < 8; ++n) {
            const u32 *a = p.a + m * p.words, *b = p.b + n * p.words;
            u64 sum = u32(p.d[m * 8 + n]);
            for (u32 w = 0; w < p.words; w += 2) { // the only odd number of words is one: of m8n8k32, which is no form
                u64 u, v;
                __builtin_memcpy(&u, a + w, sizeof u);
                __builtin_memcpy(&v, b + w, sizeof v);
                sum += u64(__builtin_popcountll(exclusive ? u ^ v : u & v));
            }
            p.d[m * 8 + n] = i32(u32(sum));
        }
}
void bits(const BitProduct& p) {
    p.exclusive ? bitsOf<true>(p) : bitsOf<false>(p);
}

void widenHalves(const u16* from, u32 count, float* to) {
#if defined(__F16C__)
    for (u32 i = 0; i < count; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
#else
#pragma GCC ivdep
    for (u32 i = 0; i < count; ++i)
        to[i] = widened<F16>(from[i]);
#endif
}

#if defined(__F16C__)
inline __m128i narrowed(__m256 v) {
    const __m256i isNaN = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(isNaN), _mm256_extracti128_si256(isNaN, 1));
    const __m128i halves = _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm_blendv_epi8(halves, _mm_set1_epi16(0x7fff), words); // the only NaN that there is
}
#endif

void narrowTile(const float* from, u32 stride, u16* to) {
    for (u32 row = 0; row < 8; ++row)
#if defined(__F16C__)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 8 * row), narrowed(_mm256_loadu_ps(from + row * stride)));
#else
        narrowAll<F16, Round::Nearest, u16, 8>(from + row * stride, to + 8 * row, nullptr, {});
#endif
}

// Exact as f32 but for one rounding that the rounding to f16 does not see (24 bits are more than twice 11).
void addHalves(u16* at, const u16* values, u16* before) {
#if defined(__F16C__)
    for (u32 i = 0; i < 64; i += 8) {
        const auto there = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i)),
                   added = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i));
        if (before)
            _mm_storeu_si128(reinterpret_cast<__m128i*>(before + i), there);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at + i),
                         narrowed(_mm256_add_ps(_mm256_cvtph_ps(there), _mm256_cvtph_ps(added))));
    }
#else
    float sums[64], added[64];
    widenHalves(at, 64, sums);
    widenHalves(values, 64, added);
    for (u32 i = 0; i < 64; ++i)
        sums[i] += added[i];
    if (before)
        __builtin_memcpy(before, at, 64 * sizeof *at);
    narrowTile(sums, 8, at);
#endif
}

} // namespace

const Products matrixProducts = {&floats, &wholes, &doubles, &bits, &widenHalves, &narrowTile, &addHalves};

} // namespace warpglass::emulator::WARPGLASS_ALU
