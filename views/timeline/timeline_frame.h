// SPDX-License-Identifier: GPL-3.0-or-later
// What a picture of the timeline shows, one value a pixel column, worked out on all cores before anything is painted.
//
// Each row in sight is walked once. Where the charts above it (a group's, and the one of all) are finer than the
// model's bins, they are the sums of the same walks, so that zooming in costs one walk a row and not three.
#pragma once

#include "views/timeline/timeline_layout.h"

#include <memory>

namespace warpglass {

struct TimelineRowPicture {
    std::vector<std::int8_t> state; // category that filled most of the column, -1 for nothing
    std::vector<std::int8_t> lanes; // laneStep of the lanes on, -1 for nothing; empty where the row is too low for it
};

struct TimelineFrame {
    TimeRange window;
    std::vector<TimelineRowPicture> rows;            // one a line of the layout; empty for a head
    std::vector<TimelineColumns> heads;              // one a line of the layout; empty for a row
    TimelineColumns stacked;                         // of all rows, in the window
    std::shared_ptr<const TimelineColumns> overview; // of all rows and all time
    // Warps that ran on average and were not recorded, a column each; empty where there are none.
    std::vector<std::vector<float>> headsKnown; // as heads
    std::vector<float> stackedKnown, overviewKnown;
};

// before: a frame of the same model, or null; what did not change is taken from it.
std::shared_ptr<const TimelineFrame> timelineFrame(const TimelineLayout& layout, const TimelineModel& model,
                                                   const TimelineFrame* before);

} // namespace warpglass
