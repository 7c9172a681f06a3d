// SPDX-License-Identifier: GPL-3.0-or-later
// Floats of 19 bits and fewer: f16, bf16, tf32, and the eight, six and four bits that matrices are stored in.
//
// All of them are an f32 with a shorter exponent and fraction, so one function narrows to any of them: it shifts the
// significand right by what the format does not keep (more for numbers below its least normal one), adds what the
// rounding asks for before the shift, and lets a carry walk from the fraction into the exponent, which is what rounding
// up to the next power of two means. No branch and no table: the loops over lanes become vector code.
//
// Rounding twice is harmless only if the first rounding keeps enough: a sum or product of two halves as f32 does; of a
// fused multiply and add, and of an f64, the first result must end in an odd bit where something was lost (odd()).
#pragma once

#include "gpu/emulator/lanes/alu/lanes.h"

#include <cstring>
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

using Round = ptx::Rounding;

// infinity = 0: the format has none. nan: where it has none either, what PTX gives instead, the largest number.
// random: bits that stochastic rounding adds below the last one kept.
struct F16 {
    static constexpr u32 fraction = 10, bias = 15, sign = 0x8000, largest = 0x7bff, infinity = 0x7c00, nan = 0x7fff,
                         random = 13;
};
struct BF16 {
    static constexpr u32 fraction = 7, bias = 127, sign = 0x8000, largest = 0x7f7f, infinity = 0x7f80, nan = 0x7fff,
                         random = 16;
};
struct TF32 { // the upper 19 bits of an f32
    static constexpr u32 fraction = 10, bias = 127, sign = 0x40000, largest = 0x3fbff, infinity = 0x3fc00,
                         nan = 0x3ffff, random = 13;
};
struct E5M2 {
    static constexpr u32 fraction = 2, bias = 15, sign = 0x80, largest = 0x7b, infinity = 0x7c, nan = 0x7f, random = 16;
};
struct E4M3 {
    static constexpr u32 fraction = 3, bias = 7, sign = 0x80, largest = 0x7e, infinity = 0, nan = 0x7f, random = 16;
};
struct E3M2 {
    static constexpr u32 fraction = 2, bias = 3, sign = 0x20, largest = 0x1f, infinity = 0, nan = 0x1f, random = 16;
};
struct E2M3 {
    static constexpr u32 fraction = 3, bias = 1, sign = 0x20, largest = 0x1f, infinity = 0, nan = 0x1f, random = 16;
};
struct E2M1 {
    static constexpr u32 fraction = 1, bias = 1, sign = 0x8, largest = 0x7, infinity = 0, nan = 0x7, random = 16;
};

struct Narrowing {
    bool relu = false;      // what is negative becomes +0
    bool satfinite = false; // what is infinite becomes the largest number
};

// To nearest, the common one: what the format does not keep is rounded off the f32 where it stands. Below the least
// normal number the processor rounds, by adding a number whose last bit is worth the format's. V: u32, or a vector.
template <class F, class V, class Reals>
[[gnu::always_inline]] inline V narrowNearest(V bits, i32 reluMask, i32 top) {
    constexpr i32 dropped = 23 - F::fraction;
    const V magnitude = bits & 0x7fffffff, negative = bits >> 31;
    const V number = magnitude > 0x7f800000 ? (bits & 0) + 0x7f800000 : magnitude; // no carry beyond the sign's place
    V r = ((number + ((1 << (dropped - 1)) - 1) + (number >> dropped & 1)) >> dropped) -
          i32((127 - F::bias) << F::fraction);
    if constexpr (F::bias < 127) {
        constexpr u32 unit = (127 + 24 - F::bias - F::fraction) << 23;
        const Reals sum = __builtin_bit_cast(Reals, magnitude) + __builtin_bit_cast(float, unit);
        const V small = __builtin_bit_cast(V, sum) - i32(unit);
        r = magnitude < i32((128 - F::bias) << 23) ? small : r;
    }
    r = r > i32(F::largest) ? (r & 0) + top : r;
    r = (r | (negative & i32(F::sign))) & ~(negative & reluMask);
    return magnitude > 0x7f800000 ? (r & 0) + i32(F::nan) : r;
}

