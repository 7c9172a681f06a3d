// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/ptx/module.h"

#include <string>

namespace warpglass::ptx {

// Reads a whole PTX module (ISA 4.0 to 9.x as nvcc and NVRTC write it). The error names the line and column.
Result<Module> parse(std::string text, std::string name = "module.ptx");

} // namespace warpglass::ptx
