// SPDX-License-Identifier: GPL-3.0-or-later
// The documents' example of four warps and five cycles (D3, "Warp scheduling"), as a small trace of its own. It is run,
// not drawn: four programs of instructions with latencies, and the emulator's own rule for which ready warp is taken.
//
// Warps 0 and 1 run FMAs of 4 cycles, warp 3 runs ADDs of 1 cycle, warp 2 waits for a load that returns at cycle 3 and
// then runs MULs of 1 cycle. Each instruction needs the result of the one before.
#pragma once

#include "gpu/device/policy.h"
#include "gpu/trace/trace.h"

namespace warpglass {

inline constexpr int documentCycles = 5; // as many as the document writes down

// Times are cycles (steps of the trace); SM 0, scheduler 0; slot = number of the warp.
TracePtr documentExample(SchedulingPolicy policy);

} // namespace warpglass
