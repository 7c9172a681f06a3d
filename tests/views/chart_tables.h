// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of results, made by hand, and what a view of charts is given to show one.
#pragma once

#include "gpu/metrics/results.h"
#include "views/common/picture.h"

#include <string>

namespace warpglass::samples {

// low below zero: of one run, without a spread.
ResultValue value(std::string name, std::string unit, Origin origin, double median, double low = -1, double high = -1);
// Time in ns, occupancy and efficiency in percent.
ResultRow launch(std::string kernel, Dim3 block, double ns, double occupancy, double efficiency,
                 Origin origin = Origin::Measured);

// Four of the document's shapes as an H200 ran them (its counters), and the one that no device launches.
ResultsPtr blockSweep();
// The same two launches modelled and measured: 20 % too long, 10 % too short.
ResultsPtr bothBackends();

PaintContext showing(ResultsPtr results, const QMap<QString, QVariant>& options = {});

} // namespace warpglass::samples
