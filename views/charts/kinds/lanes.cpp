// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes on: for how much of the warps' time 1, 2, ... 32 lanes were on, a column each.
#include "views/charts/chart_traces.h"
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/common/agreeing.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

bool hasLanes(const Trace& trace) {
    return std::any_of(trace.warps.begin(), trace.warps.end(), [](const Warp& warp) { return warp.eventCount > 0; });
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    const RowWords words = rowWords(table);
    ChartPanel panel{.title = ChartsText::tr("Share of the warps' time"),
                     .metric = QStringLiteral("lanes_on"),
                     .unit = QStringLiteral("%"),
                     .xTitle = ChartsText::tr("Lanes on")};
    double unknown = 0;
    int all = 0;
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const TracePtr& trace = table.rows[r].trace;
        all += trace && hasLanes(*trace);
        if (panel.series.size() >= mostTraces)
            continue;
        const auto shares = trace ? lanesOnShares(*trace, launchShown(context, table, r)) : std::nullopt;
        if (!shares)
            continue;
        unknown = std::max(unknown, shares->unknownPercent);
        ChartSeries& series = panel.seriesNamed(words.fullName(r), context.theme);
        for (int on = 1; on <= lanesPerWarp; ++on) {
            const double share = shares->percent[on];
            ChartPoint point{.x = double(on), .y = share, .low = share, .high = share};
            point.origin = trace->info.timeUnit == TimeUnit::Steps ? Origin::Counted : trace->info.timeOrigin;
            point.text = decimalText(share);
            point.label = agreeing(ChartsText::tr("%1 {lane|lanes} on"), on);
            point.row = r;
            series.points.append(point);
        }
    }
    panel.finish();
    Chart chart;
    chart.panels = {panel};
    if (unknown > 0)
        chart.notes << ChartsText::tr(
                           "Behind a divergent branch a GPU's probes do not see the mask until the next event: up to "
                           "%1 of the time, left out here. The emulator sees all of it.")
                           .arg(percentText(unknown, 1));
    chart.explainSeries();
    noteLeftOut(chart, int(panel.series.size()), all);
    return chart;
}

std::optional<Emptiness> missing(const PaintContext&, const ResultTable& table) {
    if (anyRow(table, [](const ResultRow& row) { return row.trace && lanesOnShares(*row.trace, 0); }))
        return std::nullopt;
    if (!anyRow(table, [](const ResultRow& row) { return row.trace != nullptr; }))
        return sweepInstead(
            ChartsText::tr("A table holds no masks. Sweep in this window and keep the traces, or open a trace."));
    return Emptiness{ChartsText::tr("No warp of this run was recorded in detail, so masks over time are not known."),
                     QStringLiteral("detail"), ChartsText::tr("Run and record all blocks")};
}

} // namespace

const ChartKind lanes{
    .key = "lanes",
    .title = [] { return ChartsText::tr("Lanes on"); },
    .missing = missing,
    .chart = chart,
    .readsTraces = true,
    .marks = ChartMarks::Columns,
    .axes =
        [](PlaneAxes& axes, const ChartPanel&, QSize, const Theme&) {
            axes.left = 0.25;
            axes.right = 32.75;
            for (const int on : {1, 4, 8, 12, 16, 20, 24, 28, 32})
                axes.ticks[on] = QString::number(on);
        },
    .tip = [](const Chart&, const ChartPanel& panel, const ChartSeries&, const ChartPoint& point) -> QStringList {
        return {chartNumber(panel.title, panel, point), point.label};
    },
};

} // namespace warpglass::charts
