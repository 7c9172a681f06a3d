// SPDX-License-Identifier: GPL-3.0-or-later
// Which warp a scheduler issues next, to be predicted from what each has done and whether it is ready.
#pragma once

#include "views/common/selection.h"
#include "views/common/view.h"
#include "views/scheduler/scheduler_model.h"

namespace warpglass {

// The cycle that is asked for; -1: none.
std::int64_t cycleAsked(const SchedulerModel& model, const Selection& selection);

// The first cycle after the selection's time in which an instruction is issued and two warps or more are ready; nothing
// if there is none within the cycles that are looked at.
std::optional<Prediction> issuePrediction(const SchedulerModel& model, const Selection& selection);

struct AskedCycle {
    std::shared_ptr<const SchedulerModel> model;
    std::int64_t cycle = -1; // that is asked for; -1: none
};
// What the ground of an earlier stage worked out; nullptr if it is none.
const AskedCycle* askedCycle(const Picture* ground);

// The rows of cycles as far as the one that is asked for, whose cells can be chosen; then that one, too. Nothing where a
// hand has no room.
std::optional<PredictionStage> issueStage(const AskedCycle& at, const PaintContext& context, const Prediction& asked,
                                          double way, const QRectF& area);

} // namespace warpglass
