// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/scene.h"

#include <algorithm>

namespace warpglass {

namespace {

std::size_t choose(const SceneRequest& r, const std::vector<Branch>& branches) {
    const auto found = [&](auto matches) {
        return std::size_t(std::find_if(branches.begin(), branches.end(), matches) - branches.begin());
    };
    std::size_t at = branches.size();
    if (r.ptxLine)
        at = found([&](const Branch& b) { return b.ptxLine == r.ptxLine; });
    if (at == branches.size() && r.sourceLine)
        at = found([&](const Branch& b) { return b.sourceLine == r.sourceLine; });
    return at < branches.size() ? at : mostTelling(*r.trace, r.launch, branches);
}

} // namespace

SceneRequest requestFor(TracePtr trace, const Selection& selection, BranchLayer layer, bool wholeBlock,
                        bool allBranches) {
    SceneRequest r;
    r.layer = layer;
    r.wholeBlock = wholeBlock;
    r.allBranches = allBranches;
    r.ptxLine = selection.ptxLine;
    r.sourceLine = selection.sourceLine;
    r.warp = warpToShow(selection, *trace);
    if (r.warp != noIndex) {
        r.block = trace->warps[r.warp].block;
        r.launch = trace->blocks[r.block].launch;
    } else {
        r.launch = selection.launch < trace->launches.size() ? selection.launch : 0;
    }
    r.trace = std::move(trace);
    return r;
}

SceneRequest requestBeside(const SceneRequest& first, TracePtr other) {
    SceneRequest r = first;
    r.block = r.warp = noIndex;
    r.launch = 0;
    r.ptxLine = 0; // PTX lines of two programs have nothing to do with each other
    const bool sameSource = !other->kernels.empty() && !first.trace->kernels.empty() &&
                            other->kernels.front().name == first.trace->kernels.front().name;
    if (!sameSource)
        r.sourceLine = 0;
    if (!other->launches.empty()) {
        const auto blocks = other->blocksOf(other->launches.front());
        const std::uint32_t wanted = first.block != noIndex ? first.trace->blocks[first.block].index : 0;
        const std::uint32_t warp = first.warp != noIndex ? first.trace->warps[first.warp].warpInBlock : 0;
        auto at = std::find_if(blocks.begin(), blocks.end(),
                               [&](const Block& b) { return b.index == wanted && b.warpCount; });
        if (at == blocks.end())
            at = std::find_if(blocks.begin(), blocks.end(), [](const Block& b) { return b.warpCount > 0; });
        if (at != blocks.end()) {
            r.block = other->launches.front().firstBlock + std::uint32_t(at - blocks.begin());
            r.warp = at->firstWarp + std::min<std::uint32_t>(warp, at->warpCount - 1u);
        }
    }
    r.trace = std::move(other);
    return r;
}

std::shared_ptr<const LanesScene> makeLanesScene(const SceneRequest& request) {
    auto scene = std::make_shared<LanesScene>();
    scene->request = request;
    if (request.warp == noIndex)
        return scene;
    if (request.wholeBlock)
        scene->block = branchesOfBlock(*request.trace, request.block, request.layer);
    else
        scene->warp = branchesOf(*request.trace, request.warp);
    setLost(request.wholeBlock ? scene->block.branches : scene->warp.branches, *request.trace, request.launch);
    const auto& branches = scene->branches();
    if (branches.empty())
        return scene;
    scene->chosen = choose(request, branches);
    // In the source a condition such as `a && b` is one line and several branches: they are shown together.
    const Branch& chosen = branches[scene->chosen];
    const auto shown = [&](const Branch& b) {
        if (request.allBranches || b.ptxLine == chosen.ptxLine)
            return true;
        return request.layer == BranchLayer::Source && chosen.sourceLine && b.sourceLine == chosen.sourceLine &&
               b.backward == chosen.backward;
    };
    if (request.wholeBlock) {
        for (std::uint32_t c = 0; c < scene->block.columns.size(); ++c)
            if (shown(branches[scene->block.columns[c].branch]))
                scene->columns.push_back(c);
    } else if (request.allBranches) {
        scene->columns = scene->warp.all;
    } else {
        for (std::size_t b = 0; b < branches.size(); ++b)
            if (shown(branches[b]))
                scene->columns.insert(scene->columns.end(), scene->warp.executions[b].begin(),
                                      scene->warp.executions[b].end());
        std::sort(scene->columns.begin(), scene->columns.end());
    }
    return scene;
}

SceneColumn LanesScene::column(int i) const {
    SceneColumn c;
    if (request.wholeBlock) {
        const BlockColumn& b = sums(i);
        return {b.branch, b.step, b.time, b.warp, b.event};
    }
    const std::uint32_t event = columns[std::size_t(i)];
    const Warp& w = request.trace->warps[warp.warp];
    c.branch = branchOfEvent(*request.trace, warp, event);
    const auto& executions = warp.executions[c.branch];
    c.step = std::uint32_t(std::lower_bound(executions.begin(), executions.end(), event) - executions.begin());
    c.time = request.trace->events.time(std::size_t(w.firstEvent + event), w.start);
    c.warp = warp.warp;
    c.event = event;
    return c;
}

LaneSplit LanesScene::splitOf(int i) const {
    return splitAt(*request.trace, warp, columns[std::size_t(i)], request.layer);
}

int LanesScene::columnAt(Time t) const {
    int low = 0, high = count();
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (column(middle).time <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

} // namespace warpglass
