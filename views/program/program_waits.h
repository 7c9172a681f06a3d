// SPDX-License-Identifier: GPL-3.0-or-later
// What waited for what, as arrows between the rows and in words.
#pragma once

#include "views/program/program_layout.h"

#include <QLineF>
#include <QPainter>

namespace warpglass {

struct WaitArrow {
    QLineF line;         // from the end of what was waited for to where it went on
    bool chosen = false; // the chosen operation waits, or is waited for
};

// Of the rows in sight. What held something up has one, of several at a place the first; the chosen operation has all.
std::vector<WaitArrow> waitArrows(const ProgramModel& model, const ProgramLayout& layout, std::uint32_t chosen);
void paintWaitArrows(QPainter& painter, const std::vector<WaitArrow>& arrows, const QRectF& rows, const Theme& theme);
// One for a legend.
void paintWaitArrow(QPainter& painter, const QLineF& line, const QColor& colour, double width);

// "waited 4 us for copy, host to device, 4 KiB (stream 1), by an event"; empty: the operation waited for no other stream.
QString waitText(const ProgramModel& model, std::uint32_t operation);
// What waited longest for another stream's work; empty: nothing did.
QString longestWaitText(const ProgramModel& model);

} // namespace warpglass
