// SPDX-License-Identifier: GPL-3.0-or-later
// views/lanes: which lanes go where at every branch, and what that costs.
//
// The view is made of small parts that each know one thing:
//   branch_model   from events to branches: who reached each execution, who went which way (no pixels)
//   paths          what runs between a divergent branch and the place where its lanes meet again (no pixels)
//   lanes_layout   what goes where in the picture (no trace, no painter)
//   paint_*        the parts of the picture
//   lanes_view     puts them together: selection, mouse, keys, table export
//
// The layer "source" asks who ENTERS (gpu/metrics/branch_sides.h), the layer "PTX" asks who JUMPS. Both come from the
// same two masks of the event and are never mixed.
#pragma once

#include "gpu/metrics/branch_sides.h"
#include "gpu/trace/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

enum class BranchLayer { Source, Ptx };

// One conditional branch instruction that was executed by the chosen warp or block.
struct Branch {
    std::uint32_t ptxLine = 0;
    std::uint32_t sourceLine = 0; // line of Kernel::source; 0 = unknown
    int part = 0;                 // of a condition such as `a && b`, whose branches share a line: from 1; 0 = alone
    std::string text;             // the PTX instruction
    bool backward = false;        // the jump goes up: a loop
    std::uint32_t fallLine = 0;   // source line of what follows; 0 = unknown
    std::uint32_t jumpLine = 0;   // source line of the jump's target; 0 = unknown
    double lost = 0;              // by the whole launch, of all lanes: 0 to 1 (gpu/metrics/branch_costs.h)
    // In the chosen warp or block:
    std::uint64_t executions = 0;             // by warps
    std::uint64_t divergent = 0;              // of them, those whose lanes went both ways
    std::array<std::uint64_t, 33> jumping{};  // [n]: executions in which n lanes jumped
    std::array<std::uint64_t, 33> entering{}; // [n]: executions in which n lanes entered (gpu/metrics/branch_sides.h)
    std::array<std::uint64_t, 33> jumpingParted{}, enteringParted{}; // of them, the divergent ones

    const std::array<std::uint64_t, 33>& histogram(BranchLayer layer) const {
        return layer == BranchLayer::Ptx ? jumping : entering;
    }
    const std::array<std::uint64_t, 33>& parted(BranchLayer layer) const {
        return layer == BranchLayer::Ptx ? jumpingParted : enteringParted;
    }
};

// Numbers the branches of each condition, which share their line and direction, in their order.
void numberParts(std::vector<Branch>& branches);

// Where lanes are at one execution.
struct LaneSplit {
    LaneMask chosen; // enters (source) or jumps (PTX)
    LaneMask other;  // reached the branch, goes the other way
    LaneMask away;   // alive, but on another path
    LaneMask exited;
    LaneMask absent; // never held a thread
    bool diverges() const { return !chosen.empty() && !other.empty(); }
};

// All executions of branches by one warp. Executions are kept as event numbers: four bytes each.
struct WarpBranches {
    std::uint32_t warp = noIndex;
    std::vector<Branch> branches;                       // ascending ptxLine
    std::vector<std::vector<std::uint32_t>> executions; // [branch]: event numbers in the warp
    std::vector<std::uint32_t> all;                     // event numbers of all branches
    std::vector<std::uint32_t> exits;                   // event numbers of exits
};
WarpBranches branchesOf(const Trace& trace, std::uint32_t warp);

// Which row of `branches` this event number belongs to; the event is one of `all`.
std::size_t branchOfEvent(const Trace& trace, const WarpBranches& model, std::uint32_t event);
LaneSplit splitAt(const Trace& trace, const WarpBranches& model, std::uint32_t event, BranchLayer layer);

// The same for all warps of a block, summed: the n-th executions of a branch by each warp stand in one column.
struct BlockColumn {
    std::uint32_t branch = 0;
    std::uint32_t step = 0;                                           // n, from 0
    Time time;                                                        // the earliest
    std::uint32_t warp = 0, event = 0;                                // who was earliest
    std::uint16_t warps = 0;                                          // that executed it
    std::uint16_t divergent = 0;                                      // of them
    std::uint16_t entered = 0;                                        // warps of which at least one lane was chosen
    std::array<std::uint8_t, 32> chosen{}, other{}, away{}, exited{}; // [lane]: warps
};
struct BlockBranches {
    std::uint32_t block = noIndex;
    std::uint16_t warps = 0;
    std::vector<Branch> branches;
    std::vector<BlockColumn> columns; // in order of time
    bool cut = false;                 // the block has more executions than are kept; the first are shown
};
inline constexpr std::size_t mostBlockColumns = 100'000;
BlockBranches branchesOfBlock(const Trace& trace, std::uint32_t block, BranchLayer layer);

// The branch a person most likely wants to see: the one that costs most lanes in the whole launch (gpu/metrics/branch_costs.h);
// if no lanes parted, the one executed most often that is not a loop. Row of `branches`; branches is not empty.
std::size_t mostTelling(const Trace& trace, std::uint32_t launch, const std::vector<Branch>& branches);
void setLost(std::vector<Branch>& branches, const Trace& trace, std::uint32_t launch);

// The source line that tells a side of a branch: the first one after this PTX line that is not the branch's own,
// following a jump with which the side begins. The branch's own line if the side has no other; 0 = unknown.
std::uint32_t sideLine(const Kernel& kernel, std::uint32_t ptxLine, std::uint32_t branchLine);
// The same of what follows a branch: a line below it, if the side has one. A compiler moves the address that a side needs
// to its beginning, and that belongs to a line above.
std::uint32_t fallLineOf(const Kernel& kernel, std::uint32_t ptxLine, std::uint32_t branchLine);

} // namespace warpglass
