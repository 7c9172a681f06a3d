// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of 16 bits: IEEE 754's binary16 and bfloat16.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warpglass {

struct SmallFloat {
    int fraction = 10, exponent = 5; // bits
    constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
    constexpr int smallest() const { return 1 - bias() - fraction; } // exponent of the last bit of a subnormal number
    constexpr std::uint16_t infinity() const { return std::uint16_t(((1 << exponent) - 1) << fraction); }
};
inline constexpr SmallFloat binary16{10, 5}, bfloat16{7, 8};

// Rounded once, to nearest, ties to even.
inline std::uint16_t bitsOf(double v, SmallFloat kind) {
    const auto sign = std::uint16_t(std::signbit(v) ? 0x8000u : 0u);
    const double magnitude = std::fabs(v);
    if (magnitude == 0)
        return sign;
    if (std::isnan(v))
        return std::uint16_t(sign | kind.infinity() | 1u << (kind.fraction - 1));
    if (std::isinf(v))
        return std::uint16_t(sign | kind.infinity());
    int exponent = 0;
    std::frexp(magnitude, &exponent); // magnitude = m 2^exponent, m from 0.5 up to 1
    const int step = std::max(exponent - 1 - kind.fraction, kind.smallest());
    if (step - kind.smallest() >= 1 << kind.exponent)
        return std::uint16_t(sign | kind.infinity());
    const auto steps = std::uint64_t(std::nearbyint(std::ldexp(magnitude, -step)));
    // The first bit of a full fraction is not stored: it carries into the exponent by itself.
    const std::uint64_t bits = (std::uint64_t(step - kind.smallest()) << kind.fraction) + steps;
    return std::uint16_t(sign | std::min<std::uint64_t>(bits, kind.infinity()));
}
inline double valueOf(std::uint16_t bits, SmallFloat kind) {
    const int exponent = bits >> kind.fraction & ((1 << kind.exponent) - 1),
              fraction = bits & ((1 << kind.fraction) - 1);
    double magnitude = std::numeric_limits<double>::quiet_NaN();
    if (exponent < (1 << kind.exponent) - 1)
        magnitude = std::ldexp(exponent ? fraction + (1 << kind.fraction) : fraction,
                               std::max(exponent, 1) - 1 + kind.smallest());
    else if (fraction == 0)
        magnitude = std::numeric_limits<double>::infinity();
    return bits & 0x8000 ? -magnitude : magnitude;
}

} // namespace warpglass
