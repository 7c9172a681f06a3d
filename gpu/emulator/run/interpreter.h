// SPDX-License-Identifier: GPL-3.0-or-later
// The loop. A straight-line piece is counted once and then run handler by handler; only its last instruction can change
// the lanes or the place. With a recorder the clock goes up an instruction at a time, so that every event has its own
// step.
//
// The timing model issues one instruction at a time instead: it brings a warp in with resume(), then calls arrive() and
// step() once for each.
#pragma once

#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

void runWarp(Exec& x, WarpContext& warp); // until it blocks, ends, faults or its slice is over

struct StepResult {
    const Inst* inst = nullptr;
    const InstInfo* info = nullptr;
    LaneMask active;
    const AccessSummary* access = nullptr; // of memory instructions
    Stop stop = Stop::None;
};

// Leaves paths that have ended; x.pc is then the next instruction. False: none is ready.
[[gnu::always_inline]] inline bool arrive(Exec& x) {
    while (x.pc == x.reconvergence && x.frame == x.reconvergenceFrame)
        if (!reachReconvergence(x))
            return false;
    // Paths change places where a piece begins, as where runs are run as a whole: elsewhere nobody could take them up again.
    if (x.independent && x.pc == x.program->pieces[x.program->code[x.pc].piece].first)
        meet(x);
    return true;
}

// Runs the instruction at x.pc, after arrive(). Inline: it is all that the timing model does most of the time.
[[gnu::always_inline]] inline StepResult step(Exec& x) {
    const Inst& in = x.program->code[x.pc];
    const InstInfo& info = x.program->info[in.index];
    const std::uint32_t mask = x.mask;
    if (x.recorder) [[unlikely]]
        x.recorder->path(x, x.pc);
    x.warp->clock += 1;
    x.warp->issued += 1;
    x.counters->executionsFix[in.index] += 1; // steps are counted singly
    x.counters->lanesFix[in.index] += std::popcount(mask);
    x.stop = Stop::None;
    const std::uint32_t before = x.pc;
    const Piece& piece = x.program->pieces[in.piece];
    const bool control = piece.endsInControl && piece.end == before + 1;
    if (in.run(x, in) || passedOver(x)) [[likely]] {
        if (!control)
            x.pc = before + 1;
        if (x.recorder && x.recorder->recordsAccesses() && info.isMemory) [[unlikely]]
            x.recorder->access(x, in, x.warp->clock - 1);
    } else if (x.stop == Stop::Switch && x.warp->stack[x.warp->current].state == EntryState::AtSync) {
        x.counters->executionsFix[in.index] -= 1;
        x.counters->lanesFix[in.index] -= std::popcount(mask);
    }
    return {&in, &info, {mask}, info.isMemory ? &x.access : nullptr, x.stop};
}

} // namespace warpglass::emulator
