// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of all SMs on one axis. Each SM counts its own cycles from a moment of its own; %globaltimer is one for
// all, but ticks coarsely. Every probed warp, and the clock kernel before and after the run, reads both: a line through
// the pairs of an SM (alignClock) turns its cycles into nanoseconds since the first block began.
#pragma once

#include "gpu/probe/records.h"

#include <map>
#include <optional>

namespace warpglass::probe {

struct ClockAxis {
    bool aligned = false;                   // else clocks are times already (the emulator's)
    std::map<std::uint32_t, SmClock> lines; // by SM
    std::int64_t residual() const;          // the worst of all lines, ns, rounded up

    // Nothing on an SM of which no pair is known.
    std::optional<Time> at(std::uint32_t sm, std::uint64_t clock) const;
};
ClockAxis clockAxis(const RawRecords& raw, const RecordOptions& options);

} // namespace warpglass::probe
