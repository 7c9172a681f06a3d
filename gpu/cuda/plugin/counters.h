// SPDX-License-Identifier: GPL-3.0-or-later
// Hardware counters of one clean launch, by CUPTI's range profiler, and its duration, by CUPTI's activity records.
#pragma once

#include "gpu/cuda/plugin/cupti_library.h"
#include "gpu/trace/tables.h"

#include <functional>
#include <vector>

namespace warpglass::cuda {

struct CounterRun {
    std::vector<Counter> counters; // launch 0, origin measured; documents' names where there are any
    std::size_t passes = 0;        // times the kernel was replayed
};

// Runs launch() once under the profiler, which replays the kernel as often as the counters need. The context must be
// current.
Result<CounterRun> readCounters(const Cupti& cupti, int device, const std::function<Result<void>()>& launch);

// Durations in ns of the kernels that launch() runs, in order of their start.
Result<std::vector<double>> kernelDurations(const Cupti& cupti, const std::function<Result<void>()>& launch);

} // namespace warpglass::cuda
