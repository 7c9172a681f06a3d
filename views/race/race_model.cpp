// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/race/race_model.h"

#include "gpu/metrics/model_accuracy.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::uint64_t leastBlocks = 8; // fewer come in leaps

std::uint64_t timedBlocks(const Trace& trace) {
    std::uint64_t count = 0;
    for (const Launch& launch : trace.launches)
        if (launch.status == LaunchStatus::Ran)
            count += launch.blockCount;
    return count;
}

} // namespace

double Runner::share(double since) const {
    if (done.empty())
        return since >= double(length().value) ? 1 : 0;
    const auto after = std::upper_bound(done.begin(), done.end(), since,
                                        [](double t, std::int64_t piece) { return t < double(piece); });
    return double(after - done.begin()) / double(done.size());
}

RaceWork workOf(const Trace& a, const Trace* b) {
    return timedBlocks(a) >= leastBlocks && (!b || timedBlocks(*b) >= leastBlocks) ? RaceWork::Blocks
                                                                                   : RaceWork::Events;
}

RunnerPtr runnerOf(TracePtr trace, RaceWork work) {
    auto runner = std::make_shared<Runner>();
    runner->work = work;
    bool first = true;
    for (const Launch& launch : trace->launches) {
        if (launch.status != LaunchStatus::Ran)
            continue;
        runner->start = first ? launch.start : std::min(runner->start, launch.start);
        runner->finish = first ? launch.end : std::max(runner->finish, launch.end);
        first = false;
    }
    const auto add = [&](Time t) { runner->done.push_back((t - runner->start).value); };
    if (work == RaceWork::Blocks) {
        for (const Launch& launch : trace->launches)
            if (launch.status == LaunchStatus::Ran)
                for (const Block& block : trace->blocksOf(launch))
                    add(block.end);
    } else {
        for (const Warp& warp : trace->warps)
            for (std::uint32_t n = 0; n < warp.eventCount; ++n)
                add(trace->events.time(warp.firstEvent + n, warp.start));
    }
    std::sort(runner->done.begin(), runner->done.end());
    runner->trace = std::move(trace);
    return runner;
}

std::optional<RaceResult> resultOf(const Runner& a, const Runner& b) {
    const double first = double(a.length().value), second = double(b.length().value);
    if (first <= 0 || second <= 0)
        return std::nullopt;
    const auto modelled = [](const Runner& r) { return r.trace->info.timeOrigin == Origin::Modelled; };
    RaceResult result{.ratio = std::max(first, second) / std::min(first, second),
                      .lead = Time{std::abs(b.length().value - a.length().value)}};
    for (const Runner* r : {&a, &b})
        if (modelled(*r)) {
            const auto error = expectedError(*r->trace);
            result.error = error && result.error ? std::optional(std::max(*result.error, *error)) : std::nullopt;
        }
    if (first != second && result.ratio - 1 > result.error.value_or(0))
        result.faster = first < second ? 0 : 1;
    return result;
}

} // namespace warpglass
