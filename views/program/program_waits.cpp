// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_waits.h"

#include "views/program/program_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpglass {

using program::Operation;
using program::Waited;
using program::WaitReason;

namespace {

// Which row shows an operation; -1: none.
int rowOf(const ProgramModel& model, const Operation& o) {
    const auto row = std::find_if(model.rows.begin(), model.rows.end(),
                                  [&](const ProgramRow& r) { return shows(r, *model.trace, o); });
    return row == model.rows.end() ? -1 : int(row - model.rows.begin());
}

QString whatWas(const ProgramModel& model, const Waited& wait) {
    return QStringLiteral("%1 (%2)").arg(operationText(model, wait.behind),
                                         streamText(*model.trace, model.operation(wait.behind).stream));
}

} // namespace

std::vector<WaitArrow> waitArrows(const ProgramModel& model, const ProgramLayout& l, std::uint32_t chosen) {
    constexpr double apart = 6; // px
    std::vector<WaitArrow> arrows;
    std::map<std::pair<int, int>, double> latest; // [rows] where the last one stands
    for (const Waited& wait : model.waits) {
        const bool isChosen = chosen != noIndex && (wait.operation == chosen || wait.behind == chosen);
        if (wait.ns <= 0 && !isChosen)
            continue;
        const Operation &o = model.operation(wait.operation), &before = model.operation(wait.behind);
        const bool ofHost = isOfHost(o.kind);
        const double from = l.axis.x({beginOf(before) + lengthOf(before)});
        const double to = l.axis.x({beginOf(o) + (ofHost ? lengthOf(o) : 0)});
        if (std::max(from, to) < l.rows.left() || std::min(from, to) > l.rows.right())
            continue;
        const int upper = rowOf(model, before), lower = rowOf(model, o);
        if (upper < 0 || lower < 0 || upper == lower)
            continue;
        const auto [place, first] = latest.try_emplace({upper, lower}, to);
        if (!first && !isChosen && std::abs(to - place->second) < apart)
            continue;
        place->second = to;
        const QRectF start = isUpper(before.kind) ? l.upper(upper) : l.lower(upper);
        const QRectF end = isUpper(o.kind) ? l.upper(lower) : l.lower(lower);
        const bool down = lower > upper;
        arrows.push_back(
            {QLineF(from, down ? start.bottom() : start.top(), to, down ? end.top() : end.bottom()), isChosen});
    }
    std::stable_partition(arrows.begin(), arrows.end(), [](const WaitArrow& a) { return !a.chosen; });
    return arrows;
}

void paintWaitArrow(QPainter& painter, const QLineF& line, const QColor& colour, double width) {
    painter.setPen(QPen(colour, width));
    painter.drawLine(line);
    const double length = line.length();
    if (length < 1)
        return;
    const double size = 3 + width;
    const QPointF back((line.x1() - line.x2()) / length * size, (line.y1() - line.y2()) / length * size);
    const QPointF aside(back.y() * 0.6, -back.x() * 0.6);
    const QPointF head[] = {line.p2(), line.p2() + back + aside, line.p2() + back - aside};
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(head, 3);
}

void paintWaitArrows(QPainter& painter, const std::vector<WaitArrow>& arrows, const QRectF& rows, const Theme& theme) {
    painter.save();
    painter.setClipRect(rows, Qt::IntersectClip);
    for (const WaitArrow& arrow : arrows)
        paintWaitArrow(painter, arrow.line, arrow.chosen ? theme.accent : theme.textMuted, arrow.chosen ? 2 : 1.2);
    painter.restore();
}

QString waitText(const ProgramModel& model, std::uint32_t operation) {
    const Waited* wait = model.waitOf(operation);
    if (!wait)
        return {};
    const QString what = whatWas(model, *wait);
    const bool held = wait->ns > 0;
    const QString ns = durationText(wait->ns);
    switch (wait->reason) {
    case WaitReason::Event:
        return held ? ProgramText::tr("waited %1 for %2, by an event").arg(ns, what)
                    : ProgramText::tr("comes behind %1, by an event").arg(what);
    case WaitReason::DefaultStream:
        return held ? ProgramText::tr("waited %1 for %2: the default stream and the others wait for each other")
                          .arg(ns, what)
                    : ProgramText::tr("comes behind %1: the default stream and the others wait for each other")
                          .arg(what);
    case WaitReason::Host:
    case WaitReason::Stream:
        break;
    }
    return held ? ProgramText::tr("waited %1 for %2").arg(ns, what) : ProgramText::tr("comes behind %1").arg(what);
}

QString longestWaitText(const ProgramModel& model) {
    const auto length = [](const Waited& w) { return w.reason == WaitReason::Host ? 0 : w.ns; };
    const auto most = std::max_element(model.waits.begin(), model.waits.end(),
                                       [&](const Waited& a, const Waited& b) { return length(a) < length(b); });
    if (most == model.waits.end() || length(*most) <= 0)
        return {};
    return ProgramText::tr("longest wait: %1, %2 for %3")
        .arg(operationText(model, most->operation), durationText(most->ns), whatWas(model, *most));
}

} // namespace warpglass
