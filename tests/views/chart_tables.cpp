// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/chart_tables.h"

namespace warpglass::samples {

ResultValue value(std::string name, std::string unit, Origin origin, double median, double low, double high) {
    return {.name = std::move(name),
            .unit = std::move(unit),
            .origin = origin,
            .median = median,
            .low = low < 0 ? median : low,
            .high = high < 0 ? median : high,
            .repeats = low < 0 ? 1 : 5};
}

ResultRow launch(std::string kernel, Dim3 block, double ns, double occupancy, double efficiency, Origin origin) {
    ResultRow row{.kernel = std::move(kernel), .grid = {512, 512, 1}, .block = block, .size = 16384};
    row.backend = origin == Origin::Measured ? "cuda" : "emulator";
    row.device = "NVIDIA H200";
    row.mode = "optimised";
    row.values = {value("duration_ns", "ns", origin, ns), value("achieved_occupancy", "%", origin, occupancy),
                  value("gld_efficiency", "%", Origin::Counted, efficiency)};
    return row;
}

ResultsPtr blockSweep() {
    auto table = std::make_shared<ResultTable>();
    table->rows = {launch("sumMatrix2D", {32, 32, 1}, 4244416, 76.49, 12.5),
                   launch("sumMatrix2D", {16, 16, 1}, 1718080, 87.63, 25),
                   launch("sumMatrix2D", {8, 16, 1}, 1508128, 90.52, 50),
                   launch("sumMatrix2D", {64, 4, 1}, 4911072, 87.74, 12.5)};
    table->rows[1].values[0].low = 1600000;
    table->rows[1].values[0].high = 2000000;
    table->rows[1].values[0].repeats = 5;
    ResultRow refused{
        .kernel = "sumMatrix2D", .block = {256, 8, 1}, .backend = "cuda", .device = "NVIDIA H200", .mode = "optimised"};
    refused.error = "a block of (256, 8) has 2048 threads";
    table->rows.push_back(refused);
    return table;
}

ResultsPtr bothBackends() {
    auto table = std::make_shared<ResultTable>();
    table->rows = {launch("a", {128, 1, 1}, 1000, 50, 100), launch("a", {128, 1, 1}, 1200, 50, 100, Origin::Modelled),
                   launch("b", {128, 1, 1}, 4000, 50, 100), launch("b", {128, 1, 1}, 3600, 50, 100, Origin::Modelled)};
    return table;
}

PaintContext showing(ResultsPtr results, const QMap<QString, QVariant>& options) {
    PaintContext context;
    context.theme = Theme::make(ThemeKind::Light);
    context.results = std::move(results);
    context.options = options;
    return context;
}

} // namespace warpglass::samples
