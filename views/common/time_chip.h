// SPDX-License-Identifier: GPL-3.0-or-later
// The chip that says where the times of a run come from; of a debug build it says that, too.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/theme.h"

#include <QPainter>

namespace warpglass {

// Code compiled as written keeps every branch and every variable of the source, and its times are its own: not those that
// the compiler's usual code takes. False where there are steps and no time.
bool isDebugBuild(const TraceInfo& info);

// "modelled", "modelled, debug build"; the origin alone where the chip has no room for more.
QString timeChipText(const TraceInfo& info, const Theme& theme, qreal room);
QRectF paintTimeChip(QPainter& painter, QPointF topLeft, const TraceInfo& info, const Theme& theme, qreal room);

} // namespace warpglass
