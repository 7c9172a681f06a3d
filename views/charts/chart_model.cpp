// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_model.h"

#include "views/charts/chart_kinds.h"
#include "views/common/marks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ChartsView", text);
}

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

ResultsPtr tableToShow(const PaintContext& context) {
    const bool open = optionOf(context, QStringLiteral("of"), QStringLiteral("sweep")) == QLatin1String("open");
    if (context.results && !context.results->rows.empty() && !(open && context.trace))
        return context.results;
    if (!context.trace || context.trace->launches.empty())
        return nullptr;
    auto table = std::make_shared<ResultTable>();
    const std::uint32_t launch =
        context.selection.launch < context.trace->launches.size() ? context.selection.launch : 0;
    table->rows.push_back(rowOf(context.trace, launch));
    if (context.other && !context.other->launches.empty())
        table->rows.push_back(rowOf(context.other));
    for (const TracePtr& companion : context.companions)
        if (companion && !companion->launches.empty())
            table->rows.push_back(rowOf(companion));
    addSpeedups(*table);
    return table;
}

ChartKind kindToShow(const PaintContext& context, const ResultTable& table) {
    const QString wanted = optionOf(context, QStringLiteral("chart"), QStringLiteral("auto"));
    for (int k = 0; k <= int(ChartKind::Roofline); ++k)
        if (wanted == kindKey(ChartKind(k)))
            return ChartKind(k);
    if (table.rows.size() > 1)
        return ChartKind::Bars;
    const auto& values = table.rows.front().values;
    const bool states =
        std::any_of(values.begin(), values.end(), [](const ResultValue& v) { return v.name.starts_with("share_"); });
    return states ? ChartKind::States : ChartKind::Bars;
}

namespace charts {

void finish(ChartPanel& panel) {
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points) {
            panel.maximum = std::max({panel.maximum, point.y, point.high});
            if (point.y > 0)
                panel.smallest = panel.smallest > 0 ? std::min(panel.smallest, point.y) : point.y;
            if (!panel.origins.contains(point.origin))
                panel.origins << point.origin;
        }
    std::sort(panel.origins.begin(), panel.origins.end());
}

QStringList chosenMetrics(const PaintContext& context, const ResultTable& table) {
    const QStringList there = metricsIn(table);
    const QString wanted = optionOf(context, QStringLiteral("metrics"), QStringLiteral("usual"));
    QStringList chosen;
    if (wanted == QLatin1String("all"))
        chosen = there;
    else
        for (const QString& name : wanted.split(QLatin1Char('+'), Qt::SkipEmptyParts))
            if (there.contains(name))
                chosen << name;
    if (chosen.isEmpty())
        chosen = usualMetrics(table);
    const QString beside = optionOf(context, QStringLiteral("beside"), QStringLiteral("none"));
    if (there.contains(beside) && !chosen.contains(beside))
        chosen << beside;
    return chosen;
}

double largestOf(const ResultTable& table, const QString& metric) {
    double largest = 0;
    for (const ResultRow& row : table.rows)
        if (const ResultValue* value = row.find(metric.toStdString()))
            largest = std::max({largest, std::abs(*value->median), std::abs(value->high)});
    return largest;
}

QString unitOf(const ResultTable& table, const QString& metric) {
    for (const ResultRow& row : table.rows)
        if (const ResultValue* value = row.find(metric.toStdString()))
            return text(value->unit);
    return {};
}

ChartPoint pointOf(const ResultTable& table, int row, const ResultValue& value, const Scaled& scaled) {
    ChartPoint point;
    point.y = *value.median * scaled.factor;
    point.low = value.low * scaled.factor;
    point.high = value.high * scaled.factor;
    point.repeats = value.repeats;
    point.origin = value.origin;
    point.text = valueText(point.y);
    point.row = row;
    (void)table;
    return point;
}

QVector<ChartSeries> seriesOf(const RowWords& words, const Theme& theme) {
    QVector<ChartSeries> all;
    for (const QString& name : words.series)
        if (std::none_of(all.begin(), all.end(), [&](const ChartSeries& s) { return s.name == name; }))
            all.append({.name = name, .colour = theme.category(int(all.size())), .pattern = int(all.size()) % 7});
    return all;
}

