// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit floats one at a time; whole rows of them are in alu/half.cpp.
#include "gpu/emulator/ops/scalar_ops.h"

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

} // namespace warpglass::emulator
