// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU did in the time of the model: for each warp of the modelled trace when the recording of the same launch says
// that it ran, moved so that both launches begin together. A warp goes by its number in its block, and that by its number
// in the grid: the GPU may have put it on another SM, and still it is the same piece of work. Of blocks whose warps were
// not recorded their own start and end are known.
#pragma once

#include "views/common/ghost.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_model.h"

#include <QPainter>

#include <memory>
#include <vector>

namespace warpglass {

struct TimelineGhost {
    TracePtr recording;
    std::vector<TimeRange> spans;           // [row of the modelled warp table]; empty range: not known
    std::vector<std::int64_t> starts, ends; // of the known ones, sorted
    GhostTimes times;                       // of the launch

    bool knows(std::uint32_t warp) const { return spans[warp].length().value > 0; }
    std::size_t running(Time t) const; // warps that the GPU had at that time
};
using TimelineGhostPtr = std::shared_ptr<const TimelineGhost>;

// Null if there is no recording of this launch.
TimelineGhostPtr timelineGhost(const TracePtr& modelled, const TracePtr& recording);

// Over rows that are painted: when the GPU ran each warp as a translucent bar with ends, and tinted what only one of the
// two has.
void paintGhostRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                    const TimelineGhost& ghost, const Theme& theme);
// Over the chart of all warps: how many of them the GPU had, as a line. most: warps at its top.
void paintGhostCurve(QPainter& painter, const QRectF& where, const TimelineLayout& layout, const TimelineGhost& ghost,
                     double most, const Theme& theme);
// When each warp ran in another trace, both beginning together: [row of `here`'s warp table], empty: not known. Warps go
// by their numbers.
std::vector<TimeRange> spansIn(const Trace& here, const Trace& there);
// Over rows: when the pinned run's warps ran, as dashed frames.
void paintPinnedRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                     const std::vector<TimeRange>& spans, const Theme& theme);
// The two parts of a row that only one of the two has: times of the model alone, and of the GPU alone.
struct GhostDifference {
    std::vector<TimeRange> modelOnly, gpuOnly;
};
GhostDifference differenceOf(TimeRange modelled, TimeRange measured);

} // namespace warpglass
