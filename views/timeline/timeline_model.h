// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"
#include "gpu/trace/trace.h"
#include "views/timeline/timeline_async.h"
#include "views/timeline/timeline_known.h"
#include "views/timeline/timeline_pyramid.h"

#include <memory>
#include <vector>

namespace warpglass {

enum class TimelineGrouping {
    Hardware, // SM > warp slot; slots are ordered by scheduler
    Program,  // block > warp
};

// A row that shows warps, one after the other in time.
struct TimelineRow {
    std::uint32_t group = 0; // row of TimelineModel::groups
    std::uint16_t slot = 0;  // hardware: warp slot; program: warp in block
    std::uint8_t scheduler = 0;
    std::vector<std::uint32_t> warps;     // rows of the warp table, by start
    std::vector<std::uint32_t> firstNode; // of each warp, among the foot nodes of `events`; and one beyond
    TimelinePyramid events;               // category 0 = runs, 1 = waits at a barrier
    std::vector<std::uint32_t> firstStateNode;
    TimelineCopies copies;  // that its warps asked for
    TimelinePyramid states; // categories are WarpState; empty without the timing model
};

// An SM or a block: its rows, and their sum over the whole trace in equal bins.
struct TimelineGroup {
    std::uint32_t sm = 0;          // hardware
    std::uint32_t block = noIndex; // program: row of the block table
    std::uint32_t firstRow = 0, rows = 0;
    std::uint32_t warps = 0; // recorded, in all rows
    std::vector<TimelineBarrier> barriers;
    std::vector<double> sums; // [bin + 1][category]: warps on average of the bins before, added up
    KnownSpans known;         // hardware: what ran on this SM and was not followed
};

struct TimelineModel {
    TracePtr trace; // keeps it alive
    TimelineGrouping grouping = TimelineGrouping::Hardware;
    std::vector<TimelineGroup> groups;
    std::vector<TimelineRow> rows; // group after group
    TimeRange range;
    int categories = 2;              // 2 from events, WarpState::Count_ from states
    int bins = 0;                    // equal parts of range in TimelineGroup::sums and total
    std::vector<double> total;       // as TimelineGroup::sums, over all groups
    KnownSpans known;                // blocks of which no warps were recorded, and warps once no state tells of them
    WarpsAtOnce atOnce;              // all warps, recorded or not
    std::vector<TimeRange> recorded; // stretches of time in which warps were recorded
    // What is shown where nobody has chosen: everything; where most of it was not recorded, the stretch at `now`; where
    // no warp was there for more than 15 % of it, the times of the warps.
    TimeRange frameAt(Time now) const;
    std::size_t bytes() const; // held beside the trace

    bool hasStates() const { return categories != 2; }
    // States have long names, and none may push the lanes' steps out of the legend.
    int legendLines() const { return hasStates() ? 3 : !trace->copies.empty() || !known.empty() ? 2 : 1; }
    bool occurs(int category) const { return total[std::size_t(bins * categories + category)] > 0; }
    TimelineItem eventItem(const Warp& warp, std::uint32_t n) const; // n < eventCount
    Time timeOfCycle(Time cycle) const;                              // of a state, on the trace's axis

    // What the row shows in the window, one entry a pixel column; adds to the columns, which must have this model's
    // categories.
    void columns(const TimelineRow& row, TimeRange window, TimelineColumns& columns) const; // by state
    void lanes(const TimelineRow& row, TimeRange window,
               TimelineColumns& columns) const; // masks, from events: 2 categories
    // Warps by category, of a group or of all (nullptr): share(c, k) = warps on average in the column.
    void stacked(const TimelineGroup* group, TimeRange window, TimelineColumns& columns) const;
    // Whether stacked() adds up the rows themselves: where columns are finer than the bins.
    bool stackedFromRows(const TimelineGroup* group, TimeRange window, std::size_t columns) const;
};

// Takes the sums that came with the trace, or works them out where none did. Nothing if cancelled.
std::shared_ptr<const TimelineModel> buildTimelineModel(TracePtr trace, std::uint32_t launch, TimelineGrouping grouping,
                                                        Progress& progress);

} // namespace warpglass
