// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp's memory access is found to be (lanes/summarise.h).
#pragma once

#include "gpu/trace/tables.h"

#include <array>
#include <cstdint>

namespace warpglass::emulator {

// What the lanes of an access take: each its own behind the one before, all the same, or any.
enum class Lanes : std::uint8_t { InOrder, AtOne, Scattered };

struct AccessSummary {
    MemorySpace space = MemorySpace::Global;
    AccessKind kind = AccessKind::Load;
    LaneMask active;
    std::uint32_t bytes = 0; // a lane
    std::uint32_t bytesDistinct = 0, sectors = 0, lines = 0, passes = 0, idealPasses = 0;
    std::uint32_t turns = 0; // of an atomic: lanes at its most wanted word, which are served one after the other
};

} // namespace warpglass::emulator
