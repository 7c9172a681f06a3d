// SPDX-License-Identifier: GPL-3.0-or-later
// What a person set in the divergence view.
#pragma once

#include "views/common/options.h"
#include "views/lanes/branch_model.h"

namespace warpglass {

enum class LanesLayer { Source, Ptx, Machine };

struct LanesState {
    LanesLayer layer = LanesLayer::Source;
    bool wholeBlock = false;  // all warps of the block summed, instead of one warp
    bool allBranches = false; // in order, instead of the chosen one
    bool overTime = false;    // a time axis instead of steps
    double from = -1;         // first column in sight; negative: follow the time
    double columnWidth = 0;   // 0: as wide as fits
    bool stage = false;       // a prediction is painted in it: one warp, one branch, nothing but lanes and paths

    bool machine() const { return layer == LanesLayer::Machine; }
    BranchLayer branches() const { return layer == LanesLayer::Ptx ? BranchLayer::Ptx : BranchLayer::Source; }
};

LanesState lanesState(const Options& options);
QVector<Switch> lanesSwitches();

inline constexpr Setting<bool> lanesStage{"stage", false};
inline constexpr Setting<double> lanesFrom{"from", -1}, lanesColumnWidth{"columnWidth", 0};

} // namespace warpglass
