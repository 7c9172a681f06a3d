// SPDX-License-Identifier: GPL-3.0-or-later
// The charts with two axes of numbers: lines, one number over another, lanes on, occupancy over time, roofline.
#include "gpu/device/device.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "views/charts/chart_kinds.h"
#include "views/charts/chart_traces.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ChartsView", text);
}

constexpr int mostTraces = 8; // curves in one picture that can still be told apart

QString labelOf(const RowWords& words, int r) {
    return words.series[r].isEmpty()     ? words.category[r]
           : words.category[r].isEmpty() ? words.series[r]
                                         : words.category[r] + QStringLiteral(" · ") + words.series[r];
}

ChartSeries& seriesNamed(ChartPanel& panel, const QString& name, const Theme& theme) {
    for (ChartSeries& series : panel.series)
        if (series.name == name)
            return series;
    const int n = int(panel.series.size());
    panel.series.append({.name = name, .colour = theme.category(n), .pattern = n % 7});
    return panel.series.last();
}

void legendOf(Chart& chart) {
    if (chart.panels.isEmpty() || chart.panels.first().series.size() < 2)
        return;
    chart.legend = chart.panels.first().series;
    for (ChartSeries& series : chart.legend)
        series.points.clear();
}

// Threads of a block, problem size or blocks of the grid: the number that a line runs over.
struct AcrossRows {
    QString title, unit;
    std::vector<double> x;
    QStringList series; // one a row: everything else that differs
};
AcrossRows acrossRows(const ResultTable& table) {
    const RowWords words = rowWords(table);
    AcrossRows across;
    const bool sizes = words.sizes, blocks = !sizes && words.blocks;
    across.title = sizes ? tr("Problem size") : blocks ? tr("Threads a block") : tr("Blocks of the grid");
    for (int r = 0; r < words.category.size(); ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        across.x.push_back(sizes ? double(row.size) : blocks ? double(row.block.count()) : double(row.grid.count()));
        QStringList parts;
        if (words.kernels)
            parts << QString::fromStdString(row.kernel);
        if (sizes && words.blocks && !words.kernels)
            parts << QString::fromStdString(row.block.text());
        if (!words.series[r].isEmpty())
            parts << words.series[r];
        across.series << parts.join(QStringLiteral(" · "));
    }
    return across;
}

} // namespace

Chart linesOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const AcrossRows across = acrossRows(table);
    const RowWords words = rowWords(table);
    for (const QString& metric : chosenMetrics(context, table)) {
        const Scaled scaled = scaledUnit(unitOf(table, metric), largestOf(table, metric));
        ChartPanel panel{.title = metricTitle(metric), .metric = metric, .unit = scaled.unit, .xTitle = across.title};
        for (const QString& name : across.series) // in every panel the same colours, whatever it lacks
            seriesNamed(panel, name, context.theme);
        for (int r = 0; r < int(table.rows.size()); ++r)
            if (const ResultValue* value = table.rows[std::size_t(r)].find(metric.toStdString())) {
                ChartPoint point = pointOf(table, r, *value, scaled);
                point.x = across.x[std::size_t(r)];
                point.label = words.category[r];
                seriesNamed(panel, across.series[r], context.theme).points.append(point);
            }
        for (ChartSeries& series : panel.series)
            std::stable_sort(series.points.begin(), series.points.end(),
                             [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
        if (panel.unit == QLatin1String("%"))
            panel.top = 100;
        finish(panel);
        chart.panels.append(panel);
    }
    legendOf(chart);
    return chart;
}

Chart scatterOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const QStringList there = metricsIn(table);
    const auto either = [&](const char* first, const char* second) {
        return there.contains(QLatin1String(first)) ? QString::fromLatin1(first) : QString::fromLatin1(second);
    };
    QString x = optionOf(context, QStringLiteral("x"), either("achieved_occupancy", "theoretical_occupancy"));
    QString y = optionOf(context, QStringLiteral("y"), either("duration_ns", "gld_efficiency"));
    if (!there.contains(x))
        x = there.value(0);
    if (!there.contains(y))
        y = there.value(1, there.value(0));
    const RowWords words = rowWords(table);
    const Scaled scaledX = scaledUnit(unitOf(table, x), largestOf(table, x)),
                 scaledY = scaledUnit(unitOf(table, y), largestOf(table, y));
    ChartPanel panel{
        .title = metricTitle(y), .metric = y, .unit = scaledY.unit, .xTitle = metricTitle(x), .xUnit = scaledX.unit};
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        const ResultValue *vx = row.find(x.toStdString()), *vy = row.find(y.toStdString());
        if (!vx || !vy)
            continue;
        ChartPoint point = pointOf(table, r, *vy, scaledY);
        point.x = *vx->median * scaledX.factor;
        point.label = words.category[r].isEmpty() ? words.series[r] : words.category[r];
        seriesNamed(panel, words.series[r], context.theme).points.append(point);
    }
    finish(panel);
    chart.panels = {panel};
    legendOf(chart);
    return chart;
}

