// SPDX-License-Identifier: GPL-3.0-or-later
// One number over another: a dot a launch, named.
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

// What the axes show.
struct Axes {
    Setting<QString> x, y;
};
Axes axesOf(const QStringList& there) {
    const auto either = [&](const char* first, const char* second) {
        return QString::fromLatin1(there.contains(QLatin1String(first)) ? first : second);
    };
    return {{"x", either("achieved_occupancy", "theoretical_occupancy")},
            {"y", either("duration_ns", "gld_efficiency")}};
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    const QStringList there = metricsIn(table);
    QString x = axesOf(there).x.of(context.options), y = axesOf(there).y.of(context.options);
    if (!there.contains(x))
        x = there.value(0);
    if (!there.contains(y))
        y = there.value(1, there.value(0));
    const RowWords words = rowWords(table);
    const Scaled scaledX = scaleOf(table, x), scaledY = scaleOf(table, y);
    ChartPanel panel{
        .title = metricTitle(y), .metric = y, .unit = scaledY.unit, .xTitle = metricTitle(x), .xUnit = scaledX.unit};
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[r];
        const ResultValue *vx = row.find(x.toStdString()), *vy = row.find(y.toStdString());
        if (!vx || !vy)
            continue;
        ChartPoint point = pointOf(r, *vy, scaledY);
        point.x = *vx->median * scaledX.factor;
        point.label = words.shortName(r);
        panel.seriesNamed(words.series[r], context.theme).points.append(point);
    }
    panel.finish();
    Chart chart;
    chart.panels = {panel};
    chart.explainSeries();
    return chart;
}

void reach(PlaneAxes& axes, const ChartPanel& panel, QSize, const Theme&) {
    if (panel.xUnit != QLatin1String("%"))
        return padded(axes);
    axes.left = axes.left > 40 ? std::floor(axes.left / 10) * 10 - 5 : 0;
    axes.right = std::max(100.0, axes.right) + 2;
}

QVector<Switch> switches(const Options&, const ResultTable& table) {
    const auto metrics = metricChoices(table);
    const Axes axes = axesOf(metricsIn(table));
    return {{QString::fromLatin1(axes.x.key), ChartsText::tr("Across"), metrics, axes.x.standard},
            {QString::fromLatin1(axes.y.key), ChartsText::tr("Up"), metrics, axes.y.standard}};
}

} // namespace

const ChartKind scatter{
    .key = "scatter",
    .title = [] { return ChartsText::tr("One number over another"); },
    .missing = [](const PaintContext&, const ResultTable& table) { return missingMetrics(table); },
    .chart = chart,
    .switches = switches,
    .axes = reach,
};

} // namespace warpglass::charts
