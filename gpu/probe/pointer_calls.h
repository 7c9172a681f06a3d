// SPDX-License-Identifier: GPL-3.0-or-later
// Calls through pointers. A pointer holds the address of a function as the compiler made it, and may have come from
// anywhere: a table in memory, an argument, a virtual class. In the probed copy the pointer is compared with each
// function whose address the module takes and that is called the same way; if it is one of them, a bridge is called in
// its stead. The bridge, `NAME$wgq`, takes what the function takes, works out the lane's stream from where it runs, and
// calls the probed copy. No branch is added, and an unknown pointer is called as it is.
//
// In modules with device-side launches a function cannot know from where it runs which launch it belongs to: there the
// calls stay as they are.
#pragma once

#include "gpu/ptx/module.h"

#include <string>
#include <vector>

namespace warpglass::probe {

inline constexpr const char* bridgeSuffix = "$wgq";

// Functions with a body whose address an instruction or a variable of the module takes, in the module's order; without
// those that take or give registers.
std::vector<const ptx::Function*> addressTaken(const ptx::Module& module);

// Those of the candidates that a call through a pointer may mean: its prototype has the same parameters and results,
// or its list of targets names them. Nothing if there are more than a pointer can be compared with.
std::vector<const ptx::Function*> possibleTargets(const ptx::Function& caller, const ptx::Instruction& call,
                                                  const std::vector<const ptx::Function*>& candidates);

// The bridge to f's probed copy.
ptx::Function bridge(const ptx::Function& f);

} // namespace warpglass::probe
