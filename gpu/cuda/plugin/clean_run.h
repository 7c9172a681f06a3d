// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/plugin/cupti_library.h"
#include "gpu/cuda/plugin/launcher.h"
#include "gpu/launch/backend.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::cuda {

// A launch that can be repeated: everything it needs, owned elsewhere.
struct Repeatable {
    const Driver& driver;
    CUfunction function;
    LaunchShape shape;
    std::vector<void*> parameters;
    std::function<Result<void>()> prepare; // before each launch: buffers as at first
    double limitSeconds;
    std::function<void()> alive;
    // A launch is still running at the limit: nothing may be freed or asked of the GPU any more. Must not return.
    std::function<void(const Launched&)> hung;
    bool emptiesCaches = true; // before it is timed, as Nsight Compute does; else they hold what prepare() left there

    // beforeLaunch: what is done once the buffers are as at first.
    Result<Launched> once(const std::function<Result<void>()>& beforeLaunch = {}) const;
};

// Durations of `times` launches in ns, by CUPTI's activity records where it is there, else by events. Sorted. Where
// the launch says so, each finds cold caches: what the buffers' restoring left in L2 would make the small launches of a
// lesson look faster than a first launch is.
Result<std::vector<double>> timedLaunches(const Repeatable& launch, int times, const Cupti* cupti);

struct CleanRun {
    Launched first;
    Buffers buffers;
    std::string output; // what the kernel printed
    double durationNs = 0;
    std::vector<Counter> counters;
    std::vector<Diagnostic> notes; // what could not be read, and which setting would give it
};

// Runs once for the answer; if that went well, again for the duration and the counters. quiet: what the kernel prints is
// kept from standard output. slowest: ms, above which it is neither timed again nor counted.
Result<CleanRun> runClean(const Repeatable& launch, const LaunchMemory& memory, int device, bool counters,
                          const Cupti* cupti, bool quiet = true,
                          double slowest = std::numeric_limits<double>::infinity());

Diagnostic noteOf(Said message, DiagnosticKind kind = DiagnosticKind::Other);

} // namespace warpglass::cuda
