// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_scene.h"

#include "gpu/metrics/metrics.h"
#include "gpu/metrics/residency.h"
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

OccupancyLayout occupancyLayout(const QRectF& area, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const QRectF inner = area.adjusted(line * 1.2, line * 0.8, -line * 1.2, -line * 0.8);
    OccupancyLayout l;
    l.narrow = inner.width() < line * 46;
    const double gap = line * (l.narrow ? 1 : 2);
    const double wide = l.narrow ? (inner.width() - gap) / 2 : (inner.width() - 2 * gap) / 3;
    const double leastContainers = line * 7.4, leastCurves = line * 7, words = line * 4.4;
    const double parted = l.narrow ? line * 5.2 : line * 2; // the words between them, and gaps
    // A narrow picture's gauges have notes of two lines, of one where that has room and the second would cost the curves;
    // and its title goes where it would.
    const double usual = line * 6.2, titled = line * 2, least = wide < line * 15 ? usual : line * 5;
    const double left = inner.height() - leastContainers - leastCurves - parted;
    const bool title = !l.narrow || left < least || left >= titled + least;
    if (title)
        l.title = QRectF(inner.left(), inner.top(), inner.width(), line * 1.7);
    const double forGauge = left - (title ? titled : 0), gauge = forGauge < least ? usual : std::min(forGauge, usual);
    const double rest = inner.height() - line * 2.7, top = inner.top() + (title ? titled : 0);
    const double high = std::clamp(rest * 0.18, line * 4.2, line * 6.0);
    for (std::size_t g = 0; g < l.gauge.size(); ++g)
        l.gauge[g] = QRectF(inner.left() + double(g) * (wide + gap), top, wide, l.narrow ? gauge : high);
    double y = l.gauge[0].bottom();
    if (!l.narrow) {
        l.residency = QRectF(l.gauge[1].right() + gap, top, wide, high);
    } else if (rest > line * 34) {
        l.residency = QRectF(inner.left(), y + line * 0.5, inner.width(), line * 5);
        y = l.residency.bottom();
    }
    if (!l.residency.isEmpty())
        l.residencyPlot = QRectF(l.residency.left(), l.residency.top() + line * 1.4, l.residency.width(),
                                 std::max(line, l.residency.height() - line * 2.8));
    // Of what has no room the curves go first, then the words, then the containers: the gauges' numbers stay.
    const double room = inner.bottom() - y;
    if (room < leastContainers + leastCurves + parted - line * 0.01) {
        const bool containers = room >= leastContainers + line, beside = !l.narrow && containers;
        const double start = y + line * 0.6, high2 = inner.bottom() - start;
        const bool both = l.narrow && high2 >= leastContainers + words + line * 0.4;
        const double explain = beside ? std::clamp(inner.width() * 0.36, line * 18, line * 32) : inner.width();
        if (containers)
            l.containers = QRectF(inner.left(), start, inner.width() - (beside ? explain + line * 1.5 : 0),
                                  both ? high2 - words - line * 0.4 : high2);
        if (beside || both || !containers)
            l.explanation = QRectF(inner.right() - explain, both ? l.containers.bottom() + line * 0.4 : start, explain,
                                   both ? words : high2);
        return l;
    }
    const double below = inner.bottom() - y - line * 2.0;
    if (l.narrow) {
        const double explain = line * 4.4, middle = std::max(leastContainers, below * 0.6 - explain);
        l.containers = QRectF(inner.left(), y + line * 0.6, inner.width(), middle);
        l.explanation = QRectF(inner.left(), l.containers.bottom() + line * 0.5, inner.width(), explain);
        y = l.explanation.bottom();
    } else {
        const double middle = below * 0.54;
        const double explain = std::clamp(inner.width() * 0.36, line * 18, line * 32);
        l.containers = QRectF(inner.left(), y + line, inner.width() - explain - line * 1.5, middle);
        l.explanation = QRectF(inner.right() - explain, l.containers.top(), explain, middle);
        y = l.containers.bottom() + line;
    }
    l.curves = QRectF(inner.left(), y, inner.width(), std::max(0.0, inner.bottom() - y));
    for (std::size_t i = 0; i < l.curve.size(); ++i) {
        const double between = line * (l.narrow ? 0.8 : 1.5);
        const double width = (l.curves.width() - 2 * between) / 3;
        l.curve[i] = QRectF(l.curves.left() + double(i) * (width + between), l.curves.top(), width, l.curves.height());
        l.plot[i] = l.curve[i].adjusted(line * 3.0, line * (l.narrow ? 2.9 : 2.0), -line * 0.5, -line * 1.5);
    }
    return l;
}

AchievedPtr achievedBy(const TracePtr& trace, std::uint32_t launch, int columns) {
    auto achieved = std::make_shared<Achieved>();
    achieved->trace = trace;
    achieved->launch = launch;
    if (!trace)
        return achieved;
    achieved->resident = residencyOverTime(*trace, launch, columns);
    achieved->resident.resize(std::size_t(std::max(columns, 0))); // where nothing is known: none
    if (launch >= trace->launches.size())
        return achieved;
    const auto found = metric(*trace, launch, "achieved_occupancy");
    if (found && found->value) {
        achieved->percent = *found->value;
        achieved->origin = found->origin;
    }
    return achieved;
}

std::uint32_t OccupancyScene::valueAt(std::size_t axis, double x) const {
    const QRectF& plot = layout.plot[axis];
    const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
    switch (occupancyAxes[axis].axis) {
    case Axis::Threads:
        return std::uint32_t(std::lround((32 + share * (question.limits->threadsPerBlock - 32)) / 32)) * 32;
    case Axis::Registers:
        return std::uint32_t(std::lround(1 + share * 254));
    case Axis::Shared:
        return std::uint32_t(std::lround(share * double(curves[axis].back().x) / 256)) * 256;
    }
    return 0;
}

} // namespace warpglass
