// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/dim3.h"

#include <charconv>
#include <fmt/format.h>

namespace warpglass {

std::string Dim3::text() const {
    if (z != 1)
        return fmt::format("{}x{}x{}", x, y, z);
    if (y != 1)
        return fmt::format("{}x{}", x, y);
    return fmt::format("{}", x);
}

std::string Dim3::indexText() const {
    if (z != 0)
        return fmt::format("({}, {}, {})", x, y, z);
    if (y != 0)
        return fmt::format("({}, {})", x, y);
    return fmt::format("({})", x);
}

std::optional<Dim3> parseDim3(std::string_view text) {
    std::uint32_t parts[3] = {1, 1, 1};
    const char* at = text.data();
    const char* end = at + text.size();
    for (int i = 0; i < 3; ++i) {
        auto [next, error] = std::from_chars(at, end, parts[i]);
        if (error != std::errc{})
            return std::nullopt;
        at = next;
        if (at == end)
            return Dim3{parts[0], parts[1], parts[2]};
        if (*at != ',' && *at != 'x' && *at != 'X')
            return std::nullopt;
        ++at;
    }
    return std::nullopt;
}

} // namespace warpglass
