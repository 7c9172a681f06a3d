// SPDX-License-Identifier: GPL-3.0-or-later
// Whether Kernel::registers is what an assembler or a driver counted, or what the emulator made of the PTX alone. An
// estimate is a counter of the trace, too, with a name of its own, so that it is told wherever counters are.
#pragma once

#include "gpu/trace/trace.h"

#include <algorithm>

namespace warpglass {

inline constexpr const char* estimatedRegisters = "registers_estimated"; // Counter::metric

inline bool registersEstimated(const Trace& trace, std::uint32_t launch) {
    return launch < trace.launches.size() &&
           std::any_of(trace.counters.begin(), trace.counters.end(), [&](const Counter& c) {
               return c.metric == estimatedRegisters && c.launch < trace.launches.size() &&
                      trace.launches[c.launch].kernel == trace.launches[launch].kernel;
           });
}

} // namespace warpglass
