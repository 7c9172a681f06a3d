// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks of a launch an SM holds at once, to be predicted from what a block takes.
#pragma once

#include "views/common/picture.h"
#include "views/common/prediction.h"

namespace warpglass {

// It is asked until the launch is over: nothing when the selection's time is at its end.
std::optional<Prediction> blocksPrediction(const PaintContext& context);

} // namespace warpglass
