// SPDX-License-Identifier: GPL-3.0-or-later
// What the same access asked of memory in the pinned run: the access of the same line, warp and turn.
#pragma once

#include "views/common/picture.h"
#include "views/memory/memory_layout.h"

namespace warpglass {

// Nothing: nothing is pinned, it has no such access, or none that needed more.
std::optional<ShownAccess> pinnedAccess(const PaintContext& context, const ShownAccess& shown, SpaceFilter filter);

// Banks and passes, or sectors, that only the pinned run needed.
void paintPinnedAccess(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown,
                       const ShownAccess& pinned, const Theme& theme);
QString pinnedAccessSentence(const ShownAccess& shown, const ShownAccess& pinned); // "A needed 32 passes."
QString pinnedAccessKey();

} // namespace warpglass
