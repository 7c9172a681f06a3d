// SPDX-License-Identifier: GPL-3.0-or-later
// What charts read out of a table of results: which one is shown, what its rows are called, which metrics it has.
#pragma once

#include "gpu/metrics/results.h"
#include "views/common/picture.h"

#include <QStringList>

namespace warpglass {

enum class ChartOf { Sweep, Open };
Choice<ChartOf> ofChoice();
bool showsSweep(const PaintContext& context); // else the open traces
// What the view draws: results if there are any, else the open traces, speed-ups with them; null if there is nothing.
ResultsPtr tableToShow(const PaintContext& context);

// Metrics of the table that have a value somewhere, in order of first appearance; states left out.
QStringList metricsIn(const ResultTable& table);
QStringList usualMetrics(const ResultTable& table); // what the documents' tables show for such rows

// What tells the rows of a table apart: which of kernel, block, ... differ, and the words for each row.
struct RowWords {
    QStringList category, series; // one a row; series empty if all rows are of one
    bool kernels = false, blocks = false, sizes = false, grids = false; // what differs

    QString shortName(int row) const; // the category, if there is one
    QString fullName(int row) const;  // "reduce0 · GPU"
};
RowWords rowWords(const ResultTable& table);

} // namespace warpglass
