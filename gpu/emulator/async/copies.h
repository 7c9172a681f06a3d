// SPDX-License-Identifier: GPL-3.0-or-later
// Copies: asked for, waited for, carried out; and what an mbarrier does when it is told of them.
#pragma once

#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/exec.h"

#include <limits>
#include <memory>
#include <optional>

namespace warpglass::emulator {

inline constexpr std::int64_t noTime =
    std::numeric_limits<std::int64_t>::max(); // of a copy that has not been given any

inline const AsyncInst& instOf(const Exec& x, const Inst& in) {
    return x.program->asyncs[in.async.site];
}

// Where the address operand of a lane points: an address of shared memory (state/cluster.h), or of global memory.
std::uint64_t addressOf(Exec& x, const AsyncAddress& a, int lane);

// What the trace will say of a copy that this warp asks for now.
std::shared_ptr<CopyNote> newNote(const Exec& x, const Inst& in, std::uint32_t lanes, AsyncCopyKind kind);
void complete(CopyNote& note, std::int64_t when, const BlockState& keeper); // when: of its clock
// A new copy that this warp asks for; what it goes to and how it ends is the caller's to fill in.
PendingCopy newCopy(Exec& x, const Inst& in, std::uint32_t lanes, AsyncCopyKind kind);
// Before a copy out of global memory is asked for: told, if nothing of it was ever written. Of a tile some part may be unused.
void watchSource(Exec& x, const Inst& in, int lane, const PendingCopy& copy);
// Notes it: keeper is the block whose shared memory it goes to, or the asking one. False: so many are under way that nobody
// waits for that there is no room for more, and the launch has ended with a sentence.
bool ask(Exec& x, const Inst& in, BlockState& keeper, PendingCopy copy);

// Carries out the bulk copies that lanes of this warp asked for in groups that are not the last `keep`; all: also what was
// not yet committed.
void finishGroups(Exec& x, std::uint32_t lanes, std::uint32_t keep, bool all);
// Carries out what tells the mbarrier, as far as its time has come, and tells it.
void finishFor(Exec& x, Home home, std::uint32_t barrier);
// The block has ended: what is under way comes to its end, too.
void finishBlock(Exec& x);
// With the timing model: when the groups that the instruction waits for have come; 0: at once.
std::int64_t groupsReady(const Exec& x, const Inst& in);

Mbarrier barrierAt(const BlockState& block, std::uint32_t barrier);
// The barrier's word, changed by arrivals and bytes; tells and records when its phase is over.
void change(Exec& x, Home home, std::uint32_t barrier, std::uint32_t arrivals, std::int32_t bytes, std::int64_t when,
            std::uint32_t position);
std::int64_t clockIn(const Exec& x, const BlockState& block); // the running warp's, on that block's

} // namespace warpglass::emulator
