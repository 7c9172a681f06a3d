// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <vector>

namespace warpglass {

// Warps resident on all SMs, as a share (0 to 1) of the device's warp slots, averaged over `columns` equal parts of the
// launch. From the blocks' start and end. Empty if the trace has no blocks of the launch, or its device is unknown.
std::vector<double> residencyOverTime(const Trace& trace, std::uint32_t launch, int columns);

} // namespace warpglass
