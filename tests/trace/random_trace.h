// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

namespace warpglass {

// A trace that keeps every promise of trace.h, filled with numbers that depend on the seed alone. About `blocks` blocks
// of up to 4 warps of up to `events` events; with `wide`, one warp lives longer than 2^32 time units.
Trace randomTrace(unsigned seed, std::uint32_t blocks = 20, std::uint32_t events = 30, bool wide = false);

// A trace like those of a GPU: `warps` warps on 132 SMs, each walking the same loop of eight branches until it has
// `eventsPerWarp` events, with the masks of a reduction and times that differ a little from warp to warp.
Trace loopTrace(std::uint32_t warps, std::uint32_t eventsPerWarp);

} // namespace warpglass
