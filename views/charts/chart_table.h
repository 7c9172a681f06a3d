// SPDX-License-Identifier: GPL-3.0-or-later
// What charts read out of a table of results: which one is shown, what its rows are called, which metrics it has.
#pragma once

#include "gpu/metrics/results.h"
#include "views/common/picture.h"

#include <QStringList>

#include <mutex>

namespace warpglass {

enum class ChartOf { Sweep, Open };
Choice<ChartOf> ofChoice();
bool showsSweep(const PaintContext& context); // else the open traces
// What the view draws: results if there are any, else the open traces, speed-ups with them; null if there is nothing.
ResultsPtr tableToShow(const PaintContext& context);

// What a table of the open traces is made of.
struct OpenTraces {
    TracePtr trace, other;
    std::vector<TracePtr> companions;
    std::uint32_t launch = 0;
    bool operator==(const OpenTraces&) const = default;
};
OpenTraces openTraces(const PaintContext& context);

// The table to show, made once as long as the traces stay: the picture asks for it and so do the switches, after every
// change and maybe at the same time.
class KeptTable {
public:
    ResultsPtr of(const PaintContext& context);

private:
    std::mutex m_mutex;
    OpenTraces m_madeOf;
    ResultsPtr m_table;
};

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
