// SPDX-License-Identifier: GPL-3.0-or-later
// Occupancy over time: warps resident on all SMs since the launch began, with the theoretical occupancy as a guide.
#include "gpu/metrics/residency.h"
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/common/ghost.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

constexpr int columns = 480; // steps of a curve

double lengthOf(const Trace& trace, std::uint32_t launch) {
    return double((trace.launches[launch].end - trace.launches[launch].start).value);
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    std::vector<int> rows;
    double longest = 0;
    int all = 0;
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const TracePtr& trace = table.rows[r].trace;
        if (!trace || trace->info.timeUnit != TimeUnit::Nanoseconds || ++all > mostTraces)
            continue;
        rows.push_back(r);
        longest = std::max(longest, lengthOf(*trace, launchShown(context, table, r)));
    }
    // Of one launch that was modelled, what a GPU did in it lies beside: an error that one sees.
    const Trace* ghost = context.ghost.get();
    if (rows.size() != 1 || !ghost || launchShown(context, table, rows[0]) != 0 ||
        !recordsLaunchOf(*ghost, *table.rows[rows[0]].trace))
        ghost = nullptr;
    const Trace* pinned = rows.size() == 1 && context.pinned && table.rows[rows[0]].trace == context.trace &&
                                  context.pinned->info.timeUnit == TimeUnit::Nanoseconds
                              ? context.pinned.get()
                              : nullptr;
    if (pinned)
        longest = std::max(longest, lengthOf(*pinned, 0));
    if (ghost)
        longest = std::max(longest, lengthOf(*ghost, 0));
    const RowWords words = rowWords(table);
    const Scaled time = scaledUnit(QStringLiteral("ns"), longest);
    ChartPanel panel{.title = ChartsText::tr("Resident warps, share of all slots"),
                     .metric = QStringLiteral("resident_warps"),
                     .unit = QStringLiteral("%"),
                     .xTitle = ChartsText::tr("Time since the launch"),
                     .xUnit = time.unit};
    const auto add = [&](const Trace& trace, std::uint32_t launch, const QString& label, int r) {
        const std::vector<double> shares = residencyOverTime(trace, launch, columns);
        const double width = lengthOf(trace, launch) / columns * time.factor;
        if (shares.empty())
            return width;
        ChartSeries& series = panel.seriesNamed(label, context.theme);
        for (std::size_t c = 0; c <= shares.size(); ++c) {
            const double share = c < shares.size() ? 100 * shares[c] : 0;
            ChartPoint point{.x = double(c) * width, .y = share, .low = share, .high = share};
            point.origin = trace.info.timeOrigin;
            point.text = decimalText(share);
            point.label = label;
            point.row = r;
            series.points.append(point);
        }
        return width;
    };
    for (const int r : rows) {
        const ResultRow& row = table.rows[r];
        const std::uint32_t launch = launchShown(context, table, r);
        const double width = add(*row.trace, launch, words.fullName(r), r);
        if (const ResultValue* most = row.find("theoretical_occupancy"); most && rows.size() == 1)
            panel.guides.append({.text = ChartsText::tr("theoretical occupancy %1").arg(percentText(*most->median, 1)),
                                 .points = {{0, *most->median}, {double(columns) * width, *most->median}}});
    }
    if (pinned) {
        add(*pinned, 0, ChartsText::tr("A, the run that is pinned"), -1);
        panel.series.back().colour = pinnedColour(context.theme);
    }
    if (ghost) {
        if (panel.series.size() == 1)
            panel.series[0].name = ChartsText::tr("%1, modelled").arg(panel.series[0].name);
        add(*ghost, 0,
            ChartsText::tr("the same launch, measured on %1").arg(QString::fromStdString(ghost->info.deviceName)), -1);
        panel.series.back().colour = gpuOnlyColour(context.theme);
    }
    panel.finish();
    Chart chart;
    chart.panels = {panel};
    chart.explainSeries();
    if (ghost) {
        const GhostTimes times = ghostTimes(*ghost, *table.rows[rows[0]].trace);
        chart.notes << ChartsText::tr("Length of the launch: model %1, GPU %2 (%3).")
                           .arg(timeText(times.modelled, TimeUnit::Nanoseconds),
                                timeText(times.measured, TimeUnit::Nanoseconds), ghostErrorText(times.error()));
        if (const QString probes = ghostProbesText(times); !probes.isEmpty())
            chart.notes << probes;
    }
    noteLeftOut(chart, int(rows.size()), all);
    return chart;
}

std::optional<Emptiness> missing(const PaintContext&, const ResultTable& table) {
    if (anyRow(table, [](const ResultRow& row) {
            return row.trace && row.trace->info.timeUnit == TimeUnit::Nanoseconds &&
                   !residencyOverTime(*row.trace, 0, 1).empty();
        }))
        return std::nullopt;
    if (!anyRow(table, [](const ResultRow& row) { return row.trace != nullptr; }))
        return sweepInstead(ChartsText::tr("A table holds no times of blocks. Sweep in this window, or open a trace."));
    return timeInstead(
        ChartsText::tr("A functional run counts steps and has no clock, so it cannot say how long blocks stay."));
}

} // namespace

const ChartKind residency{
    .key = "residency",
    .title = [] { return ChartsText::tr("Occupancy over time"); },
    .missing = missing,
    .chart = chart,
    .readsTraces = true,
    .scale = ChartScale::Linear,
    .marks = ChartMarks::Steps,
};

} // namespace warpglass::charts
