// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace warpglass {

void paintTimelineOverview(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                           const TimelineColumns& overview, const std::vector<float>& known, const Theme& theme) {
    const QRectF& where = layout.overview;
    painter.fillRect(where, theme.sunken);
    paintTimelineStack(painter, where, model, overview, known, std::nullopt, theme);
    paintText(painter, overviewLabel(layout), TimelineText::tr("whole run"), theme.small(), theme.textMuted);
}

QRectF overviewLabel(const TimelineLayout& layout) {
    return {layout.labels.left(), layout.overview.top(), layout.labels.width() - 8, layout.overview.height()};
}

void paintTimelineWindow(QPainter& painter, const TimelineLayout& layout, TimeRange whole, const Theme& theme) {
    const QRectF& where = layout.overview;
    const TimeAxis axis{whole, where.left(), where.width()};
    const double from = std::clamp<double>(axis.x(layout.scale.window.begin), where.left(), where.right());
    const double to = std::clamp<double>(axis.x(layout.scale.window.end), where.left(), where.right());
    QColor veil = theme.window;
    veil.setAlphaF(0.65f);
    painter.fillRect(QRectF(where.left(), where.top(), from - where.left(), where.height()), veil);
    painter.fillRect(QRectF(to, where.top(), where.right() - to, where.height()), veil);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(from, where.top(), std::max(2.0, to - from), where.height()));
}

void paintTimelineRuler(QPainter& painter, const TimelineLayout& layout, const Trace& trace, const Theme& theme) {
    const double text = lineHeight(theme.small());
    const TimeAxis::Ticks ticks = layout.scale.ticks(trace.range().begin, text * 8); // the run starts at 0 on the ruler
    const QFont font = theme.small();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const auto& [x, since] : ticks.marks) {
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.ruler.top() + 5));
        const QString label = timeText(since, trace.info.timeUnit, ticks.step) + inCycles(trace.info, since.value);
        const double width = metrics.horizontalAdvance(label) + 4;
        if (x + width >= layout.ruler.right() + text)
            continue;
        painter.setPen(theme.textMuted); // not paintText: it would measure once more
        painter.drawText(QRectF(x + 4, layout.ruler.top() + 2, width, text * 1.2),
                         int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip, label);
    }
}

void paintTimelineEmptyEnds(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                            const Theme& theme) {
    if (model.recorded.empty() || !model.known.empty())
        return;
    const TraceInfo& info = model.trace->info;
    const auto say = [&](TimeRange empty, const QString& text) {
        const double from = std::max(layout.stacked.left(), layout.scale.x(empty.begin));
        const double to = std::min(layout.stacked.right(), layout.scale.x(empty.end));
        const QRectF where(from, layout.stacked.top(), to - from, layout.stacked.height());
        if (textWidth(theme.small(), text) + 12 < where.width())
            paintText(painter, where, text, theme.small(), theme.textMuted, Qt::AlignCenter);
    };
    const TimeRange before{model.range.begin, model.recorded.front().begin};
    const TimeRange after{model.recorded.back().end, model.range.end};
    say(before, TimelineText::tr("%1 until the first block").arg(timeText(before.length(), info.timeUnit)));
    say(after, TimelineText::tr("%1 after the last block").arg(timeText(after.length(), info.timeUnit)));
}

void paintTimelineCursor(QPainter& painter, const TimelineLayout& layout, TimeRange whole, Time now,
                         const Theme& theme) {
    painter.setPen(QPen(theme.attention, 1.5));
    const QRectF& strip = layout.overview;
    const double there = TimeAxis{whole, strip.left(), strip.width()}.x(now);
    if (there >= strip.left() && there <= strip.right())
        painter.drawLine(QPointF(there, strip.top()), QPointF(there, strip.bottom()));
    const double x = layout.scale.x(now), left = layout.rows.left(), right = layout.rows.right();
    if (x >= left && x <= right) {
        painter.drawLine(QPointF(x, layout.stacked.top()), QPointF(x, layout.rows.bottom()));
        return;
    }
    const double size = lineHeight(theme.small()) * 0.4, edge = x < left ? left : right, in = x < left ? size : -size;
    const double middle = layout.ruler.center().y();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.attention);
    const QPointF arrow[]{{edge, middle}, {edge + in, middle - size}, {edge + in, middle + size}};
    painter.drawPolygon(arrow, 3);
}

void paintTimelineMeasure(QPainter& painter, const TimelineLayout& layout, Time from, Time to, const TraceInfo& info,
                          const Theme& theme) {
    if (from == to)
        return;
    const double a = std::clamp(layout.scale.x(std::min(from, to)), layout.rows.left(), layout.rows.right());
    const double b = std::clamp(layout.scale.x(std::max(from, to)), layout.rows.left(), layout.rows.right());
    QColor veil = theme.accent;
    veil.setAlphaF(0.14f);
    painter.fillRect(QRectF(a, layout.stacked.top(), b - a, layout.rows.bottom() - layout.stacked.top()), veil);
    const std::int64_t length = std::abs((to - from).value);
    const QString text = timeText({length}, info.timeUnit) + inCycles(info, length);
    const double width = textWidth(theme.body(), text) + 16;
    const double x = std::clamp((a + b) / 2 - width / 2, layout.rows.left(), layout.rows.right() - width);
    const QRectF label(x, layout.stacked.top() + 2, width, lineHeight(theme.body()) * 1.3);
    paintCell(painter, label, theme.accent, Hatch::None, theme.text, 4);
    paintText(painter, label, text, theme.body(), theme.textOnAccent, Qt::AlignCenter);
}

} // namespace warpglass
