// SPDX-License-Identifier: GPL-3.0-or-later
// Warp-synchronous code that talks through volatile global memory, with no __syncwarp between.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

void checkVolatileGlobal(Exec& x, const Inst& in, std::uint32_t lanes, bool isStore);

} // namespace warpglass::emulator
