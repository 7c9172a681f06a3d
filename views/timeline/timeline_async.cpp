// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_async.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_model.h"
#include "views/timeline/timeline_text.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

QString nameOf(AsyncCopyKind kind) {
    switch (kind) {
    case AsyncCopyKind::Lanes:
        return TimelineText::tr("asynchronous copy, a piece a thread");
    case AsyncCopyKind::Bulk:
        return TimelineText::tr("bulk copy");
    case AsyncCopyKind::Tensor:
        return TimelineText::tr("copy of a box of a tensor");
    case AsyncCopyKind::Reduce:
        return TimelineText::tr("reduction into memory");
    case AsyncCopyKind::Store:
        return TimelineText::tr("asynchronous store");
    case AsyncCopyKind::Product:
        return TimelineText::tr("matrices on their way into tensor memory");
    }
    return {};
}

QString nameOf(MemorySpace space) {
    return space == MemorySpace::Shared ? TimelineText::tr("shared memory") : TimelineText::tr("global memory");
}

} // namespace

std::vector<TimelineCopyBar> placeCopies(const Trace& trace, std::vector<std::uint32_t> copies, std::uint32_t& depth) {
    std::stable_sort(copies.begin(), copies.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return trace.copies[a].issued < trace.copies[b].issued; });
    std::vector<TimelineCopyBar> bars;
    std::vector<Time> free; // [depth] from when on
    for (const std::uint32_t c : copies) {
        const AsyncCopy& copy = trace.copies[c];
        auto at = std::size_t(std::find_if(free.begin(), free.end(), [&](Time t) { return t <= copy.issued; }) -
                              free.begin());
        if (at == free.size() && at < mostCopyBars)
            free.emplace_back();
        at = std::min<std::size_t>(at, mostCopyBars - 1);
        free[at] = std::max(free[at], copy.complete);
        bars.push_back({c, std::uint32_t(at)});
    }
    depth = std::uint32_t(free.size());
    return bars;
}

void fillAsync(TimelineModel& model) {
    const Trace& trace = *model.trace;
    if (!trace.copies.empty())
        for (TimelineRow& row : model.rows) {
            std::vector<std::uint32_t> copies;
            for (const std::uint32_t w : row.warps) {
                auto c = std::lower_bound(trace.copies.begin(), trace.copies.end(), w,
                                          [](const AsyncCopy& copy, std::uint32_t warp) { return copy.warp < warp; });
                for (; c != trace.copies.end() && c->warp == w; ++c)
                    copies.push_back(std::uint32_t(c - trace.copies.begin()));
            }
            row.copies.bars = placeCopies(trace, std::move(copies), row.copies.depth);
        }
    if (trace.phaseEvents.empty() || model.grouping != TimelineGrouping::Program)
        return;
    for (TimelineGroup& group : model.groups) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> events;
        auto e = std::lower_bound(trace.phaseEvents.begin(), trace.phaseEvents.end(), group.block,
                                  [](const PhaseEvent& event, std::uint32_t block) { return event.block < block; });
        for (; e != trace.phaseEvents.end() && e->block == group.block; ++e)
            if (e->barrier != noIndex) // else it is a wait for copies of no mbarrier
                events[e->barrier].push_back(std::uint32_t(e - trace.phaseEvents.begin()));
        for (auto& [barrier, rows] : events)
            group.barriers.push_back({barrier, std::move(rows)});
    }
}

std::vector<TimelinePhase> phasesOf(const Trace& trace, const TimelineBarrier& barrier) {
    std::vector<TimelinePhase> phases;
    for (const std::uint32_t n : barrier.events) {
        const PhaseEvent& e = trace.phaseEvents[n];
        if (e.kind == PhaseEventKind::Pass || e.kind == PhaseEventKind::Wait || e.kind == PhaseEventKind::Inval)
            continue;
        if (phases.empty() || phases.back().phase != e.phase || phases.back().over) {
            // A phase begins when the one before is over, long before anybody comes to it.
            const bool follows = !phases.empty() && phases.back().over && e.kind != PhaseEventKind::Init;
            phases.push_back({e.phase, follows ? phases.back().end : e.time, e.time, false});
        }
        phases.back().end = std::max(phases.back().end, e.time);
        phases.back().over |= e.kind == PhaseEventKind::Complete;
    }
    return phases;
}

