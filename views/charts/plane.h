// SPDX-License-Identifier: GPL-3.0-or-later
// Two axes of numbers and what lies between them: lines, steps, dots or upright bars.
#pragma once

#include "views/charts/chart.h"
#include "views/charts/number_axis.h"

namespace warpglass {

// Where all of it lies, in the picture's area.
struct Plane {
    QRectF inside; // of the axes
    NumberAxis x, y;
    QVector<QVector<QPointF>> pixels;
    QVector<QVector<QRectF>> bars; // columns only
    QVector<QPair<QPointF, QPointF>> guides;
};
Plane planeOf(const QRectF& where, const Chart& chart, const ChartPanel& panel, const Theme& theme);
void paintPlaneMarks(QPainter& painter, const Plane& plane, const Chart& chart, const ChartPanel& panel,
                     const Theme& theme);

} // namespace warpglass
