// SPDX-License-Identifier: GPL-3.0-or-later
// views/launchtree: which grid launched which. One row a grid (or a folded group of like grids): on the left the tree,
// on the right the same rows as bars on the time axis, so that a parent is seen to end after its children. Launches
// that were dropped are marked with their reason. In: the launch table of a Trace, and of a second one to compare
// strategies.
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeLaunchTreeView();
}
