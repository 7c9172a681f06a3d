// SPDX-License-Identifier: GPL-3.0-or-later
// What comes out of the cage: a Recording, or why there is none. The side that takes it trusts none of it: it holds it
// against what it asked for and against what a recording promises, as a file of a stranger's.
#pragma once

#include "gpu/launch/backend.h"

namespace warpglass::cage {

// Lets go of the recording's buffers one by one. False: it could not be written.
bool putAnswer(int file, Result<Recording>& answer);
// Nothing: it is no answer. What the plan and the options say themselves comes from there.
std::optional<Result<Recording>> takeAnswer(int file, const LaunchPlan& plan, const RunOptions& options);

} // namespace warpglass::cage
