// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace warpglass {

inline constexpr std::uint32_t warpSize = 32;
inline constexpr std::uint32_t defaultSharedPerBlock = 48 * 1024; // without opting in; the same since 2.0

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

} // namespace warpglass
