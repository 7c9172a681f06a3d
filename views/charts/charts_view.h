// SPDX-License-Identifier: GPL-3.0-or-later
// views/charts: launches compared. What is drawn is a ResultTable: the one a sweep has filled (PaintContext::results),
// or the traces that are open, as a table.
//
//   chart_model   table and switches -> Chart: panels, series, points, all words; pure, tested without a picture
//   chart_traces  what charts read from a whole trace: lanes on, resident warps over time
//   chart_layout  where title, legend, panels and labels go; pure
//   chart_paint   Chart and layout -> picture: axes, bars, lines and error bars by QCustomPlot, words by our painter
//   charts_view   the View: switches, hover, click, export
//
// QCustomPlot paints into a QPicture, which is then played: so the one painter of screen, PNG, SVG or PDF is used, and
// text stays text.
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeChartsView();
}
