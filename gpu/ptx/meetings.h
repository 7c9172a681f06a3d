// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/control_flow.h"

#include <vector>

namespace warpglass::ptx {

// Where lanes that the branches of a function part meet again: at the post-dominator, unless threads leave a kernel early
// (return in a loop or in an if). Paths to the exit then count for no branch that others go on from, as ptxas for sm_90
// places convergence barriers (BSSY): lanes meet where all paths meet that go on. Takes blocks and postDominator.
std::vector<Meeting> meetingsOf(const ControlFlow& flow, const Function& function);

} // namespace warpglass::ptx
