// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace warpglass {

inline constexpr int lanesPerWarp = 32;

// Warps that so many threads fill; the last may hold fewer than 32.
template <std::unsigned_integral Count>
constexpr Count warpsFor(Count threads) {
    return threads / lanesPerWarp + (threads % lanesPerWarp != 0);
}

// Which of a warp's 32 lanes; bit i is lane i.
struct LaneMask {
    std::uint32_t bits = 0;

    static constexpr LaneMask all() { return {0xffffffffu}; }
    static constexpr LaneMask none() { return {0}; }
    static constexpr LaneMask of(int lane) { return {1u << lane}; }
    static constexpr LaneMask firstLanes(int n) { return n >= 32 ? all() : LaneMask{(1u << n) - 1u}; }

    constexpr int count() const { return std::popcount(bits); }
    constexpr bool has(int lane) const { return (bits >> lane) & 1u; }
    constexpr bool empty() const { return bits == 0; }
    constexpr int lowest() const { return std::countr_zero(bits); } // 32 if empty

    constexpr LaneMask operator&(LaneMask o) const { return {bits & o.bits}; }
    constexpr LaneMask operator|(LaneMask o) const { return {bits | o.bits}; }
    constexpr LaneMask operator^(LaneMask o) const { return {bits ^ o.bits}; }
    constexpr LaneMask operator~() const { return {~bits}; }
    constexpr bool operator==(const LaneMask&) const = default;
};
static_assert(sizeof(LaneMask) == 4);

} // namespace warpglass
