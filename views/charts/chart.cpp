// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart.h"

#include "views/common/marks.h"

#include <algorithm>

namespace warpglass {

void ChartPanel::finish() {
    for (const ChartSeries& one : series)
        for (const ChartPoint& point : one.points) {
            maximum = std::max({maximum, point.y, point.high});
            if (point.y > 0)
                smallest = smallest > 0 ? std::min(smallest, point.y) : point.y;
            if (!origins.contains(point.origin))
                origins << point.origin;
        }
    std::sort(origins.begin(), origins.end());
    if (unit == QLatin1String("%")) // a share is seen against the whole
        top = 100;
}

ChartSeries& ChartPanel::seriesNamed(const QString& name, const Theme& theme) {
    for (ChartSeries& one : series)
        if (one.name == name)
            return one;
    const int n = int(series.size());
    series.append({.name = name, .colour = theme.category(n), .pattern = n % 7});
    return series.last();
}

void Chart::addCategory(const QString& name, int row) {
    categories << name;
    refused << QString();
    categoryRows << row;
}

void Chart::explainSeries() {
    if (panels.isEmpty() || panels.first().series.size() < 2)
        return;
    legend = panels.first().series;
    for (ChartSeries& series : legend)
        series.points.clear();
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
