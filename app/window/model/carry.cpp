// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/carry.h"

#include "views/lanes/branch_model.h"

#include <algorithm>
#include <optional>

namespace warpglass {

Time middleOf(const Trace& trace) {
    const TimeRange range = trace.range();
    return {range.begin.value + range.length().value / 2};
}

namespace {

// When the lanes of this warp first part at the branch that the Divergence view opens with: where no line is chosen yet,
// both show the same.
std::optional<Time> whereItParts(const Trace& trace, std::uint32_t warp) {
    const WarpBranches model = branchesOf(trace, warp);
    if (model.branches.empty())
        return std::nullopt;
    const Warp& row = trace.warps[warp];
    for (const std::uint32_t n : model.executions[mostTelling(trace, trace.blocks[row.block].launch, model.branches)])
        if (const Event event = trace.event(row, n); !event.taken.empty() && event.taken != event.active)
            return event.time;
    return std::nullopt;
}

} // namespace

Selection firstPlace(const Trace& trace) {
    Selection selection;
    selection.time = middleOf(trace);
    const auto detailed =
        std::find_if(trace.blocks.begin(), trace.blocks.end(), [](const Block& b) { return b.warpCount > 0; });
    if (detailed == trace.blocks.end())
        return selection;
    selection.block = std::uint32_t(detailed - trace.blocks.begin());
    selection.warp = detailed->firstWarp;
    for (std::uint32_t w = detailed->firstWarp; w < detailed->firstWarp + detailed->warpCount; ++w) {
        const Warp& warp = trace.warps[w];
        for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
            const Event event = trace.event(warp, n);
            if (event.kind == EventKind::Branch && !event.taken.empty() && event.taken != event.active) {
                selection.warp = w;
                selection.time = whereItParts(trace, w).value_or(event.time);
                return selection;
            }
        }
    }
    return selection;
}

Selection carried(const Selection& before, const Trace* from, const Trace& to) {
    if (from == &to)
        return before;
    Selection selection = firstPlace(to);
    const auto kernelOf = [](const Trace& trace) -> const std::string& {
        return trace.kernelOf(trace.launches.front()).name;
    };
    if (!from || kernelOf(*from) != kernelOf(to) || before.block >= from->blocks.size())
        return selection;
    const std::uint32_t number = from->blocks[before.block].index;
    const Launch& launch = to.launches.front();
    if (number < launch.blockCount && to.blocks[launch.firstBlock + number].warpCount > 0) {
        selection.block = launch.firstBlock + number;
        const Block& block = to.blocks[selection.block];
        const std::uint32_t inBlock = before.warp < from->warps.size() ? from->warps[before.warp].warpInBlock : 0;
        selection.warp = block.firstWarp + std::min<std::uint32_t>(inBlock, block.warpCount - 1u);
    }
    selection.lane = before.lane;
    selection.sourceLine = before.sourceLine;
    return selection;
}

} // namespace warpglass
