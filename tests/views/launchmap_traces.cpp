// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/launchmap_traces.h"

#include <algorithm>
#include <queue>

namespace warpglass::test {
namespace {

std::shared_ptr<Trace> emptyTrace(Dim3 grid, Dim3 block, int smCount) {
    auto t = std::make_shared<Trace>();
    t->info.deviceName = "Paper GPU";
    t->info.smCount = smCount;
    t->info.timeUnit = TimeUnit::Nanoseconds;
    t->info.timeOrigin = Origin::Measured;
    t->info.clockStep = 32;
    Kernel kernel;
    kernel.name = "reduceNeighbored";
    t->kernels.push_back(kernel);
    Site entry, branch, path, exit;
    entry.kind = SiteKind::Entry;
    branch.kind = SiteKind::Branch;
    path.kind = SiteKind::Path;
    exit.kind = SiteKind::Exit;
    t->sites = {entry, branch, path, exit};
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    t->launches.push_back(launch);
    return t;
}

} // namespace

std::shared_ptr<Trace> traceOf(const std::vector<PlacedBlock>& blocks, Dim3 grid, Dim3 block, int smCount) {
    auto t = emptyTrace(grid, block, smCount);
    Launch& launch = t->launches[0];
    launch.blockCount = std::uint32_t(blocks.size());
    for (const PlacedBlock& b : blocks) {
        Block row;
        row.index = std::uint32_t(t->blocks.size());
        row.start = {b.start};
        row.end = {b.end};
        row.sm = b.sm;
        t->blocks.push_back(row);
        launch.end = std::max(launch.end, row.end);
    }
    launch.start = blocks.empty() ? Time{} : std::min_element(t->blocks.begin(), t->blocks.end(), [](auto& a, auto& b) {
                                                 return a.start < b.start;
                                             })->start;
    return t;
}

std::shared_ptr<Trace> scheduled(const Schedule& s) {
    struct Place {
        std::int64_t freeAt;
        int sm;
        bool operator>(const Place& o) const { return freeAt != o.freeAt ? freeAt > o.freeAt : sm > o.sm; }
    };
    std::priority_queue<Place, std::vector<Place>, std::greater<>> places;
    for (int round = 0; round < s.blocksPerSm; ++round) {
        for (int sm = 0; sm < s.smCount; ++sm) {
            places.push({0, sm});
        }
    }
    std::vector<PlacedBlock> blocks;
    const auto n = std::int64_t(s.grid.count());
    blocks.reserve(std::size_t(n));
    for (std::int64_t i = 0; i < n; ++i) {
        const Place place = places.top();
        places.pop();
        const std::int64_t end = place.freeAt + s.duration + i * 7919 % (s.spread + 1);
        blocks.push_back({place.freeAt, end, std::uint16_t(place.sm)});
        places.push({end, place.sm});
    }
    auto t = traceOf(blocks, s.grid, s.block, s.smCount);
    t->info.timeUnit = s.unit;
    t->info.timeOrigin = s.origin;
    return t;
}

void addDetail(Trace& t, std::uint32_t blockRow, LaneMask taken) {
    Block& block = t.blocks[blockRow];
    const auto threads = std::uint32_t(t.launchOf(block).block.count());
    block.firstWarp = std::uint32_t(t.warps.size());
    block.warpCount = std::uint16_t(warpsFor(threads));
    for (std::uint16_t w = 0; w < block.warpCount; ++w) {
        Warp warp;
        warp.block = blockRow;
        warp.warpInBlock = warp.slot = w;
        warp.scheduler = std::uint8_t(w % 4);
        warp.liveLanes = LaneMask::firstLanes(int(std::min(32u, threads - w * 32u)));
        warp.start = block.start;
        warp.end = block.end;
        warp.firstEvent = t.events.size();
        const std::int64_t length = (block.end - block.start).value;
        const LaneMask live = warp.liveLanes;
        t.events.push(0, 0, EventKind::Entry, live, LaneMask::none());
        t.events.push(length / 4, 1, EventKind::Branch, live, taken & live);
        t.events.push(length / 4, 2, EventKind::Path, taken & live, LaneMask::none());
        t.events.push(length / 2, 2, EventKind::Path, live, LaneMask::none());
        t.events.push(length, 3, EventKind::Exit, live, live);
        warp.eventCount = 5;
        t.warps.push_back(warp);
    }
    t.info.recordedPaths = true;
}

} // namespace warpglass::test
