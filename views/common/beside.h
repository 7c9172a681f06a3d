// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces in step: where the second one is looked at when the first is looked at here. Every view that shows both
// asks these functions, so that a block, a warp and a moment are the same in all of them.
#pragma once

#include "views/common/view.h"

namespace warpglass {

// What is added to a time of context.trace to get the same moment of context.other: context.otherShift, or, if nobody
// chose one, what makes both start together. Zero without a second trace.
Time shiftToOther(const PaintContext& context);

// "A · " or "B · ": before what a picture of two traces tells of one of them.
QString compared(std::size_t trace);

// The second trace as a context of its own: the launch of the same row, the block of the same number in it, the warp
// of the same number in the block, the same moment, the same visible times; lines only if both traces are of the same
// source. Needs context.other.
PaintContext contextOfOther(const PaintContext& context);

// The way back: what was chosen in the second trace, chosen in the first. What the first does not have stays unchosen.
Selection selectionFromOther(const Selection& chosen, const PaintContext& context);

// A view that shows one trace shows two: each in a pane of its own, one above the other or side by side, named, with
// zoom, selection and switches in common. Views that know how to show two traces themselves are not wrapped.
enum class BesideLayout { Columns, Rows };
std::unique_ptr<View> makeBesideView(std::unique_ptr<View> (*make)(), BesideLayout layout);

} // namespace warpglass
