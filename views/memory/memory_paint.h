// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"
#include "views/memory/memory_layout.h"

#include <QPainter>

namespace warpglass {

// The access: its lanes, below them sectors or banks, what was moved, and the key. chosenLane and that of the thread that is followed
// are marked; -1: none. pinned: what the access was in the run that is pinned; null: none.
void paintMemoryPicture(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                        int chosenLane, int followedLane, const Theme& theme, const ShownAccess* pinned = nullptr);
// Of a prediction: the lanes ask one after the other, and what they ask for is moved or served; way, 0 to 1: so far.
void paintMemoryStage(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                      double way, const Theme& theme);

} // namespace warpglass
