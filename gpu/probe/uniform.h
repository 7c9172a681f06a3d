// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes of a warp have in common. Registers that hold the same in all of them, wherever these run together: what is worked out
// of parameters, block numbers and constants, and of the number of the warp, where no jump that lanes of a warp make differently
// lies between. And code that only one lane comes to.
#pragma once

#include "gpu/ptx/module.h"

#include <set>
#include <string>
#include <vector>

namespace warpglass::probe {

struct UniformCode {
    std::set<std::string> registers;
    std::vector<bool>
        alone; // [instruction] behind a comparison of the lane's own number with a constant, or an election
};

// oneDimensional: blocks have no y and z, so that 32 threads in a row by x are a warp. Sure of what it names, not of all there is.
UniformCode uniformCode(const ptx::Function& function, bool oneDimensional);

} // namespace warpglass::probe
