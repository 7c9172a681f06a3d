// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers count threads. One without a count opens when all threads of the block that have not exited stand at it, one
// with a count when that many have come (whole warps count as 32, PTX ISA "bar"). Warps that leave together continue at
// the latest arriver's clock.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/state/warp.h"

#include <cstdint>

namespace warpglass::emulator {

// a = barrier number row, b = thread count row (noRow: all); reductions: dst, c = predicate. Inst::barrier.
Handler barrierHandler(BarrierKind kind);
Handler warpSyncHandler(); // a = member mask row

// Makes the running entry wait until the lanes of members have come here too. False: it waits.
bool gather(Exec& x, const Inst& in, std::uint32_t members);

// Makes the running warp wait until the three others of its warpgroup have come to such an instruction, too. False: it
// waits, and goes on behind the instruction.
bool meetWarpgroup(Exec& x, const Inst& in);

void releaseBarriers(Exec& x); // those that nobody is missing from any more; x.warp may be left as it is

} // namespace warpglass::emulator
