// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a chart that QCustomPlot paints, as QPictures: a picture is then played by the one painter of screen,
// PNG, SVG or PDF, so that text stays text.
#pragma once

#include "views/charts/chart.h"

#include <QPicture>
#include <QRectF>

namespace warpglass {

// The axis of a panel of bars, in the picture's area.
struct BarAxis {
    double from = 0, to = 1; // values at its ends
    bool logarithmic = false;
    double left = 0, width = 0; // pixels

    double pixel(double value) const;
};

// Horizontal bars, one row a category, top to bottom. The top edge of the picture is that of the axes' inside.
struct BarPlot {
    QSize size;
    int left = 0, right = 0, bottom = 0; // pixels outside the axes
    BarAxis axis;
    int categories = 0;
    double width = 0.66; // of a bar, in rows
    bool stacked = false;
};
QPicture barPicture(const BarPlot& plot, const ChartPanel& panel, const Theme& theme);

// Lines, dots, steps or upright bars over an axis of numbers; where each point came to lie, in the picture.
struct Plane {
    QPicture picture = QPicture();
    QRectF inside; // of the axes
    QVector<QVector<QPointF>> pixels;
    QVector<QVector<QRectF>> bars; // columns only
    QVector<QPair<QPointF, QPointF>> guides;
};
Plane planePicture(QSize size, const Chart& chart, const ChartPanel& panel, const Theme& theme);

// Plays the picture at its own size whatever resolution the device claims (Qt would scale it to that).
void playPicture(QPainter& painter, QPointF at, const QPicture& picture);

void paintLineMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool dots, const Theme& theme);

} // namespace warpglass
