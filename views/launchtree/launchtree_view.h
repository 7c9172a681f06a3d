// SPDX-License-Identifier: GPL-3.0-or-later
// views/launchtree: which grid launched which. One row a grid (or a folded group of like grids): on the left the tree,
// on the right the same rows as bars on the time axis, so that a parent is seen to end after its children. Launches
// that were dropped are marked with their reason. In: the launch table of a Trace, and of a second one to compare
// strategies.
//
// launchtree_model makes rows of the launches, launchtree_layout says where they lie, launchtree_paint draws them and
// launchtree_text says what is written; the view here composes the picture, which answers mouse and keys.
#pragma once

#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeLaunchTreeView();

} // namespace warpglass
