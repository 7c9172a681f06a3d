// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules by which an SM hands out its resources. What textbooks leave out, and what makes their answers differ from
// the hardware's: registers are given to whole warps in units, from a register file that is split among the
// sub-partitions; the driver keeps 1 KB of shared memory a block from Ampere on; and a launch that breaks a per-block
// limit does not run at all. The rules are those of NVIDIA's calculator (cuda_occupancy.h of CUDA 13.0); for 2.x those
// of its spreadsheet.
#include "gpu/device/occupancy.h"

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::uint32_t registerLimit(const CapabilityLimits& limits, const OccupancyInput& input, std::uint64_t warps,
                            std::uint64_t registersPerWarp) {
    if (input.registers > limits.registersPerThread)
        return 0;
    // The launch check takes it that every sub-partition holds equally many of the block's warps.
    if (registersPerWarp * roundUp(warps, limits.launchCheckWarps) > limits.registersPerBlock)
        return 0;
    if (registersPerWarp == 0)
        return unlimited;
    const std::uint64_t perPartition = limits.registersPerSm / limits.subPartitions / registersPerWarp;
    return std::uint32_t(perPartition * limits.subPartitions / warps);
}

// Bytes of the SM's shared memory that the carve-out leaves to blocks of the given size.
std::uint64_t sharedOfSm(const CapabilityLimits& limits, int carveoutPercent, std::uint64_t perBlock) {
    if (limits.carveouts.empty() || carveoutPercent < 0)
        return limits.sharedPerSm;
    const auto legal = [&](std::uint64_t bytes) -> std::uint64_t {
        for (std::uint32_t kilobytes : limits.carveouts)
            if (bytes <= kilobytes * std::uint64_t(1024))
                return kilobytes * std::uint64_t(1024);
        return limits.sharedPerSm;
    };
    const std::uint64_t wanted = legal(std::uint64_t(std::min(carveoutPercent, 100)) * limits.sharedPerSm / 100);
    return wanted >= perBlock ? wanted : legal(perBlock); // a block that can run at all gets what it needs
}

std::uint32_t sharedLimit(const CapabilityLimits& limits, const OccupancyInput& input, std::uint64_t perBlock) {
    const bool optedIn = input.sharedLimit == SharedLimit::OptIn && limits.sharedPerBlockOptIn != 0;
    const std::uint64_t allowed =
        (optedIn ? limits.sharedPerBlockOptIn : defaultSharedPerBlock) + limits.sharedReserved;
    if (perBlock > allowed)
        return 0;
    if (perBlock == 0)
        return unlimited;
    return std::uint32_t(sharedOfSm(limits, input.carveoutPercent, perBlock) / perBlock);
}

} // namespace

Occupancy occupancy(const CapabilityLimits& limits, const OccupancyInput& input) {
    Occupancy result;
    result.maxWarps = limits.warpsPerSm;
    if (input.threads == 0)
        return result;
    const std::uint64_t warps = (std::uint64_t(input.threads) + warpSize - 1) / warpSize;
    const std::uint64_t registersPerWarp = roundUp(std::uint64_t(input.registers) * warpSize, limits.registerUnit);
    const std::uint64_t shared =
        roundUp(std::uint64_t(input.sharedStatic) + input.sharedDynamic + limits.sharedReserved, limits.sharedUnit);

    result.registersPerBlock = std::uint32_t(registersPerWarp * warps);
    result.sharedPerBlock = std::uint32_t(shared);
    result.limitWarps = input.threads > limits.threadsPerBlock ? 0 : std::uint32_t(limits.warpsPerSm / warps);
    result.limitRegisters = registerLimit(limits, input, warps, registersPerWarp);
    result.limitShared = sharedLimit(limits, input, shared);
    result.limitBlocks = limits.blocksPerSm;
    if (limits.barriersPerSm != 0 && input.barriers != 0)
        result.limitBarriers = limits.barriersPerSm / input.barriers;

    result.blocksPerSm = std::min(
        {result.limitWarps, result.limitRegisters, result.limitShared, result.limitBlocks, result.limitBarriers});
    result.activeWarps = result.blocksPerSm * std::uint32_t(warps);
    result.percent = 100.0 * result.activeWarps / result.maxWarps;
    const std::pair<std::uint32_t, const char*> named[] = {{result.limitWarps, "warps"},
                                                           {result.limitRegisters, "registers"},
                                                           {result.limitShared, "shared_memory"},
                                                           {result.limitBlocks, "blocks"},
                                                           {result.limitBarriers, "barriers"}};
    for (const auto& [limit, what] : named)
        if (limit == result.blocksPerSm)
            result.limitedBy.emplace_back(what);
    return result;
}

} // namespace warpglass
