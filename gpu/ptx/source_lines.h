// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <vector>

namespace warpglass::ptx {

// The chain of places of an instruction: [0] the innermost, then where it was inlined. Empty if the compiler gave none.
std::vector<Place> sourceChain(const Module& module, const Instruction& instruction);

} // namespace warpglass::ptx
