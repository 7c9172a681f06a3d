// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model tells a trace about one launch besides times and states: its terms, and modelled counters.
#pragma once

#include "gpu/emulator/record/trace_writer.h"

namespace warpglass::emulator {

// The counts of the launch must be in the trace already.
void addTiming(Trace& trace, std::uint32_t launch, const LaunchRecord& record, const RunOptions& options,
               const DeviceSpec& device, double durationNs);

} // namespace warpglass::emulator
