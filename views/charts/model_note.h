// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/chart.h"

namespace warpglass {

// A modelled time says how far the model is off: by the launches of this table that were measured too, else by those
// that the model is held to. Nothing if no number of the chart is modelled.
void addModelNote(Chart& chart, const ResultTable& table);

} // namespace warpglass
