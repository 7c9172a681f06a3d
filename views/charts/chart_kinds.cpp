// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of charts there are, and what is the same for all of them.
#include "views/charts/chart_kind.h"

#include "views/charts/chart_words.h"
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/charts/model_note.h"
#include "views/common/marks.h"

#include <set>

namespace warpglass {

std::span<const ChartKind* const> chartKinds() {
    using namespace charts;
    static constexpr const ChartKind* kinds[] = {&bars,  &heatmap,   &lines, &scatter, &states,
                                                 &lanes, &residency, &model, &roofline};
    return kinds;
}

Choice<const ChartKind*> kindChoice() {
    Choice<const ChartKind*> choice{"chart", ChartsText::tr("Chart"), {{nullptr, "auto", ChartsText::tr("Automatic")}}};
    for (const ChartKind* kind : chartKinds())
        choice.values.push_back({kind, kind->key, kind->title()});
    return choice;
}

namespace {

const ChartKind& kindThatSuits(const ResultTable& table) {
    for (const ChartKind* kind : chartKinds())
        if (kind->suits && kind->suits(table))
            return *kind;
    return *chartKinds().front();
}

} // namespace

const ChartKind& kindToShow(const PaintContext& context, const ResultTable& table) {
    const ChartKind* chosen = kindChoice().of(context.options);
    return chosen ? *chosen : kindThatSuits(table);
}

Switch kindSwitch(const ResultTable& table) {
    Switch all = kindChoice().dropDown();
    all.choices.front().second = ChartsText::tr("Automatic: %1").arg(kindThatSuits(table).title());
    return all;
}

namespace {

Choice<bool> logarithmicChoice() {
    return {"scale",
            ChartsText::tr("Scale"),
            {{false, "linear", ChartsText::tr("linear scale")}, {true, "log", ChartsText::tr("logarithmic scale")}}};
}

bool logarithmic(const ChartKind& kind, const Options& options) {
    const Choice<bool> choice = logarithmicChoice();
    switch (kind.scale) {
    case ChartScale::Linear:
        return false;
    case ChartScale::LinearFirst:
        return choice.of(options);
    case ChartScale::LogarithmicFirst:
        return choice.of(options) || !options.contains(QLatin1String(choice.key));
    case ChartScale::Logarithmic:
        return true;
    }
    return false;
}

} // namespace

QVector<Switch> kindSwitches(const ChartKind& kind, const Options& options, const ResultTable& table) {
    QVector<Switch> all;
    if (kind.switches)
        all = kind.switches(options, table);
    if (kind.scale == ChartScale::Linear || kind.scale == ChartScale::Logarithmic)
        return all;
    Switch scale = logarithmicChoice().dropDown();
    if (kind.scale == ChartScale::LogarithmicFirst)
        scale.standard = scale.choices.back().first;
    return all << scale;
}

namespace {

// The table's own title, else the kernels.
void entitle(Chart& chart, const ResultTable& table) {
    std::set<std::string> kernels, devices, modes;
    for (const ResultRow& row : table.rows) {
        kernels.insert(row.kernel);
        if (!row.device.empty())
            devices.insert(row.device);
        modes.insert(row.mode);
    }
    QStringList names;
    for (const std::string& kernel : kernels)
        names << QString::fromStdString(kernel);
    if (chart.fromLibrary)
        chart.title = ChartsText::tr("The timing model against an H200");
    else if (!table.title.empty())
        chart.title = QString::fromStdString(table.title);
    else if (kernels.size() <= 3)
        chart.title = names.join(QStringLiteral(", "));
    else
        chart.title = ChartsText::tr("%1 kernels compared").arg(kernels.size());
    QStringList parts{chart.kind->title()};
    if (kernels.size() == 1 && !table.title.empty())
        parts << names.first();
    if (devices.size() == 1)
        parts << QString::fromStdString(*devices.begin());
    if (modes.size() == 1 && !modes.begin()->empty())
        parts << ChartsText::tr(modes.begin()->c_str());
    chart.subtitle = parts.join(QStringLiteral("  ·  "));
}

} // namespace

Chart chartOf(const PaintContext& context, const ResultTable& table) {
    const ChartKind& kind = kindToShow(context, table);
    Chart chart = kind.chart(context, table);
    chart.kind = &kind;
    chart.logarithmic = logarithmic(kind, context.options);
    addModelNote(chart, table);
    entitle(chart, table);
    return chart;
}

std::optional<Emptiness> chartEmptiness(const PaintContext& context, const ResultTable& table) {
    return kindToShow(context, table).missing(context, table);
}

QString chartNumber(const QString& title, const ChartPanel& panel, const ChartPoint& point) {
    return QStringLiteral("%1: %2 %3 (%4)").arg(title, point.text, panel.unit, originName(point.origin));
}

QStringList chartTip(const Chart& chart, const ChartPanel& panel, const ChartSeries& series, const ChartPoint& point) {
    QStringList lines{chartNumber(chart.stacked ? series.name : panel.title, panel, point)};
    if (!panel.xTitle.isEmpty())
        lines << QStringLiteral("%1: %2 %3").arg(panel.xTitle, valueText(point.x), panel.xUnit);
    if (point.repeats > 1)
        lines << ChartsText::tr("%1 runs, from %2 to %3")
                     .arg(point.repeats)
                     .arg(valueText(point.low), valueText(point.high));
    return lines;
}

} // namespace warpglass
