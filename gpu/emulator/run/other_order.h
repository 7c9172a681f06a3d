// SPDX-License-Identifier: GPL-3.0-or-later
// Another order of what has none: 0 to count - 1 backwards, or, with a seed, shuffled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace warpglass::emulator {

// The same on every host for a seed: the standard names what mt19937_64 gives, not what shuffle makes of it.
inline std::vector<std::uint32_t> otherOrder(std::uint32_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.rbegin(), order.rend(), 0u);
    std::mt19937_64 draw(seed);
    for (std::uint32_t left = count; seed != 0 && left > 1; --left)
        std::swap(order[left - 1], order[draw() % left]);
    return order;
}

} // namespace warpglass::emulator
