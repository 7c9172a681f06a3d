// SPDX-License-Identifier: GPL-3.0-or-later
// One launch of the program, recorded with its warps.
#pragma once

#include "gpu/cuda/plugin/launcher.h"
#include "gpu/seat/seat.h"

#include <span>
#include <vector>

namespace warpglass::seat {

using cuda::LaunchShape;

struct Detail {
    bool done = false;           // the kernel with probes ran in place of the program's launch
    std::int64_t durationNs = 0; // of it
};

// The caller holds the seat's lock, no stream is captured. arguments: the parameters' bytes. What keeps the
// launch from being recorded is told to the recorder, and the launch is the caller's as ever.
Detail recordInDetail(Seat& seat, LoadedKernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments,
                      const RunOptions& options);

} // namespace warpglass::seat
