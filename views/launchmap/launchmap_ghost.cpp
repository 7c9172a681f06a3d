// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_ghost.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>

namespace warpglass {

bool LaunchMapGhost::knows(std::uint32_t index) const {
    const Launch& launch = recording->launches.front();
    return index < launch.blockCount && block(index).end > block(index).start && block(index).start >= launch.start;
}

std::optional<BlockState> LaunchMapGhost::state(std::uint32_t index, Time now) const {
    return knows(index) ? std::optional(blockState(block(index), now - later)) : std::nullopt;
}

double LaunchMapGhost::meanResident(TimeRange span) const {
    return model->meanResident({span.begin - later, span.end - later});
}

LaunchMapGhostPtr launchMapGhost(const TracePtr& modelled, std::uint32_t launch, const TracePtr& recording) {
    if (launch != 0 || !modelled || !recording || !recordsLaunchOf(*recording, *modelled) ||
        recording->launches.front().blockCount == 0)
        return nullptr;
    auto ghost = std::make_shared<LaunchMapGhost>();
    ghost->recording = recording;
    ghost->model = std::make_shared<LaunchMapModel>(*recording, 0, blocksThatFit(*recording, 0));
    ghost->times = ghostTimes(*recording, *modelled);
    ghost->later = modelled->launches.front().start - recording->launches.front().start;
    ghost->first = std::uint32_t(recording->launches.front().firstBlock);
    return ghost;
}

void paintGhostTiles(QPainter& painter, const LaunchMapScene& s) {
    if (!s.ghost)
        return;
    for (std::uint32_t n = 0; n < s.launch->blockCount; ++n) {
        const QRectF tile = s.grid.tileRect(n);
        if (!tile.intersects(s.grid.area))
            continue;
        const auto there = s.ghost->state(n, s.now);
        const bool onGpu = there == BlockState::Resident,
                   here = blockState(*s.blockRow(n), s.now) == BlockState::Resident;
        if (there && onGpu != here)
            paintGhostPart(painter, tile.adjusted(1, 1, -1, -1),
                           onGpu ? gpuOnlyColour(s.theme) : modelOnlyColour(s.theme));
    }
}

void paintGhostCurve(QPainter& painter, const LaunchMapScene& s, double top) {
    if (!s.ghost)
        return;
    const QRectF& a = s.layout.chart;
    const int columns = std::max(1, int(a.width()));
    const auto y = [&](double n) { return a.bottom() - n / top * a.height(); };
    QPolygonF curve;
    // Where both lines run along one another, one pixel of difference is no difference.
    const auto part = [&](const QColor& colour, const std::vector<double>& low, const std::vector<double>& high) {
        for (std::size_t i = 0; i < low.size();) {
            std::size_t end = i;
            double highest = low[i], lowest = high[i];
            for (; end < low.size() && high[end] - low[end] > 1; ++end) {
                highest = std::min(highest, low[end]);
                lowest = std::max(lowest, high[end]);
            }
            if (end > i) {
                QPolygonF shape;
                for (std::size_t c = i; c < end; ++c)
                    shape << QPointF(a.left() + double(c), low[c]) << QPointF(a.left() + double(c) + 1, low[c]);
                for (std::size_t c = end; c-- > i;)
                    shape << QPointF(a.left() + double(c) + 1, high[c]) << QPointF(a.left() + double(c), high[c]);
                QPainterPath inside;
                inside.addPolygon(shape);
                painter.save();
                painter.setClipPath(inside, Qt::IntersectClip);
                paintGhostPart(painter, QRectF(a.left() + double(i), highest, double(end - i), lowest - highest),
                               colour);
                painter.restore();
            }
            i = std::max(end, i + 1);
        }
    };
    std::vector<double> upper, ofModel, ofGpu; // from above: the higher line, and both
    for (int i = 0; i < columns; ++i) {
        const qreal x = a.left() + i;
        const TimeRange span{s.chart.time(x), std::max(s.chart.time(x) + Time{1}, s.chart.time(x + 1))};
        const double gpu = y(s.ghost->meanResident(span)), own = y(s.model->meanResident(span));
        upper.push_back(std::min(gpu, own));
        ofModel.push_back(own);
        ofGpu.push_back(gpu);
        if (!curve.isEmpty() && gpu != curve.last().y())
            curve << QPointF(x, curve.last().y());
        curve << QPointF(x, gpu);
    }
    part(gpuOnlyColour(s.theme), upper, ofModel);
    part(modelOnlyColour(s.theme), upper, ofGpu);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.panel, 4));
    painter.drawPolyline(curve);
    painter.setPen(QPen(gpuOnlyColour(s.theme), 2));
    painter.drawPolyline(curve);
}

void paintBalanceOf(QPainter& painter, const LaunchMapScene& s, const LaunchMapModel& model, Time later, double top,
                    const QPen& pen) {
    const QRectF& a = s.layout.balance;
    const Balance balance = s.playing ? model.balanceAt(s.now - later) : model.balance();
    const qreal pitch = a.width() / qreal(std::max<std::size_t>(1, balance.blocks.size()));
    QPolygonF steps;
    for (std::size_t sm = 0; sm < balance.blocks.size(); ++sm) {
        const qreal y = a.bottom() - std::min(1.0, balance.blocks[sm] / top) * a.height();
        steps << QPointF(a.left() + qreal(sm) * pitch, y) << QPointF(a.left() + qreal(sm + 1) * pitch, y);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawPolyline(steps);
}

void paintGhostBalance(QPainter& painter, const LaunchMapScene& s, double top) {
    if (s.ghost)
        paintBalanceOf(painter, s, *s.ghost->model, s.ghost->later, top, QPen(gpuOnlyColour(s.theme), 1.5));
}

QString ghostBlockText(const LaunchMapScene& s, std::uint32_t index) {
    if (!s.ghost || !s.ghost->knows(index))
        return {};
    const Block& block = s.ghost->block(index);
    return LaunchMapText::tr("on the GPU: SM %1, from %2 to %3: %4 (measured)")
        .arg(block.sm)
        .arg(timeOf(s, block.start + s.ghost->later), timeOf(s, block.end + s.ghost->later),
             spanOf(s, block.end - block.start));
}

} // namespace warpglass
