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

namespace judging { // judge()'s alone, each for what its name says; void: of lanes one by one, whatever there is to say
bool row(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t bytes, bool isStore);
bool part(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t lanes, bool isStore);
bool columnRead(Exec& x, const Inst& in, const WordColumn& column);
bool columnWritten(Exec& x, const Inst& in, const WordColumn& column, StoreNotes& toPut);
bool columnUpdated(Exec& x, const Inst& in, const WordColumn& column);
void lanesRead(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
               Lanes order, const ScatteredWords* words);
void lanesWrite(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                Lanes order, const ScatteredWords* words);
void lanesUpdate(Exec& x, const Inst& in, std::uint32_t lanes, const LaneOffsets& offsets, std::uint32_t bytes,
                 Lanes order, bool within, const ScatteredWords* words);
} // namespace judging

// The only way to the notes of an access: tells what is wrong of it, and notes it. Of a load after it was carried out, of a
// store or an atomic before: stores of the same value are no race. False, of rows, parts and columns alone: it is not quick to
// find that there is nothing to say. Nothing is done, and the access is to be judged lane by lane. Inline: what an access is,
// its caller knows when it is compiled.
[[gnu::always_inline]] inline bool judge(Exec& x, const Inst& in, const SharedAccess& a) {
    if (!x.checkMemory)
        return true;
    using Lie = SharedAccess::Lie;
    const bool isStore = a.kind == AccessKind::Store, isAtomic = a.kind == AccessKind::Atomic;
    switch (a.lie) {
    case Lie::Row:
        return !isAtomic && judging::row(x, in, a.offset, a.bytes, isStore);
    case Lie::Part:
        return !isAtomic && judging::part(x, in, a.offset, a.lanes, isStore);
    case Lie::Column:
        return isStore    ? judging::columnWritten(x, in, *a.column, *a.toPut)
               : isAtomic ? judging::columnUpdated(x, in, *a.column)
                          : judging::columnRead(x, in, *a.column);
    case Lie::Lanes:
        break;
    }
    if (isStore)
        judging::lanesWrite(x, in, a.lanes, *a.offsets, a.bytes, a.order, a.words);
    else if (isAtomic)
        judging::lanesUpdate(x, in, a.lanes, *a.offsets, a.bytes, a.order, a.within, a.words);
    else
        judging::lanesRead(x, in, a.lanes, *a.offsets, a.bytes, a.order, a.words);
    return true;
}

// The lanes of a warp wait for each other: what stood before is done. And where they only meet, as at shuffles: what they
// have read they need not read any more, but others may still not see what they wrote.
void lanesMeet(Exec& x);
inline void whatLanesReadIsRead(Exec& x) {
    x.block->notes.meet(x.warp->number);
}

} // namespace warpglass::emulator
