// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of a metric, from its row in gpu/metrics.
#pragma once

#include <QString>

#include <string>

namespace warpglass {

QString metricTitle(const QString& name);   // translated: "Achieved occupancy"; the name itself if it is not known
QString metricMeaning(const QString& name); // translated: how it is worked out; empty if it is not known
QString metricLack(const std::string& why); // translated: why there is no value
bool lowerIsBetter(const QString& name);    // fewer divergent branches, less time

} // namespace warpglass
