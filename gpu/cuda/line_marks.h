// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <string>

namespace warpglass::cuda {

// The text `ptx`, of which `module` was read, with line marks (.loc) that lead to its own lines instead of the CUDA
// source's: one before each instruction. Marks change no machine code.
std::string markedByPtxLine(const std::string& ptx, const ptx::Module& module);

} // namespace warpglass::cuda
