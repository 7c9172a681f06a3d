// SPDX-License-Identifier: GPL-3.0-or-later
// What is written into a trace of a GPU beside its events.
#pragma once

#include "gpu/cuda/plugin/clean_run.h"
#include "gpu/cuda/plugin/devices.h"
#include "gpu/cuda/plugin/probed_run.h"

namespace warpglass::cuda {

struct KernelFacts {
    std::uint32_t registers = 0, sharedBytes = 0, localBytes = 0;
    CubinCounts code;
};

// module: what the function was linked from; nullptr if that is not known, and its machine code therefore not either.
KernelFacts factsOf(const Driver& driver, const LinkedModule* module, CUfunction function, const std::string& entry);

TraceInfo infoOf(const CudaDevice& device, const LaunchPlan& plan, const RunOptions& options);
// What is known without probes: one kernel, one launch, no blocks. module: if its text could be read.
Trace bareTrace(const TraceInfo& info, const LaunchPlan& plan, double durationNs, const ptx::Module* module = nullptr);
// Moves the clean run's output, counters and notes into the trace.
void addCleanFacts(Trace& trace, const LaunchPlan& plan, const KernelFacts& facts, CleanRun& clean);
void addProbedFacts(Trace& trace, const LaunchPlan& plan, const ProbedRun& probed);

// Warps that fit on an SM at once, in percent of its most, as the driver computes it.
double theoreticalOccupancy(const Driver& driver, CUfunction function, const LaunchShape& shape, int device);

// That of the current context.
Result<CudaDevice> currentDevice();

} // namespace warpglass::cuda
