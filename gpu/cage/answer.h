// SPDX-License-Identifier: GPL-3.0-or-later
// What comes out of the cage: a Recording, or why there is none. The side that takes it trusts none of it: it holds it
// against what it asked for and against what a recording promises, as a file of a stranger's.
#pragma once

#include "gpu/cage/packing.h"
#include "gpu/launch/backend.h"

namespace warpglass::cage {

// False: some of it did not go, or there is more of it. What goes by place has to stay until the other side has it;
// otherwise the recording's buffers are let go one by one.
bool putAnswer(Packer& packer, Result<Recording>& answer);
// Nothing: it is no answer, or one of more bytes. What the plan and the options say themselves comes from there.
// room: memory for the buffers of these numbers, where the size is right.
std::optional<Result<Recording>> takeAnswer(Unpacker& unpacker, const LaunchPlan& plan, const RunOptions& options,
                                            Buffers room = {});

} // namespace warpglass::cage
