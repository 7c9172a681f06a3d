// SPDX-License-Identifier: GPL-3.0-or-later
// Roofline: operations a second over operations a byte, under what DRAM and arithmetic of the device allow.
#include "gpu/device/device.h"
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"

#include <algorithm>

namespace warpglass::charts {

namespace {

// Peaks of a device, from the device table and the arithmetic units an SM of its compute capability has.
struct Peaks {
    double operationsPerSecond = 0; // 32-bit, fma as two
    double bytesPerSecond = 0;      // DRAM
};

// 32-bit operations: units an SM x clock x 2. Units: CUDA C++ Programming Guide, throughput of arithmetic instructions
// (32-bit floating-point add, multiply, multiply-add) by compute capability.
std::optional<Peaks> peaksOf(const std::string& deviceName) {
    for (const DeviceSpec& device : devices()) {
        if (device.name != deviceName)
            continue;
        const int cc = device.ccMajor * 10 + device.ccMinor;
        const int units = cc == 20                                                   ? 32
                          : cc >= 30 && cc < 40                                      ? 192
                          : cc == 60 || cc == 70 || cc == 72 || cc == 75 || cc == 80 ? 64
                          : cc >= 50                                                 ? 128
                                                                                     : 0;
        if (units == 0)
            return std::nullopt;
        return Peaks{2.0 * units * device.smCount * device.smClockMHz * 1e6, device.dramGBs * 1e9};
    }
    return std::nullopt;
}

// Counted operations and bytes of a row: its own, or of another row that ran the same launch on the emulator.
struct Work {
    double operations = 0, bytes = 0;
};
std::optional<Work> workOf(const ResultTable& table, const ResultRow& row) {
    const ResultValue* bytes = row.find("global_bytes");
    const ResultValue* operations = row.find("operations");
    for (const ResultRow& other : table.rows) {
        const bool same = other.kernel == row.kernel && other.grid == row.grid && other.block == row.block &&
                          other.mode == row.mode && (other.size == row.size || other.size == 0 || row.size == 0);
        if (!operations && same)
            operations = other.find("operations");
        if (!bytes && same)
            bytes = other.find("global_bytes");
    }
    if (!bytes || !operations || *bytes->median <= 0 || *operations->median <= 0)
        return std::nullopt;
    return Work{*operations->median, *bytes->median};
}

bool hasTime(const ResultRow& row) {
    return row.find("duration_ns") != nullptr;
}

// Two lines a device, which meet at its ridge.
void addRoof(ChartPanel& panel, const Peaks& peaks, const QString& prefix, double leastX, double mostX) {
    const double ridge = peaks.operationsPerSecond / peaks.bytesPerSecond, roof = peaks.operationsPerSecond * 1e-9;
    const double from = std::min(leastX, 0.05) / 2, to = std::max(mostX * 4, ridge * 8);
    panel.guides.append({.text = prefix + ChartsText::tr("DRAM %1 TB/s").arg(peaks.bytesPerSecond * 1e-12, 0, 'f', 2),
                         .points = {{from, from * peaks.bytesPerSecond * 1e-9}, {ridge, roof}}});
    panel.guides.append(
        {.text = prefix +
                 ChartsText::tr("arithmetic %1 Tera-operations/s").arg(peaks.operationsPerSecond * 1e-12, 0, 'f', 1),
         .points = {{ridge, roof}, {to, roof}}});
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    const RowWords words = rowWords(table);
    ChartPanel panel{.title = ChartsText::tr("Arithmetic"),
                     .metric = QStringLiteral("operations_per_s"),
                     .unit = ChartsText::tr("10⁹ operations/s"),
                     .xTitle = ChartsText::tr("Arithmetic intensity"),
                     .xUnit = ChartsText::tr("operations/byte")};
    std::vector<std::string> seen;
    double leastX = 1e30, mostX = 0;
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[r];
        const auto work = workOf(table, row);
        const ResultValue* duration = row.find("duration_ns");
        if (!work || !duration || *duration->median <= 0)
            continue;
        ChartPoint point{.x = work->operations / work->bytes, .y = work->operations / *duration->median};
        point.low = duration->high > 0 ? work->operations / duration->high : point.y;
        point.high = duration->low > 0 ? work->operations / duration->low : point.y;
        point.repeats = duration->repeats;
        point.origin = duration->origin;
        point.text = valueText(point.y);
        point.label = words.shortName(r);
        point.row = r;
        leastX = std::min(leastX, point.x);
        mostX = std::max(mostX, point.x);
        panel.seriesNamed(words.series[r], context.theme).points.append(point);
        if (std::find(seen.begin(), seen.end(), row.device) == seen.end())
            seen.push_back(row.device);
    }
    for (const std::string& device : seen)
        if (const auto peaks = peaksOf(device))
            addRoof(panel, *peaks, seen.size() > 1 ? QString::fromStdString(device) + QStringLiteral(": ") : QString(),
                    leastX, mostX);
    panel.finish();
    Chart chart;
    chart.panels = {panel};
    chart.notes << ChartsText::tr(
        "Operations: arithmetic of active threads, counted, fma as two, address arithmetic left out. Bytes: "
        "32 × sectors of global memory. What the caches serve can lie above the DRAM line.");
    chart.explainSeries();
    return chart;
}

std::optional<Emptiness> missing(const PaintContext&, const ResultTable& table) {
    if (anyRow(table, [&](const ResultRow& row) { return hasTime(row) && workOf(table, row); }))
        return std::nullopt;
    if (anyRow(table, hasTime))
        return sweepInstead(ChartsText::tr("A GPU does not count what each instruction did. Compare with the same "
                                           "launch on the emulator, which does."));
    return timeInstead(ChartsText::tr("A roofline needs a time: run with the timing model, or on a GPU."));
}

// As far as the roof goes, with room below the slowest and above the roof.
void axes(PlaneAxes& axes, const ChartPanel& panel, QSize, const Theme&) {
    axes.logarithmicX = true;
    axes.low = panel.smallest / 4;
    axes.high = panel.maximum > 0 ? panel.maximum * 1.08 : 1;
    for (const ChartGuide& guide : panel.guides)
        for (const QPointF& point : guide.points) {
            axes.left = std::min(axes.left, point.x());
            axes.right = std::max(axes.right, point.x());
            axes.high = std::max(axes.high, point.y() * 1.8);
        }
}

} // namespace

const ChartKind roofline{
    .key = "roofline",
    .title = [] { return ChartsText::tr("Roofline"); },
    .missing = missing,
    .chart = chart,
    .scale = ChartScale::Logarithmic,
    .axes = axes,
};

} // namespace warpglass::charts
