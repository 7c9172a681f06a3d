// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/kinds/kinds.h"

#include "views/charts/charts_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

const Setting<QString> metricsSetting{"metrics", QStringLiteral("usual")}; // "usual", "all" or names with + between
const Setting<QString> besideSetting{"beside", QStringLiteral("none")};

} // namespace

QStringList chosenMetrics(const PaintContext& context, const ResultTable& table) {
    const QStringList there = metricsIn(table);
    const QString wanted = metricsSetting.of(context.options), beside = besideSetting.of(context.options);
    QStringList chosen;
    if (wanted == QLatin1String("all"))
        chosen = there;
    else
        for (const QString& name : wanted.split(QLatin1Char('+'), Qt::SkipEmptyParts))
            if (there.contains(name))
                chosen << name;
    if (chosen.isEmpty())
        chosen = usualMetrics(table);
    if (there.contains(beside) && !chosen.contains(beside))
        chosen << beside;
    return chosen;
}

QVector<QPair<QString, QString>> metricChoices(const ResultTable& table) {
    QVector<QPair<QString, QString>> choices;
    for (const QString& metric : metricsIn(table))
        choices.append({metric, metricTitle(metric)});
    return choices;
}

// A second number is asked for where there is one: beside "the usual ones" it would mean nothing.
QVector<Switch> metricSwitches(const Options& options, const ResultTable& table) {
    const auto with = [&](const Setting<QString>& setting, const QString& label,
                          QVector<QPair<QString, QString>> choices) {
        return Switch{QString::fromLatin1(setting.key), label, choices + metricChoices(table), setting.standard};
    };
    QVector<Switch> all{with(metricsSetting, ChartsText::tr("Numbers"),
                             {{QStringLiteral("usual"), ChartsText::tr("The usual numbers")},
                              {QStringLiteral("all"), ChartsText::tr("All numbers")}})};
    if (metricsIn(table).contains(metricsSetting.of(options)) || besideSetting.isSet(options))
        all << with(besideSetting, ChartsText::tr("and"),
                    {{QStringLiteral("none"), ChartsText::tr("no second number")}});
    return all;
}

Scaled scaleOf(const ResultTable& table, const QString& metric) {
    const std::string name = metric.toStdString();
    const ResultValue* first = nullptr;
    double largest = 0;
    for (const ResultRow& row : table.rows)
        if (const ResultValue* value = row.find(name)) {
            first = first ? first : value;
            largest = std::max({largest, std::abs(*value->median), std::abs(value->high)});
        }
    return scaledUnit(first ? QString::fromStdString(first->unit) : QString(), largest);
}

std::optional<Emptiness> missingMetrics(const ResultTable& table) {
    if (!metricsIn(table).isEmpty())
        return std::nullopt;
    return sweepInstead(ChartsText::tr(
        "None of these launches ran, so there is nothing to compare. Change the shapes and sweep again."));
}

bool hasSeveralSizes(const ResultTable& table) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const ResultRow& row) { return row.size != table.rows.front().size; });
}

ChartPoint pointOf(int row, const ResultValue& value, const Scaled& scaled) {
    ChartPoint point;
    point.y = *value.median * scaled.factor;
    point.low = value.low * scaled.factor;
    point.high = value.high * scaled.factor;
    point.repeats = value.repeats;
    point.origin = value.origin;
    point.text = valueText(point.y);
    point.row = row;
    return point;
}

std::uint32_t launchShown(const PaintContext& context, const ResultTable& table, int row) {
    const TracePtr& trace = table.rows[row].trace;
    const bool open = row == 0 && &table != context.results.get() && trace;
    return open && context.selection.launch < trace->launches.size() ? context.selection.launch : 0;
}

Emptiness sweepInstead(QString why) {
    return {std::move(why), QStringLiteral("sweep"), ChartsText::tr("Sweep…")};
}

Emptiness timeInstead(QString why) {
    return {std::move(why), QStringLiteral("timing"), ChartsText::tr("Run and model cycles")};
}

void padded(PlaneAxes& axes) {
    const double least = axes.left, most = axes.right, room = (most - least) * 0.06;
    if (axes.logarithmicX) {
        axes.left = least / 1.3;
        axes.right = most * 1.3;
    } else {
        axes.left = least - (room > 0 ? room : std::max(1.0, std::abs(least) * 0.1));
        axes.right = most + (room > 0 ? room * 1.8 : std::max(1.0, std::abs(most) * 0.1));
    }
}

void noteLeftOut(Chart& chart, int drawn, int all) {
    if (drawn >= mostTraces && drawn < all)
        chart.notes
            << ChartsText::tr("%1 of %2 launches are drawn: more curves could not be told apart.").arg(drawn).arg(all);
}

} // namespace warpglass::charts
