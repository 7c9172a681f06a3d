// SPDX-License-Identifier: GPL-3.0-or-later
// Which sectors the next access of the shown warp moves, or which banks collide in it, to be predicted.
#pragma once

#include "views/common/prediction.h"
#include "views/memory/memory_model.h"

namespace warpglass {

// The first access after the selection's time, of the selected line if the warp accesses memory there. One that lies
// on sectors or banks as the same instruction did the last time asks nothing new, and is passed over.
std::optional<Prediction> memoryPrediction(const Trace& trace, const Selection& selection, SpaceFilter filter);

} // namespace warpglass
