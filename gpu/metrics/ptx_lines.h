// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of PTX text, and the word that each one's instruction begins with.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpglass {

// [0] = line 1.
inline std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

// "	@%p1 ld.global.f32 %f1, [%rd1];" -> "ld.global.f32".
inline std::string_view opcodeOf(std::string_view line) {
    const auto skipBlanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skipBlanks();
    if (line.starts_with('@')) {
        line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
        skipBlanks();
    }
    return line.substr(0, line.find_first_of(" \t;"));
}

} // namespace warpglass
