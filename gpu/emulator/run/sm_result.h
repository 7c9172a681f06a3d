// SPDX-License-Identifier: GPL-3.0-or-later
// What one SM did in time.
#pragma once

#include "gpu/emulator/watch/touch_table.h"
#include "gpu/trace/tables.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpglass::emulator {

struct MemoryTotals { // 32-byte sectors of one SM
    std::uint64_t l1Sectors = 0, l1Hits = 0, l2Sectors = 0, storeSectors = 0, dramStoreSectors = 0;
    double dramSectors = 0; // of what several SMs have at once, this one's part
};

struct TimedBlock {
    std::uint64_t index = 0;         // linear
    std::int64_t start = 0, end = 0; // cycles of the SM
    std::uint64_t slots = 0;         // one bit a warp slot; the n-th warp has the n-th set bit
    std::uint64_t issued = 0;        // PTX warp-instructions
    bool complete = false;           // false: the budget was used up first; its rest was run without time
};

struct SmResult {
    std::vector<TimedBlock> blocks;
    std::int64_t cycles = 0;       // until the last timed block ended, or the budget was used up
    std::uint64_t issued = 0;      // PTX warp-instructions in time
    std::int64_t fullCycles = 0;   // until the first block ended whose place none took; of a single wave: `cycles`
    std::uint64_t fullIssued = 0;  // PTX warp-instructions until then
    std::uint64_t slotsIssued = 0; // issue slots: machine instructions
    std::array<std::uint64_t, std::size_t(WarpState::Count_)> stateCycles{}; // of all resident warps
    std::uint64_t residentCycles = 0;                                        // warps x cycles
    MemoryTotals memory;
    bool faulted = false;
};

// What the timing model found about one launch.
struct TimedGrid {
    std::vector<std::uint32_t> sms;    // [k]
    std::vector<SmResult> results;     // [k]
    std::vector<std::uint32_t> issued; // [block] PTX warp-instructions
    double cyclesPerInstruction = 0;   // of a block in a full SM: its duration / its warp-instructions
    double pause = 0;                  // cycles from a block's end until the next begins in its place
    std::uint32_t activeSms = 0;
};

// What the first run of a launch has found: for another one, if its blocks meet, or if the device lacks a limit then.
struct FirstRun {
    explicit FirstRun(std::unique_ptr<TouchTable> table) : touchTable(std::move(table)), touched(*touchTable) {}
    std::unique_ptr<TouchTable> touchTable;
    TouchTable& touched;
    std::uint64_t perSm = 0; // blocks to be timed
    double dramStores = 0, partFills = 0;
};

} // namespace warpglass::emulator
