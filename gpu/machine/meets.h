// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lanes that a branch parts meet, as the compiler has laid it down: BSSY notes which lanes are to meet, BSYNC is where
// they do, BREAK takes lanes out that go elsewhere. What these mean: M. Abaie Shoushtary, J. Tubella
// Murgadas and A. González, "Control Flow Management in Modern GPUs", 2024.
#pragma once

#include "gpu/machine/cubin.h"
#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/module.h"

namespace warpglass::machine {

// Of the PTX function's branches that the code has left as branches, ascending; of the others nothing is said. `function` is
// its code, or that of the function that it lies in.
std::vector<ptx::BranchMeets> meetsOf(const Function& function, unsigned arch, const ptx::Function& text);

// Of the kernel and all functions that lie in the cubin, by their names.
std::vector<ptx::BranchMeets> meetsOf(const Cubin& cubin, const ptx::Module& module);

} // namespace warpglass::machine
