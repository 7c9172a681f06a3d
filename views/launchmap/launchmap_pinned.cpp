// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_pinned.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_ghost.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <QPolygonF>

#include <algorithm>

namespace warpglass {

namespace {

QPen dashed(const Theme& theme) {
    QPen pen(pinnedColour(theme), 1.6);
    pen.setDashPattern({4, 2});
    return pen;
}

} // namespace

LaunchMapPinnedPtr launchMapPinned(const PaintContext& context, const LaunchMapModel& shown,
                                   const LaunchMapPinnedPtr& before) {
    const auto a = contextOfPinned(context);
    if (!a || context.pinned->info.timeUnit != context.trace->info.timeUnit)
        return nullptr;
    const std::uint32_t launch = shownLaunch(*a->trace, a->selection);
    if (a->trace->launches[launch].blockCount == 0)
        return nullptr;
    const bool same = before && before->trace == a->trace && before->model->launch() == launch;
    auto pinned = std::make_shared<LaunchMapPinned>();
    pinned->trace = a->trace;
    pinned->model = same ? before->model
                         : std::make_shared<const LaunchMapModel>(*a->trace, launch, blocksThatFit(*a->trace, launch));
    pinned->later = shown.range().begin - pinned->model->range().begin;
    return pinned;
}

void paintPinnedCurve(QPainter& painter, const LaunchMapScene& s, double top) {
    if (!s.pinned)
        return;
    const QRectF& a = s.layout.chart;
    const LaunchMapModel& model = *s.pinned->model;
    const Time later = s.pinned->later;
    const double end = std::min(s.chart.x(model.range().end + later), a.right());
    QPolygonF line;
    for (double x = a.left(); x <= end; x += 1) {
        const Time from = s.chart.time(x), to = std::max(from + Time{1}, s.chart.time(x + 1));
        const double y = a.bottom() - model.meanResident({from - later, to - later}) / top * a.height();
        if (!line.isEmpty() && y != line.last().y())
            line << QPointF(x, line.last().y());
        line << QPointF(x, y);
    }
    if (line.isEmpty())
        return;
    line << QPointF(line.last().x(), a.bottom());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(s.theme.panel, 4));
    painter.drawPolyline(line);
    painter.setPen(dashed(s.theme));
    painter.drawPolyline(line);
    // Its name and how long it took at its end, in the chart's lower half: the upper one names the places.
    const QFont font = s.theme.small();
    const double high = lineHeight(font);
    if (a.height() < 5 * high)
        return;
    const QString text =
        LaunchMapText::tr("A %1").arg(timeText(model.range().length(), s.pinned->trace->info.timeUnit));
    const double width = textWidth(font, text) + 8;
    const QRectF patch(std::clamp(end - width - 3, a.left(), a.right() - width), a.bottom() - 2.4 * high, width, high);
    painter.fillRect(patch, s.theme.panel);
    paintText(painter, patch.adjusted(4, 0, 0, 0), text, font, s.theme.text);
}

void paintPinnedBalance(QPainter& painter, const LaunchMapScene& s, double top) {
    if (s.pinned)
        paintBalanceOf(painter, s, *s.pinned->model, s.pinned->later, top, dashed(s.theme));
}

QString pinnedWavesText(const LaunchMapScene& s) {
    return s.pinned ? LaunchMapText::tr("A: %1").arg(wavesText(s.pinned->model->waves())) : QString();
}

QString pinnedAtText(const LaunchMapScene& s, Time now) {
    if (!s.pinned)
        return {};
    return agreeing(LaunchMapText::tr("A: %1 resident of %2 {place|places}"),
                    numberText(s.pinned->model->resident(now - s.pinned->later)),
                    numberText(s.pinned->model->waves().capacity));
}

} // namespace warpglass
