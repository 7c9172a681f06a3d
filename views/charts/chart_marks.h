// SPDX-License-Identifier: GPL-3.0-or-later
// The small things that charts are drawn with: hatches, samples of series, the legend.
#pragma once

#include "views/charts/chart.h"
#include "views/charts/number_axis.h"

#include <QPainter>

namespace warpglass {

// Black or white, whichever stands out from the colour, and softly.
QColor softInkOn(const QColor& ground);

// A bar's hatch: seven patterns, 0 is none.
void paintPattern(QPainter& painter, const QRectF& bar, int pattern, const QColor& ink, qreal step);

// What tells the series of lines apart without colour.
Qt::PenStyle dashOf(const ChartSeries& series);
void paintDot(QPainter& painter, QPointF at, const ChartSeries& series, qreal size);
void paintLineMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool dots, const Theme& theme);
// From the least of the repeats to the largest, if they differ: across at `at` px of the other axis.
void paintWhisker(QPainter& painter, const NumberAxis& axis, const ChartPoint& point, qreal at, bool upright,
                  const Theme& theme);

// Entries of the legend, from left to right, continued on a new row; the height used. Paints nothing if painter is
// null.
qreal paintChartLegend(QPainter* painter, const QRectF& where, const Chart& chart, const Theme& theme);

QFont chartHeadFont(const Theme& theme); // of the panels' titles

} // namespace warpglass
