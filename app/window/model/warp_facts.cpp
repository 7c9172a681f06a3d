// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/warp_facts.h"

#include "gpu/metrics/branch_sides.h"
#include "gpu/metrics/metrics.h"
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace warpglass {

namespace {

class WarpText {
    Q_DECLARE_TR_FUNCTIONS(WarpText)
};

// "5" in a row of blocks, "(20, 11)" in a plane.
QString blockText(const Trace& trace, const Block& block) {
    const Dim3 grid = trace.launchOf(block).grid;
    if (grid.y == 1 && grid.z == 1)
        return numberText(std::uint64_t(block.index));
    return QString::fromStdString(trace.blockIndex(block).indexText());
}

QString hex(LaneMask mask) {
    return QStringLiteral("0x%1").arg(mask.bits, 8, 16, QLatin1Char('0'));
}

QString sourceText(const Kernel& kernel, const Site& site) {
    const std::uint32_t line = sourceLineOf(kernel, site);
    if (line == 0)
        return shown(QString::fromStdString(site.text));
    const QStringList lines = QString::fromStdString(kernel.source).split(QLatin1Char('\n'));
    if (line > std::uint32_t(lines.size()))
        return shown(QString::fromStdString(site.text));
    return WarpText::tr("line %1: %2").arg(line).arg(shown(lines[int(line) - 1].trimmed()));
}

QString lanesText(const Event& event, LaneMask marked, bool loop) {
    const int active = event.active.count();
    switch (event.kind) {
    case EventKind::Branch:
        return (loop ? WarpText::tr("%1 of %2 lanes go round again") : WarpText::tr("%1 of %2 lanes enter"))
            .arg(marked.count())
            .arg(active);
    case EventKind::BarrierArrive:
        return agreeing(WarpText::tr("%1 {lane arrives|lanes arrive} at the barrier"), active);
    case EventKind::BarrierLeave:
        return agreeing(WarpText::tr("%1 {lane leaves|lanes leave} the barrier"), active);
    case EventKind::Access:
        return agreeing(WarpText::tr("%1 {lane accesses|lanes access} memory"), active);
    case EventKind::Shuffle:
        return agreeing(WarpText::tr("%1 {lane shuffles|lanes shuffle}"), active);
    case EventKind::Launch:
        return agreeing(WarpText::tr("%1 {lane launches|lanes launch} a grid"), active);
    case EventKind::Exit:
        return agreeing(WarpText::tr("%1 {lane ends|lanes end}"), active);
    case EventKind::Entry:
        return agreeing(WarpText::tr("%1 {lane starts|lanes start}"), active);
    case EventKind::Path:
        break;
    }
    return agreeing(WarpText::tr("%1 {lane goes|lanes go} on here"), active);
}

QString kindText(EventKind kind) {
    switch (kind) {
    case EventKind::Entry:
        return WarpText::tr("start");
    case EventKind::Branch:
        return WarpText::tr("branch");
    case EventKind::BarrierArrive:
        return WarpText::tr("barrier, arrives");
    case EventKind::BarrierLeave:
        return WarpText::tr("barrier, leaves");
    case EventKind::Access:
        return WarpText::tr("memory access");
    case EventKind::Shuffle:
        return WarpText::tr("shuffle");
    case EventKind::Launch:
        return WarpText::tr("device-side launch");
    case EventKind::Exit:
        return WarpText::tr("exit");
    case EventKind::Path:
        break;
    }
    return WarpText::tr("path");
}

// Distinct 32-byte sectors and bytes of one global access; the same rule as the exact counts of the trace.
QString sectorsText(const Trace& trace, const AccessRow& access) {
    std::set<std::uint64_t> sectors, bytes;
    const std::uint64_t width = std::uint64_t(access.bytesPerElement) * access.elements;
    for (std::uint64_t address : trace.addresses(access)) {
        for (std::uint64_t b = 0; b < width; ++b) {
            bytes.insert(address + b);
            sectors.insert((address + b) / 32);
        }
    }
    return agreeing(WarpText::tr("%1 {sector|sectors} for %2 {byte|bytes}, %3"), sectors.size(), bytes.size(),
                    percentText(sectors.empty() ? 0 : 100.0 * double(bytes.size()) / (32.0 * double(sectors.size()))));
}

void laneStates(WarpFacts& facts, const Trace& trace, const Warp& warp, Time t) {
    const Trace::LanesNow now = trace.lanesAt(warp, t);
    for (int i = 0; i < lanesPerWarp; ++i) {
        LaneNow& lane = facts.lane[std::size_t(i)];
        if (!warp.liveLanes.has(i))
            lane = LaneNow::NoThread;
        else if (!now.started)
            lane = LaneNow::NotStarted;
        else if (now.ended || now.exited.has(i))
            lane = LaneNow::Exited;
        else
            lane = now.on.has(i) ? LaneNow::On : LaneNow::Off;
    }
}

} // namespace

WarpFacts warpFacts(const Trace& trace, const Selection& selection) {
    WarpFacts facts;
    const std::uint32_t row = warpToShow(selection, trace);
    if (row == noIndex)
        return facts;
    const Warp& warp = trace.warps[row];
    const Block& block = trace.blockOf(warp);
    const Kernel& kernel = trace.kernelOf(trace.launchOf(block));
    const Origin timeOrigin = trace.info.timeOrigin;
    facts.valid = true;
    facts.title = WarpText::tr("Warp %1 of block %2").arg(warp.warpInBlock).arg(blockText(trace, block));
    facts.place = WarpText::tr("SM %1 · slot %2 · scheduler %3").arg(block.sm).arg(warp.slot).arg(warp.scheduler);
    laneStates(facts, trace, warp, selection.time);

    const std::int64_t at = trace.eventAt(warp, selection.time);
    if (at < 0) {
        facts.happens = WarpText::tr("has not started yet");
        return facts;
    }
    const Event event = trace.event(warp, std::uint32_t(at));
    const bool branch = event.kind == EventKind::Branch;
    facts.marked = event.active;
    facts.divergent = branch && !event.taken.empty() && event.taken != event.active;
    if (event.site < trace.sites.size()) {
        const Site& site = trace.sites[event.site];
        facts.happens = sourceText(kernel, site);
        facts.loop = branch && jumpsBack(kernel, site);
    }
    if (branch)
        facts.marked = entering(event.active, event.taken, facts.loop);
    facts.lanes = lanesText(event, facts.marked, facts.loop);

    const auto add = [&facts](const QString& label, const QString& value, Origin origin, const QString& note = {}) {
        facts.facts.append({label, value, origin, note});
    };
    add(WarpText::tr("event"),
        WarpText::tr("%1 of %2").arg(numberText(at + 1), numberText(std::int64_t(warp.eventCount))), Origin::Counted);
    add(WarpText::tr("active mask"), hex(event.active), Origin::Counted);
    if (branch) {
        add(WarpText::tr("entering mask"), hex(facts.marked), Origin::Counted);
        const int used = std::min(event.taken.count(), event.active.count() - event.taken.count());
        add(WarpText::tr("smaller side"),
            QStringLiteral("%1 / 32, %2").arg(used).arg(percentText(100.0 * used / lanesPerWarp)), Origin::Counted);
    } else {
        add(WarpText::tr("lanes used / paid"),
            QStringLiteral("%1 / 32, %2")
                .arg(event.active.count())
                .arg(percentText(100.0 * event.active.count() / lanesPerWarp)),
            Origin::Counted);
    }
    QString error;
    if (timeOrigin == Origin::Measured && trace.info.clockResidual > 0)
        error = QStringLiteral("± %1").arg(timeText(Time{trace.info.clockResidual}, trace.info.timeUnit));
    if (at > 0) {
        const Event before = trace.event(warp, std::uint32_t(at - 1));
        add(WarpText::tr("since last event"),
            QStringLiteral("+ %1").arg(timeText(event.time - before.time, trace.info.timeUnit)), timeOrigin, error);
    }
    if (at + 1 < std::int64_t(warp.eventCount)) {
        const Event next = trace.event(warp, std::uint32_t(at + 1));
        add(WarpText::tr("next event"),
            WarpText::tr("%1 in %2")
                .arg(kindText(next.kind), timeText(next.time - selection.time, trace.info.timeUnit)),
            timeOrigin, error);
    }
    if (const AccessRow* access = trace.accessOfEvent(warp.firstEvent + std::uint64_t(at));
        access && !access->shuffle) {
        if (access->space == MemorySpace::Global)
            add(WarpText::tr("sectors"), sectorsText(trace, *access), Origin::Counted);
    }
    for (const Loss& loss : trace.losses) {
        if (loss.warp == row)
            add(WarpText::tr("events lost"), numberText(loss.events), Origin::Counted);
    }
    return facts;
}

namespace {

// "3,907", "64x2,048"
QString grouped(const Dim3& shape) {
    QStringList numbers{numberText(std::uint64_t(shape.x))};
    if (shape.y > 1 || shape.z > 1)
        numbers << numberText(std::uint64_t(shape.y));
    if (shape.z > 1)
        numbers << numberText(std::uint64_t(shape.z));
    return numbers.join(QLatin1Char('x'));
}

} // namespace

QVector<Fact> launchFacts(const Trace& trace, std::uint32_t launch) {
    QVector<Fact> facts;
    if (launch >= trace.launches.size())
        return facts;
    const Launch& row = trace.launches[launch];
    facts.append({WarpText::tr("grid × block"),
                  QStringLiteral("%1 × %2").arg(grouped(row.grid), grouped(row.block)),
                  Origin::Counted,
                  {}});
    facts.append(
        {WarpText::tr("duration"), timeText(row.end - row.start, trace.info.timeUnit), trace.info.timeOrigin, {}});
    const std::initializer_list<std::pair<const char*, QString>> named = {
        {"branch_efficiency", WarpText::tr("branch efficiency")},
        {"warp_execution_efficiency", WarpText::tr("warp execution efficiency")},
        {"inst_per_warp", WarpText::tr("instructions a warp")},
        {"gld_efficiency", WarpText::tr("load efficiency")},
        {"gst_efficiency", WarpText::tr("store efficiency")}};
    for (const auto& [name, label] : named) {
        const std::optional<Metric> m = metric(trace, launch, name);
        if (!m || !m->value)
            continue;
        QString value = decimalText(*m->value, 2);
        if (m->unit == "%")
            value += QStringLiteral(" %");
        facts.append({label, value, m->origin, {}});
    }
    return facts;
}

} // namespace warpglass
