// SPDX-License-Identifier: GPL-3.0-or-later
// Model against hardware: the picture of it, and the sentence that stands below every picture with modelled numbers.
#include "gpu/metrics/model_accuracy.h"
#include "views/charts/chart_kinds.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpglass::charts {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ChartsView", text);
}

// The launches that the model is held to, as pairs of rows.
ResultTable libraryTable() {
    ResultTable table;
    for (const ModelLaunch& launch : modelLaunches()) {
        if (launch.role == "calibration" || launch.modelledNs <= 0 || launch.measuredNs <= 0) // they prove nothing
            continue;
        for (const bool modelled : {false, true}) {
            ResultRow row{.label = launch.name, .kernel = launch.name};
            row.backend = modelled ? "emulator" : "cuda";
            row.device = "NVIDIA H200";
            row.values.push_back({.name = "duration_ns",
                                  .unit = "ns",
                                  .origin = modelled ? Origin::Modelled : Origin::Measured,
                                  .median = modelled ? launch.modelledNs : launch.measuredNs});
            row.values.back().low = row.values.back().high = *row.values.back().median;
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

// Measured across, modelled up: what lies on the diagonal is exact.
Chart modelPlane(const PaintContext& context, const ResultTable& table, const std::vector<ModelPair>& pairs,
                 const RowWords& words, const Scaled& scaled, bool library) {
    Chart chart;
    ChartPanel panel{.title = tr("Modelled time"),
                     .metric = QStringLiteral("duration_ns"),
                     .unit = scaled.unit,
                     .xTitle = tr("Measured time"),
                     .xUnit = scaled.unit};
    panel.series = {{.name = QString(), .colour = context.theme.category(0)}};
    double least = 0, most = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const ResultRow& model = table.rows[pairs[i].modelled];
        ChartPoint point = pointOf(table, library ? -1 : int(pairs[i].modelled), *model.find("duration_ns"), scaled);
        point.x = *table.rows[pairs[i].measured].find("duration_ns")->median * scaled.factor;
        point.label = words.category[int(i)];
        const auto [low, high] = std::minmax(point.x, point.y);
        least = i == 0 ? low : std::min(least, low);
        most = std::max(most, high);
        panel.series[0].points.append(point);
    }
    panel.guides.append({.text = tr("exact"), .points = {{least, least}, {most, most}}});
    finish(panel);
    panel.origins = {Origin::Measured, Origin::Modelled};
    chart.panels = {panel};
    return chart;
}

} // namespace

Chart modelOf(const PaintContext& context, const ResultTable& own) {
    Chart chart;
    ResultTable table = own;
    auto pairs = modelPairs(table);
    const bool library = pairs.empty();
    if (library) {
        table = libraryTable();
        pairs = modelPairs(table);
    }
    ResultTable hardware;
    for (const ModelPair& pair : pairs)
        hardware.rows.push_back(table.rows[pair.measured]);
    const RowWords words = rowWords(hardware);
    double largest = 0;
    for (const ModelPair& pair : pairs)
        largest = std::max({largest, *table.rows[pair.measured].find("duration_ns")->median,
                            *table.rows[pair.modelled].find("duration_ns")->median});
    const Scaled scaled = scaledUnit(QStringLiteral("ns"), largest);
    QStringList notes;
    if (library)
        if (const auto error = modelError(table, pairs))
            notes << tr("Launches of an H200 that the model was not calibrated with, %1: mean error %2 %, rank "
                        "correlation %3.")
                         .arg(pairs.size())
                         .arg(error->meanPercent, 0, 'f', 1)
                         .arg(error->rankCorrelation.value_or(0), 0, 'f', 2);
    constexpr std::size_t mostBars = 20; // more of them cannot be read
    if (pairs.size() > mostBars) {
        chart = modelPlane(context, table, pairs, words, scaled, library);
        chart.fromLibrary = library;
        chart.notes = notes;
        return chart;
    }
    chart.fromLibrary = library;
    chart.notes = notes;
    ChartPanel time{.title = metricTitle(QStringLiteral("duration_ns")),
                    .metric = QStringLiteral("duration_ns"),
                    .unit = scaled.unit};
    time.series = {{.name = tr("measured"), .colour = context.theme.category(2), .pattern = 0},
                   {.name = tr("modelled"), .colour = context.theme.category(1), .pattern = 1}};
    ChartPanel ratio{
        .title = tr("Modelled / measured"), .metric = QStringLiteral("ratio"), .unit = QString::fromUtf8("×")};
    ratio.series = {{.name = QString(), .colour = context.theme.category(4), .pattern = 0}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const QString label =
            words.category[int(i)] +
            (words.series[int(i)].isEmpty() ? QString() : QStringLiteral(" · ") + words.series[int(i)]);
        chart.categories << label;
        chart.refused << QString();
        chart.categoryRows << (library ? -1 : int(pairs[i].measured));
        const std::size_t rows[] = {pairs[i].measured, pairs[i].modelled};
        for (int s = 0; s < 2; ++s) {
            ChartPoint point =
                pointOf(table, library ? -1 : int(rows[s]), *table.rows[rows[s]].find("duration_ns"), scaled);
            point.x = double(i);
            point.label = label;
            time.series[s].points.append(point);
        }
        ChartPoint point{.x = double(i),
                         .y = pairs[i].ratio,
                         .low = pairs[i].ratio,
                         .high = pairs[i].ratio,
                         .origin = Origin::Modelled};
        point.text = valueText(std::round(point.y * 100) / 100);
        point.label = label;
        point.row = library ? -1 : int(pairs[i].modelled);
        ratio.series[0].points.append(point);
    }
    finish(time);
    finish(ratio);
    ratio.linear = true;
    ratio.guides.append({.text = tr("exact"), .points = {{1, 0}, {1, 0}}});
    chart.legend = time.series;
    for (ChartSeries& series : chart.legend)
        series.points.clear();
    chart.panels = {time, ratio};
    return chart;
}

// A modelled time says how far the model is off: by the launches of this table that were measured too, else by those
// that the model is held to.
void addModelNote(Chart& chart, const ResultTable& table) {
    bool modelled = false;
    for (const ChartPanel& panel : chart.panels)
        modelled |= panel.origins.contains(Origin::Modelled);
    if (!modelled || chart.fromLibrary)
        return;
    const auto pairs = modelPairs(table);
    if (const auto error = modelError(table, pairs)) {
        chart.notes << (error->rankCorrelation ? tr("Model against hardware, %1 launches: mean error %2 %, rank "
                                                    "correlation %3.")
                                                     .arg(pairs.size())
                                                     .arg(error->meanPercent, 0, 'f', 1)
                                                     .arg(*error->rankCorrelation, 0, 'f', 2)
                                               : tr("Model against hardware, %1 launches: mean error %2 %.")
                                                     .arg(pairs.size())
                                                     .arg(error->meanPercent, 0, 'f', 1));
        return;
    }
    const bool h200 = std::any_of(table.rows.begin(), table.rows.end(), [](const ResultRow& row) {
        return row.device.find("H200") != std::string::npos && row.backend == "emulator";
    });
    const ModelAccuracy accuracy = modelAccuracy("further"); // the same as below other pictures
    if (h200 && accuracy.launches > 0)
        chart.notes << tr("The model against an H200, %1 other launches: mean error %2 %, rank correlation %3.")
                           .arg(accuracy.launches)
                           .arg(100 * accuracy.meanError, 0, 'f', 1)
                           .arg(accuracy.rankCorrelation, 0, 'f', 2);
    else
        chart.notes << tr("The model was not held against this device: its error is not known.");
}

} // namespace warpglass::charts
