// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/run/grid.h"

namespace warpglass::emulator {

GridResult runGrid(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                   const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);

} // namespace warpglass::emulator