Chart lanesOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const RowWords words = rowWords(table);
    ChartPanel panel{.title = tr("Share of the warps' time"),
                     .metric = QStringLiteral("lanes_on"),
                     .unit = QStringLiteral("%"),
                     .xTitle = tr("Lanes on")};
    double unknown = 0;
    for (int r = 0; r < int(table.rows.size()) && panel.series.size() < mostTraces; ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        const std::uint32_t launch = &table != context.results.get() && r == 0 && row.trace &&
                                             context.selection.launch < row.trace->launches.size()
                                         ? context.selection.launch
                                         : 0;
        const auto shares = row.trace ? lanesOnShares(*row.trace, launch) : std::nullopt;
        if (!shares)
            continue;
        unknown = std::max(unknown, shares->unknownPercent);
        ChartSeries& series = seriesNamed(panel, labelOf(words, r), context.theme);
        for (int lanes = 1; lanes <= 32; ++lanes) {
            ChartPoint point{.x = double(lanes), .y = shares->percent[std::size_t(lanes)]};
            point.low = point.high = point.y;
            point.origin = row.trace->info.timeUnit == TimeUnit::Steps ? Origin::Counted : row.trace->info.timeOrigin;
            point.text = valueText(std::round(point.y * 10) / 10);
            point.label = tr("%1 lanes on").arg(lanes);
            point.row = r;
            series.points.append(point);
        }
    }
    finish(panel);
    chart.panels = {panel};
    if (unknown > 0)
        chart.notes
            << tr("Behind a divergent branch a GPU's probes do not see the mask until the next event: up to %1 of "
                  "the time, left out here. The emulator sees all of it.")
                   .arg(percentText(unknown, 1));
    legendOf(chart);
    return chart;
}

Chart residencyOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    chart.steps = true;
    constexpr int columns = 480;
    const RowWords words = rowWords(table);
    double longest = 0;
    std::vector<std::pair<int, std::uint32_t>> launches;
    for (int r = 0; r < int(table.rows.size()) && int(launches.size()) < mostTraces; ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        if (!row.trace || row.trace->info.timeUnit != TimeUnit::Nanoseconds)
            continue;
        const std::uint32_t launch =
            &table != context.results.get() && r == 0 && context.selection.launch < row.trace->launches.size()
                ? context.selection.launch
                : 0;
        launches.emplace_back(r, launch);
        const Launch& l = row.trace->launches[launch];
        longest = std::max(longest, double((l.end - l.start).value));
    }
    const Scaled time = scaledUnit(QStringLiteral("ns"), longest);
    ChartPanel panel{.title = tr("Resident warps, share of all slots"),
                     .metric = QStringLiteral("resident_warps"),
                     .unit = QStringLiteral("%"),
                     .xTitle = tr("Time since the launch"),
                     .xUnit = time.unit};
    for (const auto& [r, launch] : launches) {
        const Trace& trace = *table.rows[std::size_t(r)].trace;
        const std::vector<double> shares = residencyShares(trace, launch, columns);
        if (shares.empty())
            continue;
        const Launch& l = trace.launches[launch];
        const double width = double((l.end - l.start).value) / columns * time.factor;
        const QString label = labelOf(words, r);
        {
            ChartSeries& series = seriesNamed(panel, label, context.theme);
            for (std::size_t c = 0; c <= shares.size(); ++c) {
                ChartPoint point{.x = double(c) * width, .y = c < shares.size() ? shares[c] : 0};
                point.low = point.high = point.y;
                point.origin = trace.info.timeOrigin;
                point.text = valueText(std::round(point.y * 10) / 10);
                point.label = label;
                point.row = r;
                series.points.append(point);
            }
        }
        if (launches.size() == 1)
            if (const ResultValue* most = table.rows[std::size_t(r)].find("theoretical_occupancy"))
                panel.guides.append({.text = tr("theoretical occupancy %1").arg(percentText(*most->median, 1)),
                                     .points = {{0, *most->median}, {double(columns) * width, *most->median}}});
    }
    finish(panel);
    panel.top = 100;
    chart.panels = {panel};
    legendOf(chart);
    return chart;
}