Chart barsOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const RowWords words = rowWords(table);
    const QStringList metrics = chosenMetrics(context, table);
    const QVector<ChartSeries> series = seriesOf(words, context.theme);

    // The order of the rows: as swept, or by the first metric, or by name.
    QStringList categories;
    std::map<QString, double> keys;
    const QString first = metrics.value(0);
    for (int r = 0; r < words.category.size(); ++r) {
        const QString& name = words.category[r];
        if (!categories.contains(name))
            categories << name;
        const ResultValue* value = table.rows[std::size_t(r)].find(first.toStdString());
        if (value && !keys.contains(name))
            keys[name] = *value->median;
    }
    const QString sort = optionOf(context, QStringLiteral("sort"), QStringLiteral("swept"));
    if (sort == QLatin1String("name"))
        std::sort(categories.begin(), categories.end());
    else if (sort == QLatin1String("value"))
        std::stable_sort(categories.begin(), categories.end(), [&](const QString& a, const QString& b) {
            const auto inA = keys.find(a), inB = keys.find(b);
            if (inA == keys.end() || inB == keys.end())
                return inA != keys.end(); // refused ones last
            return lowerIsBetter(first) ? inA->second < inB->second : inA->second > inB->second;
        });
    chart.categories = categories;
    chart.refused = QStringList(QVector<QString>(categories.size()));
    chart.categoryRows.fill(-1, categories.size());
    for (int r = 0; r < words.category.size(); ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        const int c = int(categories.indexOf(words.category[r]));
        if (chart.categoryRows[c] < 0)
            chart.categoryRows[c] = r;
        if (row.values.empty())
            chart.refused[c] = row.error.empty() ? tr("did not run") : text(row.error);
    }
    for (const QString& metric : metrics) {
        const Scaled scaled = scaledUnit(unitOf(table, metric), largestOf(table, metric));
        ChartPanel panel{.title = metricTitle(metric), .metric = metric, .unit = scaled.unit, .series = series};
        for (int r = 0; r < words.category.size(); ++r)
            if (const ResultValue* value = table.rows[std::size_t(r)].find(metric.toStdString())) {
                ChartPoint point = pointOf(table, r, *value, scaled);
                point.x = double(categories.indexOf(words.category[r]));
                point.label = words.category[r];
                for (ChartSeries& s : panel.series)
                    if (s.name == words.series[r])
                        s.points.append(point);
            }
        // The best of the column, in each series, if there is a choice.
        for (ChartSeries& one : panel.series) {
            const auto less = [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; };
            const auto [least, most] = std::minmax_element(one.points.begin(), one.points.end(), less);
            if (one.points.size() > 1 && most->y > least->y)
                (lowerIsBetter(metric) ? least : most)->best = true;
        }
        if (panel.unit == QLatin1String("%"))
            panel.top = 100;
        finish(panel);
        chart.panels.append(panel);
    }
    if (series.size() > 1)
        chart.legend = series;
    bool spread = false, best = false;
    int repeats = 0;
    for (const ChartPanel& panel : chart.panels)
        for (const ChartSeries& s : panel.series)
            for (const ChartPoint& point : s.points) {
                spread |= point.high > point.low;
                best |= point.best;
                repeats = std::max(repeats, point.repeats);
            }
    if (best)
        chart.notes << (series.size() > 1 ? tr("Bold: the best of its colour in each column.")
                                          : tr("Bold: the best of its column."));
    if (spread)
        chart.notes << tr("Bars are medians of %1 runs, whiskers their smallest and largest.").arg(repeats);
    return chart;
}

Chart statesOf(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    chart.stacked = true;
    const RowWords words = rowWords(table);
    std::vector<std::string> states;
    for (int s = 0; s < int(WarpState::Count_); ++s)
        states.push_back(std::string("share_") + name(WarpState(s)));
    for (const ResultRow& row : table.rows)
        for (const ResultValue& value : row.values)
            if (value.name.starts_with("share_") && std::find(states.begin(), states.end(), value.name) == states.end())
                states.push_back(value.name);
    constexpr double worthShowing = 1; // percent
    std::vector<std::string> shown;
    for (const std::string& state : states)
        for (const ResultRow& row : table.rows)
            if (const ResultValue* value = row.find(state); value && *value->median >= worthShowing) {
                shown.push_back(state);
                break;
            }
    ChartPanel panel{
        .title = tr("Share of the warps' time"), .metric = QStringLiteral("state"), .unit = QStringLiteral("%")};
    for (const std::string& state : shown) {
        ChartSeries series{.name = stateTitle(text(state)), .colour = context.theme.border};
        for (int s = 0; s < int(WarpState::Count_); ++s)
            if (state == std::string("share_") + name(WarpState(s)))
                series.colour = context.theme.state(WarpState(s));
        series.pattern = int(panel.series.size()) % 7;
        panel.series.append(series);
    }
    panel.series.append({.name = stateTitle(QStringLiteral("others")), .colour = context.theme.border, .pattern = 1});
    bool others = false;
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[std::size_t(r)];
        double sum = 0;
        Origin origin = Origin::Measured;
        bool any = false;
        const QString label =
            words.series[r].isEmpty() ? words.category[r] : words.category[r] + QStringLiteral(" · ") + words.series[r];
        for (const ResultValue& value : row.values)
            if (value.name.starts_with("share_") && value.median) {
                any = true;
                origin = value.origin;
            }
        if (!any)
            continue;
        const double x = double(chart.categories.size());
        chart.categories << label;
        chart.refused << QString();
        chart.categoryRows << r;
        for (std::size_t s = 0; s < shown.size(); ++s)
            if (const ResultValue* value = row.find(shown[s])) {
                ChartPoint point = pointOf(table, r, *value, {1, {}});
                point.x = x;
                point.label = label;
                point.text = valueText(std::round(point.y * 10) / 10);
                panel.series[int(s)].points.append(point);
                sum += point.y;
            }
        if (100 - sum > 0.05) {
            others = true;
            ChartPoint point{.x = x, .y = 100 - sum, .low = 100 - sum, .high = 100 - sum, .origin = origin};
            point.text = valueText(std::round(point.y * 10) / 10);
            point.label = label;
            point.row = r;
            panel.series.last().points.append(point);
        }
    }
    if (!others)
        panel.series.removeLast();
    if (chart.categories.size() == 1) { // one launch: a row a state says more than one long bar
        std::vector<ChartPoint> points;
        for (ChartSeries& series : panel.series)
            for (ChartPoint point : series.points) {
                point.label = series.name;
                points.push_back(point);
            }
        std::stable_sort(points.begin(), points.end(),
                         [](const ChartPoint& a, const ChartPoint& b) { return a.y > b.y; });
        chart.stacked = false;
        chart.refused.clear();
        const int row = chart.categoryRows.value(0, -1);
        chart.categories.clear();
        chart.categoryRows.clear();
        panel.series = {{.name = QString(), .colour = context.theme.category(0)}};
        for (ChartPoint& point : points) {
            point.x = double(chart.categories.size());
            chart.categories << point.label;
            chart.refused << QString();
            chart.categoryRows << row;
            panel.series[0].points.append(point);
        }
        finish(panel);
        chart.panels.append(panel);
        return chart;
    }
    finish(panel);
    panel.top = 100;
    chart.legend = panel.series;
    for (ChartSeries& series : chart.legend)
        series.points.clear();
    chart.panels.append(panel);
    return chart;
}

} // namespace charts

