// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpglass {

void paintTimelineOverview(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                           const TimelineColumns& overview, const std::vector<float>& known, const Theme& theme) {
    const QRectF& where = layout.overview;
    painter.fillRect(where, theme.sunken);
    paintTimelineStack(painter, where, model, overview, known, std::nullopt, theme);
}

void paintTimelineRun(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                      std::optional<Time> playedTo, const Theme& theme) {
    if (layout.overview.height() <= 0)
        return;
    const QRectF label = overviewLabel(layout);
    const double line = lineHeight(theme.small());
    const QRectF upper(label.left(), label.center().y() - line, label.width(), line);
    paintText(painter, upper, firstThatFits(runNames(*model.trace), theme.small(), upper.width()), theme.small(),
              theme.textMuted);
    const TimeUnit unit = model.trace->info.timeUnit;
    const Time passed = playedTo ? std::clamp(*playedTo - model.range.begin, Time{}, model.range.length()) : Time{};
    const QString took =
        playedTo ? TimelineText::tr("so far %1").arg(timeText(passed, unit)) : timeText(model.range.length(), unit);
    paintText(painter, upper.translated(0, line), took, theme.small(), theme.text);
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

namespace {

struct RulerLabel {
    double x = 0; // of its tick
    QString text;
    double width = 0;
};

// Those that find room beside each other.
std::vector<RulerLabel> rulerLabels(const TimelineLayout& layout, const Trace& trace, const QFontMetricsF& metrics,
                                    const TimeAxis::Ticks& ticks, bool cycles) {
    std::vector<RulerLabel> labels;
    labels.reserve(std::size_t(ticks.marks.size()));
    double taken = layout.ruler.left();
    for (const auto& [x, since] : ticks.marks) {
        RulerLabel label{x, timeText(since, trace.info.timeUnit, ticks.step), 0};
        if (cycles)
            label.text += inCycles(trace.info, since.value);
        label.width = metrics.horizontalAdvance(label.text) + 4;
        if (x < taken || x + label.width >= layout.ruler.right() + 4)
            continue;
        taken = x + label.width + 4;
        labels.push_back(std::move(label));
    }
    return labels;
}

} // namespace

void paintTimelineRuler(QPainter& painter, const TimelineLayout& layout, const Trace& trace,
                        std::optional<Time> playedTo, const Theme& theme) {
    const double until = playedTo ? layout.scale.x(*playedTo) : layout.ruler.right();
    const double text = lineHeight(theme.small());
    const QFont font = theme.small();
    const QFontMetricsF metrics(font);
    const Time origin = trace.range().begin; // the run starts at 0 on the ruler
    TimeAxis::Ticks ticks = layout.scale.ticks(origin, text * 8);
    std::vector<RulerLabel> labels = rulerLabels(layout, trace, metrics, ticks, true);
    // One number is no scale: in a narrow window the cycles go, and the ticks come closer.
    for (double apart = text * 8; labels.size() < 2 && apart > text; apart /= 2) {
        TimeAxis::Ticks closer = layout.scale.ticks(origin, apart);
        std::vector<RulerLabel> more = rulerLabels(layout, trace, metrics, closer, false);
        if (more.size() <= labels.size())
            continue;
        ticks = std::move(closer);
        labels = std::move(more);
    }
    std::erase_if(labels, [until](const RulerLabel& label) { return label.x > until; }); // the scale of all
    painter.setFont(font);
    painter.setPen(QPen(theme.border, 1));
    for (const TimeAxis::Tick& tick : ticks.marks)
        painter.drawLine(QPointF(tick.x, layout.ruler.top()), QPointF(tick.x, layout.ruler.top() + 5));
    painter.setPen(theme.textMuted); // not paintText: it would measure once more
    for (const RulerLabel& label : labels) {
        const QRectF where(label.x + 4, layout.ruler.top() + 2, label.width, text * 1.2);
        painter.drawText(where, int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip,
                         label.text);
        PaintedWords::note(painter, where);
    }
}

void paintTimelineEmptyEnds(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                            const Theme& theme) {
    if (model.recorded.empty() || !model.known.empty())
        return;
    const TraceInfo& info = model.trace->info;
    const auto say = [&](TimeRange empty, const QString& text) {
        if (layout.stacked.height() < lineHeight(theme.small()))
            return;
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
    if (strip.height() > 0 && there >= strip.left() && there <= strip.right())
        painter.drawLine(QPointF(there, strip.top()), QPointF(there, strip.bottom()));
    const double x = layout.scale.x(now), left = layout.rows.left(), right = layout.rows.right();
    if (x >= left && x <= right) {
        paintCursorLine(painter, x, layout.stacked.top(), layout.rows.bottom(), theme.attention);
        return;
    }
    const double size = lineHeight(theme.small()) * 0.4, edge = x < left ? left : right, in = x < left ? size : -size;
    const double middle = layout.ruler.bottom() - size * 0.4;
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
