// SPDX-License-Identifier: GPL-3.0-or-later
// views/charts: launches compared. What is drawn is a ResultTable: the one a sweep has filled (PaintContext::results),
// or the traces that are open, as a table.
//
//   chart_table    which table, what its rows are called, which metrics it has
//   chart_kind     what a kind of chart is: a struct; kinds/ holds one a file, chart_kinds the table of them
//   chart          panels, series, points, all words; made by a kind, pure, tested without a picture
//   chart_traces   what charts read from a whole trace: lanes on, resident warps over time
//   chart_layout   where title, legend, panels and labels go; pure
//   number_axis    scales, marks and their numbers
//   plane          two axes with lines, steps, dots or columns between them
//   chart_drawing  all of it for one area, with the places of the numbers; painted as often as wanted
//   charts_view    the View: switches, hover, click, export
//
// A new kind of chart is a file in kinds/, a name in kinds.h and a row in chart_kinds.cpp.
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeChartsView();
}
