// SPDX-License-Identifier: GPL-3.0-or-later
// sin, cos, ex2, lg2, tanh and rsqrt of f32, which the hardware approximates. Here they are worked out in f64, by
// polynomials that are right to 38 bits and more, and rounded to f32: nearly always the correctly rounded value (of sin and
// cos that of the angle that the hardware makes of theirs), and far within the error that the PTX ISA documents. All lanes
// go at once; what the polynomials do not cover (infinite angles, what is no normal positive number under a root or
// logarithm) is left to the host's library, lane by lane. No fused multiply-add, so that every processor gives the same
// bits.
//
// The coefficients interpolate the function at the Chebyshev nodes of its interval.
#include "gpu/emulator/lanes/alu/lanes.h"

#include <cmath>

namespace warpglass::emulator::WARPGLASS_ALU {
namespace {

// Added to a number, and taken off again, it leaves a whole one; between the two its last bits are that number.
constexpr double wholes = 0x1.8p52;

inline double bitsOf(u64 v) {
    return __builtin_bit_cast(double, v);
}
inline u64 bitsOf(double v) {
    return __builtin_bit_cast(u64, v);
}

// An odd polynomial of the distance to the next multiple of pi; cos: to the next half multiple. pi in two parts, the
// first of 31 bits, so that its multiples are exact.
template <bool isCos>
inline double wave(double x) {
    constexpr double high = 0x1.921fb54400000p+1, low = 0x1.0b4611a626331p-33, perHalfTurn = 0x1.45f306dc9c883p-2;
    const double shifted = x * perHalfTurn - (isCos ? 0.5 : 0.0) + wholes;
    const double turns = shifted - wholes + (isCos ? 0.5 : 0.0);
    const double r = x - turns * high - turns * low, z = r * r;
    double p = 0x1.54e73e16202f6p-33;
    p = p * z - 0x1.ae20c37c7bc20p-26;
    p = p * z + 0x1.71dd8ddda7108p-19;
    p = p * z - 0x1.a01a0011acd6dp-13;
    p = p * z + 0x1.1111110fc037fp-7;
    p = p * z - 0x1.55555555549cap-3;
    p = r * (1.0 + z * p); // -0 stays what it is
    return bitsOf(bitsOf(p) ^ (bitsOf(shifted) << 63) ^ (isCos ? u64(1) << 63 : 0));
}

// The angle that the hardware takes for x. An H200 multiplies by 1 / 2 pi, as f32 and cut to f32 (FMUL.RZ), and sin and cos
// (MUFU) take of these turns what whole units of 2^-25 there are: far from zero they are off by much more than their last
// bits, and of numbers below 1.8e-7 the sine is zero. 1,431 angles measured there come within 2^-21 of what this gives.
inline double angleOf(float x) {
    constexpr double perUnit = 0x1.45f306p-3, turn = 0x1.921fb54442d18p+2;
    constexpr u64 sign = u64(1) << 63, kept = ~u64(0) << 29; // of f32
    const u64 bits = bitsOf(double(x) * perUnit) & kept;
    const double turns = bitsOf(bits & ~sign), units = turns * 0x1p25, near = (units + 0x1p52) - 0x1p52;
    const double cut = (near > units ? near - 1.0 : near) * 0x1p-25;
    const double part = turns < 0x1p23 ? cut - ((cut + wholes) - wholes) : 0.0; // from -1/2 to 1/2
    return bitsOf(bitsOf(part * turn) ^ (bits & sign));
}

// 2^f - 1 for f between -1/2 and 1/2.
inline double power(double f) {
    double p = 0x1.63b2d7971923fp-20;
    p = p * f + 0x1.00c0e4e15189cp-16;
    p = p * f + 0x1.4308c7183d6a2p-13;
    p = p * f + 0x1.5d877598350dep-10;
    p = p * f + 0x1.3b2ab70ad2565p-7;
    p = p * f + 0x1.c6b08da70cce3p-5;
    p = p * f + 0x1.ebfbdff82a734p-3;
    p = p * f + 0x1.62e42fef9cc69p-1;
    return p * f;
}
inline double powerOfTwo(double x) {
    x = x < -200.0 ? -200.0 : x;
    x = x > 200.0 ? 200.0 : x; // far out of f32 on either side
    const double shifted = x + wholes;
    const double p = 1.0 + power(x - (shifted - wholes));
    return bitsOf(bitsOf(p) + (bitsOf(shifted) << 52));
}

// log2 of m * 2^e, m between the root of 1/2 and that of 2, by s = (m - 1) / (m + 1).
inline double logarithm(double x) {
    constexpr u64 least = 0x3fe6a09e667f3bcd, one = u64(1023) << 52; // the root of 1/2
    const u64 offset = bitsOf(x) - least + one;
    const double e = bitsOf((offset >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
    const double m = bitsOf((offset & 0x000fffffffffffff) + least), s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 0x1.21ac9c9044092p-2;
    p = p * z + 0x1.4795a630799c0p-2;
    p = p * z + 0x1.a61a2cc1ced5ap-2;
    p = p * z + 0x1.2776c295f01cfp-1;
    p = p * z + 0x1.ec709dc539e76p-1;
    p = p * z + 0x1.71547652b8253p+1;
    return e + s * p;
}

// (y - 1) / (y + 1), y = e^(2|x|) = 2^n * 2^f; y - 1 keeps its bits where it is small.
inline double tangent(double x) {
    constexpr double perNat = 2 * 0x1.71547652b82fep+0;
    double size = bitsOf(bitsOf(x) & ~(u64(1) << 63));
    size = size < 20.0 ? size : 20.0; // 1 as f32, from 9.1 on
    const double t = size * perNat, shifted = t + wholes;
    const double scale = bitsOf((bitsOf(shifted) << 52) + (u64(1023) << 52));
    const double less = scale * power(t - (shifted - wholes)) + (scale - 1.0), r = less / (less + 2.0);
    return bitsOf(bitsOf(r) | (bitsOf(x) & (u64(1) << 63)));
}

// Half the exponent as a start, two steps of Newton in f32, one of third order in f64.
inline double inverseRoot(float x) {
    float y = __builtin_bit_cast(float, 0x5f375a86u - (__builtin_bit_cast(u32, x) >> 1));
    const float half = 0.5f * x;
    y = y * (1.5f - half * y * y);
    y = y * (1.5f - half * y * y);
    const double w = double(y), e = 1.0 - double(x) * w * w;
    return w + w * e * (0.5 + 0.375 * e);
}

template <FloatOp op>
inline float quick(float x) {
    if constexpr (op == FloatOp::Sin)
        return float(wave<false>(angleOf(x)));
    if constexpr (op == FloatOp::Cos)
        return float(wave<true>(angleOf(x)));
    if constexpr (op == FloatOp::Ex2)
        return float(powerOfTwo(double(x)));
    if constexpr (op == FloatOp::Lg2)
        return float(logarithm(double(x)));
    if constexpr (op == FloatOp::Tanh)
        return float(tangent(double(x)));
    return float(inverseRoot(x));
}
template <FloatOp op>
inline bool covers(float x) {
    const u32 bits = __builtin_bit_cast(u32, x);
    if constexpr (op == FloatOp::Sin || op == FloatOp::Cos)
        return (bits & 0x7fffffffu) < 0x7f800000u;
    if constexpr (op == FloatOp::Lg2 || op == FloatOp::Rsqrt)
        return bits - 0x00800000u < 0x7f000000u;
    return (bits & 0x7fffffffu) <= 0x7f800000u; // no NaN
}
template <FloatOp op>
float slow(float x) {
    if constexpr (op == FloatOp::Sin)
        return std::sin(x);
    if constexpr (op == FloatOp::Cos)
        return std::cos(x);
    if constexpr (op == FloatOp::Lg2)
        return std::log2(x);
    if constexpr (op == FloatOp::Rsqrt)
        return float(1.0 / std::sqrt(double(x)));
    return x; // NaN
}

struct alignas(64) Lanes {
    float v[32];
};

template <FloatOp op>
bool approximate(Exec& x, const Inst& in) {
    Lanes a, r;
    copyBytes<sizeof a>(&a, x.rows + in.a);
    if (in.real.ftz)
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            a.v[i] = flush(a.v[i]);
    u32 left = 0;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        left |= covers<op>(a.v[i]) ? 0u : 1u;
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i)
        r.v[i] = quick<op>(a.v[i]);
    if (left) [[unlikely]]
        for (int i = 0; i < 32; ++i)
            if (!covers<op>(a.v[i]))
                r.v[i] = slow<op>(a.v[i]);
    if (in.real.ftz)
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            r.v[i] = flush(r.v[i]);
    if (in.real.sat)
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i) {
            const float low = r.v[i] > 0.0f ? r.v[i] : 0.0f; // NaN becomes 0
            r.v[i] = low < 1.0f ? low : 1.0f;
        }
    storeLanes(x, activeMask(x, in), rowAt<u32>(x, in.dst), [&](int i) {
        const u32 bits = __builtin_bit_cast(u32, r.v[i]);
        return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits;
    });
    return true;
}

} // namespace

Handler approximateHandler(FloatOp op) {
    switch (op) {
    case FloatOp::Rsqrt:
        return &approximate<FloatOp::Rsqrt>;
    case FloatOp::Sin:
        return &approximate<FloatOp::Sin>;
    case FloatOp::Cos:
        return &approximate<FloatOp::Cos>;
    case FloatOp::Ex2:
        return &approximate<FloatOp::Ex2>;
    case FloatOp::Lg2:
        return &approximate<FloatOp::Lg2>;
    case FloatOp::Tanh:
        return &approximate<FloatOp::Tanh>;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator::WARPGLASS_ALU
