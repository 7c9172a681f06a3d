// SPDX-License-Identifier: GPL-3.0-or-later
// Stages that are filled anew before whoever reads them has said that it is done: a bulk or tensor copy goes where warps have
// read since the last one, and nothing that they did behind their reads (an arrival at an mbarrier, a barrier of the block, a
// flag) has come to the thread that asks for it. Barriers count for all warps, whoever takes part. Looked for in blocks that
// are no part of a larger cluster; of loads the first lane says where.
#pragma once

#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// The running warp asks for a copy into its block's shared memory. True: it comes too early, and is told.
bool fillStage(Exec& x, const Inst& in, const PendingCopy& copy);
void readStage(Exec& x, const Inst& in, const Hull& bytes, bool byProduct);
// The running warp arrives at an mbarrier of its block; has waited for a phase of it.
void arriveForStages(Exec& x, std::uint32_t barrier);
void waitForStages(Exec& x, std::uint32_t barrier);
void endPhaseForStages(BlockState& block, std::uint32_t barrier);
void meetForStages(BlockState& block); // all its warps

} // namespace warpglass::emulator
