// SPDX-License-Identifier: GPL-3.0-or-later
// What comes out of the cage: a Recording, or why there is none. The side that takes it trusts none of it: it holds it
// against what it asked for and against what a recording promises, as a file of a stranger's.
#pragma once

#include "gpu/cage/packing.h"
#include "gpu/launch/backend.h"

namespace warpglass::cage {

// Lets go of the recording's buffers one by one. False: some of it did not go, or there is more of it.
bool putAnswer(Sink sink, std::uint64_t mostBytes, Result<Recording>& answer);
// Nothing: it is no answer, or one of more bytes. What the plan and the options say themselves comes from there.
std::optional<Result<Recording>> takeAnswer(Source source, std::uint64_t mostBytes, const LaunchPlan& plan,
                                            const RunOptions& options);

} // namespace warpglass::cage
