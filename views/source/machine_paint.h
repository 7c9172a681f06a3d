// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler is told of a machine instruction, drawn: a dot for each scoreboard that it waits for, a ring for each
// that its result or its operands release, in one of six places and colours; and a bar of stall cycles.
#pragma once

#include "views/common/theme.h"
#include "views/source/machine_listing.h"
#include "views/source/source_layout.h"

namespace warpglass {

inline constexpr int scoreboards = 6, mostStall = 15;

qreal controlWidth(const Theme& theme);
void paintControlCaptions(QPainter& painter, const QRectF& column, const QRectF& captions, const Theme& theme);
void paintControl(QPainter& painter, const QRectF& cell, const machine::Control& control, const Theme& theme);
// From the dots of the instruction to the rings that it waits for.
void paintWaits(QPainter& painter, const Pane& pane, const MachineListing& machine, int row, const Theme& theme);
// Executions, share of the stalls and control of a line.
void paintMachineMargin(QPainter& painter, const Pane& pane, const MachineListing& machine, int line,
                        const Theme& theme);
QString stalledText(const MachineListing& machine,
                    const MachineRow& row);    // "12 %", of the samples where there are some; empty: too little
QString executionsText(const MachineRow& row); // "≤ 64" where copies share them
// The strip that the machine code is folded into.
void paintFold(QPainter& painter, const QRectF& strip, const Theme& theme);

} // namespace warpglass
