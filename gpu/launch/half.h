// SPDX-License-Identifier: GPL-3.0-or-later
// Half-precision bits of a float, rounded to nearest, ties to even.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace warpglass {

inline std::uint16_t halfBits(float f) {
    const auto bits = std::bit_cast<std::uint32_t>(f);
    const auto sign = std::uint16_t(bits >> 16 & 0x8000u);
    const float magnitude = std::fabs(f);
    if (magnitude == 0)
        return sign;
    if (std::isnan(f))
        return std::uint16_t(sign | 0x7e00u);
    if (magnitude >= 65520.0f) // half a step above the largest, 65504
        return std::uint16_t(sign | 0x7c00u);
    int exponent = 0;
    std::frexp(magnitude, &exponent);              // magnitude = m 2^exponent, m from 0.5 up to 1
    const int step = std::max(exponent - 11, -24); // 11 bits of which the first is not stored; denormal below 2^-14
    const auto steps = std::uint32_t(std::nearbyint(std::ldexp(magnitude, -step)));
    return std::uint16_t(sign | (std::uint32_t(step + 24) * 1024u + steps)); // a full mantissa carries by itself
}

} // namespace warpglass
