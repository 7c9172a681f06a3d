// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"

namespace warpglass {

// The first after the selection's time of: at each depth which blocks of its first grid (or threads, where it has one block)
// launch a grid, how many grids the next depth has where several may launch them, and how many of those are dropped.
std::optional<Prediction> launchTreePrediction(const Trace& trace, const Selection& selection);

} // namespace warpglass
