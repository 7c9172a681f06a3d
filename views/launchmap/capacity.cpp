// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/capacity.h"

#include "gpu/device/occupancy.h"

namespace warpglass {

std::optional<std::uint32_t> blocksThatFit(const Trace& trace, std::uint32_t launchRow) {
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    if (!limits || launchRow >= trace.launches.size()) {
        return std::nullopt;
    }
    const Launch& launch = trace.launches[launchRow];
    const Kernel& kernel = trace.kernelOf(launch);
    OccupancyInput input;
    input.threads = std::uint32_t(launch.block.count());
    input.registers = kernel.registers;
    input.sharedStatic = kernel.sharedBytes;
    input.sharedDynamic = launch.sharedBytes;
    input.sharedLimit = kernel.sharedBytes + launch.sharedBytes > 48 * 1024 ? SharedLimit::OptIn : SharedLimit::Default;
    const std::uint32_t blocks = occupancy(*limits, input).blocksPerSm;
    return blocks > 0 ? std::optional(blocks) : std::nullopt;
}

} // namespace warpglass
