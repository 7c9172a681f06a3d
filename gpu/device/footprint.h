// SPDX-License-Identifier: GPL-3.0-or-later
// What one block of a launch takes of an SM, and how many of them an SM holds. Worked out once a launch; everything
// that places blocks or shares an SM among them asks this.
#pragma once

#include "gpu/device/occupancy.h"

#include <cstdint>

namespace warpglass {

struct Footprint {
    std::uint32_t warps = 1, registers = 0, shared = 0; // a block, as allocated; shared in bytes
    std::uint32_t residentBlocks = 1;                   // on one SM; at least 1
};

Footprint footprint(const CapabilityLimits& limits, const OccupancyInput& block);

} // namespace warpglass
