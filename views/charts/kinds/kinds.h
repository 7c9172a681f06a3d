// SPDX-License-Identifier: GPL-3.0-or-later
// Inside views/charts: the kinds, each defined in the file of its name, and what several of them do alike.
#pragma once

#include "views/charts/chart_kind.h"
#include "views/charts/chart_table.h"
#include "views/charts/chart_words.h"

namespace warpglass::charts {

extern const ChartKind bars, heatmap, lines, scatter, states, lanes, residency, model, roofline;

// Metrics: those that are chosen by the switches, or usual; how large and in what unit they are.
QStringList chosenMetrics(const PaintContext& context, const ResultTable& table);
QVector<Switch> metricSwitches(const Options& options, const ResultTable& table);
QVector<QPair<QString, QString>> metricChoices(const ResultTable& table); // name, title
Scaled scaleOf(const ResultTable& table, const QString& metric);
std::optional<Emptiness> missingMetrics(const ResultTable& table);

ChartPoint pointOf(int row, const ResultValue& value, const Scaled& scaled);

// Whole traces: the launch of a row that is shown (the selected one of the open trace, else the first).
std::uint32_t launchShown(const PaintContext& context, const ResultTable& table, int row);
inline constexpr int mostTraces = 8;                // curves in one picture that can still be told apart
void noteLeftOut(Chart& chart, int drawn, int all); // says so where not all of the table's launches are drawn

template <typename Holds>
bool anyRow(const ResultTable& table, Holds holds) {
    return std::any_of(table.rows.begin(), table.rows.end(), holds);
}
Emptiness sweepInstead(QString why); // why, and a button that sweeps
Emptiness timeInstead(QString why);  // why, and a button that runs with the timing model

// Room beside the outermost points.
void padded(PlaneAxes& axes);

} // namespace warpglass::charts
