// SPDX-License-Identifier: GPL-3.0-or-later
// Loads whose value is thrown away by a choice behind them. Where both are safe, the compiler loads first and chooses
// then: `if (warp < count) sum += sums[warp];` becomes a load, an addition and a selp, and in lanes where the selp takes
// the old sum nobody has used what was loaded.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

// Where every choice about the loaded value has been made, if all that is made of it goes into selp, or into predicates
// joined with others, before anything else can see it; 0 if not.
std::uint32_t choicesEnd(const Program& program, const Inst& load);
// The lanes for which the choices leave it. What lies between is run ahead and taken back. Slow: for accesses about which
// there is something to tell.
std::uint32_t chosenAway(Exec& x, const Inst& load);

} // namespace warpglass::emulator
