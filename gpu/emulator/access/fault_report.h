// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that do not stop the launch (RunOptions::onFault): each lane whose access is wild or misaligned is told and goes
// on without it; what it would have read is 0.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// The lanes of m, whose addresses are in x.address, that may carry out the access.
std::uint32_t lanesWithoutFault(Exec& x, const Inst& in, std::uint32_t m);

// What a lane has read that goes on without its load.
void readZero(Exec& x, const Inst& in, int lane);

} // namespace warpglass::emulator