// 32-bit operations: units an SM x clock x 2. Units: CUDA C++ Programming Guide, throughput of arithmetic instructions
// (32-bit floating-point add, multiply, multiply-add) by compute capability.
std::optional<Peaks> peaksOf(const std::string& deviceName) {
    for (const DeviceSpec& device : devices()) {
        if (device.name != deviceName)
            continue;
        const int cc = device.ccMajor * 10 + device.ccMinor;
        const int units = cc == 20                                                   ? 32
                          : cc >= 30 && cc < 40                                      ? 192
                          : cc == 60 || cc == 70 || cc == 72 || cc == 75 || cc == 80 ? 64
                          : cc >= 50                                                 ? 128
                                                                                     : 0;
        if (units == 0)
            return std::nullopt;
        return Peaks{2.0 * units * device.smCount * device.smClockMHz * 1e6, device.dramGBs * 1e9};
    }
    return std::nullopt;
}

std::optional<Work> workOf(const ResultTable& table, const ResultRow& row) {
    const ResultValue* bytes = row.find("global_bytes");
    const ResultValue* operations = row.find("operations");
    for (const ResultRow& other : table.rows) {
        const bool same = other.kernel == row.kernel && other.grid == row.grid && other.block == row.block &&
                          other.mode == row.mode && (other.size == row.size || other.size == 0 || row.size == 0);
        if (!operations && same)
            operations = other.find("operations");
        if (!bytes && same)
            bytes = other.find("global_bytes");
    }
    if (!bytes || !operations || *bytes->median <= 0 || *operations->median <= 0)
        return std::nullopt;
    return Work{*operations->median, *bytes->median};
}

Chart rooflineOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const RowWords words = rowWords(table);
    ChartPanel panel{.title = tr("Arithmetic"),
                     .metric = QStringLiteral("operations_per_s"),
                     .unit = tr("10⁹ operations/s"),
                     .xTitle = tr("Arithmetic intensity"),
                     .xUnit = tr("operations/byte")};
    std::vector<std::string> seen;
    double leastX = 1e30, mostX = 0;
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        const auto work = workOf(table, row);
        const ResultValue* duration = row.find("duration_ns");
        if (!work || !duration || *duration->median <= 0)
            continue;
        ChartPoint point{.x = work->operations / work->bytes, .y = work->operations / *duration->median};
        point.low = duration->high > 0 ? work->operations / duration->high : point.y;
        point.high = duration->low > 0 ? work->operations / duration->low : point.y;
        point.repeats = duration->repeats;
        point.origin = duration->origin;
        point.text = valueText(point.y);
        point.label = words.category[r].isEmpty() ? words.series[r] : words.category[r];
        point.row = r;
        leastX = std::min(leastX, point.x);
        mostX = std::max(mostX, point.x);
        seriesNamed(panel, words.series[r], context.theme).points.append(point);
        if (std::find(seen.begin(), seen.end(), row.device) == seen.end())
            seen.push_back(row.device);
    }
    for (const std::string& device : seen)
        if (const auto peaks = peaksOf(device)) {
            const double ridge = peaks->operationsPerSecond / peaks->bytesPerSecond;
            const double from = std::min(leastX, 0.05) / 2, to = std::max(mostX * 4, ridge * 8);
            const QString prefix = seen.size() > 1 ? QString::fromStdString(device) + QStringLiteral(": ") : QString();
            panel.guides.append(
                {.text = prefix + tr("DRAM %1 TB/s").arg(peaks->bytesPerSecond * 1e-12, 0, 'f', 2),
                 .points = {{from, from * peaks->bytesPerSecond * 1e-9}, {ridge, peaks->operationsPerSecond * 1e-9}}});
            panel.guides.append(
                {.text =
                     prefix + tr("arithmetic %1 Tera-operations/s").arg(peaks->operationsPerSecond * 1e-12, 0, 'f', 1),
                 .points = {{ridge, peaks->operationsPerSecond * 1e-9}, {to, peaks->operationsPerSecond * 1e-9}}});
        }
    finish(panel);
    chart.panels = {panel};
    chart.notes << tr(
        "Operations: arithmetic of active threads, counted, fma as two, address arithmetic left out. Bytes: "
        "32 × sectors of global memory. What the caches serve can lie above the DRAM line.");
    legendOf(chart);
    return chart;
}

} // namespace warpglass::charts

