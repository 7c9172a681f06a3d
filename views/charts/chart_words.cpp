// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_words.h"

#include "views/charts/charts_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

struct Title {
    const char *name, *english;
};

constexpr Title metrics[] = {
    {"duration_ns", QT_TR_NOOP("Time")},
    {"step_speedup", QT_TR_NOOP("Speed-up of the step")},
    {"total_speedup", QT_TR_NOOP("Speed-up in all")},
    {"effective_bandwidth", QT_TR_NOOP("Bandwidth (input / time)")},
    {"achieved_occupancy", QT_TR_NOOP("Achieved occupancy")},
    {"theoretical_occupancy", QT_TR_NOOP("Theoretical occupancy")},
    {"gld_throughput", QT_TR_NOOP("Load throughput")},
    {"gst_throughput", QT_TR_NOOP("Store throughput")},
    {"dram_read_throughput", QT_TR_NOOP("DRAM read throughput")},
    {"gld_efficiency", QT_TR_NOOP("Load efficiency")},
    {"gst_efficiency", QT_TR_NOOP("Store efficiency")},
    {"branch_efficiency", QT_TR_NOOP("Branch efficiency")},
    {"warp_execution_efficiency", QT_TR_NOOP("Warp execution efficiency")},
    {"inst_per_warp", QT_TR_NOOP("Instructions a warp")},
    {"inst_executed", QT_TR_NOOP("Instructions")},
    {"stall_sync", QT_TR_NOOP("Waiting at barriers")},
    {"shared_bank_conflicts", QT_TR_NOOP("Bank conflicts")},
    {"gld_transactions", QT_TR_NOOP("Load sectors")},
    {"gst_transactions", QT_TR_NOOP("Store sectors")},
    {"issue_slot_utilization", QT_TR_NOOP("Issue slots used")},
    {"l1_hit_rate", QT_TR_NOOP("L1 hit rate")},
    {"operations", QT_TR_NOOP("Arithmetic operations")},
    {"global_bytes", QT_TR_NOOP("Bytes of global memory")},
};

// What a warp does, and the reasons for waiting that a GPU's sampling tells besides.
constexpr Title states[] = {
    {"selected", QT_TR_NOOP("issues")},
    {"eligible", QT_TR_NOOP("could issue, another did")},
    {"stall_barrier", QT_TR_NOOP("waits at a barrier")},
    {"stall_long_scoreboard", QT_TR_NOOP("waits for global or local memory")},
    {"stall_short_scoreboard", QT_TR_NOOP("waits for shared memory")},
    {"stall_wait", QT_TR_NOOP("fixed latency")},
    {"stall_math_pipe_throttle", QT_TR_NOOP("arithmetic unit is busy")},
    {"stall_lg_throttle", QT_TR_NOOP("global memory queue is full")},
    {"stall_mio_throttle", QT_TR_NOOP("shared memory queue is full")},
    {"stall_branch_resolving", QT_TR_NOOP("branch is being resolved")},
    {"stall_no_instruction", QT_TR_NOOP("no instruction fetched")},
    {"stall_membar", QT_TR_NOOP("memory fence")},
    {"stall_sleeping", QT_TR_NOOP("sleeps")},
    {"stall_drain", QT_TR_NOOP("stores drain at the end")},
    {"stall_dispatch", QT_TR_NOOP("dispatch stall")},
    {"stall_imc_miss", QT_TR_NOOP("constant cache misses")},
    {"stall_misc", QT_TR_NOOP("other reasons")},
    {"others", QT_TR_NOOP("less than 1 % each")},
};

// Empty if it has no title.
template <std::size_t count>
QString titleOf(const Title (&titles)[count], const QString& name) {
    const auto found = std::find_if(std::begin(titles), std::end(titles),
                                    [&](const Title& title) { return name == QLatin1String(title.name); });
    return found == std::end(titles) ? QString() : ChartsText::tr(found->english);
}

} // namespace

QString metricTitle(const QString& name) {
    const QString title = titleOf(metrics, name);
    return title.isEmpty() ? name : title;
}

QString stateTitle(const QString& name) {
    const QString state = name.startsWith(QLatin1String("share_")) ? name.mid(6) : name;
    const QString title = titleOf(states, state);
    if (!title.isEmpty())
        return title;
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
            return {1e-9, ChartsText::tr("billions")};
        if (largest >= 1e6)
            return {1e-6, ChartsText::tr("millions")};
        if (largest >= 1e5)
            return {1e-3, ChartsText::tr("thousands")};
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

} // namespace warpglass
