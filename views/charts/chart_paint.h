// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/chart_layout.h"

namespace warpglass {

// Where a number of the picture can be pointed at.
struct ChartZone {
    QRectF rect;                             // to point at
    QRectF mark;                             // the bar or the dot itself
    int panel = -1, series = -1, point = -1; // series -1: the row's name
    int category = -1;
};

// Paints the chart into the area and says where its numbers lie. Painter may be null: only the zones then.
QVector<ChartZone> paintChart(QPainter* painter, const QRectF& area, const Chart& chart, const Theme& theme);

// The zone under (or, for charts with dots, next to) a point; nothing if none is near.
std::optional<ChartZone> zoneAt(const QVector<ChartZone>& zones, QPointF at, qreal near);

// A bar's hatch: seven patterns, 0 is none.
void paintPattern(QPainter& painter, const QRectF& bar, int pattern, const QColor& ink, qreal step);
// The sample of a series in the legend.
void paintSeriesMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool bars, bool dots,
                     const Theme& theme);

} // namespace warpglass
