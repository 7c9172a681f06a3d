// SPDX-License-Identifier: GPL-3.0-or-later
// views/timeline: every recorded warp over time. Rows are the hardware (SM, scheduler, slot) or the program (block,
// warp); a span lasts from one event to the next and is coloured by what the warp does in it: runs, waits at a barrier,
// or, where the timing model ran, NVIDIA's state of each cycle. Below the colour a strip tells how many lanes are on.
//
// The trick: each row's events are summed up into a pyramid (timeline_pyramid.h), whose foot comes with the trace file;
// a frame walks down only where a node is wider than a pixel, so its cost follows pixels and not events, and many
// events in one pixel are shown by the state that filled most of it, never by a mixed colour. The way of a picture:
// trace -> model (rows and pyramids) -> layout (where) -> frame (what each pixel column shows) -> paint_*.cpp.
#pragma once

#include "views/common/ask_text.h"
#include "views/common/view.h"

#include <functional>

namespace warpglass {

std::unique_ptr<View> makeTimelineView();

// The view above asks by a small dialog.
std::unique_ptr<View> makeAskingTimelineView(AskText ask);

} // namespace warpglass
