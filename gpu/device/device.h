// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpglass {

// What the hardware allows, by compute capability. Source: the CUDA programming guide's table of technical
// specifications; rules agree with cuda_occupancy.h of CUDA 13.0.
struct CapabilityLimits {
    int major = 0, minor = 0;
    std::uint32_t warpsPerSm = 0, blocksPerSm = 0;
    std::uint32_t registersPerSm = 0, registersPerBlock = 0;
    std::uint32_t registerUnit = 256;                   // registers a warp are allocated in
    std::uint32_t subPartitions = 4;                    // the register file is split into
    std::uint32_t warpGranularity = 1;                  // warps a block are rounded up to
    std::uint32_t sharedPerSm = 0;                      // bytes
    std::uint32_t sharedPerBlockOptIn = 0;              // bytes; 0 = no opt-in
    std::uint32_t sharedUnit = 256, sharedReserved = 0; // bytes
    std::span<const std::uint32_t> carveouts;           // legal sizes of shared memory, KB, ascending; empty = fixed
    std::uint32_t barriersPerSm = 0;                    // 0 = no limit known
    std::uint32_t threadsPerBlock = 1024;
    std::uint32_t registersPerThread = 255;
    // The launch check rounds the warps of a block up to a multiple of this (4 on 6.0 as on its smaller relatives,
    // although its register file has two parts only).
    std::uint32_t launchCheckWarps = 4;
};

// nullptr for an unknown capability.
const CapabilityLimits* capabilityLimits(int major, int minor);
std::span<const CapabilityLimits> allCapabilities();

// A device the emulator can be: key "h200", name "NVIDIA H200".
struct DeviceSpec {
    std::string key, name;
    int ccMajor = 0, ccMinor = 0;
    int smCount = 0;
    double smClockMHz = 0, memoryClockMHz = 0;
    int busBits = 0;    // memory bus
    double dramGBs = 0; // peak, from clock and bus or vendor's datasheet
    std::uint64_t memoryBytes = 0, l2Bytes = 0;
    std::uint64_t constantBytes = 65536;
    std::string source; // where the figures come from

    const CapabilityLimits& limits() const { return *capabilityLimits(ccMajor, ccMinor); }
};

std::span<const DeviceSpec> devices();              // h200, h100, a100, v100, rtx4070, rtx3090, gtx1060, k20x, m2070
const DeviceSpec* findDevice(std::string_view key); // nullptr if unknown

} // namespace warpglass
