// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a trace as a trace of its own: to keep, to send, to open quickly.
//
// Kept are the launches and blocks that were there during the part, every warp of those blocks, and of its events those
// of the part and the few before it that say in which state the warp entered it. No event's time is changed. Launches
// and blocks are clipped to the part, so that its picture begins and ends there. Exact counts, counters and samples are
// of whole launches and stay so; losses stay with their warps.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

namespace warpglass {

// The part from range.begin to range.end (a moment belongs to it if it is at or after the begin and before the end).
// The result passes validate(). Error: the part is empty, or nothing ran during it.
Result<TracePtr> cut(const Trace& trace, TimeRange range);

} // namespace warpglass
