// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ChartsView", text);
}

template <typename Text>
bool differs(const ResultTable& table, Text text) {
    std::set<std::string> values;
    for (const ResultRow& row : table.rows)
        if (std::string value = text(row); !value.empty()) // what is not known is no other
            values.insert(std::move(value));
    return values.size() > 1;
}

std::string shape(Dim3 d) {
    return d == Dim3{0, 0, 0} ? std::string() : d.text();
}

} // namespace

QString kindKey(ChartKind kind) {
    static const std::array keys{"bars", "lines", "scatter", "states", "lanes", "residency", "model", "roofline"};
    return QString::fromLatin1(keys[std::size_t(kind)]);
}

QString kindTitle(ChartKind kind) {
    switch (kind) {
    case ChartKind::Bars:
        return tr("Bars");
    case ChartKind::Lines:
        return tr("Lines");
    case ChartKind::Scatter:
        return tr("One number over another");
    case ChartKind::States:
        return tr("What warps do");
    case ChartKind::Lanes:
        return tr("Lanes on");
    case ChartKind::Residency:
        return tr("Occupancy over time");
    case ChartKind::Model:
        return tr("Model against hardware");
    case ChartKind::Roofline:
        return tr("Roofline");
    }
    return {};
}

QString metricTitle(const QString& name) {
    const auto is = [&](const char* what) { return name == QLatin1String(what); };
    if (is("duration_ns"))
        return tr("Time");
    if (is("step_speedup"))
        return tr("Speed-up of the step");
    if (is("total_speedup"))
        return tr("Speed-up in all");
    if (is("effective_bandwidth"))
        return tr("Bandwidth (input / time)");
    if (is("achieved_occupancy"))
        return tr("Achieved occupancy");
    if (is("theoretical_occupancy"))
        return tr("Theoretical occupancy");
    if (is("gld_throughput"))
        return tr("Load throughput");
    if (is("gst_throughput"))
        return tr("Store throughput");
    if (is("dram_read_throughput"))
        return tr("DRAM read throughput");
    if (is("gld_efficiency"))
        return tr("Load efficiency");
    if (is("gst_efficiency"))
        return tr("Store efficiency");
    if (is("branch_efficiency"))
        return tr("Branch efficiency");
    if (is("warp_execution_efficiency"))
        return tr("Warp execution efficiency");
    if (is("inst_per_warp"))
        return tr("Instructions a warp");
    if (is("inst_executed"))
        return tr("Instructions");
    if (is("stall_sync"))
        return tr("Waiting at barriers");
    if (is("shared_bank_conflicts"))
        return tr("Bank conflicts");
    if (is("gld_transactions"))
        return tr("Load sectors");
    if (is("gst_transactions"))
        return tr("Store sectors");
    if (is("issue_slot_utilization"))
        return tr("Issue slots used");
    if (is("l1_hit_rate"))
        return tr("L1 hit rate");
    if (is("operations"))
        return tr("Arithmetic operations");
    if (is("global_bytes"))
        return tr("Bytes of global memory");
    return name;
}

QString stateTitle(const QString& name) {
    const QString state = name.startsWith(QLatin1String("share_")) ? name.mid(6) : name;
    const auto is = [&](const char* what) { return state == QLatin1String(what); };
    if (is("selected"))
        return tr("issues");
    if (is("eligible"))
        return tr("could issue, another did");
    if (is("stall_barrier"))
        return tr("waits at a barrier");
    if (is("stall_long_scoreboard"))
        return tr("waits for global or local memory");
    if (is("stall_short_scoreboard"))
        return tr("waits for shared memory");
    if (is("stall_wait"))
        return tr("fixed latency");
    if (is("stall_math_pipe_throttle"))
        return tr("arithmetic unit is busy");
    if (is("stall_lg_throttle"))
        return tr("global memory queue is full");
    if (is("stall_mio_throttle"))
        return tr("shared memory queue is full");
    if (is("stall_branch_resolving"))
        return tr("branch is being resolved");
    if (is("stall_no_instruction"))
        return tr("no instruction fetched");
    if (is("stall_membar"))
        return tr("memory fence");
    if (is("stall_sleeping"))
        return tr("sleeps");
    if (is("stall_drain"))
        return tr("stores drain at the end");
    if (is("stall_dispatch"))
        return tr("dispatch stall");
    if (is("stall_imc_miss"))
        return tr("constant cache misses");
    if (is("stall_misc"))
        return tr("other reasons");
    if (is("others"))
        return tr("less than 1 % each");
    return state.startsWith(QLatin1String("stall_")) ? state.mid(6).replace(QLatin1Char('_'), QLatin1Char(' ')) : state;
}

