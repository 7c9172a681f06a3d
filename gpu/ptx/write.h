// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/module.h"

#include <string>

namespace warpglass::ptx {

// The Module as PTX text that ptxas and parse() accept; parse(write(m)) equals m except for text, lines and columns.
std::string write(const Module& module);
std::string write(const Instruction& instruction); // one line, no line break
std::string write(const Operand& operand);

} // namespace warpglass::ptx
