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

#include "gpu/emulator/run/sm_result.h"

namespace warpglass::emulator {

struct GridRun;

void runTimed(GridRun& run);
// How long a block takes in a full SM, for a warp-instruction of its own, and the pause between two blocks in one place.
void steadyState(TimedGrid& timed, std::uint32_t residentBlocks, double restart);

} // namespace warpglass::emulator
