// SPDX-License-Identifier: GPL-3.0-or-later
// How many waves a launch takes, to be predicted from its grid and what an SM holds.
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"

namespace warpglass {

// It is asked until the launch is over: nothing when the selection's time is at its end.
std::optional<Prediction> wavesPrediction(const Trace& trace, std::uint32_t launch, const Selection& selection);

} // namespace warpglass
