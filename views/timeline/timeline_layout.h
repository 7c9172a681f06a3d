// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/timeline_model.h"

#include <QRectF>

#include <cmath>
#include <set>
#include <vector>

namespace warpglass {

// Time to x and back; the whole view shares one.
struct TimelineScale {
    TimeRange window;
    double left = 0, width = 1;

    double x(Time t) const {
        return left +
               double((t - window.begin).value) * width / double(std::max<std::int64_t>(1, window.length().value));
    }
    Time time(double at) const {
        return {window.begin.value + std::int64_t(std::floor((at - left) / width * double(window.length().value)))};
    }
    // Zoomed by factor (below 1 = closer) so that the time under `at` stays under it; at least 8 units, never outside
    // `bounds`.
    TimeRange zoomed(double at, double factor, TimeRange bounds) const;
    TimeRange shifted(double pixels, TimeRange bounds) const; // content moves right by pixels
};

// One drawn row: a group's head or one of its rows.
struct TimelineLine {
    std::uint32_t group = 0;
    std::uint32_t row = noIndex; // of TimelineModel::rows; noIndex for a head
    double y = 0, height = 0;    // painter coordinates
};

struct TimelineLayout {
    QRectF title, overview, stacked, ruler, labels, rows, legend;
    TimelineScale scale;
    double contentHeight = 0;        // of all lines
    double scroll = 0;               // as clamped
    std::vector<TimelineLine> lines; // those that are visible, top to bottom
};

// lineHeight: of body text. toggled: groups whose state is not the default (open up to 256 rows in all, else folded).
TimelineLayout timelineLayout(const QRectF& area, const TimelineModel& model, double lineHeight, double rowHeight,
                              double scroll, TimeRange visible, const std::set<std::uint32_t>& toggled);
bool timelineGroupOpen(const TimelineModel& model, std::uint32_t group, const std::set<std::uint32_t>& toggled);

} // namespace warpglass
