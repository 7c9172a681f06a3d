// SPDX-License-Identifier: GPL-3.0-or-later
// Where to look in a trace that has just been opened.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/selection.h"

namespace warpglass {

// Where a picture looks if nobody said when.
Time middleOf(const Trace& trace);

// Where something is to be seen: the first warp of the first recorded block that goes two ways at a branch, when it
// first does so at the branch that tells most (mostTelling()); if none does, the block's first warp in the middle of the
// run.
Selection firstPlace(const Trace& trace);

// The place a person looked at in one trace (null: none was open), in the next. The same trace: the same place. The
// same kernel run again: the block of the same number if it was recorded, the warp of the same number in it or its last
// one, the same lane and source line; the time is the first place's, since times differ from run to run. Another
// kernel: its first place.
Selection carried(const Selection& before, const Trace* from, const Trace& to);

} // namespace warpglass
