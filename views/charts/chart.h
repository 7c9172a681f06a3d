// SPDX-License-Identifier: GPL-3.0-or-later
// A chart before it is drawn: panels of series of points, and every word. Made by a kind of chart (chart_kind.h), laid
// out by chart_layout, drawn by chart_drawing; pure data, tested without a picture.
#pragma once

#include "gpu/metrics/results.h"
#include "views/common/theme.h"

#include <QColor>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace warpglass {

struct ChartKind;

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

// A cell whose launch did not run.
struct ChartRefusal {
    int column = 0, line = 0, row = -1; // row: of the table
    QString why;
};

struct ChartPanel {
    QString title, metric;       // translated; name in the table
    QString unit, xTitle, xUnit; // "ms", "GB/s"; empty: none
    // Cells only: a series is a line of them, a point's x its column.
    QString yTitle;
    QStringList columns; // their names
    QVector<ChartRefusal> refusals;
    QVector<ChartSeries> series;
    QVector<ChartGuide> guides;
    QVector<Origin> origins;   // of its numbers
    double maximum = 0;        // of y and high
    double smallest = 0;       // of what is above zero
    std::optional<double> top; // the axis ends here or later: 100 of percent
    bool linear = false;       // whatever the chart's scale is

    void finish(); // works out origins, maximum, smallest and top
    // The series of that name; a new one takes the next colour and pattern.
    ChartSeries& seriesNamed(const QString& name, const Theme& theme);
};

struct Chart {
    const ChartKind* kind = nullptr;
    bool stacked = false, logarithmic = false;
    bool fromLibrary = false; // not of the table: the launches that the model is held to
    QString title, subtitle;
    QStringList categories;    // bars only: one row each, top to bottom
    QStringList refused;       // why this row has no bars; as many as categories
    QVector<int> categoryRows; // a row of the table of each category
    QVector<ChartPanel> panels;
    QVector<ChartSeries> legend; // without points; empty if one series says nothing new
    QStringList notes;

    void addCategory(const QString& name, int row);
    void explainSeries(); // fills the legend from the first panel, if it has more than one series
};

QString chartCsv(const Chart& chart); // a row a number, then a row a refused category

} // namespace warpglass
