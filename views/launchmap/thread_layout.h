// SPDX-License-Identifier: GPL-3.0-or-later
// How the threads of a block fold into warps: x first, then y, then z, 32 at a time. Pure arithmetic, no trace.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/lane_mask.h"

#include <optional>
#include <vector>

namespace warpglass {

struct ThreadLayout {
    Dim3 block;
    std::uint32_t threads = 0, warps = 0;
    std::uint32_t idleLanes = 0; // of the last warp: lanes that hold no thread

    // threadIdx of the thread in that lane; nothing where the lane is idle.
    std::optional<Dim3> thread(std::uint32_t warp, int lane) const;
    std::uint32_t linear(std::uint32_t warp, int lane) const { return warp * lanesPerWarp + std::uint32_t(lane); }
    std::uint32_t warpOf(Dim3 thread) const { return std::uint32_t(block.linear(thread) / lanesPerWarp); }
    int laneOf(Dim3 thread) const { return int(block.linear(thread) % lanesPerWarp); }
    std::uint32_t threadsIn(std::uint32_t warp) const; // 1 to 32
};

ThreadLayout threadLayout(Dim3 block);

// Neighbouring threads of one row (same y and z) that share a warp: first .x up to and not at first.x + count.
struct WarpRun {
    Dim3 first;
    std::uint32_t count = 0;
    std::uint32_t warp = 0;
    bool operator==(const WarpRun&) const = default;
};
std::vector<WarpRun> warpRuns(const ThreadLayout& layout);

// How rows (along x) and warps meet: so many whole rows a warp, so many whole warps a row, or neither (both 0).
struct RowFold {
    std::uint32_t rowsPerWarp = 0, warpsPerRow = 0;
    bool operator==(const RowFold&) const = default;
};
RowFold rowFold(Dim3 block);

} // namespace warpglass
