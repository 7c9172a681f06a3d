// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

namespace warpglass::ptx {

// Whether the instruction's first operand is its result.
bool firstIsResult(const Instruction& i);

} // namespace warpglass::ptx
