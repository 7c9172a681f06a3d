// SPDX-License-Identifier: GPL-3.0-or-later
// Loads whose value is thrown away by a choice behind them. Where a load is safe, code loads first and chooses then:
// `if (warp < count) sum += sums[warp];` becomes a load, an addition and a selp, and merges of two lists take the next
// element of each before they ask whether there is one. What a lane does not choose it has not used.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// Whether this lane will throw away what it has just loaded: its way is run ahead by registers and shared memory alone,
// and taken back. False as soon as anything else can see the value, or the way cannot be known. Slow: for accesses about
// which there is something to tell.
bool throwsAway(Exec& x, const Inst& load, int lane);

} // namespace warpglass::emulator
