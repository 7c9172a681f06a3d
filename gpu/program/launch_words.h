// SPDX-License-Identifier: GPL-3.0-or-later
// A program's launch in the words that launch it again (app/session/asked.h); its memory goes beside them.
#pragma once

#include "gpu/launch/backend.h"

#include <optional>
#include <string>
#include <vector>

namespace warpglass::program {

struct LaunchWords {
    std::string entry, sourceName; // of the file that the kernel was compiled from; may be empty
    Dim3 grid, block;
    std::optional<Dim3> cluster;
    std::uint32_t sharedBytes = 0; // dynamic
    std::uint64_t pendingLaunches = 0, heapLimit = 0;
    std::string device; // its key; empty: the trace's
};

// Instructions of one warp after which a program's launch is ended, if nothing else is said: half a minute or so. A
// program is no exercise: its loops may be long, and only a launch that never ends should come to it.
inline constexpr std::uint64_t instructionsOfWarp = std::uint64_t(1) << 30;

std::vector<AskedWord> askedOf(const LaunchWords& launch, const RunOptions& options);

} // namespace warpglass::program
