// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements are added in the next step of a reduction, to be predicted.
#pragma once

#include "views/common/picture.h"
#include "views/common/view.h"
#include "views/reduction/reduction_scene.h"

namespace warpglass {

// The first step that begins after the selection's time. Of a short row every addition is asked for, as links between
// its elements; of a long one the partner of the first element that is added to.
std::optional<Prediction> additionsPrediction(const ReductionModel& model, const Selection& selection);

// Of a step: in which columns of the row above stand the number that is added to, and the one that is added. Empty if one
// of them cannot be placed.
struct ReductionAddition {
    int into = 0, from = 0;
    std::uint32_t sum = noIndex; // row of the tree's values
};
std::vector<ReductionAddition> additionsOf(const ReductionModel& model, std::size_t step);

// What the ground of an earlier stage shows; null if it is none.
ReductionModelPtr stagedReduction(const Picture* ground);

// The tree with the steps before, on which the question is answered: its row's cells are linked, or one is pointed at.
// Nothing where a hand has no room.
std::optional<PredictionStage> additionsStage(const ReductionModelPtr& model, const PaintContext& context,
                                              const Prediction& asked, double way, const QRectF& area);

} // namespace warpglass
