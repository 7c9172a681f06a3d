// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom where a launch with probes never ended: from the last thing that each lane wrote down. A GPU does not say
// what it found at a barrier in memory, so how many arrivals or bytes are missing is not known here; the emulator tells that.
#pragma once

#include "gpu/trace/trace.h"

namespace warpglass::probe {

struct Standings {
    std::vector<HangWait> waits; // roots first
    std::uint64_t blocks = 0;    // that were looked at
    Message sentence{};          // of all of them, in a few
};
// trace: of readRecords() with RecordOptions::unfinished. Empty: all warps with detail came to their end.
Standings standingOf(const Trace& trace, std::uint32_t launch = 0);

} // namespace warpglass::probe
