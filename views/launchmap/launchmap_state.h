// SPDX-License-Identifier: GPL-3.0-or-later
// What a person set in the launch map.
#pragma once

#include "views/common/options.h"
#include "views/launchmap/launchmap_layout.h"

namespace warpglass {

struct LaunchMapState {
    bool colourBySm = true; // else by state
    LaunchMapParts parts = LaunchMapParts::Auto;
    GridZoom zoom;
    int warp = -1; // chosen by number in a block without detail, which has no rows for warps; negative: none
};

LaunchMapState launchMapState(const Options& options);
QVector<Switch> launchMapSwitches();

inline constexpr Setting<int> launchMapWarp{"warp", -1};
void showAllParts(Options& options);
void setGridZoom(Options& options, const GridZoom& zoom);

} // namespace warpglass
