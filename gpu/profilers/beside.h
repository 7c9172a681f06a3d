// SPDX-License-Identifier: GPL-3.0-or-later
// A launch that was measured, by another profiler or by ourselves on a GPU, beside one that was run or modelled: number by
// number, stall by stall and line by line, with what a line waits for by its machine code.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/metrics/metrics.h"
#include "gpu/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::profilers {

struct BesideMetric {
    Metric ours;
    double card = 0;                     // in the unit of ours
    std::optional<double> differencePct; // of ours from the card's; nothing: ours has no value, or the card's is 0
    bool apart = false;                  // more than rounding, and than the model's error, explains
};

// Shares of the time in which warps are on the card: of its samples, of the model's cycles.
struct BesideStall {
    std::string reason; // "long_scoreboard"
    double cardPct = 0;
    std::optional<double> oursPct; // nothing: no states were modelled
};

struct BesideLine {
    std::uint32_t line = 0; // of the kernel's source, from 1
    std::uint64_t samples = 0;
    double cardPct = 0;                 // of all samples of the launch
    std::string reason;                 // what most of them wait for
    double reasonPct = 0;               // of all samples of the launch
    std::optional<double> oursPct;      // of the model's cycles: waits of this line for that reason
    std::vector<std::uint32_t> awaited; // lines whose results its machine code waits for, by scoreboards; ascending
};

enum class CodeMatch : std::uint8_t { Unknown, Same, Differs };

struct Beside {
    std::vector<BesideMetric> metrics;   // those that both know, in the order of the table of metrics
    std::vector<BesideStall> stalls;     // by the card's share, the largest first
    std::vector<BesideLine> lines;       // likewise; those of at least 1 %
    std::uint64_t samples = 0;           // of the card
    CodeMatch code = CodeMatch::Unknown; // whether both ran the same machine code, as far as its instructions tell
};

// Of the first launch of each. Modelled numbers are apart where they differ by more than the mean error of such launches.
Beside beside(const Trace& ours, const Trace& card);

} // namespace warpglass::profilers

namespace warpglass {

template <>
inline constexpr auto enumWords<profilers::CodeMatch> = EnumWords("match of machine code",
                                                                  {"unknown", "same", "differs"});

} // namespace warpglass
