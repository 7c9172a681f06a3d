// SPDX-License-Identifier: GPL-3.0-or-later
// Lines: metrics over what was swept, the problem size, the threads of a block or the blocks of the grid.
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpglass::charts {

namespace {

// The number that a line runs over.
struct Across {
    QString title;
    std::vector<double> x; // one a row
    QStringList series;    // one a row: everything else that differs
};

Across acrossOf(const ResultTable& table, const RowWords& words) {
    Across across;
    const bool sizes = words.sizes, blocks = !sizes && words.blocks;
    across.title = sizes    ? ChartsText::tr("Problem size")
                   : blocks ? ChartsText::tr("Threads a block")
                            : ChartsText::tr("Blocks of the grid");
    for (int r = 0; r < words.category.size(); ++r) {
        const ResultRow& row = table.rows[r];
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

Chart chart(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const RowWords words = rowWords(table);
    const Across across = acrossOf(table, words);
    for (const QString& metric : chosenMetrics(context, table)) {
        const Scaled scaled = scaleOf(table, metric);
        ChartPanel panel{.title = metricTitle(metric), .metric = metric, .unit = scaled.unit, .xTitle = across.title};
        for (const QString& name : across.series) // in every panel the same colours, whatever it lacks
            panel.seriesNamed(name, context.theme);
        for (int r = 0; r < int(table.rows.size()); ++r)
            if (const ResultValue* value = table.rows[r].find(metric.toStdString())) {
                ChartPoint point = pointOf(r, *value, scaled);
                point.x = across.x[r];
                point.label = words.category[r];
                panel.seriesNamed(across.series[r], context.theme).points.append(point);
            }
        for (ChartSeries& series : panel.series)
            std::stable_sort(series.points.begin(), series.points.end(),
                             [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
        panel.finish();
        chart.panels.append(panel);
    }
    chart.explainSeries();
    return chart;
}

// Marked are the values that were run, if they are few and do not crowd.
void axes(PlaneAxes& axes, const ChartPanel& panel, QSize size, const Theme& theme) {
    axes.logarithmicX = axes.logarithmicY && axes.left > 0;
    padded(axes);
    std::set<double> values;
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points)
            values.insert(point.x);
    if (values.size() < 2 || values.size() > 12)
        return;
    double before = 0;
    for (const double value : values) {
        const double share = axes.logarithmicX ? std::log(value / axes.left) / std::log(axes.right / axes.left)
                                               : (value - axes.left) / (axes.right - axes.left);
        const double at = share * size.width();
        const QString words = QString::number(value, 'g', 10);
        if (axes.ticks.isEmpty() || at - before > textWidth(theme.small(), words) + 12 * theme.fontScale) {
            axes.ticks[value] = words;
            before = at;
        }
    }
}

} // namespace

const ChartKind lines{
    .key = "lines",
    .title = [] { return ChartsText::tr("Lines"); },
    .missing = [](const PaintContext&, const ResultTable& table) -> std::optional<Emptiness> {
        if (metricsIn(table).isEmpty() || table.rows.size() < 2)
            return sweepInstead(ChartsText::tr("A line needs several launches: sweep sizes, blocks or grids."));
        return std::nullopt;
    },
    .chart = chart,
    .switches = metricSwitches,
    .marks = ChartMarks::Lines,
    .axes = axes,
};

} // namespace warpglass::charts
