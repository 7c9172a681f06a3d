// SPDX-License-Identifier: GPL-3.0-or-later
// A launch on two levels: every block runs, some SMs run in time.
//
// Blocks are dealt to SMs in turn. First the blocks of the first waves run without time and leave in a TouchTable what
// they touch; then each timed SM runs its own share of the blocks, cycle by cycle, until it is through or its budget of
// instructions is used up; then all others run without time. Results do not depend on the number of host threads.
#pragma once

#include "gpu/emulator/run/grid_run.h"

namespace warpglass::emulator {

void runTimed(GridRun& run);

} // namespace warpglass::emulator
