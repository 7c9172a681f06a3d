// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model tells a trace about one launch besides times and states: its terms, and modelled counters.
#pragma once

#include "gpu/emulator/record/trace_writer.h"

namespace warpglass::emulator {

// Cycles that the first fetches of a launch's code took, where no warp waited for them. The first warps of an SM share out
// the lines, so this is about what waiting for them would have added to the launch.
std::int64_t codeFetchCycles(const LaunchRecord& record, const DeviceTiming& timing);

// The counts of the launch must be in the trace already. timing: the device's, without the limits that options take away.
void addTiming(Trace& trace, std::uint32_t launch, const LaunchRecord& record, const RunOptions& options,
               const DeviceSpec& device, const DeviceTiming& timing, double durationNs);

} // namespace warpglass::emulator
