// SPDX-License-Identifier: GPL-3.0-or-later
// Another profiler's named ranges (gpu/profilers/scopes.h) over the rows of the warps that ran them. Its clock is not the
// trace's: both launches begin together, or, where the profiler's clock is a block's, each block does.
#pragma once

#include "gpu/profilers/scopes.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_model.h"
#include "views/timeline/timeline_paint.h"

#include <QPainter>

#include <memory>
#include <vector>

namespace warpglass {

struct TimelineLayer {
    struct Box {
        std::uint32_t name = 0, depth = 0; // depth: ranges of this warp that it lies in
        TimeRange time;                    // of the trace; empty: a marker
    };
    std::shared_ptr<const profilers::ScopeTrace> scopes; // whose names they are
    std::vector<std::vector<Box>> boxes;                 // [row of the warp table], by begin, the outer one first
    std::uint32_t depth = 0;                             // the most

    QString name(const Box& box) const { return QString::fromStdString(scopes->names[box.name]); }
    // Of a warp at a time, the outermost first; a marker counts where it is within `reach`.
    std::vector<Box> at(std::uint32_t warp, Time time, Time reach) const;
    // Warps in ranges of each name, on average from each of these times to the next: [column][row of ScopeTrace::names].
    std::vector<std::vector<double>> warpsIn(const std::vector<Time>& edges) const;
};
using TimelineLayerPtr = std::shared_ptr<const TimelineLayer>;

// Null without scopes, for a trace without times, and where no recorded warp has one.
TimelineLayerPtr timelineLayer(const TracePtr& trace, const std::shared_ptr<const profilers::ScopeTrace>& scopes);

// Whether they are of the kernel of the trace's first launch.
bool areOf(const profilers::ScopeTrace& scopes, const Trace& trace);
// The launch of a file that is of this trace's kernel; an Error where none is, or the trace has no times in ns.
Result<std::shared_ptr<const profilers::ScopeTrace>> scopesOf(const Trace& trace, const std::string& file);

void paintTimelineLayer(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                        const TimelineLayer& layer, const Theme& theme);
QVector<TimelineLegendEntry> layerLegend(const TimelineLayer& layer, const Theme& theme);

} // namespace warpglass
