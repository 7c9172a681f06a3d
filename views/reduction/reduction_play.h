// SPDX-License-Identifier: GPL-3.0-or-later
// How the tree plays. Each sum has its moment in the trace. On its way the numbers it is made of travel along their
// edges to the thread that adds them; from there the sum goes down into its cell, and is written when it arrives. What is
// not yet added, nobody sees: no edge, no thread, no number of a later step, and no verdict before the last sum.
#pragma once

#include "views/common/playing.h"
#include "views/reduction/reduction_scene.h"

#include <QPainterPath>

namespace warpglass {

// The part of a sum's way in which its numbers travel to the thread; the rest is the sum's own way into its cell.
inline constexpr double arrival = 0.7;

// How far a sum has come: 0 = nothing of it is there, 1 = it is written.
double comeOf(const ReductionScene& scene, std::uint32_t sum);
// A step of which nothing has happened yet, while it plays.
bool hiddenStep(const ReductionScene& scene, int step);
// Whether the last sum is written, or the block has ended.
bool resultKnown(const ReductionScene& scene);

// From the cell of a column in the row above into the node of a sum: straight down from its own cell, else in a curve
// that arrives from above, at the node's shoulder, so that it passes over the nodes between.
QPainterPath edgePath(const ReductionLayout& layout, int step, int from, int column);
// Where the number of that cell is when its sum has come so far.
QPointF numberAt(const ReductionLayout& layout, int step, int from, int column, double come);

// The numbers on their way.
void paintTravellers(QPainter& painter, const ReductionScene& scene, int step);

// A beat for each moment at which sums are made; of the second trace's too, moved back by shift. Null: there is none.
std::vector<Beat> reductionBeats(const ReductionScene& scene, const ReductionScene* second, Time shift);

} // namespace warpglass
