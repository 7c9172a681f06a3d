// SPDX-License-Identifier: GPL-3.0-or-later
// Which buffer a wild address was made from. The address alone may lie beside another one; what tells is the program: its
// address register is followed back through sums to the parameter or variable that it began with.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// Of a memory instruction. nullptr: it was loaded from memory, came with a call, or may be one of several.
const Area* pointerOrigin(const Program& program, const Inst& in, const LaunchState& launch,
                          const GlobalMemory& memory);

} // namespace warpglass::emulator
