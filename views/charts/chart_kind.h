// SPDX-License-Identifier: GPL-3.0-or-later
// A kind of chart: all that tells bars from lines, from a roofline, in one struct. Each kind is a file in kinds/ and a
// row of chartKinds(); nothing else knows which kinds there are.
//
// In goes a ResultTable and the switches of the view, out comes a Chart. Charts with categories are drawn as horizontal
// bars, the others over two axes of numbers with the marks and axes that their kind asks for.
#pragma once

#include "views/charts/chart.h"
#include "views/common/picture.h"

#include <QMap>
#include <QSize>

#include <span>

namespace warpglass {

// How points over two axes of numbers are drawn.
enum class ChartMarks {
    Dots,    // each with its name where there is room
    Lines,   // with dots
    Steps,   // filled if there is one series only
    Columns, // upright bars, which are pointed at over the whole height
    Cells,   // a table of coloured cells with their numbers, beside a scale of the colours
};

// Whether the axis of the numbers is linear or logarithmic, and whether a person may choose.
enum class ChartScale { Linear, LinearFirst, LogarithmicFirst, Logarithmic };

// What the two axes reach; in: what the points ask for, out: what the kind makes of it.
struct PlaneAxes {
    double left = 0, right = 1, low = 0, high = 1;
    bool logarithmicX = false, logarithmicY = false;
    QMap<double, QString> ticks; // of x; empty: round numbers
};

// "Time: 1.508 ms (measured)".
QString chartNumber(const QString& title, const ChartPanel& panel, const ChartPoint& point);
// What is told of a point: its number with unit and origin, where it lies, its repeats.
QStringList chartTip(const Chart& chart, const ChartPanel& panel, const ChartSeries& series, const ChartPoint& point);

struct ChartKind {
    const char* key;    // of the switch: "bars"
    QString (*title)(); // translated
    // Why there is no such chart of this table, and what helps.
    std::optional<Emptiness> (*missing)(const PaintContext& context, const ResultTable& table);
    // Panels, legend, notes; what every chart has (title, subtitle, scale, the model's error) is added to it.
    Chart (*chart)(const PaintContext& context, const ResultTable& table);

    bool readsTraces = false; // whole ones, which may take long
    // Taken if nobody chose and it says so; the first kind if none does.
    bool (*suits)(const ResultTable& table) = nullptr;
    // Its switches, before that of the scale: those that mean something beside what is chosen.
    QVector<Switch> (*switches)(const Options& options, const ResultTable& table) = nullptr;
    ChartScale scale = ChartScale::LinearFirst;
    ChartMarks marks = ChartMarks::Dots;
    void (*axes)(PlaneAxes& axes, const ChartPanel& panel, QSize size, const Theme& theme) = nullptr;
    QStringList (*tip)(const Chart& chart, const ChartPanel& panel, const ChartSeries& series,
                       const ChartPoint& point) = chartTip;
    QString (*csv)(const Chart& chart) = chartCsv;
};

std::span<const ChartKind* const> chartKinds(); // in the order of the switch

Choice<const ChartKind*> kindChoice();       // null: nobody chose
Switch kindSwitch(const ResultTable& table); // says which kind is taken if nobody chooses
const ChartKind& kindToShow(const PaintContext& context, const ResultTable& table);
// Its own and that of the scale.
QVector<Switch> kindSwitches(const ChartKind& kind, const Options& options, const ResultTable& table);
Chart chartOf(const PaintContext& context, const ResultTable& table);
// Why there is no such chart of this table, if so.
std::optional<Emptiness> chartEmptiness(const PaintContext& context, const ResultTable& table);

} // namespace warpglass
