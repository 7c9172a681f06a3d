// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <array>
#include <optional>
#include <vector>

namespace warpglass {

// How long the launch's recorded warps ran (steps or ns) with this many lanes on, in percent: [1] to [32]. From the
// masks of the warps' own events; time after a warp's last lane has left is not counted. A GPU's probes do not see the
// mask behind a divergent branch until the next event: that time is unknown, and the others are shares of the rest.
struct LanesOn {
    std::array<double, 33> percent{};
    double unknownPercent = 0; // of all the time
};
std::optional<LanesOn> lanesOnShares(const Trace& trace, std::uint32_t launch); // nothing: no warp was recorded

} // namespace warpglass
