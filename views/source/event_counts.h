// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <vector>

namespace warpglass {

// What the recorded events of a launch say of its instructions, for a recording without counts of the whole launch, as a
// GPU's is: of branches, barriers, shuffles and accesses; of instructions without an event nothing is known.
struct EventCounts {
    std::vector<InstructionCount> rows; // ascending ptxLine
    std::uint64_t warps = 0; // whose events were counted: recorded without a loss, the first ones of very many
    std::uint64_t all = 0;   // warps of the launch
};
EventCounts countEvents(const Trace& trace, std::uint32_t launch);

} // namespace warpglass
