// SPDX-License-Identifier: GPL-3.0-or-later
// A program's graphs, drawn from what was recorded: nodes and edges, and what each node did in the chosen launch. In: a
// ProgramModel; a chosen operation chooses its graph, its launch and its node.
#pragma once

#include "views/common/options.h"
#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeProgramGraphView();

// Which graph, where the chosen operation is no node's; and how far the picture is scrolled, in pixels.
inline const Setting<uint> programGraph{"graph", 0};
inline const Setting<double> programGraphScroll{"graphScroll", 0};

} // namespace warpglass
