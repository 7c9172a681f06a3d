// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async: a few bytes a lane, from global memory to the block's own shared memory, by groups that each thread commits
// and waits for. Loops of products ask for several of them a turn, so that a warp's copy is kept as rows of 32 places and
// carried out at once where it is simple.
#pragma once

#include "gpu/emulator/async/copies.h"

namespace warpglass::emulator {

Handler laneCopyHandler(AsyncOp op); // cp.async, its commit_group and wait_group; nullptr: another one

// Carries out what these lanes of a warp of the block have asked for. Mbarrier: who waits knows of it by one, so that no
// race can be told.
enum class WaitedBy : std::uint8_t { Group, Mbarrier };
void finishLanes(Exec& x, Home home, std::uint32_t warp, std::uint32_t lanes, WaitedBy by);
// An mbarrier at this byte is told of what these lanes of the running warp have asked for since they told one last: their bytes.
std::uint32_t tellLanes(Exec& x, std::uint32_t lanes, std::uint32_t barrier);
void finishAllLanes(Exec& x); // of the running block, which has ended

// With the timing model: when the groups of the running warp's lanes have come that are not the last `keep` (noIndex: all,
// also what was not yet committed); 0: at once.
std::int64_t laneGroupsReady(const Exec& x, std::uint32_t keep);

} // namespace warpglass::emulator
