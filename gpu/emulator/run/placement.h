// SPDX-License-Identifier: GPL-3.0-or-later
// Which block runs where and when, in steps. A block goes to the SM with the fewest resident warps that has room for it
// (lowest number first), as soon as one has; a grid's blocks go in order. Child grids begin when the grid that launched
// them has run; those of one block in the default stream one after the other; tail launches after everything else of
// their parent. A launch ends when its last block and its last child have ended.
#pragma once

#include "gpu/device/occupancy.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct PlacedBlock {
    std::int64_t start = 0;
    std::uint64_t slots = 0; // one bit a warp slot of the SM; the n-th warp has the n-th set bit
    std::uint32_t sm = 0;
};

struct PlacementLaunch {
    const std::vector<std::int64_t>* steps = nullptr;   // [block]; nullptr for a dropped launch
    std::int64_t pause = 0;                             // from a block's end until another can begin in its place
    std::uint32_t warps = 1, registers = 0, shared = 0; // a block, as allocated
    std::uint32_t parent = noIndex, parentBlock = noIndex;
    StreamKind stream = StreamKind::Host;
    int forcedSms = 0; // > 0: block b on SM b mod residents mod forcedSms (programs that read %smid)
    std::uint32_t residentBlocks = 1;
    // Timing model: blocks whose place and start (counted from the grid's) are known already, ascending block; and SMs
    // that take other blocks of this grid only from a time on.
    std::vector<std::pair<std::uint64_t, PlacedBlock>> given;
    std::vector<std::pair<std::uint32_t, std::int64_t>> closedUntil;
    // filled by place()
    std::vector<PlacedBlock> blocks;
    std::int64_t start = 0, end = 0;
};

// What a device-side launch costs, in the steps' unit: from the parent's end to the child's start, and at least so much
// between the starts of two children anywhere on the device.
struct LaunchCost {
    std::int64_t latency = 0, interval = 0;
    double blockInterval = 0; // between two blocks that the device starts
};

void place(std::vector<PlacementLaunch>& launches, const CapabilityLimits& limits, int smCount, LaunchCost cost = {});

} // namespace warpglass::emulator
