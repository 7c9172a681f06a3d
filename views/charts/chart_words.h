// SPDX-License-Identifier: GPL-3.0-or-later
// How states and numbers are written in charts.
#pragma once

#include "views/common/metric_words.h"

#include <QString>

namespace warpglass {

QString stateTitle(const QString& name); // "share_stall_barrier" -> "waits at a barrier"

// How a number of this unit is written so that the largest is readable: 1,718,080 ns are 1.718 ms.
struct Scaled {
    double factor = 1; // number shown = number * factor
    QString unit;
};
Scaled scaledUnit(const QString& unit, double largest);
QString valueText(double shown); // four significant digits, no exponent

} // namespace warpglass
