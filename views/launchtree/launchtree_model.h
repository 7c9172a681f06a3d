// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpglass {

// One visible row: a launch, or a group of siblings that differ in nothing but who in the parent launched them.
struct TreeRow {
    std::vector<std::uint32_t> launches; // rows of the launch table; one for a single grid
    std::string id;                      // stable name of the row, for folding: "3" or "g17"
    std::uint32_t parent = noIndex;      // launch row
    std::uint32_t depth = 0;             // of the launch
    int indent = 0;                      // in the drawing: a group adds one
    bool isGroup = false, unfolded = false, hasChildren = false;
    bool dropped = false;
    std::uint64_t descendants = 0; // launches below, those of folded groups included
    Time complete;                 // when everything below has ended, too: a grid is not done before its children
    Time start, end;               // of all its launches; dropped ones have the time of the attempt
};

struct TreeTotals {
    std::uint64_t ran = 0, dropped = 0; // device-side and host launches together
    std::uint32_t depth = 0;            // deepest that ran; 0 = host only
    TimeRange range;
    Said dropReason; // of the first dropped launch
};

// More like siblings than this are folded into a group until their id is unfolded.
inline constexpr std::size_t foldFrom = 9;

// Preorder. unfolded: ids of groups the user opened; closed: ids of single rows whose children are hidden. At most
// `most` rows are made (the rest is told by TreeTotals).
std::vector<TreeRow> treeRows(const Trace& trace, const std::set<std::string>& unfolded,
                              const std::set<std::string>& closed, std::size_t most = 200000);
// until: of what was launched up to this time.
TreeTotals treeTotals(const Trace& trace, std::optional<double> until = {});

} // namespace warpglass
