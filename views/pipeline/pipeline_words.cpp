// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_words.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/pipeline/pipeline_text.h"

#include <algorithm>

namespace warpglass {

QString doingName(Doing doing) {
    switch (doing) {
    case Doing::Multiplies:
        return PipelineText::tr("multiplies");
    case Doing::Orders:
        return PipelineText::tr("orders copies");
    case Doing::Stores:
        return PipelineText::tr("stores");
    case Doing::Computes:
        return PipelineText::tr("computes");
    case Doing::Works:
        return PipelineText::tr("other instructions");
    case Doing::WaitsCopy:
        return PipelineText::tr("waits for bytes on their way");
    case Doing::WaitsOrder:
        return PipelineText::tr("waits for bytes not yet ordered");
    case Doing::WaitsSlot:
        return PipelineText::tr("waits for a free slot");
    case Doing::WaitsWarp:
        return PipelineText::tr("waits for another warp");
    case Doing::WaitsBarrier:
        return PipelineText::tr("waits at the block's barrier");
    case Doing::WaitsLoad:
        return PipelineText::tr("waits for memory");
    case Doing::Gone:
    case Doing::Count_:
        break;
    }
    return {};
}

QString bubbleName(const Bubbles& bubbles, Bubble why) {
    switch (why) {
    case Bubble::Begin:
        return bubbles.tensor ? PipelineText::tr("before the first product")
                              : PipelineText::tr("before its warps began");
    case Bubble::Copy:
        return PipelineText::tr("bytes on their way");
    case Bubble::Order:
        return PipelineText::tr("bytes not yet ordered");
    case Bubble::Slot:
        return PipelineText::tr("no slot was free");
    case Bubble::Barrier:
        return PipelineText::tr("the block's barrier");
    case Bubble::Load:
        return PipelineText::tr("loads from memory");
    case Bubble::Warp:
        return PipelineText::tr("another warp's turn");
    case Bubble::Orders:
        return PipelineText::tr("ordering copies");
    case Bubble::Compute:
        return PipelineText::tr("computing between products");
    case Bubble::Issue:
        return PipelineText::tr("other instructions between products");
    case Bubble::End:
        return bubbles.tensor ? PipelineText::tr("after the last product") : PipelineText::tr("its warps have ended");
    case Bubble::Count_:
        break;
    }
    return {};
}

QString roleName(const PipelineRole& role) {
    QStringList does;
    if (role.orders)
        does << (role.multiplies || role.computes || role.stores ? PipelineText::tr("copies data")
                                                                 : PipelineText::tr("orders copies"));
    if (role.multiplies)
        does << PipelineText::tr("multiplies");
    if (role.computes)
        does << PipelineText::tr("computes");
    if (role.stores)
        does << PipelineText::tr("stores");
    return does.isEmpty() ? PipelineText::tr("only helps") : does.join(PipelineText::tr(", "));
}

QString warpsText(const Trace& trace, const std::vector<std::uint32_t>& warps) {
    QStringList parts;
    for (std::size_t n = 0; n < warps.size();) {
        std::size_t end = n + 1;
        while (end < warps.size() && warps[end] == warps[end - 1] + 1)
            ++end;
        const QString first = QString::number(trace.warps[warps[n]].warpInBlock);
        const QString last = QString::number(trace.warps[warps[end - 1]].warpInBlock);
        parts << (end - n == 1   ? first
                  : end - n == 2 ? first + PipelineText::tr(", ") + last
                                 : first + "\u2013" + last);
        n = end;
    }
    return agreeing(warps.size() == 1 ? PipelineText::tr("warp %1") : PipelineText::tr("warps %1"),
                    parts.join(PipelineText::tr(", ")));
}

QString slotName(const PipelineModel& model, const PipelineSlot& slot) {
    if (slot.isGroups())
        return PipelineText::tr("copies, row %1").arg(slot.number);
    return model.rings > 1 ? PipelineText::tr("ring %1, slot %2").arg(slot.ring).arg(slot.number)
                           : PipelineText::tr("slot %1").arg(slot.number);
}

QString slotBytesText(std::uint64_t bytes) {
    return bytes % 1024 == 0 ? PipelineText::tr("%1 KB").arg(numberText(bytes / 1024))
                             : PipelineText::tr("%1 B").arg(numberText(bytes));
}

static const Kernel& kernelOf(const PipelineModel& model) {
    return model.trace->kernelOf(model.trace->launchOf(model.trace->blocks[model.block]));
}

// For how much of the time tensor cores are busy where no probes hold the launch up: what a block gives them, and the blocks
// that an SM had one after the other or beside each other, in the time that the launch took without probes. Nothing if that is
// not known.
static std::optional<double> busyWithoutProbes(const PipelineModel& model) {
    const Trace& trace = *model.trace;
    const double clean = kernelOf(model).cleanDurationNs,
                 blocks = double(trace.launchOf(trace.blocks[model.block]).grid.count());
    if (!model.bubbles.byRate || model.hasCycles || clean <= 0 || trace.info.smCount <= 0)
        return std::nullopt;
    const double inTurn = blocks / std::min(blocks, double(trace.info.smCount));
    return std::min(1.0, model.bubbles.busyShare() * double(model.range.length().value) * inTurn / clean);
}

QString pipelineHeadline(const PipelineModel& model, const RoleNames& names) {
    QStringList parts;
    for (const PipelineRole& role : model.roles)
        if (!role.helps())
            parts << PipelineText::tr("%1: %2").arg(shownRoleName(model, role, names),
                                                    warpsText(*model.trace, role.warps));
    const auto groups = std::size_t(std::count_if(model.ringSlots.begin(), model.ringSlots.end(),
                                                  [](const PipelineSlot& slot) { return slot.isGroups(); }));
    if (const std::size_t slotCount = model.ringSlots.size() - groups; slotCount > 0)
        parts << agreeing(PipelineText::tr("%1 {slot|slots}"), slotCount);
    if (groups > 0)
        parts << agreeing(PipelineText::tr("%1 {group|groups} of copies at once"), groups);
    const Kernel& kernel = kernelOf(model);
    if (kernel.cleanDurationNs > 0 && kernel.probedDurationNs > 0)
        parts << PipelineText::tr("with probes it took %1 times as long")
                     .arg(decimalText(kernel.probedDurationNs / kernel.cleanDurationNs, 2));
    return parts.join(QStringLiteral("  ·  "));
}

QString unitsName(const PipelineModel& model) {
    if (model.bubbles.tensor)
        return model.bubbles.byRate ? PipelineText::tr("tensor cores") : PipelineText::tr("products");
    return model.hasCycles ? PipelineText::tr("schedulers") : PipelineText::tr("known waits");
}

QString unitsShareText(const PipelineModel& model) {
    if (!model.bubbles.tensor && !model.hasCycles)
        return {};
    const QString share = percentText(100 * model.bubbles.busyShare(), 0);
    if (model.hasCycles || model.bubbles.byRate)
        return PipelineText::tr("%1 busy").arg(share);
    return model.trace->info.timeUnit == TimeUnit::Steps ? PipelineText::tr("in %1 of the steps").arg(share)
                                                         : PipelineText::tr("in %1 of the time").arg(share);
}

QString pipelineIdleHeading(const PipelineModel& model) {
    const Bubbles& bubbles = model.bubbles;
    QString idle = percentText(100 * (1 - bubbles.busyShare()), 0);
    if (bubbles.until < model.range.end)
        idle = PipelineText::tr("%1 of the first %2, which were modelled by cycles")
                   .arg(idle, timeText(bubbles.until - model.range.begin, model.trace->info.timeUnit));
    if (!bubbles.tensor && !model.hasCycles) { // of other waits nothing is known
        const double known = 1 - bubbles.busyShare() - bubbles.share(Bubble::Begin) - bubbles.share(Bubble::End);
        return PipelineText::tr("All warps wait for each other or for copies: %1. Other waits are not recorded.")
            .arg(percentText(100 * std::max(0.0, known), 0));
    }
    if (const auto busy = busyWithoutProbes(model))
        idle = PipelineText::tr("%1, without probes about %2").arg(idle, percentText(100 * (1 - *busy), 0));
    if (model.trace->info.timeUnit == TimeUnit::Steps) // which are no time
        return PipelineText::tr(
                   "Steps without a product under way: %1 (a step is an instruction, however long it takes)")
            .arg(idle);
    if (bubbles.tensor)
        return bubbles.byRate ? PipelineText::tr("The tensor cores have nothing: %1").arg(idle)
                              : PipelineText::tr("No product is under way: %1").arg(idle);
    return PipelineText::tr("No warp can go on: %1").arg(idle);
}

QString laneTip(const PipelineModel& model, const PipelineLane& lane, const LaneSpan& span, const RoleNames& names) {
    const Trace& trace = *model.trace;
    QString text = PipelineText::tr("%1: %2").arg(shownRoleName(model, model.roles[lane.role], names),
                                                  warpsText(trace, lane.warps));
    text += "\n" + PipelineText::tr("%1, %2 from %3")
                       .arg(doingName(span.doing), timeText(span.end - span.begin, trace.info.timeUnit),
                            momentText(trace, span.begin));
    return text;
}

QString roleTip(const PipelineModel& model, const PipelineRole& role) {
    return PipelineText::tr("%1: %2").arg(roleName(role), warpsText(*model.trace, role.warps)) + "\n" +
           PipelineText::tr("The key E gives the role a name of yours.");
}

QString fillTip(const PipelineModel& model, const PipelineSlot& slot, const SlotFill& fill) {
    const Trace& trace = *model.trace;
    const TimeUnit unit = trace.info.timeUnit;
    QStringList lines{PipelineText::tr("%1, fill %2: %3")
                          .arg(slotName(model, slot), QString::number(fill.number), slotBytesText(fill.bytes))};
    if (fill.copy != noIndex) {
        const AsyncCopy& copy = trace.copies[fill.copy];
        lines << PipelineText::tr("ordered by warp %1 at %2")
                     .arg(trace.warps[copy.warp].warpInBlock)
                     .arg(momentText(trace, fill.begin));
        lines << QString::fromStdString(trace.sites[copy.site].text);
    }
    // A GPU tells nobody when the last byte came, but a wait that it had.
    const bool seen = trace.info.backend == BackendKind::Cuda;
    lines << (!fill.isFull ? PipelineText::tr("never full")
                           : (seen ? PipelineText::tr("full after %1 at the latest: a wait saw it")
                                   : PipelineText::tr("full after %1"))
                                 .arg(timeText(fill.full - fill.begin, unit)));
    if (fill.isRead)
        lines << PipelineText::tr("read from %1, free at %2")
                     .arg(momentText(trace, fill.read), momentText(trace, fill.freed));
    if (slot.isGroups())
        lines << PipelineText::tr("a group of cp.async; which bytes of shared memory it fills is not recorded");
    else if (slot.full == noIndex)
        lines << PipelineText::tr("a group of cp.async, from byte %1 of shared memory on").arg(slot.place);
    if (slot.full != noIndex)
        lines << PipelineText::tr("phase %1 of the mbarrier at byte %2 says that it is full")
                     .arg(fill.phase)
                     .arg(slot.full);
    if (slot.empty != noIndex)
        lines << PipelineText::tr("the mbarrier at byte %1 says that it is free").arg(slot.empty);
    return lines.join(QLatin1Char('\n'));
}

QString arrowText(const PipelineModel& model, const PipelineArrow& arrow) {
    const auto nameOf = [&](std::size_t lane) { return warpsText(*model.trace, model.lanes[lane].warps); };
    const QString who = arrow.fromLane != noIndex ? nameOf(arrow.fromLane)
                        : arrow.slot != noIndex
                            ? PipelineText::tr("the copy into %1").arg(slotName(model, model.ringSlots[arrow.slot]))
                            : PipelineText::tr("another block");
    return PipelineText::tr("%1 waited %2 for %3: phase %4 of the mbarrier at byte %5")
        .arg(nameOf(arrow.lane), timeText(arrow.to - arrow.waited, model.trace->info.timeUnit), who)
        .arg(arrow.phase)
        .arg(arrow.barrier);
}

QString pipelineCsv(const PipelineModel& model, const RoleNames& names) {
    const Trace& trace = *model.trace;
    const QString unit = QLatin1String(name(trace.info.timeUnit)), origin = QLatin1String(name(trace.info.timeOrigin));
    QString csv = QStringLiteral("what,which,doing,number,begin_%1,end_%1,share_pct,origin\n").arg(unit);
    const auto row = [&](const QString& what, const QString& which, const QString& doing, const QString& number,
                         Time begin, Time end) {
        csv += QStringLiteral("%1,%2,%3,%4,%5,%6,,%7\n")
                   .arg(what, csvField(which), csvField(doing), number, QString::number(begin.value),
                        QString::number(end.value), origin);
    };
    for (const PipelineLane& lane : model.lanes)
        for (const LaneSpan& s : lane.spans)
            row(QStringLiteral("lane"),
                shownRoleName(model, model.roles[lane.role], names) + " " + warpsText(trace, lane.warps),
                doingName(s.doing), {}, s.begin, s.end);
    for (const PipelineLane& lane : model.lanes)
        for (std::size_t d = 0; d < std::size_t(Doing::Gone); ++d)
            if (lane.shares[d] > 0)
                csv += QStringLiteral("time,%1,%2,,,,%3,%4\n")
                           .arg(csvField(shownRoleName(model, model.roles[lane.role], names) + " " +
                                         warpsText(trace, lane.warps)),
                                csvField(doingName(Doing(d))), QString::number(100 * lane.shares[d], 'f', 2), origin);
    for (const PipelineSlot& slot : model.ringSlots)
        for (const SlotFill& f : slot.fills) {
            const QString which = slotName(model, slot), number = QString::number(f.number);
            row(QStringLiteral("slot"), which, PipelineText::tr("filling"), number, f.begin, f.full);
            row(QStringLiteral("slot"), which, PipelineText::tr("full"), number, f.full, f.read);
            row(QStringLiteral("slot"), which, PipelineText::tr("read"), number, f.read, f.freed);
        }
    for (std::size_t b = 0; b < std::size_t(Bubble::Count_); ++b)
        if (model.bubbles.idle[b] > 0)
            csv += QStringLiteral("idle,,%1,,,,%2,%3\n")
                       .arg(csvField(bubbleName(model.bubbles, Bubble(b))),
                            QString::number(100 * model.bubbles.share(Bubble(b)), 'f', 2), origin);
    return csv;
}

} // namespace warpglass
