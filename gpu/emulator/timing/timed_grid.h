// SPDX-License-Identifier: GPL-3.0-or-later
// A launch on two levels: every block runs, some SMs run in time.
//
// Blocks are dealt to SMs in turn. First the blocks of the first waves run without time and leave in a TouchTable what
// they touch; then each timed SM runs its own share of the blocks, cycle by cycle, until it is through or its budget of
// instructions is used up; then all others run without time. Results do not depend on the number of host threads.
//
// That order is not the one in which a device runs them. Mostly nobody can tell, and who can is found out: the TouchTable
// knows when blocks meet at a word. Such a launch is made again from its beginning, with what the first run has found, and
// timed and untimed blocks take turns by the time that each has come to (untimed_sms.h).
//
// Blocks that may wait for each other (grid barriers, locks, chains of sums) need all others at the same time: then every
// SM runs in time, all together, each with its share of the blocks, until the budget of the launch is used up.
#pragma once

#include "gpu/emulator/timing/sm_result.h"
#include "gpu/emulator/timing/touch_table.h"

#include <memory>

namespace warpglass::emulator {

struct GridRun;

// What the timing model found about one launch.
struct TimedGrid {
    std::vector<std::uint32_t> sms;    // [k]
    std::vector<SmResult> results;     // [k]
    std::vector<std::uint32_t> issued; // [block] PTX warp-instructions
    double cyclesPerInstruction = 0;   // of a block in a full SM: its duration / its warp-instructions
    double pause = 0;                  // cycles from a block's end until the next begins in its place
    std::uint32_t activeSms = 0;
};

// What the first run of a launch has found whose blocks meet.
struct FirstRun {
    explicit FirstRun(std::uint64_t sectors, std::uint64_t most) : touched(sectors, most) {}
    TouchTable touched;
    std::uint64_t perSm = 0; // blocks to be timed
    double dramStores = 0, partFills = 0;
};

void runTimed(GridRun& run);
// How long a block takes in a full SM, for a warp-instruction of its own, and the pause between two blocks in one place.
void steadyState(TimedGrid& timed, std::uint32_t residentBlocks, double restart);

} // namespace warpglass::emulator
