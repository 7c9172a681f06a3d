// SPDX-License-Identifier: GPL-3.0-or-later
// views/scheduler: one scheduler of one SM, cycle by cycle. Warps (their slots) are rows, cycles are columns; a cell
// says whether its warp is selected (issues), eligible (could, but another was chosen) or stalled, and why.
//
// Four pages, by the switch "show":
//   cycles     the open run; what is issued at the cursor with its source line; issue-slot use, latency hidden
//   policies   the open run and its companions (PaintContext::companions), in step: same cycles, same cursor
//   example    the documents' four warps and five cycles, run by the emulator's own rule (example.h)
//   little     how many warps hide a latency (little.h), against those the open run has
//
// scheduler_model (with state_sums) is worked out of a trace, scheduler_layout says where things go, scheduler_state
// reads and changes options and selection; scheduler_picture puts them together, a page a file, and paint_* draw.
//
// Cycles are finer than the trace's time unit, so cursor and visible range are kept in cycles as options of the view
// ("cycle", "cycles") next to the shared selection, and hold as long as they mean the same time as the selection does:
// whatever moves the time elsewhere moves them here.
#pragma once

#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeSchedulerView();

} // namespace warpglass
