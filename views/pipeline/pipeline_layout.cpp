// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_layout.h"

#include "views/common/margins.h"
#include "views/common/marks.h"

#include <algorithm>

namespace warpglass {

PipelineLayout pipelineLayout(const QRectF& area, const Theme& theme, const PipelineSizes& sizes, TimeRange window) {
    constexpr double mostRow = 100, easyRow = 48, leastRow = 11, readRow = 16; // px at the usual type
    PipelineLayout layout;
    const double s = theme.fontScale, unit = spaceUnit(theme), side = sideMargin(theme);
    const double small = lineHeight(theme.small()), body = lineHeight(theme.body());
    const double left = area.left() + side, right = area.right() - side;
    double y = area.top() + 2 * unit;
    layout.title = {left, y, right - left, lineHeight(theme.title())};
    y = layout.title.bottom() + unit / 2;
    layout.sub = {left, y, right - left, small * sizes.subLines};
    y = layout.sub.bottom() + 2 * unit;
    double bottom = area.bottom() - 2 * unit;
    // Rows that can be read come before the lesser causes.
    layout.columns = right - left > 700 * s ? 2 : 1;
    layout.causes = sizes.causes;
    const auto idleHeight = [&] {
        const int lines = (layout.causes + layout.columns - 1) / layout.columns;
        return lines > 0 ? body + unit + lines * (small + unit) : body;
    };
    const double around = small * 1.25 * sizes.legendLines + 2 * small + 12 * unit;
    while (layout.causes > layout.columns &&
           bottom - y - around - idleHeight() < (sizes.lanes + 1 + sizes.ringSlots) * readRow * s)
        --layout.causes;
    // Where hardly a row has room, what stands around them goes.
    const auto roomFor = [&](double others) {
        return bottom - y - others >= (sizes.lanes + 1 + sizes.ringSlots) * 6 * s;
    };
    const double legend = small * 1.25 * sizes.legendLines;
    const bool hasIdle = roomFor(around + idleHeight()), hasLegend = hasIdle || roomFor(around);
    const double idle = hasIdle ? idleHeight() : 0;
    layout.idle = {left, bottom - idle, right - left, idle};
    bottom = layout.idle.top() - 2 * unit;
    const double words = hasLegend ? legend : 0;
    layout.legend = {left, bottom - words, right - left, words};
    bottom = layout.legend.top() - unit;
    layout.labels = std::min(sizes.label + 8, (right - left) * 0.34);
    const double begin = left + layout.labels;
    layout.ruler = {begin, bottom - small - 6, right - begin, small + 6};
    bottom = layout.ruler.top();
    layout.plot = {begin, y, right - begin, std::max(1.0, bottom - y)};
    // Rows get what there is, but for what rows that are easily read leave over; slots that have no room are told.
    const double gap = 1.5 * unit;
    int ringSlots = sizes.ringSlots;
    const auto height = [&] {
        const double parts = (ringSlots > 0 ? 2 : 1) * gap;
        return (layout.plot.height() - parts) / std::max(1, sizes.lanes + 1 + ringSlots);
    };
    while (ringSlots > 1 && height() < leastRow * s)
        --ringSlots;
    layout.hidden = sizes.ringSlots - ringSlots;
    layout.shareHeight = small * 1.6;
    const double shares = 2 * unit + body + unit + sizes.lanes * layout.shareHeight;
    const bool hasShares =
        hasIdle && layout.plot.height() - shares >= (sizes.lanes + 1 + ringSlots) * easyRow * s + 2 * gap;
    if (hasShares)
        layout.plot.setBottom(layout.plot.bottom() - shares);
    layout.rowHeight = std::clamp(height(), 2.0, mostRow * s);
    const double inner = layout.rowHeight - std::min(4.0, layout.rowHeight * 0.2);
    const auto row = [&] {
        const QRectF r(begin, y, right - begin, inner);
        y += layout.rowHeight;
        return r;
    };
    for (int n = 0; n < sizes.lanes; ++n)
        layout.lanes.append(row());
    y += gap;
    layout.units = row();
    if (ringSlots > 0)
        y += gap;
    for (int n = 0; n < ringSlots; ++n)
        layout.ringSlots.append(row());
    // What is left over stays below, and the ruler comes up to the rows.
    const double spare = layout.ruler.top() - y;
    if (spare > 0) {
        layout.plot.setBottom(y);
        layout.ruler.translate(0, -spare);
        layout.legend.translate(0, -spare);
        layout.idle.translate(0, -spare);
    }
    if (hasShares)
        layout.shares = {left, layout.idle.bottom() + 2 * unit, right - left, shares - 2 * unit};
    layout.scale = {window, begin, right - begin};
    return layout;
}

} // namespace warpglass
