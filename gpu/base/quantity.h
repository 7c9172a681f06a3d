// SPDX-License-Identifier: GPL-3.0-or-later
// A number with its noun, as a message says it: "1 block", "2 blocks".
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace warpglass {

// many: where it is not one with an s.
inline std::string quantity(std::uint64_t n, std::string_view one, std::string_view many = {}) {
    if (n == 1)
        return fmt::format("1 {}", one);
    return many.empty() ? fmt::format("{} {}s", n, one) : fmt::format("{} {}", n, many);
}

} // namespace warpglass
