// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit floats. Computed in f32, whose 24 bits make the one rounding to 11 (or 8) bits exact for +, -, * and division;
// a fused multiply and add needs more and goes through f64.
#include "gpu/emulator/ops/alu.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/run/exec.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpglass::emulator {

float halfToFloat(std::uint16_t h) {
    const std::uint32_t sign = std::uint32_t(h & 0x8000) << 16, exponent = h >> 10 & 0x1f, fraction = h & 0x3ff;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent != 0)
        return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float v = std::ldexp(float(fraction), -24);
    return sign ? -v : v;
}

std::uint16_t floatToHalf(float f, Round round) {
    const auto u = std::bit_cast<std::uint32_t>(f);
    const auto sign = std::uint16_t(u >> 16 & 0x8000);
    const float a = std::fabs(f);
    if (f != f)
        return 0x7fff;
    const bool away = (round == Round::Up && !sign) || (round == Round::Down && sign);
    if (a > 65504.0f) { // the largest; half a unit above it, at 65520, the nearest is infinity
        const bool infinite = std::isinf(f) || away || (round == Round::Nearest && a >= 65520.0f);
        return std::uint16_t(sign | (infinite ? 0x7c00 : 0x7bff));
    }
    int e = 0;
    std::frexp(a, &e);                      // a = m * 2^e, m in [0.5, 1)
    const int unit = std::max(e - 11, -24); // weight of the last bit
    const double scaled = std::ldexp(double(a), -unit);
    double r = round == Round::Nearest ? std::nearbyint(scaled) : away ? std::ceil(scaled) : std::floor(scaled);
    const float v = float(std::ldexp(r, unit));
    if (v == 0)
        return sign;
    std::frexp(v, &e);
    if (e - 1 < -14) // subnormal
        return sign | std::uint16_t(std::ldexp(v, 24));
    return sign | std::uint16_t((e - 1 + 15) << 10) | std::uint16_t(std::uint32_t(std::ldexp(v, 11 - e)) & 0x3ff);
}

std::uint16_t floatToBf16(float f, Round round) {
    const auto u = std::bit_cast<std::uint32_t>(f);
    if (f != f)
        return 0x7fff;
    return std::uint16_t((round == Round::Zero ? u : u + 0x7fff + (u >> 16 & 1)) >> 16);
}

float oddFloat(double d) {
    const float f = float(d);
    if (double(f) == d || f != f)
        return f;
    const auto u = std::bit_cast<std::uint32_t>(f);
    const bool away = std::fabs(double(f)) > std::fabs(d);
    return std::bit_cast<float>(away ? (u - 1) | 1 : u | 1);
}

