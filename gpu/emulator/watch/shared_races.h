// SPDX-License-Identifier: GPL-3.0-or-later
// Races and first use in shared memory, and communication inside a warp without __syncwarp.
//
// Each word remembers who wrote and who read it since the last barrier. Two threads of different warps that touch a
// word in one interval, one of them writing, race. Two lanes of one warp do the same in lock-step; since compute
// capability 7.0 lanes may drift apart, so it needs a __syncwarp in between.
#pragma once

#include "gpu/emulator/shadow/shadow_memory.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// An access to the block's own shared memory, as its lanes lie.
struct SharedAccess {
    enum class Lie : std::uint8_t {
        Row,    // a whole warp's elements of `bytes`, one behind the other from `offset` on
        Part,   // the words of `lanes` in such a row of words; their bits are in x.laneBits
        Column, // a whole warp's elements where they lay the time before
        Lanes,  // each of `lanes` at its own offset, in that order
    };
    Lie lie = Lie::Lanes;
    AccessKind kind = AccessKind::Load;
    Lanes order = Lanes::Scattered;
    bool within = true; // all lanes' bytes lie in the memory, aligned
    std::uint32_t lanes = ~0u, bytes = 0, offset = 0;
    const LaneOffsets* offsets = nullptr;
    const ScatteredWords* words = nullptr; // of scattered ones, if it is known
    const WordColumn* column = nullptr;
    StoreNotes* toPut = nullptr; // of a column's store: what is to be put with it
};
// The only way to the notes of an access: tells what is wrong of it, and notes it. Of a load after it was carried out, of a
// store or an atomic before: stores of the same value are no race. False, of rows, parts and columns alone: it is not quick to
// find that there is nothing to say. Nothing is done, and the access is to be judged lane by lane.
bool judge(Exec& x, const Inst& in, const SharedAccess& access);

// The lanes of a warp wait for each other: what stood before is done. And where they only meet, as at shuffles: what they
// have read they need not read any more, but others may still not see what they wrote.
void lanesMeet(Exec& x);
inline void whatLanesReadIsRead(Exec& x) {
    if (x.checkMemory)
        x.block->notes.meet(x.warp->number);
}

} // namespace warpglass::emulator
