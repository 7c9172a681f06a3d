// SPDX-License-Identifier: GPL-3.0-or-later
// views/launchmap: left what the programmer wrote, right what the hardware did.
//
// In: a Trace and the shared Selection. Out: the grid as tiles, the device's SMs with the blocks they hold now,
// resident blocks over time with waves and tail, blocks an SM; then a block folded into warps, and a warp's lanes. It
// answers: which threads share a warp? where did my block run? why did the last wave waste the GPU?
//
// The parts: launchmap_model (what is known of a launch, worked out once), thread_layout (folding), launchmap_layout,
// grid_geometry and panel_geometry (where things lie), launchmap_state (what a person set), launchmap_scene (all of it
// together for one trace), launchmap_picture (one scene, or two that are compared), launchmap_input (pointer and keys),
// paint_* (one panel each), launchmap_words (tooltips, CSV).
#pragma once

#include "views/common/view.h"

namespace warpglass {

std::unique_ptr<View> makeLaunchMapView();

} // namespace warpglass