// bits: of an f32.
template <class F, Round round>
inline u32 narrow(u32 bits, u32 random, u32 reluMask, u32 top) {
    if constexpr (round == Round::Nearest)
        return u32(narrowNearest<F, i32, float>(i32(bits), i32(reluMask), i32(top)));
    constexpr i32 least = 128 - i32(F::bias); // the f32 exponent field of the least normal number
    const u32 magnitude = bits & 0x7fffffffu, negative = bits >> 31, field = magnitude >> 23;
    const i32 exponent = field == 0 ? 1 : i32(field);
    const u32 significand = (magnitude & 0x7fffffu) | (field == 0 ? 0 : 0x800000u);
    u32 kept = 0, shift = 23 - F::fraction;
    if constexpr (least > 1) {
        const i32 below = least - exponent;
        shift += below > 0 ? u32(below) : 0;
    }
    if constexpr (round == Round::Stochastic) { // the bits below the random ones cannot carry
        u32 first = shift - F::random;
        first = first > 31 ? 31 : first;
        kept = ((significand >> first) + random) >> F::random;
    } else {
        if constexpr (least > 1)
            shift = shift > 31 ? 31 : shift;
        const u32 unit = u32(1) << shift;
        u32 add = 0;
        if constexpr (round == Round::NearestAway)
            add = unit >> 1;
        if constexpr (round == Round::Down)
            add = (unit - 1) & (0 - negative);
        if constexpr (round == Round::Up)
            add = (unit - 1) & (negative - 1);
        kept = (significand + add) >> shift;
    }
    const i32 over = exponent - least;
    u32 r = (u32(over > 0 ? over : 0) << F::fraction) + kept;
    if constexpr (F::infinity != 0 && round != Round::NearestAway &&
                  round != Round::Stochastic) { // towards zero only infinity itself stays infinite
        const u32 stays = magnitude >= 0x7f800000u ? 1u
                          : round == Round::Up || round == Round::Down
                              ? (round == Round::Down ? negative : 1 - negative)
                              : 0u;
        top = stays ? top : F::largest;
    }
    r = r > F::largest ? top : r;
    r |= negative ? F::sign : 0;
    r &= ~(reluMask & (0 - negative));
    return magnitude > 0x7f800000u ? F::nan : r;
}

template <class F>
constexpr u32 topOf(bool satfinite) {
    return satfinite || F::infinity == 0 ? F::largest : F::infinity;
}

#if defined(__F16C__)
// The same by the processor's own conversion; its NaN keep their bits.
template <int mode, class Out, int count>
inline void narrowByProcessor(const float* from, Out* to, Narrowing n) {
    alignas(64) u16 h[count];
    for (int i = 0; i < count; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(h + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), mode));
    const u16 relu = n.relu ? 0xffff : 0, top = n.satfinite ? F16::largest : F16::infinity;
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
        const u16 magnitude = h[i] & 0x7fff, negative = u16(i16(h[i]) >> 15);
        u16 r = magnitude < top ? magnitude : top;
        r = (r | (negative & 0x8000)) & u16(~(relu & negative));
        to[i] = magnitude > F16::infinity ? u16(F16::nan) : r;
    }
}
#endif

// count numbers; random: as many, or nullptr unless the rounding is stochastic.
template <class F, Round round, class Out, int count = 32>
inline void narrowAll(const float* from, Out* to, const u32* random, Narrowing n) {
#if defined(__F16C__)
    if constexpr (__is_same(F, F16) &&
                  (round == Round::Nearest || round == Round::Zero || round == Round::Down || round == Round::Up)) {
        constexpr int mode = round == Round::Nearest ? 0 : round == Round::Down ? 1 : round == Round::Up ? 2 : 3;
        narrowByProcessor<mode, Out, count>(from, to, n);
        return;
    }
#endif
    const u32 reluMask = n.relu ? ~0u : 0u, top = topOf<F>(n.satfinite);
    if constexpr (round == Round::Nearest) { // by hand: a compiler mixes signs and widths of what it compares
#if defined(__AVX2__)
        constexpr int width = 8;
#else
        constexpr int width = 4;
#endif
        using Ints = i32 __attribute__((vector_size(4 * width)));
        using Reals = float __attribute__((vector_size(4 * width)));
        alignas(32) u32 words[count];
        for (int i = 0; i < count; i += width) {
            Ints bits;
            std::memcpy(&bits, from + i, sizeof bits);
            bits = narrowNearest<F, Ints, Reals>(bits, i32(reluMask), i32(top));
            std::memcpy(words + i, &bits, sizeof bits);
        }
#pragma GCC ivdep
        for (int i = 0; i < count; ++i)
            to[i] = Out(words[i]);
        return;
    }
#pragma GCC ivdep
    for (int i = 0; i < count; ++i)
        to[i] = Out(narrow<F, round>(__builtin_bit_cast(u32, from[i]),
                                     round == Round::Stochastic && random ? random[i] : 0, reluMask, top));
}

