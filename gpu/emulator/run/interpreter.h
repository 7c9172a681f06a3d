// SPDX-License-Identifier: GPL-3.0-or-later
// The loop. A straight-line piece is counted once and then run handler by handler; only its last instruction can change
// the lanes or the place. With a recorder the clock goes up an instruction at a time, so that every event has its own
// step.
//
// The timing model issues one instruction at a time instead: it brings a warp in with resume(), then calls arrive() and
// step() once for each.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

void runWarp(Exec& x, Warp& warp); // until it blocks, ends, faults or its slice is over

struct StepResult {
    const Inst* inst = nullptr;
    const InstInfo* info = nullptr;
    LaneMask active;
    const AccessSummary* access = nullptr; // of memory instructions
    Stop stop = Stop::None;
};
bool arrive(Exec& x);     // leaves paths that have ended; x.pc is then the next instruction. False: none is ready
StepResult step(Exec& x); // runs the instruction at x.pc, after arrive()

} // namespace warpglass::emulator
