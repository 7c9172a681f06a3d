// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"

namespace warpglass {

// The first after the selection's time of: at each depth which blocks of its first grid (or threads, where it has one block)
// launch a grid, how many grids the next depth has where several may launch them, and how many of those are dropped.
// A GPU that drops launches has no place for the arguments of some: those are not even tried, and no recording holds them.
bool hasUnseenLaunches(const Trace& trace);

std::optional<Prediction> launchTreePrediction(const Trace& trace, const Selection& selection);

} // namespace warpglass
