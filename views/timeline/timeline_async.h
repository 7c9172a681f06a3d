// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on beside the warps: copies that were asked for and not waited for yet, as bars under the row of the warp
// that asked; and the phases of each mbarrier, as a line of its own under its block.
#pragma once

#include "gpu/trace/trace.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace warpglass {

struct TimelineModel;

// A copy's place under its row: copies that are under way at once lie below one another.
struct TimelineCopyBar {
    std::uint32_t copy = 0; // row of Trace::copies
    std::uint32_t depth = 0;
};
struct TimelineCopies {                // of one row
    std::vector<TimelineCopyBar> bars; // by time of asking
    std::uint32_t depth = 0;           // bars below one another: the most
};
inline constexpr std::uint32_t mostCopyBars = 4; // below one another; further ones lie in the last line

struct TimelineBarrier {               // of one block; only where rows are grouped by block
    std::uint32_t barrier = 0;         // byte of shared memory
    std::vector<std::uint32_t> events; // rows of Trace::phaseEvents, by time
};

// A phase of a barrier: from the first thing that happened in it to its end.
struct TimelinePhase {
    std::uint32_t phase = 0;
    Time begin, end;
    bool over = false; // the trace holds its end
};
std::vector<TimelinePhase> phasesOf(const Trace& trace, const TimelineBarrier& barrier);
// Warps that asked for a phase before it was over, and until when.
struct TimelineWait {
    std::uint32_t warp = noIndex, phase = 0;
    Time begin, end;
};
std::vector<TimelineWait> waitsOf(const Trace& trace, const TimelineBarrier& barrier);

std::vector<TimelineCopyBar> placeCopies(const Trace& trace, std::vector<std::uint32_t> copies, std::uint32_t& depth);
void fillAsync(TimelineModel& model);

QString copyText(const Trace& trace, const AsyncCopy& copy);                    // for the tool tip
QString phaseText(const Trace& trace, const TimelineBarrier& barrier, Time at); // what was missing then, and who waited

} // namespace warpglass
