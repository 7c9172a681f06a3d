// SPDX-License-Identifier: GPL-3.0-or-later
// How many waves a launch takes, to be predicted from its grid and what an SM holds.
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"
#include "views/common/view.h"

namespace warpglass {

// It is asked until the launch is over: nothing when the selection's time is at its end.
std::optional<Prediction> wavesPrediction(const Trace& trace, std::uint32_t launch, const Selection& selection);

// Grid and device, with no block begun until it is played. The waves that are guessed are outlines in the grid: who
// paints up to a block says that the first wave ends there. Nothing where a hand has no room.
std::optional<PredictionStage> wavesStage(const PaintContext& context, std::uint32_t launch, const Prediction& asked,
                                          double way, const QRectF& area, const Picture* before);

} // namespace warpglass
