// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's instructions did, in sums over blocks; addition makes the order of blocks irrelevant.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/state/access_summary.h"

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

struct MemoryCount {
    std::uint64_t requests = 0, bytesDistinct = 0, bytesRequested = 0, sectors = 0, lines = 0, passes = 0,
                  idealPasses = 0, turns = 0;
    void add(const MemoryCount& o) {
        requests += o.requests;
        bytesDistinct += o.bytesDistinct;
        bytesRequested += o.bytesRequested;
        sectors += o.sectors;
        lines += o.lines;
        passes += o.passes;
        idealPasses += o.idealPasses;
        turns += o.turns;
    }
    void add(const AccessSummary& s) { // one access
        requests += 1;
        bytesDistinct += s.bytesDistinct;
        bytesRequested += std::uint64_t(s.bytes) * std::uint32_t(s.active.count());
        sectors += s.sectors;
        lines += s.lines;
        passes += s.passes;
        idealPasses += s.idealPasses;
        turns += s.turns;
    }
};
// Of a memory instruction whose space is found at run time, or whose function is from elsewhere (MemoryPart::isSplit): what it
// did in one space, called from one place.
struct SplitCount {
    MemorySpace space = MemorySpace::Global;
    std::uint32_t caller = noIndex; // position of the call in a function that is not foreign
    MemoryCount count;
};
struct BranchCount {
    std::uint64_t divergent = 0, takenLanes = 0;
};

struct Counters {
    std::vector<std::uint64_t> pieceExecutions, pieceLanes; // [piece]
    std::vector<std::int64_t> executionsFix, lanesFix;      // [position]: guarded lanes, and what a fault cut off
    std::vector<MemoryCount> memory;                        // [position]
    std::vector<std::vector<SplitCount>> split;             // [position], in no order
    std::vector<BranchCount> branch;                        // [position]
    void reset(const Program& program);
    void add(const Counters& other);
    MemoryCount& splitAt(std::uint32_t position, MemorySpace space, std::uint32_t caller);
};

} // namespace warpglass::emulator
