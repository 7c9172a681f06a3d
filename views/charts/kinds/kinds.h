// SPDX-License-Identifier: GPL-3.0-or-later
// Inside views/charts: the kinds, each defined in the file of its name, and what several of them do alike.
#pragma once

#include "views/charts/chart_kind.h"
#include "views/charts/chart_table.h"
#include "views/charts/chart_words.h"

#include <map>

namespace warpglass::charts {

extern const ChartKind bars, heatmap, lines, scatter, states, lanes, residency, model, roofline;

// Metrics: those that are chosen by the switches, or usual; how large and in what unit they are.
QStringList chosenMetrics(const PaintContext& context, const ResultTable& table);
QVector<Switch> metricSwitches(const Options& options, const ResultTable& table);
QVector<QPair<QString, QString>> metricChoices(const ResultTable& table); // name, title
Scaled scaleOf(const ResultTable& table, const QString& metric);
std::optional<Emptiness> missingMetrics(const ResultTable& table);

bool hasSeveralSizes(const ResultTable& table);
// Marks the best number of each problem size, where there is a choice: who has less to do is not faster. each: calls what it
// is given for every point.
template <typename Each>
void markBestOfSizes(const QString& metric, const ResultTable& table, Each each) {
    struct Best {
        ChartPoint* point = nullptr;
        bool differ = false;
    };
    std::map<std::int64_t, Best> bySize;
    each([&](ChartPoint& point) {
        Best& best = bySize[point.row >= 0 ? std::int64_t(table.rows[std::size_t(point.row)].size) : 0];
        best.differ = best.differ || (best.point && point.y != best.point->y);
        if (!best.point || (lowerIsBetter(metric) ? point.y < best.point->y : point.y > best.point->y))
            best.point = &point;
    });
    for (const auto& [size, best] : bySize)
        best.point->best = best.differ;
}

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
