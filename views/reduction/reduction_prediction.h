// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements are added in the next step of a reduction, to be predicted.
#pragma once

#include "views/common/prediction.h"
#include "views/reduction/reduction_scene.h"

namespace warpglass {

// The first step that begins after the selection's time. Of a short row every addition is asked for, as links between
// its elements; of a long one the partner of the first element that is added to.
std::optional<Prediction> additionsPrediction(const ReductionModel& model, const Selection& selection);

} // namespace warpglass
