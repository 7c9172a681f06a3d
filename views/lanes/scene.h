// SPDX-License-Identifier: GPL-3.0-or-later
// One panel's worth of data: the chosen warp or block, its branches, and which executions are the columns.
#pragma once

#include "views/common/selection.h"
#include "views/lanes/branch_model.h"

#include <memory>

namespace warpglass {

struct SceneRequest {
    TracePtr trace;
    std::uint32_t launch = 0, block = noIndex, warp = noIndex; // rows of the trace
    BranchLayer layer = BranchLayer::Source;
    bool wholeBlock = false;
    bool allBranches = false;
    std::uint32_t ptxLine = 0, sourceLine = 0; // of the branch to show; 0 = the most telling one
    bool operator==(const SceneRequest&) const = default;
};

struct SceneColumn {
    std::size_t branch = 0; // row of LanesScene::branches()
    std::uint32_t step = 0; // n-th execution of that branch, from 0
    Time time;
    std::uint32_t warp = 0, event = 0;
};

struct LanesScene {
    SceneRequest request;
    WarpBranches warp; // one of the two is filled
    BlockBranches block;
    std::size_t chosen = 0;             // row of branches()
    std::vector<std::uint32_t> columns; // event numbers of the warp, or rows of block.columns

    const std::vector<Branch>& branches() const { return request.wholeBlock ? block.branches : warp.branches; }
    int count() const { return int(columns.size()); }
    SceneColumn column(int i) const;
    LaneSplit splitOf(int i) const;                                                         // one warp
    const BlockColumn& sums(int i) const { return block.columns[columns[std::size_t(i)]]; } // whole block
    int columnAt(Time t) const; // the last one at or before t, -1 if none
};

// From what a person selected: the warp to show and the branch to show.
SceneRequest requestFor(TracePtr trace, const Selection& selection, BranchLayer layer, bool wholeBlock,
                        bool allBranches);
// The place in another trace that corresponds: same number of the warp in the block, same number of the block in its
// grid.
SceneRequest requestBeside(const SceneRequest& first, TracePtr other);
std::shared_ptr<const LanesScene> makeLanesScene(const SceneRequest& request);

} // namespace warpglass
