// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's own state: how high its rows are and how far they are scrolled, which groups are folded
// the other way than usual, what was measured, and the reader's notes.
#pragma once

#include "views/common/options.h"
#include "views/timeline/timeline_model.h"
#include "views/timeline/timeline_notes.h"

#include <set>

namespace warpglass {

// The drop-down "rows": by SM, or by block where the trace has mbarriers, which are a block's. trace: nullptr, none.
Choice<TimelineGrouping> timelineGrouping(const Trace* trace);

inline constexpr Setting<double> timelineRowHeight{"rowHeight"}; // px; not above 0: what suits the font
inline constexpr Setting<double> timelineScroll{"scroll"};       // px
inline constexpr Setting<qlonglong> timelineMeasureFrom{"measureFrom"}, timelineMeasureTo{"measureTo"}; // trace's times

struct TimelineState {
    double rowHeight = 0, scroll = 0;
    std::set<std::uint32_t> toggled; // groups
    Time measureFrom, measureTo;     // equal: nothing is measured
    TimelineNotes notes;
};

// standard: the height of a row that nobody changed.
TimelineState timelineState(const Options& options, double standard);
void setToggled(Options& options, const std::set<std::uint32_t>& groups);
double rowHeightWithin(double height); // what a person may set

} // namespace warpglass
