// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/capability.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpglass {

// A device the emulator can be: key "h200", name "NVIDIA H200".
struct DeviceSpec {
    std::string key, name;
    int ccMajor = 0, ccMinor = 0;
    int smCount = 0;
    double smClockMHz = 0, memoryClockMHz = 0;
    double tensorClockMHz = 0; // of SMs where a kernel has products of matrices, but of doubles; 0: the same
    int busBits = 0;           // memory bus
    double dramGBs = 0;        // peak, from clock and bus or vendor's datasheet
    std::uint64_t memoryBytes = 0, l2Bytes = 0;
    std::uint64_t constantBytes = 65536;
    std::string source; // where the figures come from

    double clockMHz(bool products) const { return products && tensorClockMHz > 0 ? tensorClockMHz : smClockMHz; }
    const CapabilityLimits& limits() const { return *capabilityLimits(ccMajor, ccMinor); }
};

std::span<const DeviceSpec> devices();              // h200, h100, a100, v100, rtx4070, rtx3090, gtx1060, k20x, m2070
const DeviceSpec* findDevice(std::string_view key); // nullptr if unknown
// The same device as one of another compute capability, "10.0": what code for that one may do, with no other figure of such
// a card. Nothing if there is none of that number.
std::optional<DeviceSpec> withCapability(const DeviceSpec& device, std::string_view capability);

} // namespace warpglass
