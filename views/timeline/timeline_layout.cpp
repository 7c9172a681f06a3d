// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_layout.h"

#include <algorithm>

namespace warpglass {

bool timelineGroupOpen(const TimelineModel& model, std::uint32_t group, const std::set<std::uint32_t>& toggled) {
    const bool openByDefault = model.rows.size() <= 256;
    return openByDefault != toggled.contains(group);
}

namespace {

constexpr double between = 0.7; // of a line of text
constexpr int mostLegendLines = 6;

QRectF innerOf(const QRectF& area, double lineHeight) {
    const double gap = lineHeight * between;
    return area.adjusted(gap * 1.7, gap, -gap * 1.7, -gap * 0.8);
}

} // namespace

double timelineLegendWidth(const QRectF& area, double lineHeight) {
    return innerOf(area, lineHeight).width();
}

TimelineLayout timelineLayout(const QRectF& area, const TimelineModel& model, double lineHeight, double rowHeight,
                              double scroll, TimeRange visible, const std::set<std::uint32_t>& toggled,
                              int legendLines) {
    TimelineLayout layout;
    const double gap = lineHeight * between;
    const QRectF inner = innerOf(area, lineHeight);
    const double labelWidth = lineHeight * 8.5;
    const double left = inner.left() + labelWidth;
    const double width = std::max(1.0, inner.right() - left);
    double y = inner.top();
    const auto strip = [&](double height, double after) {
        const QRectF rect(left, y, width, height);
        y += height + after;
        return rect;
    };
    layout.title = QRectF(inner.left(), y, inner.width(), lineHeight * 1.7);
    y += lineHeight * 1.7 + gap * 0.6;
    // In a low view rows of warps come before the strip of the whole run, and then before the sums over all warps.
    double overview = lineHeight * 2.0, stacked = std::clamp(area.height() * 0.09, lineHeight * 2.5, lineHeight * 6);
    const double ruler = lineHeight * 1.5 + 2, leastRows = lineHeight * 1.6 + rowHeight * 3;
    const auto low = [&] {
        return inner.bottom() - gap * 0.6 - y - (overview > 0 ? overview + gap : 0) - stacked - ruler < leastRows;
    };
    if (low())
        overview = 0;
    if (low())
        stacked = 0;
    if (low() && area.height() < lineHeight * 8) { // beside another run, whose captions tell what the title would
        y = inner.top();
        layout.title = {};
    }
    layout.overview = strip(overview, overview > 0 ? gap : 0);
    layout.stacked = strip(stacked, 0);
    layout.ruler = strip(lineHeight * 1.5, 2);
    int legendRows = std::max(model.legendLines(), std::min(legendLines, mostLegendLines));
    // In a low view rows of warps come before the names of what they do, which tool tips say, too.
    while (legendRows > 0 && inner.bottom() - lineHeight * (0.4 + legendRows) - gap * 0.6 - y < rowHeight * 3)
        --legendRows;
    const double legend = legendRows > 0 ? lineHeight * (0.4 + legendRows) : 0;
    layout.legend = QRectF(inner.left(), inner.bottom() - legend, inner.width(), legend);
    layout.rows = QRectF(left, y, width, std::max(0.0, layout.legend.top() - gap * 0.6 - y));
    layout.labels = QRectF(inner.left(), y, labelWidth, layout.rows.height());
    // A window may reach beyond the run (two runs on one scale), but not lie beside it (what is left of another run).
    const bool meets = visible.begin < model.range.end && visible.end > model.range.begin;
    layout.scale = {meets                        ? visible
                    : visible.length().value > 0 ? timesWithin(visible, model.range)
                                                 : model.range,
                    left, width};

    const auto copiesHeight = [&](const TimelineRow& row) { return row.copies.depth * rowHeight * 0.6; };
    const auto extraHeight = [&](const TimelineGroup& group) {
        double height = double(group.barriers.size()) * rowHeight;
        for (std::uint32_t r = 0; r < group.rows; ++r)
            height += copiesHeight(model.rows[group.firstRow + r]);
        return height;
    };
    const double headHeight = std::max(rowHeight, lineHeight * 1.6);
    for (std::uint32_t g = 0; g < model.groups.size(); ++g)
        layout.contentHeight += headHeight + (timelineGroupOpen(model, g, toggled)
                                                  ? model.groups[g].rows * rowHeight + extraHeight(model.groups[g])
                                                  : 0);
    layout.scroll = std::clamp(scroll, 0.0, std::max(0.0, layout.contentHeight - layout.rows.height()));
    double at = layout.rows.top() - layout.scroll;
    for (std::uint32_t g = 0; g < model.groups.size() && at < layout.rows.bottom(); ++g) {
        if (at + headHeight > layout.rows.top())
            layout.lines.push_back({g, noIndex, at, headHeight});
        at += headHeight;
        if (!timelineGroupOpen(model, g, toggled))
            continue;
        const TimelineGroup& group = model.groups[g];
        const auto inSight = [&](double top, double height) {
            return top + height > layout.rows.top() && top < layout.rows.bottom();
        };
        if (extraHeight(group) > 0) { // rows of different heights, one by one
            for (std::uint32_t r = group.firstRow; r < group.firstRow + group.rows; ++r) {
                if (inSight(at, rowHeight))
                    layout.lines.push_back({g, r, at, rowHeight});
                at += rowHeight;
                const double height = copiesHeight(model.rows[r]);
                if (height > 0 && inSight(at, height))
                    layout.extras.push_back({g, r, noIndex, at, height});
                at += height;
            }
            for (std::uint32_t b = 0; b < group.barriers.size(); ++b, at += rowHeight)
                if (inSight(at, rowHeight))
                    layout.extras.push_back({g, noIndex, b, at, rowHeight});
            continue;
        }
        const auto skip = std::uint32_t(std::clamp((layout.rows.top() - at) / rowHeight, 0.0, double(group.rows)));
        for (std::uint32_t r = skip; r < group.rows && at + r * rowHeight < layout.rows.bottom(); ++r)
            layout.lines.push_back({g, group.firstRow + r, at + r * rowHeight, rowHeight});
        at += group.rows * rowHeight;
    }
    return layout;
}

} // namespace warpglass
