// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/chart.h"

#include <QRectF>

namespace warpglass {

// Where everything of a chart goes, in the units of the area. Nothing overlaps.
struct ChartLayout {
    QRectF title, subtitle, legend, notes;
    struct Panel {
        QRectF head;   // title, unit, origin
        QRectF plot;   // bars: exactly the inside of the axes; else axes, their numbers and titles, too
        QRectF values; // bars: right of the inside, for the numbers of the longest bars
        QRectF ticks;  // bars: below the inside
        QRectF labels; // bars: names of the rows, left of the first panel of each line; else null
    };
    QVector<Panel> panels;
    double rowHeight = 0; // bars
    double thickness = 0; // of all bars of a row together, in rows
};

ChartLayout chartLayout(const Chart& chart, const QRectF& area, const Theme& theme);

} // namespace warpglass
