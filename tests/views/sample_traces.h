// SPDX-License-Identifier: GPL-3.0-or-later
// Traces made by hand, small enough to work out every number on paper. Times are steps: one warp instruction each.
#pragma once

#include "gpu/trace/trace.h"

#include <utility>

namespace warpglass::samples {

// Puts a trace together row by row; keeps the row ranges and the counts of branches right.
class TraceMaker {
public:
    TraceMaker(std::string name, std::string source, std::string ptx,
               std::vector<std::pair<std::uint32_t, std::uint32_t>> ptxToSource);
    std::uint32_t site(SiteKind kind, std::uint32_t ptxLine);
    void launch(Dim3 grid, Dim3 block);
    void block(std::uint32_t index, std::uint16_t sm = 0);
    void warp(LaneMask live, Time start = {});
    void event(std::int64_t time, std::uint32_t site, EventKind kind, LaneMask active, LaneMask taken = {});
    void endWarp(std::int64_t time);
    void count(InstructionCount row) { m_trace.counts.push_back(row); }
    Trace& trace() { return m_trace; }
    TracePtr finish();

private:
    Trace m_trace;
};

// if (tid % 2 == 0) a = 100 else b = 200; block of 64. Both warps walk both paths: 2 steps for the even lanes, 1 for
// the odd ones. Lanes used 16 x 2 + 16 x 1 = 48 of 32 x 3 = 96, one half. With `byWarp` the condition is (tid / 32) %
// 2: no warp parts.
TracePtr mathKernel(bool byWarp);
// The same kernel as the optimiser leaves it: setp and selp, no branch.
TracePtr mathKernelSelects();
// 20 lanes go round a loop for 100 steps, 12 lanes take one step: 20 x 100 + 12 = 2012 lane-steps of 101 x 32 =
// 3232, 62.25 %.
TracePtr divergent20of32();
// reduceNeighbored with a block of 64, strides 1 to 32: of warp 0 16, 8, 4, 2, 1, 1 lanes enter. With `less` the
// working threads are neighbours: 32, 16, 8, 4, 2, 1 lanes of warp 0 enter, none of warp 1.
TracePtr neighbored(bool less);
// One warp with this many executions of one branch, of which every third diverges.
TracePtr manyBranches(std::uint32_t executions);
// 48 threads: warp 1 holds 16 lanes. The lanes from 8 on leave early (a guarded return), then a branch parts the
// others.
TracePtr partialAndExited();

} // namespace warpglass::samples
