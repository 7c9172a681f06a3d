// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of a line as marks on pixels, so that a million of them cost a walk over numbers and as many rectangles as
// the line has pixels. What is wider than a pixel or two is a mark of its own; what is narrower falls into the column
// of pixels where it starts, together with its neighbours, and is never lost.
#pragma once

#include "views/common/time_axis.h"
#include "views/program/program_model.h"

namespace warpglass {

struct Mark {
    double left = 0, width = 1;  // px
    std::uint32_t operation = 0; // the only one, or of several the one that took the most time
    std::uint32_t count = 1;
    program::OperationKind kind = program::OperationKind::Launch; // which took most of the time
    float busy = 1;                                               // share of the mark's width in which one ran
    bool chosen = false;                                          // one of them is of the chosen kernel
    bool recorded = false, failed = false;                        // one of them is
};

// From left to right. Operations that do not touch the axis' window are left out. kernel: whose launches are chosen,
// noIndex for none.
std::vector<Mark> marksOf(const RowLine& line, const TimeAxis& axis, std::uint32_t kernel);

// The mark at x, or the nearest within `reach` pixels of it; nullptr if there is none.
const Mark* markAt(const std::vector<Mark>& marks, double x, double reach = 2);

} // namespace warpglass