bool lowerIsBetter(const QString& metric) {
    return metric == QLatin1String("duration_ns") || metric.startsWith(QLatin1String("stall_")) ||
           metric == QLatin1String("shared_bank_conflicts") || metric.startsWith(QLatin1String("inst_")) ||
           metric == QLatin1String("divergent_branch");
}

Scaled scaledUnit(const QString& unit, double largest) {
    const auto choose = [largest](std::initializer_list<std::pair<double, const char*>> steps) {
        Scaled best;
        for (const auto& [size, text] : steps)
            if (largest >= size || best.unit.isEmpty())
                best = {1 / size, QString::fromUtf8(text)};
        return best;
    };
    if (unit == QLatin1String("ns"))
        return choose({{1.0, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}});
    if (unit == QLatin1String("B/s"))
        return choose({{1.0, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}});
    if (unit == QLatin1String("B"))
        return choose({{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}});
    if (unit == QLatin1String("x"))
        return {1, QString::fromUtf8("×")};
    if (unit == QLatin1String("1") || unit.isEmpty()) {
        if (largest >= 1e9)
            return {1e-9, tr("billions")};
        if (largest >= 1e6)
            return {1e-6, tr("millions")};
        if (largest >= 1e5)
            return {1e-3, tr("thousands")};
        return {1, {}};
    }
    return {1, unit};
}

