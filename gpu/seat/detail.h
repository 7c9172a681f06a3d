// SPDX-License-Identifier: GPL-3.0-or-later
// One launch of the program, recorded with its warps.
#pragma once

#include "gpu/seat/seat.h"

#include <optional>
#include <span>
#include <vector>

namespace warpglass::seat {

struct LaunchShape {
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0; // dynamic
    std::optional<Dim3> cluster;
    bool cooperative = false;
};

struct Detail {
    bool done = false;           // the kernel with probes ran in place of the program's launch
    std::int64_t durationNs = 0; // of it
};

// The caller holds the seat's lock, no stream is captured. arguments: the parameters' bytes. What keeps the
// launch from being recorded is told to the recorder, and the launch is the caller's as ever.
Detail recordInDetail(Seat& seat, Kernel& kernel, const LaunchShape& shape, std::span<const std::byte> arguments,
                      const RunOptions& options);

} // namespace warpglass::seat
