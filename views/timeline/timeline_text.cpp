// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_text.h"

#include "gpu/metrics/branch_sides.h"
#include "views/common/agreeing.h"
#include "views/common/shown_words.h"
#include "views/common/state_words.h"
#include "views/common/ticks.h"

#include <cmath>

namespace warpglass {

QColor timelineColour(const TimelineModel& model, int category, const Theme& theme) {
    if (model.hasStates())
        return theme.state(WarpState(category));
    return category == 1 ? theme.state(WarpState::StallBarrier) : theme.laneOn;
}

QString timelineCategoryName(const TimelineModel& model, int category) {
    if (!model.hasStates())
        return category == 1 ? TimelineText::tr("waits at a barrier") : TimelineText::tr("runs");
    return stateName(WarpState(category));
}

Hatch timelineHatch(const TimelineModel& model, int category) {
    if (!model.hasStates())
        return category == 1 ? Hatch::Dash : Hatch::None;
    const auto state = WarpState(category);
    return state == WarpState::Eligible ? Hatch::None : stateHatch(state); // rows have no room for its ring
}

QColor laneStepColour(int step, const Theme& theme) {
    const QColor strong = theme.text, weak = theme.panel;
    const double share = step == 0 ? 0.12 : 0.25 + 0.75 * step / (laneSteps - 1);
    const auto mix = [&](double a, double b) { return a * share + b * (1 - share); };
    return QColor::fromRgbF(float(mix(strong.redF(), weak.redF())), float(mix(strong.greenF(), weak.greenF())),
                            float(mix(strong.blueF(), weak.blueF())));
}

QString laneStepName(int step) {
    const char* names[] = {QT_TRANSLATE_NOOP("TimelineView", "no lane on"),
                           QT_TRANSLATE_NOOP("TimelineView", "1 to 8 lanes on"),
                           QT_TRANSLATE_NOOP("TimelineView", "9 to 16"), QT_TRANSLATE_NOOP("TimelineView", "17 to 31"),
                           QT_TRANSLATE_NOOP("TimelineView", "all 32")};
    return TimelineText::tr(names[step]);
}

QString rowLabel(const TimelineModel& model, const TimelineRow& row) {
    return model.grouping == TimelineGrouping::Hardware
               ? TimelineText::tr("sched %1 · slot %2").arg(row.scheduler).arg(row.slot)
               : TimelineText::tr("warp %1").arg(row.slot);
}

QString groupLabel(const TimelineModel& model, const TimelineGroup& group) {
    if (model.grouping == TimelineGrouping::Hardware)
        return TimelineText::tr("SM %1").arg(group.sm);
    return TimelineText::tr("block %1").arg(blockIndexText(*model.trace, model.trace->blocks[group.block]));
}

namespace {

QString lineOf(const std::string& text, std::uint32_t number) { // 1-based
    std::size_t begin = 0;
    for (std::uint32_t n = 1; n < number && begin != std::string::npos; ++n) {
        begin = text.find('\n', begin);
        begin += begin != std::string::npos;
    }
    if (number == 0 || begin == std::string::npos)
        return {};
    const QString line = QString::fromStdString(text.substr(begin, text.find('\n', begin) - begin)).simplified();
    constexpr int most = 64; // letters: a tool tip is no listing
    return line.size() <= most ? line : line.left(most - 1) + QChar(0x2026);
}

} // namespace

namespace {
QString nameOf(std::uint32_t sourceLine, std::uint32_t ptxLine) {
    if (sourceLine)
        return TimelineText::tr("line %1").arg(sourceLine);
    return ptxLine ? TimelineText::tr("PTX line %1").arg(ptxLine) : QString();
}
} // namespace

QString lineName(const Trace& trace, std::uint32_t kernel, std::uint32_t ptxLine) {
    return nameOf(sourceLineOf(trace.kernels[kernel], ptxLine), ptxLine);
}

QString lineCode(const Trace& trace, std::uint32_t kernel, std::uint32_t ptxLine) {
    const Kernel& k = trace.kernels[kernel];
    const std::uint32_t line = sourceLineOf(k, ptxLine);
    return line && !k.source.empty() ? lineOf(k.source, line) : lineOf(k.ptx, ptxLine);
}

bool eventHasWords(EventKind kind) {
    return kind == EventKind::Branch || kind == EventKind::BarrierArrive || kind == EventKind::Launch ||
           kind == EventKind::Access;
}

QString eventName(const Trace& trace, const Event& event) {
    if (event.site >= trace.sites.size())
        return {};
    const Site& site = trace.sites[event.site];
    const QString where = nameOf(sourceLineOf(trace.kernels[site.kernel], site), site.ptxLine);
    switch (event.kind) {
    case EventKind::Branch:
        return TimelineText::tr("branch, %1: %2/%3")
            .arg(where, QString::number(entering(trace.kernels[site.kernel], site, event).count()),
                 QString::number(event.active.count()));
    case EventKind::BarrierArrive:
        return TimelineText::tr("waits at the barrier, %1").arg(where);
    case EventKind::Launch:
        return TimelineText::tr("launch, %1").arg(where);
    case EventKind::Access:
        return TimelineText::tr("memory, %1").arg(where);
    default:
        return TimelineText::tr("since %1").arg(where);
    }
}

QString warpsText(const Trace& trace, bool brief) {
    std::uint64_t ran = 0;
    for (const Launch& launch : trace.launches)
        if (launch.status == LaunchStatus::Ran)
            ran += launch.grid.count() * warpsFor(launch.block.count());
    const QString warps = numberText(std::uint64_t(trace.warps.size()));
    const QString events = numberText(std::uint64_t(trace.events.size()));
    if (trace.warps.size() < ran)
        return brief ? TimelineText::tr("%1 of %2 warps were recorded").arg(warps, numberText(ran))
                     : agreeing(TimelineText::tr("%1 of %2 warps were recorded, %3 {event|events}"), warps,
                                numberText(ran), events);
    if (brief)
        return agreeing(TimelineText::tr("%1 {warp|warps}"), warps);
    return agreeing(TimelineText::tr("%1 {warp|warps}, %2 {event|events}"), warps, events);
}

QStringList runNames(const Trace& trace) {
    const QString all = TimelineText::tr("whole run");
    if (trace.launches.size() != 1)
        return {all};
    const Launch& launch = trace.launches.front();
    const QString kernel = shown(QString::fromStdString(trace.kernelOf(launch).name)),
                  shape = QStringLiteral("%1 × %2").arg(QString::fromStdString(launch.grid.text()),
                                                        QString::fromStdString(launch.block.text()));
    return {kernel + QLatin1Char(' ') + shape, kernel, shape, all};
}

QString sinceStart(const Trace& trace, Time time) {
    return momentText(trace, time);
}

QString inCycles(const TraceInfo& info, std::int64_t nanoseconds) {
    if (info.timeUnit != TimeUnit::Nanoseconds || info.smClockMHz <= 0)
        return {};
    return agreeing(TimelineText::tr(" = %1 {cycle|cycles}"),
                    numberText(std::int64_t(std::llround(double(nanoseconds) * info.smClockMHz / 1000))));
}

} // namespace warpglass
