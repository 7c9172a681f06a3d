// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/interpreter.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/deaf_loops.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"

#include <fmt/format.h>

namespace warpglass::emulator {

namespace {

// Instructions first to end of the piece were counted but not run.
void uncount(Exec& x, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i) {
        x.counters->executionsFix[i] -= 1;
        x.counters->lanesFix[i] -= std::popcount(x.mask);
    }
}

bool endless(Exec& x) {
    if (x.warp->issued < x.limit)
        return false;
    const auto deaf = deafLoop(*x.program, x.pc);
    x.diagnostics->add(x, DiagnosticKind::EndlessLoop, x.pc, std::countr_zero(x.mask), 0,
                       !deaf                   ? say::Endless(x.warp->issued)
                       : deaf->load == noIndex ? say::DeafLoop(x.warp->issued)
                                               : say::DeafLoopOf(placeText(*x.program, deaf->load)),
                       true);
    return true;
}

template <bool recording>
void loop(Exec& x) {
    const Program& program = *x.program;
    for (;;) {
        if (x.pc == x.reconvergence && x.frame == x.reconvergenceFrame) {
            if (!reachReconvergence(x)) {
                x.stop = Stop::Blocked;
                return;
            }
            continue;
        }
        if (x.independent)
            meet(x);
        if (x.warp->issued >= x.sliceEnd) {
            pack(x);
            if (!endless(x))
                x.stop = Stop::Slice;
            return;
        }
        const std::uint32_t number = program.code[x.pc].piece;
        const Piece& piece = program.pieces[number];
        if (piece.meets && !x.independent && joinsWaiting(x)) {
            if (!resume(x, *x.warp)) {
                x.stop = Stop::Blocked;
                return;
            }
            continue;
        }
        if (piece.yields && !x.independent && letOthersGo(x))
            continue;
        const std::uint32_t mask = x.mask;
        x.counters->pieceExecutions[number] += 1;
        x.counters->pieceLanes[number] += std::uint32_t(std::popcount(mask));
        x.warp->issued += piece.end - piece.first;
        if constexpr (recording)
            x.recorder->path(x, x.pc);
        else
            x.warp->clock += piece.end - piece.first;
        const Inst* in = program.code.data() + piece.first;
        const Inst* const end = program.code.data() + piece.end;
        for (; in != end; ++in) {
            if constexpr (recording)
                x.warp->clock += 1;
            if (!in->run(x, *in) && !passedOver(x)) [[unlikely]]
                break;
            if constexpr (recording)
                if (x.recorder->recordsAccesses() && program.info[in->index].isMemory)
                    x.recorder->access(x, *in, x.warp->clock - 1);
        }
        if (in == end) [[likely]] {
            if (!piece.endsInControl)
                x.pc = piece.end;
            continue;
        }
        if (x.stop == Stop::Switch && x.warp->stack[x.warp->current].state == EntryState::AtSync)
            uncount(x, in->index, piece.end); // comes back here
        else
            uncount(x, in->index + 1, piece.end);
        if (x.stop != Stop::Switch)
            return;
        x.stop = Stop::None;
        if (!resume(x, *x.warp)) {
            x.stop = Stop::Blocked;
            return;
        }
    }
}

} // namespace

void runWarp(Exec& x, WarpContext& warp) {
    x.stop = Stop::None;
    if (!resume(x, warp)) {
        x.stop = Stop::Blocked;
        return;
    }
    if (x.recorder)
        loop<true>(x);
    else
        loop<false>(x);
}

} // namespace warpglass::emulator