QString valueText(double shown) {
    if (shown == 0 || !std::isfinite(shown))
        return QStringLiteral("0");
    const int magnitude = int(std::floor(std::log10(std::abs(shown))));
    QString text = QString::number(shown, 'f', std::clamp(3 - magnitude, 0, 8));
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

RowWords rowWords(const ResultTable& table) {
    RowWords words;
    words.kernels = differs(table, [](const ResultRow& r) { return r.kernel; });
    words.blocks = differs(table, [](const ResultRow& r) { return shape(r.block); });
    words.sizes =
        differs(table, [](const ResultRow& r) { return r.size > 0 ? std::to_string(r.size) : std::string(); });
    // The grid often follows from block and size, and then says nothing of its own.
    std::set<std::string> withGrid, withoutGrid;
    for (const ResultRow& row : table.rows) {
        const std::string rest = row.kernel + "/" + shape(row.block) + "/" + std::to_string(row.size) + "/" +
                                 row.backend + "/" + row.device + "/" + row.mode + "/" + row.policy + "/" + row.label;
        if (shape(row.grid).empty())
            continue;
        withoutGrid.insert(rest);
        withGrid.insert(rest + "/" + shape(row.grid));
    }
    words.grids = withGrid.size() > withoutGrid.size();
    const bool devices = differs(table, [](const ResultRow& r) { return r.device; });
    const bool backends = differs(table, [](const ResultRow& r) { return r.backend; });
    const bool modes = differs(table, [](const ResultRow& r) { return r.mode; });
    const bool policies = differs(table, [](const ResultRow& r) { return r.policy; });
    const bool labels = differs(table, [](const ResultRow& r) { return r.label; });
    // Blocks that differ only because each kernel has its own say nothing either.
    std::set<std::string> kernelBlocks, kernels;
    for (const ResultRow& row : table.rows) {
        kernels.insert(row.kernel);
        kernelBlocks.insert(row.kernel + "/" + shape(row.block));
    }
    const bool blockWords = words.blocks && (!words.kernels || kernelBlocks.size() > kernels.size());
    for (const ResultRow& row : table.rows) {
        QStringList category, series;
        const auto text = [](const std::string& s) { return QString::fromStdString(s); };
        if (labels && !row.label.empty()) {
            category << text(row.label);
        } else {
            if (words.kernels)
                category << text(row.kernel);
            if (blockWords)
                category << text(shape(row.block));
            if (words.grids)
                category << tr("grid %1").arg(text(shape(row.grid)));
            if (words.sizes && row.size > 0)
                category << tr("size %1").arg(row.size);
        }
        if (devices)
            series << text(row.device);
        if (backends)
            series << (row.backend == "cuda" ? tr("GPU") : tr("emulator"));
        if (modes)
            series << text(row.mode);
        if (policies && !row.policy.empty())
            series << text(row.policy);
        if (category.isEmpty() && series.isEmpty())
            category << text(row.kernel);
        words.category << category.join(QStringLiteral(" · "));
        words.series << series.join(QStringLiteral(" · "));
    }
    // Nothing but the series differs: they are the categories.
    if (std::all_of(words.category.begin(), words.category.end(), [](const QString& c) { return c.isEmpty(); })) {
        words.category = words.series;
        words.series.fill(QString());
    }
    // The same launch twice is two rows.
    std::set<std::pair<QString, QString>> seen;
    for (int i = 0; i < words.category.size(); ++i) {
        QString name = words.category[i];
        for (int n = 2; !seen.insert({name, words.series[i]}).second; ++n)
            name = QStringLiteral("%1 (%2)").arg(words.category[i]).arg(n);
        words.category[i] = name;
    }
    return words;
}

QStringList metricsIn(const ResultTable& table) {
    QStringList names;
    for (const ResultRow& row : table.rows)
        for (const ResultValue& value : row.values) {
            const QString name = QString::fromStdString(value.name);
            if (value.median && !name.startsWith(QLatin1String("share_")) &&
                !name.startsWith(QLatin1String("pc_sampl")) && name != QLatin1String("profiler_passes") &&
                !names.contains(name))
                names << name;
        }
    return names;
}

QStringList usualMetrics(const ResultTable& table) {
    const QStringList there = metricsIn(table);
    const auto constant = [&](const char* name) {
        double least = 0, most = 0;
        bool any = false;
        for (const ResultRow& row : table.rows)
            if (const ResultValue* value = row.find(name)) {
                least = any ? std::min(least, *value->median) : *value->median;
                most = any ? std::max(most, *value->median) : *value->median;
                any = true;
            }
        return !any || most - least <= 0.01 * std::abs(most);
    };
    QStringList chosen;
    const auto take = [&](std::initializer_list<const char*> names, int most) {
        for (const char* name : names)
            if (chosen.size() < most && there.contains(QLatin1String(name)) && !chosen.contains(QLatin1String(name)))
                chosen << QString::fromLatin1(name);
    };
    const RowWords words = rowWords(table);
    if (differs(table, [](const ResultRow& r) { return r.policy; })) // what a policy changes
        take({"duration_ns", "achieved_occupancy", "issue_slot_utilization", "stall_sync"}, 4);
    else if (words.kernels && there.contains(QLatin1String("total_speedup"))) {
        take({"duration_ns", "step_speedup", "total_speedup"}, 5);
        if (!constant("gld_efficiency") || !constant("gst_efficiency"))
            take({"gld_efficiency", "gst_efficiency"}, 5);
        else
            take({"effective_bandwidth"}, 5);
    }
    take({"duration_ns", "achieved_occupancy"}, 4);
    if (!there.contains(QLatin1String("achieved_occupancy")))
        take({"theoretical_occupancy"}, 4);
    take({"gld_throughput", "gld_efficiency", "gst_efficiency", "warp_execution_efficiency", "inst_per_warp"}, 4);
    if (chosen.isEmpty())
        chosen = there.mid(0, 4);
    return chosen;
}

} // namespace warpglass
