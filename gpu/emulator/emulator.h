// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/emulator: runs a Module on the CPU, lanes and warps and blocks, and writes a Trace.
#pragma once

#include "gpu/launch/backend.h"

#include <memory>

namespace warpglass {

std::unique_ptr<Backend> makeEmulator();

} // namespace warpglass
