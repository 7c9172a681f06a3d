// SPDX-License-Identifier: GPL-3.0-or-later
// Model against hardware: the launches of the table that were both modelled and measured, or, if there is none, those
// that the model is held to. A few as bars with the ratio beside them, many as dots around the diagonal.
#include "gpu/metrics/model_accuracy.h"
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

constexpr std::size_t mostBars = 20; // more of them cannot be read

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

struct Pairs {
    ResultTable table;
    std::vector<ModelPair> pairs;
    bool library = false;
    RowWords words; // one a pair
    Scaled scaled;

    const ResultValue& timeOf(std::size_t row) const { return *table.rows[row].find("duration_ns"); }
    int rowOf(std::size_t row) const { return library ? -1 : int(row); } // of the table that is shown
};

Pairs pairsOf(const ResultTable& own) {
    Pairs p;
    p.table = own;
    p.pairs = modelPairs(p.table);
    p.library = p.pairs.empty();
    if (p.library) {
        p.table = libraryTable();
        p.pairs = modelPairs(p.table);
    }
    ResultTable hardware;
    double largest = 0;
    for (const ModelPair& pair : p.pairs) {
        hardware.rows.push_back(p.table.rows[pair.measured]);
        largest = std::max({largest, *p.timeOf(pair.measured).median, *p.timeOf(pair.modelled).median});
    }
    p.words = rowWords(hardware);
    p.scaled = scaledUnit(QStringLiteral("ns"), largest);
    return p;
}

// Measured across, modelled up: what lies on the diagonal is exact.
ChartPanel planeOf(const Pairs& p, const Theme& theme) {
    ChartPanel panel{.title = ChartsText::tr("Modelled time"),
                     .metric = QStringLiteral("duration_ns"),
                     .unit = p.scaled.unit,
                     .xTitle = ChartsText::tr("Measured time"),
                     .xUnit = p.scaled.unit};
    panel.series = {{.name = QString(), .colour = theme.category(0)}};
    double least = 0, most = 0;
    for (std::size_t i = 0; i < p.pairs.size(); ++i) {
        ChartPoint point = pointOf(p.rowOf(p.pairs[i].modelled), p.timeOf(p.pairs[i].modelled), p.scaled);
        point.x = *p.timeOf(p.pairs[i].measured).median * p.scaled.factor;
        point.label = p.words.category[int(i)];
        const auto [low, high] = std::minmax(point.x, point.y);
        least = i == 0 ? low : std::min(least, low);
        most = std::max(most, high);
        panel.series[0].points.append(point);
    }
    panel.guides.append({.text = ChartsText::tr("exact"), .points = {{least, least}, {most, most}}});
    panel.finish();
    panel.origins = {Origin::Measured, Origin::Modelled};
    return panel;
}

// Both times beside one another, and how many times the measured one the modelled one is.
void addBars(Chart& chart, const Pairs& p, const Theme& theme) {
    ChartPanel time{.title = metricTitle(QStringLiteral("duration_ns")),
                    .metric = QStringLiteral("duration_ns"),
                    .unit = p.scaled.unit};
    time.series = {{.name = ChartsText::tr("measured"), .colour = theme.category(2), .pattern = 0},
                   {.name = ChartsText::tr("modelled"), .colour = theme.category(1), .pattern = 1}};
    ChartPanel ratio{.title = ChartsText::tr("Modelled / measured"),
                     .metric = QStringLiteral("ratio"),
                     .unit = QString::fromUtf8("×")};
    ratio.series = {{.name = QString(), .colour = theme.category(4), .pattern = 0}};
    for (std::size_t i = 0; i < p.pairs.size(); ++i) {
        const ModelPair& pair = p.pairs[i];
        const QString label = p.words.fullName(int(i));
        chart.addCategory(label, p.rowOf(pair.measured));
        const auto add = [&](ChartSeries& series, ChartPoint point) {
            point.x = double(i);
            point.label = label;
            series.points.append(point);
        };
        add(time.series[0], pointOf(p.rowOf(pair.measured), p.timeOf(pair.measured), p.scaled));
        add(time.series[1], pointOf(p.rowOf(pair.modelled), p.timeOf(pair.modelled), p.scaled));
        add(ratio.series[0], {.y = pair.ratio,
                              .low = pair.ratio,
                              .high = pair.ratio,
                              .origin = Origin::Modelled,
                              .text = valueText(std::round(pair.ratio * 100) / 100),
                              .row = p.rowOf(pair.modelled)});
    }
    time.finish();
    ratio.finish();
    ratio.linear = true;
    ratio.guides.append({.text = ChartsText::tr("exact"), .points = {{1, 0}, {1, 0}}});
    chart.panels = {time, ratio};
    chart.explainSeries();
}

Chart chart(const PaintContext& context, const ResultTable& own) {
    const Pairs p = pairsOf(own);
    Chart chart;
    chart.fromLibrary = p.library;
    if (const auto error = p.library ? modelError(p.table, p.pairs) : std::nullopt)
        chart.notes << ChartsText::tr("Launches of an H200 that the model was not calibrated with, %1: mean error %2 "
                                      "%, rank correlation %3.")
                           .arg(p.pairs.size())
                           .arg(error->meanPercent, 0, 'f', 1)
                           .arg(error->rankCorrelation.value_or(0), 0, 'f', 2);
    if (p.pairs.size() > mostBars)
        chart.panels = {planeOf(p, context.theme)};
    else
        addBars(chart, p, context.theme);
    return chart;
}

} // namespace

const ChartKind model{
    .key = "model",
    .title = [] { return ChartsText::tr("Model against hardware"); },
    .missing = [](const PaintContext&, const ResultTable& table) -> std::optional<Emptiness> {
        if (!modelPairs(table).empty() || modelAccuracy("").launches > 0)
            return std::nullopt;
        return sweepInstead(ChartsText::tr("There is no launch here that was both modelled and measured. Sweep a "
                                           "recording made on a GPU together with the emulator."));
    },
    .chart = chart,
    .scale = ChartScale::LogarithmicFirst,
    .axes =
        [](PlaneAxes& axes, const ChartPanel&, QSize, const Theme&) {
            axes.logarithmicX = axes.logarithmicY && axes.left > 0;
            padded(axes);
        },
};

} // namespace warpglass::charts
