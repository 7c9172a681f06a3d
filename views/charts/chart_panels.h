// SPDX-License-Identifier: GPL-3.0-or-later
// Inside views/charts: the three sorts of panels. plot... works out the picture of a panel and its zones, once; paint...
// paints it below its head.
#pragma once

#include "views/charts/chart_drawing.h"

namespace warpglass {

void plotBars(ChartDrawing& drawing, int panel);
void paintBars(QPainter& painter, const ChartDrawing& drawing, int panel);
void paintRefusals(QPainter& painter, const ChartDrawing& drawing); // after all panels

void plotPlane(ChartDrawing& drawing, int panel);
void paintPlane(QPainter& painter, const ChartDrawing& drawing, int panel);

// Tables whose cells would be lower than a line of words make room for those before them, and a note says so.
void dropCrowdedTables(Chart& chart, const QRectF& area, const Theme& theme);
void plotCells(ChartDrawing& drawing, int panel);
void paintCells(QPainter& painter, const ChartDrawing& drawing, int panel);

} // namespace warpglass
