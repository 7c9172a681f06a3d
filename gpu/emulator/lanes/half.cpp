// SPDX-License-Identifier: GPL-3.0-or-later
// 16-bit floats one at a time; whole rows of them are in alu/half.cpp.
#include "gpu/emulator/lanes/half.h"

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
    const float v = float(fraction) * 0x1p-24f;
    return sign ? -v : v;
}

std::uint16_t floatToHalf(float f, Round round) {
    const auto u = std::bit_cast<std::uint32_t>(f);
    const std::uint32_t sign = u >> 16 & 0x8000, magnitude = u & 0x7fffffff, exponent = magnitude >> 23;
    if (magnitude > 0x7f800000)
        return 0x7fff;
    const bool away = (round == Round::Up && !sign) || (round == Round::Down && sign);
    if (magnitude > 0x477fe000) { // 65504, the largest; half a unit above it, at 65520, the nearest is infinity
        const bool infinite = magnitude == 0x7f800000 || away || (round == Round::Nearest && magnitude >= 0x477ff000);
        return std::uint16_t(sign | (infinite ? 0x7c00 : 0x7bff));
    }
    // As an integer with `dropped` bits behind the point; what comes out carries into the exponent by itself. Below 2^-14
    // the unit is 2^-24 (of subnormal floats nothing but that they are not zero matters).
    const bool regular = exponent >= 113;
    const std::uint32_t dropped = regular ? 13 : std::min(126 - exponent, 31u),
                        bits = regular ? magnitude - (112u << 23)
                                       : (magnitude & 0x7fffff) | (exponent > 0 ? 0x800000u : 0u);
    const std::uint32_t kept = bits >> dropped, lost = bits & ((1u << dropped) - 1), half = 1u << (dropped - 1);
    const bool more = round == Round::Nearest ? lost > half || (lost == half && (kept & 1)) : away && lost != 0;
    return std::uint16_t(sign | (kept + (more ? 1 : 0)));
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
