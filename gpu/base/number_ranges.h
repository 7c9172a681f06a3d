// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace warpglass {

// "0-3, 8": ascending numbers, as a message lists them.
inline std::string numberRanges(const std::vector<std::uint32_t>& numbers) {
    std::string text;
    for (std::size_t k = 0; k < numbers.size();) {
        std::size_t end = k + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[k]);
        if (end - k > 1)
            text += fmt::format("-{}", numbers[end - 1]);
        k = end;
    }
    return text;
}

} // namespace warpglass