namespace warpglass {

namespace {

View::Emptiness empty(QString why, const char* action, QString text) {
    return {std::move(why), QString::fromLatin1(action), std::move(text)};
}

} // namespace

std::optional<View::Emptiness> chartEmptiness(const PaintContext& context, const ResultTable& table) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("ChartsView", text); };
    const auto any = [&](auto&& holds) { return std::any_of(table.rows.begin(), table.rows.end(), holds); };
    const bool traces = any([](const ResultRow& row) { return row.trace != nullptr; });
    switch (kindToShow(context, table)) {
    case ChartKind::Bars:
    case ChartKind::Scatter:
        if (metricsIn(table).isEmpty())
            return empty(
                tr("None of these launches ran, so there is nothing to compare. Change the shapes and sweep again."),
                "sweep", tr("Sweep…"));
        return std::nullopt;
    case ChartKind::Lines:
        if (metricsIn(table).isEmpty() || table.rows.size() < 2)
            return empty(tr("A line needs several launches: sweep sizes, blocks or grids."), "sweep", tr("Sweep…"));
        return std::nullopt;
    case ChartKind::States:
        if (!any([](const ResultRow& row) {
                return std::any_of(row.values.begin(), row.values.end(),
                                   [](const ResultValue& v) { return v.name.starts_with("share_"); });
            }))
            return empty(tr("What warps wait for is known where cycles were modelled, or where a GPU was sampled."),
                         "timing", tr("Run and model cycles"));
        return std::nullopt;
    case ChartKind::Lanes:
        if (!any([](const ResultRow& row) { return row.trace && lanesOnShares(*row.trace, 0).has_value(); }))
            return traces
                       ? empty(tr("No warp of this run was recorded in detail, so masks over time are not known."),
                               "detail", tr("Run and record all blocks"))
                       : empty(tr("A table holds no masks. Sweep in this window and keep the traces, or open a trace."),
                               "sweep", tr("Sweep…"));
        return std::nullopt;
    case ChartKind::Residency:
        if (!any([](const ResultRow& row) { return row.trace && !residencyShares(*row.trace, 0, 1).empty(); }))
            return traces ? empty(tr("A functional run counts steps and has no clock, so it cannot say how long blocks "
                                     "stay."),
                                  "timing", tr("Run and model cycles"))
                          : empty(tr("A table holds no times of blocks. Sweep in this window, or open a trace."),
                                  "sweep", tr("Sweep…"));
        return std::nullopt;
    case ChartKind::Model: // if there is no pair here, those that the model is held to
        if (modelPairs(table).empty() && modelAccuracy("").launches == 0)
            return empty(
                tr("There is no launch here that was both modelled and measured. Sweep a recording made on a GPU "
                   "together with the emulator."),
                "sweep", tr("Sweep…"));
        return std::nullopt;
    case ChartKind::Roofline:
        if (!any([&](const ResultRow& row) { return row.find("duration_ns") && charts::workOf(table, row); }))
            return any([](const ResultRow& row) { return row.find("duration_ns") != nullptr; })
                       ? empty(tr("A GPU does not count what each instruction did. Compare with the same launch on the "
                                  "emulator, which does."),
                               "sweep", tr("Sweep…"))
                       : empty(tr("A roofline needs a time: run with the timing model, or on a GPU."), "timing",
                               tr("Run and model cycles"));
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace warpglass
