// SPDX-License-Identifier: GPL-3.0-or-later
// What was counted of a launch, as a small table that a file can keep and that is held against another one: sums, and the
// lines that they come from. Lines are found again by what stands in them, so that one that was put in above changes nothing.
#pragma once

#include "app/session/assembled.h"
#include "gpu/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpglass::record {

// Columns of a line, in the order in which one of them is named as what got worse: sectors say more than executions.
enum class LineColumn : std::uint8_t { Sectors, Passes, Divergent, Executions };
inline constexpr std::size_t lineColumns = 4;
std::string_view nameOf(LineColumn column);  // "sectors"
std::string_view wordsOf(LineColumn column); // "sectors", "divergent branches"

struct LineCount {
    std::uint32_t line = 0;
    std::string code; // what stands there, its first bytes
    std::array<std::uint64_t, lineColumns> counts{};
    std::uint64_t of(LineColumn column) const { return counts[std::size_t(column)]; }
};

struct LaunchNumbers {
    // executions, lanes, branches, divergent, requests, load_sectors, store_sectors, atomic_sectors, local_sectors, passes,
    // ideal_passes, launches, shared_bytes; registers and spill_bytes where ptxas counted them. Of a program: launches, and
    // those of each kernel.
    std::vector<std::pair<std::string, std::uint64_t>> sums;
    std::vector<LineCount> lines; // ascending
    double timeNs = 0;            // 0: not timed
    std::string compiler;         // "release 13.0, V13.0.88", as the PTX says; empty: it does not
    std::string file;             // that the lines are of; not kept
    std::optional<std::uint64_t> sum(std::string_view name) const;
};

// Of all launches of the trace, lines of the first one's kernel: of its source, or of its PTX where the compiler named none.
LaunchNumbers numbersOf(const Trace& trace, const std::optional<session::Assembled>& assembled);

struct LineChange {
    LineColumn column = LineColumn::Sectors;
    std::uint32_t line = 0; // today's; of a line that is gone, where it was
    bool gone = false;
    std::string code;
    std::uint64_t now = 0, before = 0; // no line before: 0
};
// All that differ, column by column, in each those that grew most first.
std::vector<LineChange> changesOf(const LaunchNumbers& now, const LaunchNumbers& before);

// "17,408"
std::string grouped(std::uint64_t number);
// "line 17: 4,096 sectors, 1,024 before"
std::string textOf(const LineChange& change);

} // namespace warpglass::record
