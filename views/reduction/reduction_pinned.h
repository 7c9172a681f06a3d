// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned run's tree behind the one that is shown: where its threads added and those that are shown do not, step by
// step, and what it paid.
#pragma once

#include "views/reduction/reduction_scene.h"

namespace warpglass {

// Columns in which the pinned run's step of this number made a sum, and the shown one's makes none; ascending.
std::vector<int> columnsOfPinnedAlone(const ReductionTree& shown, const ReductionTree& pinned, int step);

QPen pinnedNodePen(const Theme& theme);                                    // of no colour that a node of the tree has
void paintReductionPinned(QPainter& painter, const ReductionScene& scene); // nothing where nothing is pinned
// "A: 5 steps, thread-steps paid 160, used 31", the longer first.
QStringList pinnedReductionTexts(const ReductionTree& pinned);
QString pinnedStepText(const ReductionScene& scene, int step); // for a tool tip; empty: it has no such step

} // namespace warpglass
