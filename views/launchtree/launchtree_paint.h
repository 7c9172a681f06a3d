// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/launchtree/launchtree_layout.h"

namespace warpglass {

// Title, totals and the time axis with its lines down through the rows.
void paintTreeHead(QPainter& painter, const LaunchTreePane& pane, const Theme& theme);
// The visible rows, where in the list they are, and the present moment. chosen: the launch that is marked, noIndex for
// none; now: a time to draw a line at; followed: the launch of the thread that is followed.
void paintTreeRows(QPainter& painter, const LaunchTreePane& pane, const Theme& theme, std::uint32_t chosen,
                   std::optional<Time> now, std::uint32_t followed = noIndex);
// What dropped launches mean; nothing where none was.
QRectF timelineLink(const LaunchTreePane& pane); // null: there is more than one row, or no room
void paintTreeNote(QPainter& painter, const LaunchTreePane& pane, const Theme& theme);

} // namespace warpglass
