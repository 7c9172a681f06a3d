// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom where a launch with probes never ended: from the last thing that each lane wrote down. A GPU does not say
// what it found at a barrier in memory: how many arrivals or bytes of an mbarrier are missing is summed up from the records of
// those who arrived and copied, and where some of these did not fit only the parity that is waited for is told.
#pragma once

#include "gpu/trace/trace.h"

#include <span>

namespace warpglass::probe {

struct Standings {
    std::vector<HangWait> waits; // roots first
    std::uint64_t blocks = 0;    // that were looked at
    Message sentence{};          // of all of them, in a few
};
// trace: of readRecords() with RecordOptions::unfinished. Empty: all warps with detail came to their end. parameters: what the
// kernel's are called; headers: texts that its source includes.
Standings standingOf(const Trace& trace, std::uint32_t launch = 0, std::span<const std::string> parameters = {},
                     const std::string& headers = {});

} // namespace warpglass::probe
