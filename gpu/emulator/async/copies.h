// SPDX-License-Identifier: GPL-3.0-or-later
// Copies: asked for, waited for, carried out; and what an mbarrier does when it is told of them.
#pragma once

#include "gpu/emulator/async/async_state.h"
#include "gpu/emulator/run/cluster.h"
#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

AsyncState& asyncOf(BlockState& block);

// Where the address operand of a lane points: an address of shared memory (run/cluster.h), or of global memory.
std::uint64_t addressOf(Exec& x, const AsyncAddress& a, int lane);

// A new copy that this warp asks for; what it goes to and how it ends is the caller's to fill in.
PendingCopy newCopy(Exec& x, const Inst& in, std::uint32_t lanes, AsyncCopyKind kind);
// Notes it: keeper is the block whose shared memory it goes to, or the asking one.
void ask(Exec& x, BlockState& keeper, PendingCopy copy);

// Carries out what lanes of this warp asked for in groups that are not the last `keep`; all: also what was not yet
// committed.
void finishGroups(Exec& x, std::uint32_t lanes, bool bulk, std::uint32_t keep, bool all);
// Carries out what tells the mbarrier, as far as its time has come, and tells it.
void finishFor(Exec& x, Home home, std::uint32_t barrier);
// The block has ended: what is under way comes to its end, too.
void finishBlock(Exec& x);
// With the timing model: when the groups that the instruction waits for have come; 0: at once.
std::int64_t groupsReady(const Exec& x, const Inst& in);

// The copy that is to write this byte of the block's shared memory; nullptr: none.
const PendingCopy* copyInto(const BlockState& block, std::uint64_t offset);
void tellEarlyRead(Exec& x, const Inst& in, int lane, std::uint64_t offset, const PendingCopy& copy);

Mbarrier barrierAt(const BlockState& block, std::uint32_t barrier);
// The barrier's word, changed by arrivals and bytes; tells and records when its phase is over.
void change(Exec& x, Home home, std::uint32_t barrier, std::uint32_t arrivals, std::int32_t bytes, std::int64_t when,
            std::uint32_t position);
std::int64_t clockIn(const Exec& x, const BlockState& block); // the running warp's, on that block's

} // namespace warpglass::emulator
