// SPDX-License-Identifier: GPL-3.0-or-later
// A report of Nsight Compute as the recording of a program: a launch each, whose trace has the counters and the samples
// that the report tells, its lines where it has them, and no warps.
#pragma once

#include "gpu/profilers/ncu_csv.h"
#include "gpu/program/program.h"
#include "gpu/trace/trace.h"

#include <vector>

namespace warpglass::profilers {

// TraceInfo::program of such a trace.
inline constexpr const char* ncuProgram = "Nsight Compute";

struct Report {
    program::ProgramTrace program;
    std::vector<Trace> traces; // of its recordings, in their order; a recording has no file yet
};

// Launches stand one behind the other, since the profiler runs them so and tells no times between them.
Report reportOf(const NcuReport& report);

} // namespace warpglass::profilers
