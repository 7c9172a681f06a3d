// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's legend: what occurs, in as many lines as its words need.
#include "views/common/marks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <algorithm>

namespace warpglass {

namespace {

// Where each entry begins, from the legend's corner: x in pixels, y in lines.
QVector<QPointF> placesOf(const QVector<TimelineLegendEntry>& legend, double width, const Theme& theme) {
    const double text = lineHeight(theme.small());
    QVector<QPointF> places;
    QPointF at;
    for (const TimelineLegendEntry& entry : legend) {
        const double needed = textWidth(theme.small(), entry.label) + text * 2.6;
        if (at.x() > 0 && at.x() + needed - text > width)
            at = {0, at.y() + 1};
        places.append(at);
        at.rx() += needed;
    }
    return places;
}

} // namespace

QVector<TimelineLegendEntry> timelineLegend(const TimelineModel& model, const Theme& theme) {
    QVector<TimelineLegendEntry> legend;
    if (!model.known.empty())
        legend.append({TimelineText::tr("running, not recorded"), {}, Hatch::None, true});
    for (int k = 0; k < model.categories; ++k)
        if (model.occurs(k))
            legend.append(
                {timelineCategoryName(model, k), timelineColour(model, k, theme), timelineHatch(model, k), false});
    const auto some = [&](const auto& test) {
        return std::any_of(model.trace->copies.begin(), model.trace->copies.end(), test);
    };
    const auto isProduct = [](const AsyncCopy& copy) { return copy.kind == AsyncCopyKind::Product; };
    const auto goesTo = [&](MemorySpace space) {
        return some([&](const AsyncCopy& copy) { return copy.to == space && !isProduct(copy); });
    };
    if (goesTo(MemorySpace::Shared))
        legend.append({TimelineText::tr("copy into shared memory"), theme.category(0), Hatch::None, false});
    if (goesTo(MemorySpace::Global))
        legend.append({TimelineText::tr("copy into global memory"), theme.category(3), Hatch::None, false});
    if (some(isProduct))
        legend.append(
            {TimelineText::tr("product on its way into tensor memory"), theme.category(2), Hatch::None, false});
    if (std::any_of(model.groups.begin(), model.groups.end(), [](const auto& g) { return !g.barriers.empty(); })) {
        if (model.hasStates() || !model.occurs(1))
            legend.append(
                {TimelineText::tr("waits for an mbarrier"), theme.state(WarpState::StallBarrier), Hatch::Dash, false});
        legend.append({TimelineText::tr("arrives at an mbarrier"), theme.laneOn, Hatch::None, false});
    }
    for (int s = 1; s < laneSteps; ++s)
        legend.append({laneStepName(s), laneStepColour(s, theme), Hatch::None, false});
    return legend;
}

int timelineLegendLines(const QVector<TimelineLegendEntry>& legend, double width, const Theme& theme) {
    const QVector<QPointF> places = placesOf(legend, width, theme);
    return places.isEmpty() ? 0 : int(places.last().y()) + 1;
}

void paintTimelineLegend(QPainter& painter, const QRectF& where, const QVector<TimelineLegendEntry>& legend,
                         const Theme& theme) {
    const double text = lineHeight(theme.small()), body = lineHeight(theme.body());
    const QVector<QPointF> places = placesOf(legend, where.width(), theme);
    for (qsizetype i = 0; i < legend.size(); ++i) {
        const TimelineLegendEntry& entry = legend[i];
        const double x = where.left() + places[i].x(), y = where.top() + places[i].y() * body;
        if (y + body > where.bottom() + 1)
            return;
        const QRectF swatch(x, y + body / 2 - text * 0.35, text * 1.1, text * 0.7);
        if (entry.isKnown)
            paintKnownSwatch(painter, swatch, theme);
        else
            paintCell(painter, swatch, entry.colour, entry.hatch, theme.panel);
        const double width = std::min(textWidth(theme.small(), entry.label) + text * 1.2, where.right() - x);
        paintText(painter, QRectF(x + text * 1.4, y, width, body), entry.label, theme.small(), theme.textMuted);
    }
}

} // namespace warpglass
