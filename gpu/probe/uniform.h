// SPDX-License-Identifier: GPL-3.0-or-later
// Registers that hold the same in all lanes of a warp, wherever these run together: what is worked out of parameters, block
// numbers and constants, and of the number of the warp, where no jump that lanes of a warp make differently lies between.
#pragma once

#include "gpu/ptx/module.h"

#include <set>
#include <string>

namespace warpglass::probe {

// oneDimensional: blocks have no y and z, so that 32 threads in a row by x are a warp. Sure of what it names, not of all there is.
std::set<std::string> uniformRegisters(const ptx::Function& function, bool oneDimensional);

} // namespace warpglass::probe
