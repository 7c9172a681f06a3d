// SPDX-License-Identifier: GPL-3.0-or-later
// Bars: a panel a metric, a row a launch; the best of each column stands out, and what did not run says why.
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <map>

namespace warpglass::charts {

namespace {

enum class Order { Swept, Value, Name };
Choice<Order> orderChoice() {
    return {"sort",
            ChartsText::tr("Order"),
            {{Order::Swept, "swept", ChartsText::tr("as run")},
             {Order::Value, "value", ChartsText::tr("best first")},
             {Order::Name, "name", ChartsText::tr("by name")}}};
}

// The order of the rows: as swept, or by the first metric, or by name.
QStringList orderedCategories(const PaintContext& context, const ResultTable& table, const RowWords& words,
                              const QString& metric) {
    QStringList categories;
    QSet<QString> seen;
    std::map<QString, double> keys;
    for (int r = 0; r < words.category.size(); ++r) {
        const QString& name = words.category[r];
        if (const auto before = seen.size(); seen.insert(name), seen.size() > before)
            categories << name;
        const ResultValue* value = table.rows[r].find(metric.toStdString());
        if (value && !keys.contains(name))
            keys[name] = *value->median;
    }
    const Order order = orderChoice().of(context.options);
    if (order == Order::Name)
        std::sort(categories.begin(), categories.end());
    else if (order == Order::Value)
        std::stable_sort(categories.begin(), categories.end(), [&](const QString& a, const QString& b) {
            const auto inA = keys.find(a), inB = keys.find(b);
            if (inA == keys.end() || inB == keys.end())
                return inA != keys.end(); // refused ones last
            return lowerIsBetter(metric) ? inA->second < inB->second : inA->second > inB->second;
        });
    return categories;
}

// The best of the column, in each series, if there is a choice: of launches with as much to do.
void markBest(ChartPanel& panel, const ResultTable& table) {
    for (ChartSeries& one : panel.series)
        markBestOfSizes(panel.metric, table, [&](auto visit) {
            for (ChartPoint& point : one.points)
                visit(point);
        });
}

void addNotes(Chart& chart, bool severalSeries, bool severalSizes) {
    bool spread = false, best = false;
    int repeats = 0;
    for (const ChartPanel& panel : chart.panels)
        for (const ChartSeries& series : panel.series)
            for (const ChartPoint& point : series.points) {
                spread |= point.high > point.low;
                best |= point.best;
                repeats = std::max(repeats, point.repeats);
            }
    if (best)
        chart.notes << (severalSizes    ? ChartsText::tr("Bold: the best of its problem size in each column.")
                        : severalSeries ? ChartsText::tr("Bold: the best of its colour in each column.")
                                        : ChartsText::tr("Bold: the best of its column."));
    if (spread)
        chart.notes << ChartsText::tr("Bars are medians of %1 runs, whiskers their smallest and largest.").arg(repeats);
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const RowWords words = rowWords(table);
    const QStringList metrics = chosenMetrics(context, table);
    for (const QString& name : orderedCategories(context, table, words, metrics.value(0)))
        chart.addCategory(name, -1);
    QHash<QString, int> columns;
    for (const QString& name : std::as_const(chart.categories))
        columns.insert(name, int(columns.size()));
    for (int r = 0; r < words.category.size(); ++r) {
        const ResultRow& row = table.rows[r];
        const int c = columns.value(words.category[r]);
        if (chart.categoryRows[c] < 0)
            chart.categoryRows[c] = r;
        if (row.values.empty())
            chart.refused[c] = row.error.empty() ? ChartsText::tr("did not run") : QString::fromStdString(row.error);
    }
    ChartPanel empty;
    for (const QString& name : words.series) // in every panel the same colours, whatever it lacks
        empty.seriesNamed(name, context.theme);
    for (const QString& metric : metrics) {
        const Scaled scaled = scaleOf(table, metric);
        ChartPanel panel = empty;
        panel.title = metricTitle(metric);
        panel.metric = metric;
        panel.unit = scaled.unit;
        for (int r = 0; r < words.category.size(); ++r)
            if (const ResultValue* value = table.rows[r].find(metric.toStdString())) {
                ChartPoint point = pointOf(r, *value, scaled);
                point.x = columns.value(words.category[r]);
                point.label = words.category[r];
                panel.seriesNamed(words.series[r], context.theme).points.append(point);
            }
        markBest(panel, table);
        panel.finish();
        chart.panels.append(panel);
    }
    if (empty.series.size() > 1)
        chart.legend = empty.series;
    addNotes(chart, empty.series.size() > 1, hasSeveralSizes(table));
    return chart;
}

} // namespace

const ChartKind bars{
    .key = "bars",
    .title = [] { return ChartsText::tr("Bars"); },
    .missing = [](const PaintContext&, const ResultTable& table) { return missingMetrics(table); },
    .chart = chart,
    .switches = [](const Options& options,
                   const ResultTable& table) { return metricSwitches(options, table) << orderChoice().dropDown(); },
};

} // namespace warpglass::charts
