// SPDX-License-Identifier: GPL-3.0-or-later
// Inside views/charts: each kind of chart is made by a function of its own; what they share.
#pragma once

#include "views/charts/chart_model.h"

namespace warpglass::charts {

Chart barsOf(const PaintContext& context, const ResultTable& table);
Chart linesOf(const PaintContext& context, const ResultTable& table);
Chart scatterOf(const PaintContext& context, const ResultTable& table);
Chart statesOf(const PaintContext& context, const ResultTable& table);
Chart lanesOf(const PaintContext& context, const ResultTable& table);
Chart residencyOf(const PaintContext& context, const ResultTable& table);
Chart modelOf(const PaintContext& context, const ResultTable& table);
Chart rooflineOf(const PaintContext& context, const ResultTable& table);

void addModelNote(Chart& chart, const ResultTable& table); // the model's error, if a number is modelled
void finish(ChartPanel& panel);                            // largest, smallest, origins
QStringList chosenMetrics(const PaintContext& context, const ResultTable& table);
double largestOf(const ResultTable& table, const QString& metric);
QString unitOf(const ResultTable& table, const QString& metric);
ChartPoint pointOf(const ResultTable& table, int row, const ResultValue& value, const Scaled& scaled);
QVector<ChartSeries> seriesOf(const RowWords& words, const Theme& theme);

// Roofline: peaks of a device, from the device table and the arithmetic units an SM of its compute capability has.
struct Peaks {
    double operationsPerSecond = 0; // 32-bit, fma as two
    double bytesPerSecond = 0;      // DRAM
};
std::optional<Peaks> peaksOf(const std::string& deviceName);
// Counted operations and bytes of a row: its own, or of another row that ran the same launch on the emulator.
struct Work {
    double operations = 0, bytes = 0;
};
std::optional<Work> workOf(const ResultTable& table, const ResultRow& row);

} // namespace warpglass::charts
