// SPDX-License-Identifier: GPL-3.0-or-later
// A chart laid out: the axes of each panel, and where every number lies and can be pointed at. Made once for an area, on any
// thread, and painted as often as wanted.
#pragma once

#include "views/charts/chart_cells.h"
#include "views/charts/chart_layout.h"
#include "views/charts/plane.h"

#include <QPainter>

namespace warpglass {

// Where a number of the picture can be pointed at.
struct ChartZone {
    QRectF rect;                             // to point at
    QRectF mark;                             // the bar or the dot itself
    int panel = -1, series = -1, point = -1; // series -1: the row's name
    int category = -1;
    int row = -1; // of the table, where no number says it

    bool operator==(const ChartZone& other) const = default;
};

struct ChartDrawing {
    Chart chart;
    Theme theme;
    ChartLayout layout;
    struct Plot {
        Plane plane;     // charts without categories
        NumberAxis axis; // bars
        CellTable cells = {};
    };
    QVector<Plot> plots; // as many as panels
    QVector<ChartZone> zones;

    // The zone under (or, for charts with dots, next to) a point; nothing if none is near.
    std::optional<ChartZone> zoneAt(QPointF at) const;
    const ChartPoint& pointOf(const ChartZone& zone) const; // of a zone with a series
    int rowOf(const ChartZone& zone) const;                 // of the table; -1: none
};

ChartDrawing drawChart(Chart chart, const QRectF& area, const Theme& theme);
void paintChart(QPainter& painter, const ChartDrawing& drawing);

} // namespace warpglass
