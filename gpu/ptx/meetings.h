// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/control_flow.h"

#include <vector>

namespace warpglass::ptx {

// Where lanes that the branches of a function part meet again, as ptxas for sm_90 places convergence barriers (BSSY, BSYNC):
// at the post-dominator, but
// - where threads leave a kernel early (return in an if or a loop), paths to the exit count for no branch that others go on
//   from: lanes meet where all paths meet that go on;
// - where some lanes jump over what the others of a branch meet in, to where all meet (a function that returns early, once it
//   is inlined; a jump out of a loop that has a block of its own behind it), the others meet there, and with the first behind it
//   (BREAK).
// Of graphs in which these places do not lie within each other some are put off.
// Takes blocks and postDominator.
std::vector<Meeting> meetingsOf(const ControlFlow& flow, const Function& function);

} // namespace warpglass::ptx
