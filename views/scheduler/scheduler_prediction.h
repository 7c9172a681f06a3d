// SPDX-License-Identifier: GPL-3.0-or-later
// Which warp a scheduler issues next, to be predicted from what each has done and whether it is ready.
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"
#include "views/scheduler/scheduler_model.h"

namespace warpglass {

// The first cycle after the selection's time in which an instruction is issued and two warps or more are ready; nothing
// if there is none within the cycles that are looked at.
std::optional<Prediction> issuePrediction(const SchedulerModel& model, const Selection& selection);

} // namespace warpglass
