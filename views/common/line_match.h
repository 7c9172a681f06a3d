// SPDX-License-Identifier: GPL-3.0-or-later
// Two texts, line by line: what became of which line. For whoever lays a run over the run of an earlier text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpglass {

// Lines from `begin` up to `end` of the second text stand where those of the first did; one of both may be empty.
// 1-based.
struct ChangedPart {
    std::uint32_t beginA = 0, endA = 0, beginB = 0, endB = 0;
    bool operator==(const ChangedPart&) const = default;
};

struct LineMatch {
    std::vector<std::uint32_t> ofB; // [line of B]: the same line of A, or the one it was made of; 0: it is new
    std::vector<ChangedPart> parts; // ascending

    std::uint32_t lineOfA(std::uint32_t lineOfB) const { return lineOfB < ofB.size() ? ofB[lineOfB] : 0; }
};

// The fewest lines are called changed. Blanks at the ends of lines are no difference.
LineMatch matchLines(std::string_view a, std::string_view b);

} // namespace warpglass
