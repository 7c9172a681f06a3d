// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of the thread that is followed (Selection::followed). They are the same in every view, so that an eye that
// leaves one finds it in the next: a pin, and a double frame that stands out on every colour. What is merely selected
// has a frame of its own colour and no pin.
#pragma once

#include "views/common/selection.h"
#include "views/common/theme.h"

#include <QPainter>

namespace warpglass {

QColor followColour(const Theme& theme);

// A pin whose point is at `tip`, its head above, so high.
void paintPin(QPainter& painter, QPointF tip, qreal height, const Theme& theme);
// A frame round what belongs to the thread: light outside, so that it shows on dark, its colour inside.
void paintFollowFrame(QPainter& painter, const QRectF& what, const Theme& theme);
// Both: the pin stands on the frame's upper left corner.
void paintFollowed(QPainter& painter, const QRectF& what, const Theme& theme);

// The followed thread after a key or a menu asked for it: the selected one (lane 0 where none is), or none if it is
// followed already. Unchanged where no warp can be selected.
Selection followingToggled(Selection selection, const Trace& trace);
// "thread (3, 0) of block (5)"; empty if none is followed.
QString followedName(const FollowedThread& thread, const Trace& trace);

} // namespace warpglass
