// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that make infinity or NaN of finite numbers, lane by lane: where numbers go bad, not where bad numbers go on.
// Looked for only when asked (EmulatorOptions::checkFinite): sums, products, quotients, roots and the like of all
// floating-point types, conversions between them, and products of matrices in registers. Others run as they do.
#pragma once

#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

// Lets those operations of a decoded program be looked at from now on, or no longer.
void watchFinite(Program& program, bool on);

} // namespace warpglass::emulator
