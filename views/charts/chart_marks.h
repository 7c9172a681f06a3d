// SPDX-License-Identifier: GPL-3.0-or-later
// The small things that charts are drawn with: hatches, samples of series, the legend.
#pragma once

#include "views/charts/chart.h"

#include <QPainter>

namespace warpglass {

// Black or white, whichever stands out from the colour, and softly.
QColor softInkOn(const QColor& ground);

// A bar's hatch: seven patterns, 0 is none.
void paintPattern(QPainter& painter, const QRectF& bar, int pattern, const QColor& ink, qreal step);

// Entries of the legend, from left to right, continued on a new row; the height used. Paints nothing if painter is
// null.
qreal paintChartLegend(QPainter* painter, const QRectF& where, const Chart& chart, const Theme& theme);

QFont chartHeadFont(const Theme& theme); // of the panels' titles

} // namespace warpglass
