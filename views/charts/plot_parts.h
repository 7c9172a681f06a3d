// SPDX-License-Identifier: GPL-3.0-or-later
// Inside views/charts: the part of the picture that QCustomPlot paints, as QPictures.
#pragma once

#include "views/charts/chart_model.h"

#include <QPicture>

namespace warpglass {

// Horizontal bars, one row a category, top to bottom. The top edge of the picture is that of the axes' inside.
struct BarPlot {
    QSize size;
    int left = 0, right = 0, bottom = 0; // pixels outside the axes
    double from = 0, to = 1;
    int categories = 0;
    double width = 0.66; // of a bar, in rows
    bool logarithmic = false, stacked = false;
};
QPicture barPicture(const BarPlot& plot, const ChartPanel& panel, const Theme& theme);

// Lines, dots, steps or upright bars over an axis of numbers; where each point came to lie, in the picture.
struct Plane {
    QPicture picture;
    QRectF inside; // of the axes
    QVector<QVector<QPointF>> pixels;
    QVector<QVector<QRectF>> bars; // lanes on only
    QVector<QPair<QPointF, QPointF>> guides;
};
Plane planePicture(QSize size, const Chart& chart, const ChartPanel& panel, const Theme& theme, bool paint);

// Plays the picture at its own size whatever resolution the device claims (Qt would scale it to that).
void playPicture(QPainter& painter, QPointF at, const QPicture& picture);

void paintLineMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool dots, const Theme& theme);

} // namespace warpglass
