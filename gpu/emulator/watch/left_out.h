// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers in a branch whose other side has work of its own: threads that go there and end are left out of the barrier. That
// they return at once, since there is nothing for them to do, is another matter, and no mistake.
#pragma once

#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

// Whether a branch that is behind the barrier for good lets threads end without it, and store on their way what nobody stores
// who comes by the barrier.
bool othersGoAnotherWay(const Program& program, const Inst& barrier);

} // namespace warpglass::emulator
