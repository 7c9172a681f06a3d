// SPDX-License-Identifier: GPL-3.0-or-later
// Which slot is filled next, to be predicted from what each of them holds now.
#pragma once

#include "views/common/prediction.h"
#include "views/common/selection.h"
#include "views/pipeline/pipeline_model.h"

namespace warpglass {

// Of the first ring of two slots or more that is filled again after the selection's time; nothing if none is.
std::optional<Prediction> fillPrediction(const PipelineModel& model, const Selection& selection);

} // namespace warpglass