namespace {

constexpr std::uint16_t canonicalNaN = 0x7fff;

float fromBits(std::uint16_t v, bool bf) {
    return bf ? std::bit_cast<float>(std::uint32_t(v) << 16) : halfToFloat(v);
}
std::uint16_t toBits(float f, bool bf) {
    return bf ? floatToBf16(f) : floatToHalf(f);
}
bool isNaN(std::uint16_t v, bool bf) {
    return (v & 0x7fff) > (bf ? 0x7f80 : 0x7c00);
}
std::uint16_t flushed(std::uint16_t v, bool bf) {
    return v & (bf ? 0x7f80 : 0x7c00) ? v : v & 0x8000;
}

// PTX ISA, min and max: a number beats NaN unless .NaN is asked for, -0 is less than +0; .xorsign.abs compares the
// magnitudes and gives the result the product's sign.
std::uint16_t minMax(const HalfPart& k, bool bf, std::uint16_t a, std::uint16_t b) {
    const bool nanA = isNaN(a, bf), nanB = isNaN(b, bf);
    const auto sign = std::uint16_t((a ^ b) & 0x8000);
    if ((nanA && nanB) || (k.nan && (nanA || nanB)))
        return canonicalNaN;
    if (k.xorsign) {
        a &= 0x7fff;
        b &= 0x7fff;
    }
    const float fa = fromBits(a, bf), fb = fromBits(b, bf);
    const bool aLess = fa < fb || (fa == fb && (a & 0x8000));
    const std::uint16_t r = nanA ? b : nanB ? a : aLess == (k.op == HalfOp::Min) ? a : b;
    return k.xorsign ? std::uint16_t(r | sign) : r;
}

std::uint16_t half(const HalfPart& k, bool bf, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (k.ftz) {
        a = flushed(a, bf);
        b = flushed(b, bf);
        c = flushed(c, bf);
    }
    const float fa = fromBits(a, bf), fb = fromBits(b, bf), fc = fromBits(c, bf);
    const auto compute = [&]() -> std::uint16_t {
        switch (k.op) {
        case HalfOp::Add:
            return toBits(fa + fb, bf);
        case HalfOp::Sub:
            return toBits(fa - fb, bf);
        case HalfOp::Mul:
            return toBits(fa * fb, bf);
        case HalfOp::Fma:
            return toBits(oddFloat(std::fma(double(fa), double(fb), double(fc))), bf);
        case HalfOp::Min:
        case HalfOp::Max:
            return minMax(k, bf, a, b);
        case HalfOp::Neg:
            return a ^ 0x8000;
        case HalfOp::Abs:
            return a & 0x7fff;
        case HalfOp::Ex2:
            return toBits(std::exp2(fa), bf);
        case HalfOp::Tanh:
            return toBits(std::tanh(fa), bf);
        }
        return a;
    };
    std::uint16_t r = compute();
    if (k.ftz)
        r = flushed(r, bf);
    if (k.relu && !isNaN(r, bf) && (r & 0x8000))
        r = 0;
    if (k.sat) { // to [0, 1]; NaN gives 0
        const std::uint16_t one = bf ? 0x3f80 : 0x3c00;
        r = isNaN(r, bf) || (r & 0x8000) ? std::uint16_t(0) : std::min(r, one);
    }
    return r;
}

bool halfOp(Exec& x, const Inst& in) {
    const HalfPart key = in.half;
    const bool bf = key.type == ptx::Type::BF16 || key.type == ptx::Type::BF16x2, two = bytesOf(key.type) == 4;
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint32_t a = rowAt<const std::uint32_t>(x, in.a)[lane],
                            b = rowAt<const std::uint32_t>(x, in.b)[lane],
                            c = rowAt<const std::uint32_t>(x, in.c)[lane];
        std::uint32_t r = half(key, bf, std::uint16_t(a), std::uint16_t(b), std::uint16_t(c));
        if (two)
            r |= std::uint32_t(half(key, bf, std::uint16_t(a >> 16), std::uint16_t(b >> 16), std::uint16_t(c >> 16)))
                 << 16;
        rowAt<std::uint32_t>(x, in.dst)[lane] = r;
    }
    return true;
}

bool compareFloats(Compare c, float a, float b) {
    const bool nan = a != a || b != b;
    switch (c) {
    case Compare::Eq:
        return a == b;
    case Compare::Ne:
        return !nan && a != b;
    case Compare::Lt:
        return a < b;
    case Compare::Le:
        return a <= b;
    case Compare::Gt:
        return a > b;
    case Compare::Ge:
        return a >= b;
    case Compare::Equ:
        return nan || a == b;
    case Compare::Neu:
        return a != b;
    case Compare::Ltu:
        return nan || a < b;
    case Compare::Leu:
        return nan || a <= b;
    case Compare::Gtu:
        return nan || a > b;
    case Compare::Geu:
        return nan || a >= b;
    case Compare::Num:
        return !nan;
    default:
        return nan;
    }
}

bool halfCompare(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    std::uint32_t r = 0;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const bool bf = in.compare.isBf16;
        r |= std::uint32_t(compareFloats(in.compare.compare,
                                         fromBits(std::uint16_t(rowAt<const std::uint32_t>(x, in.a)[lane]), bf),
                                         fromBits(std::uint16_t(rowAt<const std::uint32_t>(x, in.b)[lane]), bf)))
             << lane;
    }
    setPredicate(x, in.dst, m, r);
    if (in.compare.second != noIndex)
        setPredicate(x, in.compare.second, m, ~r);
    return true;
}

} // namespace

Handler halfHandler() {
    return &halfOp;
}
Handler halfCompareHandler() {
    return &halfCompare;
}

} // namespace warpglass::emulator
