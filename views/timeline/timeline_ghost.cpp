// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_ghost.h"

#include "views/common/pinned.h"

#include <QPolygonF>

#include <algorithm>

namespace warpglass {

namespace {

constexpr double overStates = 0.3; // of a row's height
constexpr double leastWarp = 3;    // px of a row: lower ones have no ghost, their heads' sums do

QColor translucent(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

// share: of the row's height, from its foot; above it what the row shows stays to be seen.
void paintPart(QPainter& painter, const TimelineLayout& layout, const TimelineLine& line, TimeRange part,
               const QColor& colour, double share) {
    const double left = std::max(layout.rows.left(), layout.scale.x(part.begin));
    const double right = std::min(layout.rows.right(), layout.scale.x(part.end));
    if (right <= left)
        return;
    const double height = std::max(std::min(3.0, line.height - 2), (line.height - 2) * share);
    const QRectF where(left, line.y + line.height - 1 - height, right - left, height);
    paintGhostPart(painter, where, colour);
}

} // namespace

std::vector<TimeRange> spansIn(const Trace& here, const Trace& there) {
    std::vector<TimeRange> spans(here.warps.size());
    if (here.launches.empty() || there.launches.empty())
        return spans;
    const Launch &mine = here.launches.front(), &its = there.launches.front();
    const auto moved = [&](Time begin, Time end) {
        return TimeRange{begin - its.start + mine.start, end - its.start + mine.start};
    };
    for (std::size_t w = 0; w < here.warps.size(); ++w) {
        const Warp& warp = here.warps[w];
        const Block& block = here.blocks[warp.block];
        if (block.launch != 0 || block.index >= its.blockCount)
            continue;
        const Block& other = there.blocks[its.firstBlock + block.index];
        if (warp.warpInBlock < other.warpCount) {
            const Warp& same = there.warps[other.firstWarp + warp.warpInBlock];
            spans[w] = moved(same.start, same.end);
        } else if (other.end > other.start && other.start >= its.start) {
            spans[w] = moved(other.start, other.end);
        }
    }
    return spans;
}

TimelineGhostPtr timelineGhost(const TracePtr& modelled, const TracePtr& recording) {
    if (!modelled || !recording || !recordsLaunchOf(*recording, *modelled))
        return nullptr;
    auto ghost = std::make_shared<TimelineGhost>();
    ghost->recording = recording;
    ghost->times = ghostTimes(*recording, *modelled);
    ghost->spans = spansIn(*modelled, *recording);
    for (std::size_t w = 0; w < ghost->spans.size(); ++w)
        if (ghost->knows(std::uint32_t(w))) {
            ghost->starts.push_back(ghost->spans[w].begin.value);
            ghost->ends.push_back(ghost->spans[w].end.value);
        }
    if (ghost->starts.empty())
        return nullptr;
    std::sort(ghost->starts.begin(), ghost->starts.end());
    std::sort(ghost->ends.begin(), ghost->ends.end());
    return ghost;
}

void paintPinnedRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                     const std::vector<TimeRange>& spans, const Theme& theme) {
    painter.save();
    painter.setClipRect(layout.rows, Qt::IntersectClip);
    for (const TimelineLine& line : layout.lines) {
        if (line.row == noIndex || line.height < leastWarp)
            continue;
        for (const std::uint32_t w : model.rows[line.row].warps) {
            const double left = layout.scale.x(spans[w].begin), right = layout.scale.x(spans[w].end);
            const Warp& own = model.trace->warps[w];
            const bool same = spans[w].begin == own.start && spans[w].end == own.end; // a frame would say nothing
            if (same || spans[w].length().value <= 0 || right < layout.rows.left() || left > layout.rows.right())
                continue;
            // Far beyond the edge a dashed line costs time and shows nothing.
            const double from = std::max(left, layout.rows.left() - 4), to = std::min(right, layout.rows.right() + 4);
            paintPinnedFrame(painter, {from, line.y + 0.5, std::max(2.0, to - from), line.height - 1}, theme);
        }
    }
    painter.restore();
}

std::size_t TimelineGhost::running(Time t) const {
    const auto upTo = [t](const std::vector<std::int64_t>& moments) {
        return std::size_t(std::upper_bound(moments.begin(), moments.end(), t.value) - moments.begin());
    };
    return upTo(starts) - upTo(ends);
}

GhostDifference differenceOf(TimeRange modelled, TimeRange measured) {
    GhostDifference parts;
    const auto only = [](TimeRange a, TimeRange b, std::vector<TimeRange>& to) {
        if (a.begin < b.begin)
            to.push_back({a.begin, std::min(a.end, b.begin)});
        if (a.end > b.end)
            to.push_back({std::max(a.begin, b.end), a.end});
    };
    only(modelled, measured, parts.modelOnly);
    only(measured, modelled, parts.gpuOnly);
    return parts;
}

void paintGhostRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                    const TimelineGhost& ghost, const Theme& theme) {
    const Trace& trace = *model.trace;
    painter.save();
    painter.setClipRect(layout.rows, Qt::IntersectClip);
    for (const TimelineLine& line : layout.lines) {
        if (line.row == noIndex || line.height < leastWarp)
            continue;
        for (const std::uint32_t w : model.rows[line.row].warps) {
            if (!ghost.knows(w))
                continue;
            const TimeRange span = ghost.spans[w], own{trace.warps[w].start, trace.warps[w].end};
            const GhostDifference parts = differenceOf(own, span);
            for (const TimeRange part : parts.modelOnly)
                paintPart(painter, layout, line, part, modelOnlyColour(theme), overStates);
            for (const TimeRange part : parts.gpuOnly)
                paintPart(painter, layout, line, part, gpuOnlyColour(theme), 1); // there is no state
            const double left = layout.scale.x(span.begin), right = layout.scale.x(span.end);
            if (right < layout.rows.left() || left > layout.rows.right())
                continue;
            const QRectF bar(left, line.y + 0.5, std::max(1.0, right - left), line.height - 1);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(bar, translucent(gpuOnlyColour(theme), 0.12F));
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(gpuOnlyColour(theme), line.height >= 10 ? 1.5 : 1));
            painter.drawRect(bar);
            painter.setRenderHint(QPainter::Antialiasing, true);
        }
    }
    painter.restore();
}

void paintGhostCurve(QPainter& painter, const QRectF& where, const TimelineLayout& layout, const TimelineGhost& ghost,
                     double most, const Theme& theme) {
    QPolygonF curve;
    const int columns = int(where.width());
    for (int c = 0; c <= columns; ++c) {
        const double x = where.left() + c;
        const double y =
            where.bottom() - std::min(1.0, double(ghost.running(layout.scale.time(x))) / most) * where.height();
        if (!curve.isEmpty() && y != curve.last().y())
            curve << QPointF(x, curve.last().y());
        curve << QPointF(x, y);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.panel, 4));
    painter.drawPolyline(curve);
    painter.setPen(QPen(gpuOnlyColour(theme), 2));
    painter.drawPolyline(curve);
}

} // namespace warpglass
