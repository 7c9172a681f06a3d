// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs as runners on one track. Each starts at its own zero and comes as far as its share of work done: of the blocks
// that its launches have ended, or, where there are too few of them to see anybody run, of the events that its recorded
// warps have passed. In: a Trace. Out: the finished work as sorted times, so that how far a runner is at a moment is one
// binary search.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

enum class RaceWork : std::uint8_t { Blocks, Events };

struct Runner {
    TracePtr trace;
    RaceWork work = RaceWork::Blocks;
    Time start, finish;             // of the launches that ran
    std::vector<std::int64_t> done; // ascending, since start: when each piece of work was done

    Time length() const { return finish - start; }
    double share(double since) const; // of the work that is done so long after the start
};
using RunnerPtr = std::shared_ptr<const Runner>;

// What both can be measured by: blocks if each run has enough of them.
RaceWork workOf(const Trace& a, const Trace* b);
RunnerPtr runnerOf(TracePtr trace, RaceWork work);

// The slower one's time over the faster one's; nothing where one took none. faster: 0, 1, or -1 for a draw: they are
// level, or no further apart than a modelled time may be wrong.
struct RaceResult {
    double ratio = 1;
    int faster = -1;
    Time lead; // how much earlier one was there
    // Of a modelled time, as a share of it; 0: neither is modelled, nothing: no such kernels were measured.
    std::optional<double> error = 0;
};
std::optional<RaceResult> resultOf(const Runner& a, const Runner& b);

} // namespace warpglass
