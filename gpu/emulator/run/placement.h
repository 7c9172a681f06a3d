// SPDX-License-Identifier: GPL-3.0-or-later
// Which block runs where and when, in steps. A block goes to the SM with the fewest resident warps that has room for it
// (lowest number first), as soon as one has; a grid's blocks go in order. Child grids begin when the grid that launched
// them has run; those of one block in the default stream one after the other; tail launches after everything else of
// their parent. A launch ends when its last block and its last child have ended.
#pragma once

#include "gpu/device/footprint.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct PlacedBlock {
    std::int64_t start = 0;
    std::uint64_t slots = 0; // one bit a warp slot of the SM; the n-th warp has the n-th set bit
    std::uint32_t sm = 0;
};

// What is settled about a block before anything is placed: its SM, since it has read %smid; or, if the timing model ran
// it, also when it starts, counted from its grid's start, and in which slots. An SM that has run in time takes other
// blocks of the grid only after the last of its own.
struct FixedPlace {
    std::uint32_t block = 0, sm = 0;
    bool timed = false;
    std::int64_t start = 0;  // timed only, as is slots
    std::uint64_t slots = 0; // one bit a warp slot
};

struct PlacementLaunch {
    const std::vector<std::int64_t>* steps = nullptr; // [block]; nullptr for a dropped launch
    std::int64_t pause = 0;                           // from a block's end until another can begin in its place
    Footprint footprint;
    std::uint32_t parent = noIndex, parentBlock = noIndex;
    StreamKind stream = StreamKind::Host;
    std::vector<FixedPlace> fixed; // ascending block; those that are free are left out
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

// The SM whose number a block reads: blocks are dealt to SMs in turn.
inline std::uint32_t smOf(std::uint64_t block, int smCount) {
    return std::uint32_t(block % std::uint64_t(smCount));
}

void place(std::vector<PlacementLaunch>& launches, const CapabilityLimits& limits, int smCount, LaunchCost cost = {});

} // namespace warpglass::emulator
