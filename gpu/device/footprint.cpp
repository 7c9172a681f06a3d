// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/footprint.h"
#include "gpu/base/lane_mask.h"

#include <algorithm>

namespace warpglass {

Footprint footprint(const CapabilityLimits& limits, const OccupancyInput& block) {
    const Occupancy fits = occupancy(limits, block);
    return {warpsFor(block.threads), fits.registersPerBlock, fits.sharedPerBlock, std::max(1u, fits.blocksPerSm)};
}

} // namespace warpglass
