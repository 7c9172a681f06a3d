// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model tells a trace about one launch besides times and states: its terms, and modelled counters.
#pragma once

#include "gpu/emulator/launch/trace_writer.h"

namespace warpglass::emulator {

// The counts of the launch must be in the trace already. timing: the device's, without the limits that options take away.
void addTiming(Trace& trace, std::uint32_t launch, const LaunchRecord& record, const EmulatorOptions& options,
               const DeviceSpec& device, const DeviceTiming& timing, double durationNs);

} // namespace warpglass::emulator
