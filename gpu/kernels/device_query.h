// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/device.h"

#include <string>
#include <vector>

namespace warpglass::kernels {

struct DeviceFact {
    std::string nameEn, nameZh, value;
};

// What a device-query program prints: multiprocessors, constant memory, shared memory and registers a block, lanes of a
// warp, threads a block and an SM, warps an SM. Sizes in KB with two decimals, as the documents' printouts.
std::vector<DeviceFact> deviceFacts(const DeviceSpec& device);

} // namespace warpglass::kernels
