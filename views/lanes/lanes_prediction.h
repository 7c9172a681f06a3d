// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes go on at the next branch of the shown warp, to be predicted.
#pragma once

#include "views/common/picture.h"
#include "views/common/prediction.h"

namespace warpglass {

// The first execution of a branch after the selection's time, of the selected line if the warp has a branch there. One
// that parts the lanes as the same branch did the last time asks nothing new, and is passed over.
std::optional<Prediction> lanesPrediction(const PaintContext& context);

} // namespace warpglass
