// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"
#include "views/memory/memory_model.h"

#include <QPainter>

namespace warpglass {

// The table beside the picture: every instruction that touches memory, whole launch, exact counts. Where not all have room,
// the one that is shown has.
void paintMemoryTable(QPainter& painter, const QRectF& where, const std::vector<AccessLine>& lines,
                      const ShownAccess& shown, const Theme& theme);
// Row under the point, or -1.
int memoryTableRowAt(const QRectF& where, const std::vector<AccessLine>& lines, const ShownAccess& shown, QPointF at,
                     const Theme& theme);
QString memoryTableCsv(const std::vector<AccessLine>& lines);
QString accessText(MemorySpace space, AccessKind kind); // "load from global memory", translated

} // namespace warpglass
