// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines made by hand, small enough to work out every number on paper.
#pragma once

#include "gpu/trace/trace.h"
#include "views/pipeline/pipeline_model.h"

#include <array>

namespace warpglass::samples {

// A block of three warps whose times are steps. Warp 0 orders copies into two slots, warps 1 and 2 multiply what is there,
// each waits for the other:
//
//   slot (mbarriers)    fill   ordered   full    read from    freed
//   0 (full 0, empty 16)  0      10        40      41           70
//   1 (full 8, empty 24)  1      12        60      75          100
//   0                     2      80       120     121          150
//
//   warp 0 waits for empty 16 from 14 to 71, so fill 2 is ordered at 80
//   warps 1 and 2 wait for full 0 from 5 to 41 and multiply from 41 to 70; they wait for nothing before slot 1, which they
//   multiply from 75 to 100; then they wait for full 0 again, from 102 to 121, and multiply until 150; the block ends at 160
//
// expectedAfter: bytes are expected so many steps after their copy is ordered.
TracePtr twoSlots(std::int64_t expectedAfter = 0);

// A kernel of barriers alone in cycles: one warp, 0 to 100. It loads from 0, waits for memory from 10 to 60, at the barrier
// from 60 to 70, and computes from there on.
TracePtr barriersAlone();

// One warp of cp.async and products of 6 cycles, in cycles from 0 to 120: three groups are ordered at 0, 10 and 80 and have come
// at 30, 50 and 95; it waits for them until 38, 60 and 98 and multiplies at 40, 70 and 100.
// Where the three go to in shared memory; noIndex: as in older files, which do not say. usesOnce: it does not multiply at 40.
TracePtr copiedByGroups(std::array<std::uint32_t, 3> places = {noIndex, noIndex, noIndex}, bool usesOnce = false);

// One warp as a GPU's probes tell it, 0 to 120 ns: a group of cp.async ordered at 10 into byte 1024, which it asks for at 30 and
// has at 50.
TracePtr measuredGroup();

// A warpgroup's warp as a GPU's probes tell it, 0 to 1000 ns, of two cycles each: it asks for bytes at 100 and has them at 200,
// begins two products of 64 x 256 x 16 halves, which take 128 cycles each, waits for them from 480 to 500, and arrives where it
// passes the wait's clock on. Without probes the launch of two blocks took 800 ns.
TracePtr measuredProducts();

// One warp, 0 to 60: a group of cp.async is ordered at 0 and there at 30; behind the wait for it the warp stores to shared memory
// at 40, loads from there at 42, and multiplies at 44, if it does.
TracePtr turnedAround(bool multipliesAfter);

// tests/emulator/data/hangs.cu, run: warp 4 fills a ring of two slots of 512 bytes, warps 0 to 3 take them out; 2 and 3 so many.
TracePtr filledRing(int tiles, int ofWarps2And3, bool timing);

std::shared_ptr<const PipelineModel> pipelineModel(const TracePtr& trace, std::uint32_t block = 0);

} // namespace warpglass::samples
