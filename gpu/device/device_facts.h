// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/device.h"

#include <string>
#include <vector>

namespace warpglass {

// What a device-query program prints about a device: key for JSON, label in English and Chinese, value as text.
struct DeviceFact {
    std::string key;
    std::string labelEn, labelZh;
    std::string value; // "48.00 KB"
    double number = 0; // 49152
};

// SMs, constant memory, shared memory and registers a block, warp size, threads a block and an SM, warps an SM: those
// that the documents' simpleDeviceQuery prints, in its order.
std::vector<DeviceFact> deviceFacts(const DeviceSpec& device);

} // namespace warpglass
