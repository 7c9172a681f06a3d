// SPDX-License-Identifier: GPL-3.0-or-later
// A panel of cells: a number for each pair of what two things were swept over, told by its colour and, where there is
// room, in digits. The scale beside it says which colour is which number.
//
// One hue from pale to strong (on a dark ground from dark to bright), so that the order is seen in black and white and
// with any colour blindness; the digits are black or white, whichever stands out more.
#pragma once

#include "views/charts/chart.h"
#include "views/charts/number_axis.h"

#include <QRectF>

#include <utility>

namespace warpglass {

// From the smallest number of the panel to the largest; of percent from 0 to 100.
NumberScale heatScale(const ChartPanel& panel, bool logarithmic);

QColor heatColour(double share, const Theme& theme);

// Where the cells of a panel lie, and what stands round them.
struct CellTable {
    QRectF corner;  // title of the lines
    QRectF across;  // title of the columns, above their names
    QRectF grid;    // all cells
    QRectF columns; // their names, above the cells
    QRectF lines;   // their names, left of the cells
    QRectF colours; // the scale; its numbers stand to the right
    int columnCount = 0, lineCount = 0;
    NumberScale scale;

    QRectF cell(int column, int line) const;
};
CellTable cellTable(const ChartPanel& panel, const QRectF& where, bool logarithmic, const Theme& theme);

} // namespace warpglass
