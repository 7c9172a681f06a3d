// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the program view lie: a head, the ruler, a row for the host and each stream, the legend.
#pragma once

#include "views/common/options.h"
#include "views/common/theme.h"
#include "views/common/time_axis.h"
#include "views/program/program_model.h"

#include <QRectF>

namespace warpglass {

// The view's own state: what is chosen, rows of ProgramTrace; and how far the rows are scrolled, in pixels.
inline const Setting<uint> programOperation{"operation", noIndex};
inline const Setting<uint> programKernel{"kernel", noIndex};
inline const Setting<double> programScroll{"scroll", 0};

struct ProgramLayout {
    QRectF head, overview, ruler, labels, rows, legend;
    TimeAxis axis;    // of the rows and the ruler
    TimeAxis whole;   // of the overview
    double text = 14; // height of a line of small type
    double rowHeight = 60, scroll = 0, contentHeight = 60;
    int count = 0; // of rows

    QRectF rowRect(int row) const; // over labels and rows
    QRectF upper(int row) const;   // the lines of a row, over the time
    QRectF lower(int row) const;
    int rowAt(double y) const; // -1: none
    double mostScroll() const { return contentHeight > rows.height() ? contentHeight - rows.height() : 0; }
};

// visible: the times that are shown; an empty range is all.
ProgramLayout layoutProgram(const QRectF& area, const Theme& theme, const ProgramModel& model, TimeRange visible,
                            double scroll);

} // namespace warpglass
