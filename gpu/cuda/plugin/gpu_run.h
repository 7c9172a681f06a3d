// SPDX-License-Identifier: GPL-3.0-or-later
// One plan on one GPU: the clean run for the answer, the duration and the counters, then the probed run for the events.
#pragma once

#include "gpu/launch/backend.h"

#include <functional>
#include <optional>

namespace warpglass::cuda {

struct GpuRun {
    Trace trace;
    Buffers buffers; // of the clean run; empty ones where the kernel failed
    std::optional<Error> fault;
    std::uint64_t warpInstructions =
        0;                  // of the clean run, as the hardware counts machine instructions; 0 = not counted
    double wallSeconds = 0; // of the first clean launch
    bool sampled = false;   // program counters were sampled, after which a process is not used for another run
};

// initial: contents of the arguments; report(0 to 1) is called often. Where a launch never ends, giveUp() is called
// with what is known, and must end the process: freeing anything would wait for the launch. After a fault the GPU is
// not to be used again by this process. hangs: the launch did not end in another process: it is launched with probes alone,
// and their last records say who waits for whom.
Result<GpuRun> runOnGpu(const LaunchPlan& plan, const RunOptions& options, std::vector<std::vector<std::byte>> initial,
                        const std::function<void(double)>& report, const std::function<void(GpuRun)>& giveUp,
                        bool hangs = false);

} // namespace warpglass::cuda
