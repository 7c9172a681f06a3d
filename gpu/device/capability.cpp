// SPDX-License-Identifier: GPL-3.0-or-later
//
// The limits of each compute capability, one row a capability. Sources: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"; the allocation units, reserved bytes and legal carve-outs from NVIDIA's
// occupancy calculator (cuda_occupancy.h of CUDA 13.0, which covers 3.x to 12.1) and, for 2.x, from its spreadsheet
// predecessor.
#include "gpu/device/capability.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::uint32_t K = 1024;

constexpr std::uint32_t voltaCarveouts[] = {0, 8, 16, 32, 64, 96};
constexpr std::uint32_t turingCarveouts[] = {32, 64};
constexpr std::uint32_t ampereCarveouts[] = {0, 8, 16, 32, 64, 100, 132, 164};
constexpr std::uint32_t smallAmpereCarveouts[] = {0, 8, 16, 32, 64, 100};
constexpr std::uint32_t hopperCarveouts[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

constexpr CapabilityLimits fermi(int minor) {
    return {.major = 2,
            .minor = minor,
            .warpsPerSm = 48,
            .blocksPerSm = 8,
            .registersPerSm = 32 * K,
            .registersPerBlock = 32 * K,
            .registerUnit = 64,
            .subPartitions = 2,
            .warpGranularity = 2,
            .sharedPerSm = 48 * K,
            .sharedUnit = 128,
            .registersPerThread = 63,
            .launchCheckWarps = 2};
}

constexpr CapabilityLimits kepler(int minor, std::uint32_t registersK, std::uint32_t sharedK) {
    return {.major = 3,
            .minor = minor,
            .warpsPerSm = 64,
            .blocksPerSm = 16,
            .registersPerSm = registersK * K,
            .registersPerBlock = 64 * K,
            .sharedPerSm = sharedK * K};
}

constexpr CapabilityLimits maxwellOrPascal(int major, int minor, std::uint32_t registersPerBlockK,
                                           std::uint32_t sharedK, std::uint32_t parts = 4) {
    return {.major = major,
            .minor = minor,
            .warpsPerSm = 64,
            .blocksPerSm = 32,
            .registersPerSm = 64 * K,
            .registersPerBlock = registersPerBlockK * K,
            .subPartitions = parts,
            .sharedPerSm = sharedK * K};
}

// Volta and Turing: shared memory and L1 share one array, but nothing is reserved and 256 bytes are the unit.
constexpr CapabilityLimits voltaOrTuring(int minor, std::uint32_t warps, std::uint32_t blocks, std::uint32_t sharedK,
                                         std::span<const std::uint32_t> carveouts) {
    return {.major = 7,
            .minor = minor,
            .warpsPerSm = warps,
            .blocksPerSm = blocks,
            .registersPerSm = 64 * K,
            .registersPerBlock = 64 * K,
            .sharedPerSm = sharedK * K,
            .sharedPerBlockOptIn = sharedK * K,
            .carveouts = carveouts,
            .registersPerThread = 256};
}

// Ampere and later: the driver keeps 1 KB of each block's shared memory for itself.
constexpr CapabilityLimits ampereOrLater(int major, int minor, std::uint32_t warps, std::uint32_t blocks,
                                         std::span<const std::uint32_t> carveouts, std::uint32_t barriers) {
    const std::uint32_t sharedK = carveouts.back();
    return {.major = major,
            .minor = minor,
            .warpsPerSm = warps,
            .blocksPerSm = blocks,
            .registersPerSm = 64 * K,
            .registersPerBlock = 64 * K,
            .sharedPerSm = sharedK * K,
            .sharedPerBlockOptIn = (sharedK - 1) * K,
            .sharedUnit = 128,
            .sharedReserved = 1 * K,
            .carveouts = carveouts,
            .barriersPerSm = barriers,
            .registersPerThread = 256};
}

constexpr CapabilityLimits table[] = {
    fermi(0),
    fermi(1),
    kepler(0, 64, 48),
    kepler(2, 64, 48),
    kepler(5, 64, 48),
    kepler(7, 128, 112),
    maxwellOrPascal(5, 0, 64, 64),
    maxwellOrPascal(5, 2, 64, 96),
    maxwellOrPascal(5, 3, 32, 64),
    maxwellOrPascal(6, 0, 64, 64, 2),
    maxwellOrPascal(6, 1, 64, 96),
    maxwellOrPascal(6, 2, 32, 64),
    voltaOrTuring(0, 64, 32, 96, voltaCarveouts),
    voltaOrTuring(2, 64, 32, 96, voltaCarveouts),
    voltaOrTuring(5, 32, 16, 64, turingCarveouts),
    ampereOrLater(8, 0, 64, 32, ampereCarveouts, 0),
    ampereOrLater(8, 6, 48, 16, smallAmpereCarveouts, 0),
    ampereOrLater(8, 7, 48, 16, ampereCarveouts, 0),
    ampereOrLater(8, 9, 48, 24, smallAmpereCarveouts, 0),
    ampereOrLater(9, 0, 64, 32, hopperCarveouts, 64),
    ampereOrLater(10, 0, 64, 32, hopperCarveouts, 64),
    ampereOrLater(10, 1, 48, 24, hopperCarveouts, 24),
    ampereOrLater(10, 3, 64, 32, hopperCarveouts, 64),
    ampereOrLater(11, 0, 48, 24, hopperCarveouts, 24),
    ampereOrLater(12, 0, 48, 24, smallAmpereCarveouts, 24),
    ampereOrLater(12, 1, 48, 24, smallAmpereCarveouts, 24),
};

} // namespace

std::span<const CapabilityLimits> allCapabilities() {
    return table;
}

const CapabilityLimits* capabilityLimits(int major, int minor) {
    const auto* row = std::find_if(std::begin(table), std::end(table),
                                   [&](const CapabilityLimits& l) { return l.major == major && l.minor == minor; });
    return row == std::end(table) ? nullptr : row;
}

} // namespace warpglass
