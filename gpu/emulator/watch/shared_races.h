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

// After the access was carried out; offsets[lane] into shared memory. words: of scattered ones, if it is known.
void checkSharedLoad(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                     std::uint32_t bytes, Lanes order = Lanes::Scattered, const ScatteredWords* words = nullptr);
// Before a store is carried out: same-value stores of several threads are no race.
void checkSharedStore(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                      std::uint32_t bytes, Lanes order = Lanes::Scattered, const ScatteredWords* words = nullptr);
// The same, and atomics whose old value nobody wants, for a column where it is quick to find that there is nothing to
// say. False: nothing is done, and the others are to be asked.
bool quietSharedLoad(Exec& x, const Inst& in, const WordColumn& column);
// Of elements of so many bytes, a whole warp's, one behind the other.
bool quietSharedRow(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t bytes, bool isStore);
// Of some lanes' words in such a row, whose bits are in x.laneBits.
bool quietSharedPart(Exec& x, const Inst& in, std::uint32_t offset, std::uint32_t lanes, bool isStore);
bool quietSharedStore(Exec& x, const Inst& in, const WordColumn& column, StoreNotes& toPut);
bool quietSharedUpdate(Exec& x, const Inst& in, const WordColumn& column);
// Before an atomic is carried out. within: all lanes' bytes lie in the memory, aligned.
void markSharedAtomic(Exec& x, const Inst& in, std::uint32_t lanes, const std::array<std::uint64_t, 32>& offsets,
                      std::uint32_t bytes, Lanes order, bool within, const ScatteredWords* words = nullptr);

// The lanes of a warp wait for each other: what stood before is done. And where they only meet, as at shuffles: what they
// have read they need not read any more, but others may still not see what they wrote.
void lanesMeet(Exec& x);
inline void whatLanesReadIsRead(Exec& x) {
    if (x.checkMemory)
        x.block->notes.meet(x.warp->number);
}

// Volatile global accesses of warp-synchronous code.
void checkVolatileGlobal(Exec& x, const Inst& in, std::uint32_t lanes, bool isStore);

} // namespace warpglass::emulator
