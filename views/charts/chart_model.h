// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/metrics/results.h"
#include "views/common/view.h"

#include <QColor>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace warpglass {

enum class ChartKind { Bars, Lines, Scatter, States, Lanes, Residency, Model, Roofline };

// One number of the picture. x is the row of categories in charts with categories, else in ChartPanel::xUnit.
struct ChartPoint {
    double x = 0, y = 0;      // in the panel's units, scaled
    double low = 0, high = 0; // of the repeats
    int repeats = 1;
    Origin origin = Origin::Counted;
    QString text;      // the value as written beside it: "1.718"
    QString label;     // what it is of: "32x16", "reduce0"
    int row = -1;      // of the table; -1: of no launch
    bool best = false; // of its column
};

struct ChartSeries {
    QString name;
    QColor colour;
    int pattern = 0; // hatch of bars, mark and dash of lines: told apart without colour
    QVector<ChartPoint> points;
};

// A straight line for the eye: a peak, a theoretical value.
struct ChartGuide {
    QString text;
    QVector<QPointF> points;
};

struct ChartPanel {
    QString title, metric;       // translated; name in the table
    QString unit, xTitle, xUnit; // "ms", "GB/s"; empty: none
    QVector<ChartSeries> series;
    QVector<ChartGuide> guides;
    QVector<Origin> origins;   // of its numbers
    double maximum = 0;        // of y and high
    double smallest = 0;       // of what is above zero
    std::optional<double> top; // the axis ends here (100 %)
    bool linear = false;       // whatever the chart's scale is
};

struct Chart {
    ChartKind kind = ChartKind::Bars;
    bool stacked = false, logarithmic = false, steps = false;
    bool fromLibrary = false; // not of the table: the launches that the model is held to
    QString title, subtitle;
    QStringList categories;    // bars only: one row each, top to bottom
    QStringList refused;       // why this row has no bars; as many as categories
    QVector<int> categoryRows; // a row of the table of each category
    QVector<ChartPanel> panels;
    QVector<ChartSeries> legend; // without points; empty if one series says nothing new
    QStringList notes;
};

// What the view draws: results if there are any, else the open traces. Speed-ups are there.
ResultsPtr tableToShow(const PaintContext& context);
ChartKind kindToShow(const PaintContext& context, const ResultTable& table);
Chart chartOf(const PaintContext& context, const ResultTable& table);
// Why there is no such chart of this table, if so.
std::optional<View::Emptiness> chartEmptiness(const PaintContext& context, const ResultTable& table);

// Metrics of the table that have a value somewhere, in order of first appearance; states left out.
QStringList metricsIn(const ResultTable& table);
QStringList usualMetrics(const ResultTable& table); // what the documents' tables show for such rows
QString metricTitle(const QString& name);           // translated: "time", "achieved occupancy"
QString stateTitle(const QString& name);            // "share_stall_barrier" -> "waits at a barrier"
QString kindTitle(ChartKind kind);                  // translated
QString kindKey(ChartKind kind);                    // "bars", "lines", ...
bool lowerIsBetter(const QString& metric);

// How a number of this unit is written so that the largest is readable: 1,718,080 ns are 1.718 ms.
struct Scaled {
    double factor = 1; // number shown = number * factor
    QString unit;
};
Scaled scaledUnit(const QString& unit, double largest);
QString valueText(double shown); // four significant digits, no exponent

// What tells the rows of a table apart: which of kernel, block, ... differ, and the words for each row.
struct RowWords {
    QStringList category, series; // one a row; series empty if all rows are of one
    bool kernels = false, blocks = false, sizes = false, grids = false; // what differs
};
RowWords rowWords(const ResultTable& table);

QString chartCsv(const Chart& chart);

} // namespace warpglass