std::vector<TimelineWait> waitsOf(const Trace& trace, const TimelineBarrier& barrier) {
    std::vector<TimelineWait> waits;
    std::map<std::uint32_t, std::size_t> open; // by warp
    Time last;
    for (const std::uint32_t n : barrier.events) {
        const PhaseEvent& e = trace.phaseEvents[n];
        last = e.time;
        if (e.kind == PhaseEventKind::Wait) {
            open[e.warp] = waits.size();
            waits.push_back({e.warp, e.phase, e.time, e.time});
        } else if (e.kind == PhaseEventKind::Pass) {
            if (const auto w = open.find(e.warp); w != open.end()) {
                waits[w->second].end = e.time;
                open.erase(w);
            }
        }
    }
    for (const auto& [warp, n] : open) // for ever
        waits[n].end = std::max(last, warp < trace.warps.size() ? trace.warps[warp].end : last);
    return waits;
}

QString copyText(const Trace& trace, const AsyncCopy& copy) {
    const TimeUnit unit = trace.info.timeUnit;
    const QString what =
        copy.kind == AsyncCopyKind::Product
            ? agreeing(TimelineText::tr("%1 {byte|bytes} read from shared memory"), numberText(copy.bytes))
            : agreeing(TimelineText::tr("%1 {byte|bytes} from %2 to %3"), numberText(copy.bytes), nameOf(copy.from),
                       nameOf(copy.to));
    QString text = nameOf(copy.kind) + "\n" + what + "\n" +
                   TimelineText::tr("asked for by warp %1 at %2, complete after %3")
                       .arg(trace.warps[copy.warp].warpInBlock)
                       .arg(sinceStart(trace, copy.issued), timeText(copy.complete - copy.issued, unit));
    if (copy.barrier != noIndex)
        text += "\n" + TimelineText::tr("tells the mbarrier at byte %1").arg(copy.barrier);
    return text + "\n" + QString::fromStdString(trace.sites[copy.site].text);
}

QString phaseText(const Trace& trace, const TimelineBarrier& barrier, Time at) {
    const std::vector<TimelinePhase> phases = phasesOf(trace, barrier);
    const auto phase = std::find_if(phases.rbegin(), phases.rend(), [&](const auto& p) { return p.begin <= at; });
    QString text = TimelineText::tr("mbarrier at byte %1 of shared memory").arg(barrier.barrier);
    if (phase == phases.rend())
        return text;
    text += "\n" + (phase->over
                        ? TimelineText::tr("phase %1, over at %2").arg(phase->phase).arg(sinceStart(trace, phase->end))
                        : TimelineText::tr("phase %1, never over").arg(phase->phase));
    std::uint32_t missing = 0;
    QStringList arrived;
    for (const std::uint32_t n : barrier.events) {
        const PhaseEvent& e = trace.phaseEvents[n];
        if (e.phase != phase->phase)
            continue;
        if (e.time <= at)
            missing = e.kind == PhaseEventKind::Complete ? 0 : e.missing;
        const QString who = e.warp < trace.warps.size() ? QString::number(trace.warps[e.warp].warpInBlock) : QString();
        if (e.kind == PhaseEventKind::Arrive && arrived.size() < 8)
            arrived << TimelineText::tr("warp %1 arrives at %2").arg(who, sinceStart(trace, e.time));
        else if (e.kind == PhaseEventKind::Copied && arrived.size() < 8)
            arrived << TimelineText::tr("%1 bytes have come at %2")
                           .arg(numberText(std::uint64_t(e.count)), sinceStart(trace, e.time));
    }
    text += "\n" + TimelineText::tr("arrivals missing here: %1").arg(missing);
    for (const QString& one : arrived)
        text += "\n" + one;
    for (const TimelineWait& wait : waitsOf(trace, barrier))
        if (wait.phase == phase->phase && wait.warp < trace.warps.size())
            text += "\n" + TimelineText::tr("warp %1 waits for %2")
                               .arg(trace.warps[wait.warp].warpInBlock)
                               .arg(timeText(wait.end - wait.begin, trace.info.timeUnit));
    return text;
}

} // namespace warpglass