Chart chartOf(const PaintContext& context, const ResultTable& table) {
    const ChartKind kind = kindToShow(context, table);
    Chart chart;
    switch (kind) {
    case ChartKind::Bars:
        chart = charts::barsOf(context, table);
        break;
    case ChartKind::States:
        chart = charts::statesOf(context, table);
        break;
    case ChartKind::Model:
        chart = charts::modelOf(context, table);
        break;
    case ChartKind::Lines:
        chart = charts::linesOf(context, table);
        break;
    case ChartKind::Scatter:
        chart = charts::scatterOf(context, table);
        break;
    case ChartKind::Lanes:
        chart = charts::lanesOf(context, table);
        break;
    case ChartKind::Residency:
        chart = charts::residencyOf(context, table);
        break;
    case ChartKind::Roofline:
        chart = charts::rooflineOf(context, table);
        break;
    }
    chart.kind = kind;
    chart.logarithmic = kind == ChartKind::Roofline ||
                        (kind == ChartKind::Model && optionOf(context, QStringLiteral("scale"), {}).isEmpty()) ||
                        (optionOf(context, QStringLiteral("scale"), {}) == QLatin1String("log") &&
                         kind != ChartKind::States && kind != ChartKind::Residency);
    charts::addModelNote(chart, table);

    std::set<std::string> kernels, devices, modes;
    for (const ResultRow& row : table.rows) {
        kernels.insert(row.kernel);
        if (!row.device.empty())
            devices.insert(row.device);
        modes.insert(row.mode);
    }
    if (chart.fromLibrary) {
        chart.title = tr("The timing model against an H200");
    } else if (!table.title.empty()) {
        chart.title = text(table.title);
    } else if (kernels.size() <= 3) {
        QStringList names;
        for (const std::string& kernel : kernels)
            names << text(kernel);
        chart.title = names.join(QStringLiteral(", "));
    } else {
        chart.title = tr("%1 kernels compared").arg(kernels.size());
    }
    QStringList parts;
    parts << kindTitle(kind);
    if (kernels.size() == 1 && !table.title.empty())
        parts << text(*kernels.begin());
    if (devices.size() == 1)
        parts << text(*devices.begin());
    if (modes.size() == 1 && !modes.begin()->empty())
        parts << text(*modes.begin());
    chart.subtitle = parts.join(QStringLiteral("  ·  "));
    return chart;
}

QString chartCsv(const Chart& chart) {
    QString csv = QStringLiteral("panel,series,label,x,x_unit,value,unit,origin,low,high,repeats,note\n");
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    const bool categories = !chart.categories.isEmpty();
    for (const ChartPanel& panel : chart.panels)
        for (const ChartSeries& series : panel.series)
            for (const ChartPoint& point : series.points) {
                QStringList fields{csvField(panel.title), csvField(series.name), csvField(point.label)};
                fields << (categories ? QString() : number(point.x))
                       << (categories ? QString() : csvField(panel.xUnit));
                fields << number(point.y) << csvField(panel.unit) << QString::fromLatin1(name(point.origin));
                fields << number(point.low) << number(point.high) << QString::number(point.repeats) << QString();
                csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            }
    for (int c = 0; c < chart.categories.size(); ++c)
        if (!chart.refused[c].isEmpty())
            csv += QStringLiteral(",,%1,,,,,,,,,%2\n").arg(csvField(chart.categories[c]), csvField(chart.refused[c]));
    return csv;
}

} // namespace warpglass
