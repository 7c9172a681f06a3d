// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/plugin/clean_run.h"
#include "gpu/launch/backend.h"
#include "gpu/probe/probe.h"
#include "gpu/probe/records.h"

#include <optional>
#include <utility>
#include <vector>

namespace warpglass::cuda {

struct ProbedRun {
    Trace trace;
    std::uint32_t registers = 0;
    CubinCounts code;
    double durationNs = 0;
    Buffers buffers; // what the probed kernel computed
};

// What of the program's kernel the one with probes must have, too.
struct KernelForm {
    std::optional<std::uint32_t> sharedBytes;                   // static shared memory of a block; none: not known
    std::vector<std::pair<CUfunction_attribute, int>> settings; // of the function, made before it is launched
    SharedLayout layout = SharedLayout::Compiled;               // as most programs are; the other one is tried, too
    // Of a kernel that did not end before: it is launched once, and if it runs on, this gets what its probes have written until
    // then. It must end the process: freeing anything would wait for the kernel.
    std::function<void(ProbedRun, const Launched&)> whileRunning{};
};

// The plan's kernel with probes: inserts, links, launches (again with more room where streams were full), decodes.
// shape: as it was launched without probes. Error: before it is launched, if its shared memory would lie otherwise than
// the form says.
Result<ProbedRun> runProbed(const Driver& driver, const LaunchPlan& plan, const LaunchShape& shape,
                            const RunOptions& options, const ptx::Module& clean, LaunchMemory& memory,
                            const TraceInfo& info, const Cupti* cupti, const std::function<void()>& alive,
                            const std::function<void(const Launched&)>& hung, const KernelForm& form = {});

// Whether some function of it launches kernels itself.
bool launchesKernels(const ptx::Module& module);

} // namespace warpglass::cuda
