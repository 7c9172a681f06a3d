// SPDX-License-Identifier: GPL-3.0-or-later
// A chart laid out and plotted: QCustomPlot's part of each panel, and where every number can be pointed at. Made once
// for an area, painted as often as wanted.
#pragma once

#include "views/charts/chart_cells.h"
#include "views/charts/chart_layout.h"
#include "views/charts/plot_parts.h"

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
        QPointF at;  // of the picture's corner
        Plane plane; // charts without categories
        QPicture bars = QPicture();
        BarAxis axis = {};
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
