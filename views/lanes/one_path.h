// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp runs whose lanes stay together at a branch: one path, from there to where the two would have met again.
// That place is the code's (gpu/ptx), since nothing happens there that a recording would tell; how long the warp takes to
// get there is the recording's: an instruction is a step, or the scheduler's states tell when it was issued.
#pragma once

#include "views/lanes/paths.h"

#include <optional>

namespace warpglass {

// `event` is a Branch event of the warp. Nothing: its lanes part, the code is not known, or the recording does not tell
// the length (calls and further parting branches on the way; a GPU's clock, which no instruction inside was read by).
// Without a segment: the way leads straight to the meeting place.
std::optional<Serialised> undividedPath(const Trace& trace, std::uint32_t warp, std::uint32_t event);

} // namespace warpglass
