// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows between lanes and slots, from who arrived to who waited for that.
#include "views/pipeline/pipeline_picture.h"

#include <QPainterPath>

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::size_t mostArrows = 60; // in sight: more are no picture any more
constexpr std::ptrdiff_t mostFresh = 12;
constexpr int freshShare = 40; // of the window: while it plays, what was handed over so lately is marked

// Where one runs; empty where there is no room for the slot that it comes from.
struct ArrowWay {
    QPainterPath path;
    QPointF end;
    bool down = false;
};
ArrowWay wayOf(const PipelineLayout& layout, const PipelineArrow& arrow) {
    const TimeAxis& scale = layout.scale;
    const QRectF& to = layout.lanes[qsizetype(arrow.lane)];
    QRectF from;
    if (arrow.fromLane != noIndex)
        from = layout.lanes[qsizetype(arrow.fromLane)];
    else if (arrow.slot != noIndex && qsizetype(arrow.slot) < layout.ringSlots.size())
        from = layout.ringSlots[qsizetype(arrow.slot)];
    else
        return {};
    ArrowWay way;
    way.down = from.center().y() < to.center().y();
    const QPointF begin(scale.x(arrow.from), way.down ? from.bottom() : from.top());
    way.end = {scale.x(arrow.to), from == to ? to.top() : way.down ? to.top() : to.bottom()};
    way.path = QPainterPath(begin);
    const double bend = std::max(8.0, std::abs(way.end.y() - begin.y()) * 0.4) * (way.down ? 1 : -1);
    way.path.cubicTo(begin + QPointF(0, bend), way.end - QPointF(0, bend), way.end);
    return way;
}

struct ArrowsInSight {
    std::vector<PipelineArrow>::const_iterator first, last;
    bool all = false; // they are few enough to be shown
};
ArrowsInSight inSight(const PipelineModel& model, const TimeRange& window) {
    const auto& arrows = model.arrows;
    const auto first =
        std::partition_point(arrows.begin(), arrows.end(), [&](const PipelineArrow& a) { return a.to < window.begin; });
    const auto last =
        std::partition_point(first, arrows.end(), [&](const PipelineArrow& a) { return a.to < window.end; });
    return {first, last, std::size_t(last - first) <= mostArrows};
}

} // namespace

void paintPipelineArrow(const PipelinePaint& p, const PipelineArrow& arrow, bool marked) {
    if (p.come && arrow.to > *p.come)
        return;
    const ArrowWay way = wayOf(p.layout, arrow);
    if (way.path.isEmpty())
        return;
    const QColor colour = marked ? p.theme.attention : p.theme.textMuted;
    p.painter.setBrush(Qt::NoBrush);
    p.painter.setPen(QPen(colour, marked ? 2 : 1.1));
    p.painter.drawPath(way.path);
    const double head = marked ? 5 : 3.5, y = way.down ? -head * 1.6 : head * 1.6;
    p.painter.setPen(Qt::NoPen);
    p.painter.setBrush(colour);
    p.painter.drawPolygon(QPolygonF{way.end, way.end + QPointF(-head * 0.8, y), way.end + QPointF(head * 0.8, y)});
}

void paintPipelineArrows(const PipelinePaint& p) {
    const TimeRange& window = p.layout.scale.window;
    const auto [first, last, all] = inSight(p.model, window);
    if (!all && !p.come)
        return;
    p.painter.save();
    p.painter.setClipRect(p.layout.plot.adjusted(0, -2, 0, 2), Qt::IntersectClip);
    p.painter.setRenderHint(QPainter::Antialiasing);
    for (auto arrow = first; all && arrow != last; ++arrow)
        if (arrow->from >= window.begin)
            paintPipelineArrow(p, *arrow, false);
    if (p.come) { // who hands what to whom, at the moment that is played
        const Time since{p.come->value - std::max<std::int64_t>(1, window.length().value / freshShare)};
        const auto fresh = std::partition_point(first, last, [&](const PipelineArrow& a) { return a.to < since; });
        const auto behind = std::partition_point(fresh, last, [&](const PipelineArrow& a) { return a.to <= *p.come; });
        for (auto arrow = std::max(fresh, behind - std::min<std::ptrdiff_t>(behind - fresh, mostFresh));
             arrow != behind; ++arrow)
            if (arrow->from >= window.begin)
                paintPipelineArrow(p, *arrow, true);
    }
    p.painter.restore();
}

const PipelineArrow* pipelineArrowAt(const PipelineModel& model, const PipelineLayout& layout, QPointF at) {
    constexpr double near = 7; // px, across it
    const TimeRange& window = layout.scale.window;
    const ArrowsInSight sight = inSight(model, window);
    QPainterPathStroker around;
    around.setWidth(near);
    for (auto arrow = sight.first; sight.all && arrow != sight.last; ++arrow)
        if (arrow->from >= window.begin && around.createStroke(wayOf(layout, *arrow).path).contains(at))
            return &*arrow;
    return nullptr;
}

} // namespace warpglass
