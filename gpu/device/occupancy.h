// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/device: how many blocks of a kernel fit on an SM, and what stops the next one.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/device/device.h"

#include <string>
#include <vector>

namespace warpglass {

enum class SharedLimit : std::uint8_t { Default, OptIn };
template <>
inline constexpr auto enumWords<SharedLimit> = EnumWords("limit of shared memory", {"default", "optin"});

struct OccupancyInput {
    std::uint32_t threads = 256;                       // a block
    std::uint32_t registers = 0;                       // a thread; 0 = no limit
    std::uint32_t sharedStatic = 0, sharedDynamic = 0; // bytes a block
    SharedLimit sharedLimit = SharedLimit::Default;
    int carveoutPercent = -1;   // -1 = driver's default (all of it)
    std::uint32_t barriers = 1; // named barriers a block
};

inline constexpr std::uint32_t unlimited = 0xffffffffu;

struct Occupancy {
    std::uint32_t blocksPerSm = 0, activeWarps = 0, maxWarps = 0;
    double percent = 0;
    std::uint32_t limitWarps = 0, limitRegisters = 0, limitShared = 0, limitBlocks = 0, limitBarriers = unlimited;
    std::vector<std::string> limitedBy; // "warps", "registers", "shared_memory", "blocks", "barriers"; ties name all
    std::uint32_t registersPerBlock = 0, sharedPerBlock = 0; // as allocated
};

Occupancy occupancy(const CapabilityLimits& limits, const OccupancyInput& input);

} // namespace warpglass
