// SPDX-License-Identifier: GPL-3.0-or-later
// Which warp a scheduler issues next, in one cycle or in several, to be predicted from what each has done and whether it
// is ready. What is known of several cycles is what is known before the first: a wait for a result ends when it ends, but
// who is ready after it has issued, or after others have come to a barrier, is for whoever predicts to think through.
#pragma once

#include "views/common/selection.h"
#include "views/common/view.h"
#include "views/scheduler/scheduler_model.h"

namespace warpglass {

// The cycle that is asked for; -1: none.
std::int64_t cycleAsked(const SchedulerModel& model, const Selection& selection);

// The cycles that are asked for: from that one as many as whoever predicts chose. Empty: none.
CycleRange cyclesAsked(const SchedulerModel& model, const Selection& selection, const Options& options);
// Whether a slot has a warp in any of them, and so a cell in each.
bool isAsked(const SchedulerModel& model, std::size_t row, CycleRange cycles);

// From the first cycle after the selection's time in which an instruction is issued and two warps or more are ready;
// nothing if there is none within the cycles that are looked at.
std::optional<Prediction> issuePrediction(const SchedulerModel& model, const Selection& selection,
                                          const Options& options);

struct AskedCycles {
    std::shared_ptr<const SchedulerModel> model;
    CycleRange cycles; // empty: none
};
// What the ground of an earlier stage worked out; nullptr if it is none.
const AskedCycles* askedCycles(const Picture* ground);

// The rows of cycles as far as those that are asked for, whose cells can be chosen; then these, too, one after the other.
// Nothing where a hand has no room.
std::optional<PredictionStage> issueStage(const AskedCycles& at, const PaintContext& context, const Prediction& asked,
                                          double way, const QRectF& area);

} // namespace warpglass