template <class F, class Out>
inline void narrowLanes(Round round, const float* from, Out* to, const u32* random, Narrowing n) {
    switch (round) {
    case Round::Zero:
        return narrowAll<F, Round::Zero>(from, to, random, n);
    case Round::Down:
        return narrowAll<F, Round::Down>(from, to, random, n);
    case Round::Up:
        return narrowAll<F, Round::Up>(from, to, random, n);
    case Round::NearestAway:
        return narrowAll<F, Round::NearestAway>(from, to, random, n);
    case Round::Stochastic:
        return narrowAll<F, Round::Stochastic>(from, to, random, n);
    default:
        return narrowAll<F, Round::Nearest>(from, to, random, n);
    }
}

// The f32 with the same value; a NaN stays one.
template <class F>
inline float widened(u32 v) {
    constexpr u32 exponents = (F::sign - 1) >> F::fraction;
    const u32 magnitude = v & (F::sign - 1), exponent = magnitude >> F::fraction;
    const u32 negative = v & F::sign ? 0x80000000u : 0u;
    if constexpr (F::bias == 127)
        return __builtin_bit_cast(float, negative | magnitude << (23 - F::fraction));
    else {
        constexpr float least = __builtin_bit_cast(float, (128 - F::bias - F::fraction) << 23); // subnormal
        u32 normal = (magnitude << (23 - F::fraction)) + ((127 - F::bias) << 23);
        if constexpr (F::infinity != 0)
            normal = exponent == exponents ? 0x7f800000u | magnitude << (23 - F::fraction) : normal;
        else if constexpr (F::nan != F::largest)
            normal = magnitude == F::nan ? 0x7fffffffu : normal;
        const u32 subnormal = __builtin_bit_cast(u32, float(i32(magnitude)) * least);
        return __builtin_bit_cast(float, negative | (exponent == 0 ? subnormal : normal));
    }
}

// 64 halves, as they lie in a row, and back, to nearest.
template <class F>
inline void widenRow(const u16* from, float* to) {
#if defined(__F16C__)
    if constexpr (__is_same(F, F16)) {
        for (int i = 0; i < 64; i += 8)
            _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
        return;
    }
#endif
#pragma GCC ivdep
    for (int i = 0; i < 64; ++i)
        to[i] = widened<F>(from[i]);
}
template <class F>
inline void narrowRow(const float* from, u16* to) {
    if constexpr (__is_same(F, BF16)) {
#pragma GCC ivdep
        for (int i = 0; i < 64; ++i) {
            const u32 u = __builtin_bit_cast(u32, from[i]);
            const u32 r = (u + 0x7fff + (u >> 16 & 1)) >> 16;
            to[i] = u16((u & 0x7fffffffu) > 0x7f800000u ? F::nan : r);
        }
    } else
        narrowAll<F, Round::Nearest, u16, 64>(from, to, nullptr, {});
}

// sum is the rounded value of something that is off by error, of which only the sign is asked: the sum, or the number
// next to it on the error's side, whichever ends in an odd bit.
inline float odd(float sum, float error) {
    const u32 s = __builtin_bit_cast(u32, sum);
    const u32 differs = (error < 0 ? ~0u : 0u) | (error > 0 ? ~0u : 0u), even = (s & 1) - 1;
    const u32 step = 1 | u32(i32(s ^ __builtin_bit_cast(u32, error)) >> 31); // 1 or -1
    return __builtin_bit_cast(float, s + (step & differs & even));
}
inline double odd(double sum, double error) {
    const u64 s = __builtin_bit_cast(u64, sum);
    const u64 differs = (error < 0 ? ~u64(0) : 0) | (error > 0 ? ~u64(0) : 0), even = (s & 1) - 1;
    const u64 step = ((s ^ __builtin_bit_cast(u64, error)) >> 63) != 0 ? ~u64(0) : 1;
    return __builtin_bit_cast(double, s + (step & differs & even));
}
inline float oddOf(double v) {
    const float f = float(v);
    const double lost = v - double(f);
    const u32 s = __builtin_bit_cast(u32, f), sign = u32(__builtin_bit_cast(u64, lost) >> 32);
    const u32 differs = u32((lost < 0 ? ~u64(0) : 0) | (lost > 0 ? ~u64(0) : 0)), even = (s & 1) - 1;
    const u32 step = 1 | u32(i32(s ^ sign) >> 31);
    return __builtin_bit_cast(float, s + (step & differs & even));
}

} // namespace
} // namespace warpglass::emulator::WARPGLASS_ALU
