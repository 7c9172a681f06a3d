// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass {

// A shape or an index in up to three dimensions, x fastest (CUDA's dim3).
struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;

    constexpr std::uint64_t count() const { return std::uint64_t(x) * y * z; }
    constexpr bool operator==(const Dim3&) const = default;

    // Index of the n-th element, x fastest. n < count().
    constexpr Dim3 at(std::uint64_t n) const {
        return {std::uint32_t(n % x), std::uint32_t(n / x % y), std::uint32_t(n / x / y)};
    }
    constexpr std::uint64_t linear(Dim3 i) const { return (std::uint64_t(i.z) * y + i.y) * x + i.x; }

    std::string text() const;      // "32x16", "8x8x4", "64": trailing ones dropped
    std::string indexText() const; // "(3, 1)": trailing zeros dropped
};

// "32,16", "32x16", "64", "8x8x4"; nothing on anything else. A zero is read as zero (the launch is refused later, by
// name).
std::optional<Dim3> parseDim3(std::string_view text);

} // namespace warpglass
