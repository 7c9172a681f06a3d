// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/time_axis.h"
#include "views/timeline/timeline_model.h"

#include <QRectF>

#include <set>
#include <vector>

namespace warpglass {

// One drawn row: a group's head or one of its rows.
struct TimelineLine {
    std::uint32_t group = 0;
    std::uint32_t row = noIndex; // of TimelineModel::rows; noIndex for a head
    double y = 0, height = 0;    // painter coordinates
};

// A line that shows no warp: copies under the row that asked for them, or an mbarrier under its block.
struct TimelineExtra {
    std::uint32_t group = 0;
    std::uint32_t row = noIndex;     // of TimelineModel::rows, of copies
    std::uint32_t barrier = noIndex; // of TimelineGroup::barriers
    double y = 0, height = 0;
};

struct TimelineLayout {
    QRectF title, overview, stacked, ruler, labels, rows, legend;
    TimeAxis scale;                    // the whole view shares one
    double contentHeight = 0;          // of all lines
    double scroll = 0;                 // as clamped
    std::vector<TimelineLine> lines;   // those that are visible, top to bottom
    std::vector<TimelineExtra> extras; // those that are visible
};

// lineHeight: of body text. toggled: groups whose state is not the default (open up to 256 rows in all, else folded).
// legendLines: lines of text that the legend needs; it gets no fewer than usual.
TimelineLayout timelineLayout(const QRectF& area, const TimelineModel& model, double lineHeight, double rowHeight,
                              double scroll, TimeRange visible, const std::set<std::uint32_t>& toggled,
                              int legendLines = 0);
double timelineLegendWidth(const QRectF& area, double lineHeight);
bool timelineGroupOpen(const TimelineModel& model, std::uint32_t group, const std::set<std::uint32_t>& toggled);

} // namespace warpglass
