// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr int mostBars = 4000; // in sight: more are no picture any more

QColor copyColour(const AsyncCopy& copy, const Theme& theme) {
    if (copy.kind == AsyncCopyKind::Product)
        return theme.category(2);
    return copy.to == MemorySpace::Global ? theme.category(3) : theme.category(0);
}

void paintCopies(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                 const TimelineExtra& extra, const Theme& theme) {
    const Trace& trace = *model.trace;
    const TimelineCopies& copies = model.rows[extra.row].copies;
    const TimeAxis& scale = layout.scale;
    const double high = extra.height / double(std::max(1u, copies.depth)), text = lineHeight(theme.small());
    double painted[mostCopyBars] = {}; // right end of what is there in each line
    std::fill(std::begin(painted), std::end(painted), layout.rows.left() - 1);
    int count = 0;
    for (const TimelineCopyBar& bar : copies.bars) {
        const AsyncCopy& copy = trace.copies[bar.copy];
        if (copy.issued > scale.window.end)
            break;
        if (copy.complete < scale.window.begin || count > mostBars)
            continue;
        const double left = std::max(layout.rows.left(), scale.x(copy.issued));
        const double right = std::min(layout.rows.right(), std::max(scale.x(copy.complete), left + 2));
        if (right <= painted[bar.depth])
            continue; // under what is there
        painted[bar.depth] = right;
        ++count;
        const QRectF where(left, extra.y + high * bar.depth + 1, right - left, std::max(1.0, high - 2));
        painter.fillRect(where, copyColour(copy, theme));
        painter.fillRect(QRectF(left, where.top(), 1, where.height()), theme.panel);
        const QString label = TimelineText::tr("%1 B").arg(numberText(copy.bytes));
        if (where.height() >= text * 0.75 && textWidth(theme.small(), label) + 6 < where.width())
            paintText(painter, where.adjusted(3, 0, -3, 0), label, theme.small(), theme.textOnAccent);
    }
}

void paintBarrier(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                  const TimelineExtra& extra, const Theme& theme) {
    const Trace& trace = *model.trace;
    const TimelineBarrier& barrier = model.groups[extra.group].barriers[extra.barrier];
    const TimeAxis& scale = layout.scale;
    const QRectF line(layout.rows.left(), extra.y + 1, layout.rows.width(), extra.height - 2);
    const double waiting = line.height() * 0.3;
    const auto place = [&](Time begin, Time end, double top, double height, double least) {
        const double left = std::max(line.left(), scale.x(begin));
        const double right = std::min(line.right(), std::max(scale.x(end), left + least));
        return QRectF(left, top, std::max(0.0, right - left), height);
    };
    // Phases by turns in two shades; below them who waits.
    for (const TimelinePhase& phase : phasesOf(trace, barrier)) {
        if (phase.begin > scale.window.end || phase.end < scale.window.begin)
            continue;
        const QRectF where = place(phase.begin, phase.end, line.top(), line.height() - waiting, 1);
        painter.fillRect(where, phase.phase % 2 ? theme.border : theme.sunken);
        painter.setPen(QPen(phase.over ? theme.textMuted : theme.wrong, 1));
        painter.drawLine(where.topRight(), where.bottomRight());
        const QString label = TimelineText::tr("phase %1").arg(phase.phase);
        if (textWidth(theme.small(), label) + 8 < where.width() && where.height() >= lineHeight(theme.small()) * 0.7)
            paintText(painter, where.adjusted(4, 0, -4, 0), label, theme.small(), theme.text);
    }
    for (const TimelineWait& wait : waitsOf(trace, barrier)) {
        if (wait.begin > scale.window.end || wait.end < scale.window.begin)
            continue;
        const QRectF where = place(wait.begin, wait.end, line.bottom() - waiting, waiting, 1);
        painter.fillRect(where, theme.state(WarpState::StallBarrier));
        paintHatch(painter, where, Hatch::Dash, theme.panel);
    }
    // Arrivals stand up from the phase, bytes of copies hang down from its top.
    double last = -1;
    for (const std::uint32_t n : barrier.events) {
        const PhaseEvent& e = trace.phaseEvents[n];
        const bool arrives = e.kind == PhaseEventKind::Arrive, copied = e.kind == PhaseEventKind::Copied;
        const double x = scale.x(e.time);
        if ((!arrives && !copied) || x < line.left() || x > line.right() || x - last < 0.5)
            continue;
        last = x;
        const double middle = line.top() + (line.height() - waiting) / 2;
        painter.setPen(QPen(arrives ? theme.laneOn : theme.category(0), 2));
        painter.drawLine(QPointF(x, middle), QPointF(x, arrives ? line.bottom() - waiting : line.top()));
    }
}

} // namespace

void paintTimelineExtras(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                         const Theme& theme) {
    if (layout.extras.empty())
        return;
    painter.save();
    painter.setClipRect(QRectF(layout.labels.left(), layout.rows.top(), layout.rows.right() - layout.labels.left(),
                               layout.rows.height()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double text = lineHeight(theme.small());
    for (const TimelineExtra& extra : layout.extras) {
        const bool copies = extra.row != noIndex;
        const QString label =
            copies ? TimelineText::tr("copies")
                   : TimelineText::tr("mbarrier %1").arg(model.groups[extra.group].barriers[extra.barrier].barrier);
        if (extra.height >= text * 0.6)
            paintText(painter,
                      QRectF(layout.labels.left() + text * 2.1, extra.y, layout.labels.width() - text * 2.3,
                             std::max(extra.height, text * 0.9)),
                      label, theme.small(), theme.textMuted);
        if (copies)
            paintCopies(painter, layout, model, extra, theme);
        else
            paintBarrier(painter, layout, model, extra, theme);
    }
    painter.restore();
}

} // namespace warpglass
