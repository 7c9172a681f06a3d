// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned run A behind what is shown: where it is looked at when its successor B is looked at here, and how its shadow
// is drawn. Told from both traces alone: warps and blocks go by their numbers, lines by what became of them.
#pragma once

#include "views/common/picture.h"

#include <QString>

#include <optional>

namespace warpglass {

// Where nothing is pinned, or nothing of its kind is in both: nothing.
std::optional<PaintContext> contextOfPinned(const PaintContext& context);
// When A ran, moved so that both begin together; nothing where one has steps and the other a clock.
std::optional<TimeRange> pinnedRange(const PaintContext& context);

QColor pinnedColour(const Theme& theme);
// A place where A had something that B no longer has.
void paintPinnedFrame(QPainter& painter, const QRectF& where, const Theme& theme);
void paintPinnedFrame(QPainter& painter, const QRectF& where, const QColor& colour);
// "A 12.4 µs": how long A took, as a dashed bar on B's axis, from `from` to `to` as far as that lies in the row. Where it
// ends beyond, an arrow says so.
void paintPinnedSpan(QPainter& painter, const QRectF& row, double from, double to, const QString& text,
                     const Theme& theme);
QString pinnedLengthText(const PaintContext& context); // "A 12.4 µs"

} // namespace warpglass
