// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/thread_layout.h"

#include <algorithm>

namespace warpglass {

ThreadLayout threadLayout(Dim3 block) {
    ThreadLayout layout;
    layout.block = block;
    layout.threads = std::uint32_t(block.count());
    layout.warps = warpsFor(layout.threads);
    layout.idleLanes = layout.warps * lanesPerWarp - layout.threads;
    return layout;
}

std::optional<Dim3> ThreadLayout::thread(std::uint32_t warp, int lane) const {
    const std::uint32_t n = linear(warp, lane);
    return n < threads ? std::optional(block.at(n)) : std::nullopt;
}

std::uint32_t ThreadLayout::threadsIn(std::uint32_t warp) const {
    return std::min<std::uint32_t>(lanesPerWarp, threads - warp * lanesPerWarp);
}

std::vector<WarpRun> warpRuns(const ThreadLayout& layout) {
    std::vector<WarpRun> runs;
    const std::uint32_t rowLength = std::max(layout.block.x, 1u);
    for (std::uint32_t n = 0; n < layout.threads;) {
        const std::uint32_t rowEnd = (n / rowLength + 1) * rowLength;
        const std::uint32_t warpEnd = (n / lanesPerWarp + 1) * lanesPerWarp;
        const std::uint32_t end = std::min({rowEnd, warpEnd, layout.threads});
        runs.push_back({layout.block.at(n), end - n, n / lanesPerWarp});
        n = end;
    }
    return runs;
}

RowFold rowFold(Dim3 block) {
    if (block.count() == 0) {
        return {};
    }
    if (block.x % lanesPerWarp == 0) {
        return {0, block.x / lanesPerWarp};
    }
    // A warp that runs from one slice into the next still holds whole rows.
    return lanesPerWarp % block.x == 0 ? RowFold{lanesPerWarp / block.x, 0} : RowFold{};
}

} // namespace warpglass
