// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's instructions did, in sums over blocks; addition makes the order of blocks irrelevant.
#pragma once

#include "gpu/emulator/decode/program.h"

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct MemoryCount {
    std::uint64_t requests = 0, bytesDistinct = 0, bytesRequested = 0, sectors = 0, lines = 0, passes = 0,
                  idealPasses = 0;
    std::uint32_t spaces = 0; // bit s: MemorySpace s was accessed (generic addresses)
};
struct BranchCount {
    std::uint64_t divergent = 0, takenLanes = 0;
};

struct Counters {
    std::vector<std::uint64_t> pieceExecutions, pieceLanes; // [piece]
    std::vector<std::int64_t> executionsFix, lanesFix;      // [position]: guarded lanes, and what a fault cut off
    std::vector<MemoryCount> memory;                        // [position]
    std::vector<BranchCount> branch;                        // [position]
    void reset(const Program& program);
    void add(const Counters& other);
};

} // namespace warpglass::emulator
