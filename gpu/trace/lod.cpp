// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/lod.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpglass {

namespace {

std::uint64_t nodesFor(std::uint64_t items) {
    return (items + lodFanOut - 1) / lodFanOut;
}

template <typename Node>
std::span<const Node> levelOf(const std::vector<Node>& nodes, std::uint64_t first, std::uint64_t items, int level) {
    if (level < 0 || level >= lodLevels(items))
        return {};
    std::uint64_t here = nodesFor(items);
    for (int i = 0; i < level; ++i) {
        first += here;
        here = nodesFor(here);
    }
    return {nodes.data() + first, std::size_t(here)};
}

void add(LodNode& into, const LodNode& item) {
    into.begin = std::min(into.begin, item.begin);
    into.end = std::max(into.end, item.end);
    const std::uint64_t count = std::uint64_t(into.count) + item.count;
    into.count = std::uint32_t(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
    into.any = into.any | item.any;
    into.all = into.all & item.all;
}

void add(LodStates& into, const LodStates& item) {
    into.begin = std::min(into.begin, item.begin);
    into.end = std::max(into.end, item.end);
    for (std::size_t i = 0; i < into.cycles.size(); ++i)
        into.cycles[i] += item.cycles[i];
}

// Adds item n of a row of items: the first of each sixteen starts a node, the others join it.
template <typename Node>
void fold(std::vector<Node>& nodes, std::uint64_t n, const Node& item) {
    if (n % lodFanOut == 0)
        nodes.push_back(item);
    else
        add(nodes.back(), item);
}

// The finest level lies at [first, end of nodes); appends the coarser ones.
template <typename Node>
void addCoarser(std::vector<Node>& nodes, std::size_t first) {
    std::size_t begin = first, end = nodes.size();
    while (end - begin > 1) {
        for (std::size_t i = begin; i < end; ++i) {
            const Node item = nodes[i]; // a copy: push_back may move the nodes
            fold(nodes, i - begin, item);
        }
        begin = end;
        end = nodes.size();
    }
}

void foldEvents(const Trace& trace, const Warp& w, std::uint64_t& n, std::vector<LodNode>& nodes) {
    for (std::uint32_t i = 0; i < w.eventCount; ++i, ++n) {
        const std::uint64_t row = w.firstEvent + i;
        const Time begin = trace.events.time(row, w.start);
        const Time end = i + 1 < w.eventCount ? trace.events.time(row + 1, w.start) : std::max(begin, w.end);
        const LaneMask active = trace.events.active(row);
        fold(nodes, n, LodNode{begin, end, 1, active, active});
    }
}

void foldStates(const Trace& trace, const Warp& w, std::uint64_t& n, std::vector<LodStates>& nodes) {
    for (const StateRow& s : trace.statesOf(w)) {
        LodStates item{s.begin, s.end, {}};
        item.cycles[std::size_t(s.state)] = std::uint64_t((s.end - s.begin).value);
        fold(nodes, n++, item);
    }
}

} // namespace

int lodLevels(std::uint64_t items) {
    if (items == 0)
        return 0;
    int levels = 1;
    for (std::uint64_t nodes = nodesFor(items); nodes > 1; nodes = nodesFor(nodes))
        ++levels;
    return levels;
}

std::span<const LodNode> Lod::level(const LodLane& lane, int level) const {
    return levelOf(nodes, lane.firstNode, lane.events, level);
}

std::span<const LodStates> Lod::stateLevel(const LodLane& lane, int level) const {
    return levelOf(stateNodes, lane.firstStateNode, lane.states, level);
}

Lod buildLod(const Trace& trace) {
    Lod lod;
    lod.warps.resize(trace.warps.size());
    std::iota(lod.warps.begin(), lod.warps.end(), 0u);
    const auto place = [&](std::uint32_t row) {
        const Warp& w = trace.warps[row];
        return std::uint32_t(trace.blocks[w.block].sm) << 16 | w.slot;
    };
    std::stable_sort(lod.warps.begin(), lod.warps.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t placeA = place(a), placeB = place(b);
        return placeA != placeB ? placeA < placeB : trace.warps[a].start < trace.warps[b].start;
    });

    for (std::size_t i = 0; i < lod.warps.size();) {
        LodLane lane;
        lane.sm = trace.blocks[trace.warps[lod.warps[i]].block].sm;
        lane.slot = trace.warps[lod.warps[i]].slot;
        lane.scheduler = trace.warps[lod.warps[i]].scheduler;
        lane.firstWarp = std::uint32_t(i);
        lane.firstNode = lod.nodes.size();
        lane.firstStateNode = lod.stateNodes.size();
        const std::uint32_t here = place(lod.warps[i]);
        for (; i < lod.warps.size() && place(lod.warps[i]) == here; ++i) {
            const Warp& w = trace.warps[lod.warps[i]];
            foldEvents(trace, w, lane.events, lod.nodes);
            foldStates(trace, w, lane.states, lod.stateNodes);
            ++lane.warps;
        }
        addCoarser(lod.nodes, lane.firstNode);
        addCoarser(lod.stateNodes, lane.firstStateNode);
        lod.lanes.push_back(lane);
    }
    return lod;
}

} // namespace warpglass
