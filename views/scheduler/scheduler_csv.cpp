// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_csv.h"

#include "views/common/marks.h"

#include <cmath>

namespace warpglass {

QString cyclesCsv(const SchedulerModel& model, CycleRange window) {
    QString csv =
        QStringLiteral("slot,block,warp,begin_cycle,end_cycle,state,ptx_line,instruction,source_line,origin\n");
    const auto first = std::int64_t(std::floor(window.begin)), last = std::int64_t(std::ceil(window.end));
    const Trace& trace = *model.trace;
    for (const SchedulerRow& row : model.rows)
        for (std::uint64_t n = row.states.firstEndingAfter(trace, first); n < row.states.size(); ++n) {
            const StateRow& state = row.states.row(trace, n);
            if (state.begin.value >= last)
                break;
            const Warp& warp = trace.warps[row.states.warpOf(n)];
            const std::string_view text = model.ptx(state.ptxLine);
            csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9,modelled\n")
                       .arg(QString::number(row.slot), QString::number(trace.blockOf(warp).index),
                            QString::number(warp.warpInBlock), QString::number(std::max(first, state.begin.value)),
                            QString::number(std::min(last, state.end.value)), QLatin1String(name(state.state)),
                            QString::number(state.ptxLine),
                            csvField(QString::fromUtf8(text.data(), qsizetype(text.size()))),
                            QString::number(model.sourceLine(state.ptxLine)));
        }
    return csv;
}

QString policiesCsv(const std::vector<std::shared_ptr<const SchedulerModel>>& models) {
    QString csv =
        QStringLiteral("kernel,policy,sm,scheduler,cycles,issued_cycles,issue_slots_used_pct,latency_hidden_pct,blocks,"
                       "block_life_p5,block_life_p95,block_life_unit,origin\n");
    for (const auto& model : models) {
        const SlotUse use = model->use(model->range.begin.value, model->range.end.value);
        const BlockLives& lives = model->lives;
        csv += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9,")
                   .arg(csvField(
                            QString::fromStdString(model->trace->kernelOf(model->trace->launches[model->launch]).name)),
                        csvField(QString::fromStdString(model->policy)), QString::number(model->place.sm),
                        QString::number(model->place.scheduler), QString::number(use.cycles),
                        QString::number(use.issued), QString::number(100 * use.issueShare(), 'f', 2),
                        use.hiddenShare() < 0 ? QString() : QString::number(100 * use.hiddenShare(), 'f', 2),
                        QString::number(lives.blocks));
        csv += QStringLiteral("%1,%2,%3,modelled\n")
                   .arg(lives.low)
                   .arg(lives.high)
                   .arg(QLatin1String(name(model->trace->info.timeUnit)));
    }
    return csv;
}

QString littleCsv(const LittleFigures& f, const ResidentWarps& resident) {
    QString csv = QStringLiteral("kind,quantity,value,unit,origin\n");
    const auto row = [&csv](const char* kind, const char* quantity, double value, const char* unit,
                            const char* origin) {
        csv += QStringLiteral("%1,%2,%3,%4,%5\n")
                   .arg(QLatin1String(kind), QLatin1String(quantity), QString::number(value, 'g', 10),
                        QLatin1String(unit), QLatin1String(origin));
    };
    row("arithmetic", "latency", f.arithmetic.latency, "cycles", "given");
    row("arithmetic", "operations_per_cycle", f.arithmetic.operations, "1/cycle", "given");
    row("arithmetic", "independent_per_thread", f.arithmetic.independent, "", "given");
    row("arithmetic", "operations_in_flight", double(f.arithmetic.inFlight()), "", "counted");
    row("arithmetic", "warps", double(f.arithmetic.warps()), "", "counted");
    row("memory", "latency", f.memory.latency, "cycles", "given");
    row("memory", "bytes_per_cycle", f.memory.bytesPerCycle, "B/cycle", "given");
    row("memory", "bytes_per_load", f.memory.bytesPerLoad, "B", "given");
    row("memory", "loads_per_thread", f.memory.loads, "", "given");
    row("memory", "bytes_in_flight", f.memory.inFlight(), "B", "counted");
    row("memory", "threads", double(f.memory.threads()), "", "counted");
    row("memory", "warps", double(f.memory.warps()), "", "counted");
    if (resident.onSm > 0) {
        row("open_run", "resident_warps_on_an_sm", double(resident.onSm), "", "modelled");
        row("open_run", "resident_warps_on_the_device", double(resident.onDevice), "", "modelled");
    }
    return csv;
}

} // namespace warpglass
