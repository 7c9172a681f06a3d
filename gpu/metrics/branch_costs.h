// SPDX-License-Identifier: GPL-3.0-or-later
// What each branch costs whose lanes part: thread-instructions that warps had room for and did not use, between the branch and
// where its lanes meet again.
//
// Of an instruction that ran e times with l lanes in all, in a piece to which a branch's lanes came with a each, e * a - l are
// lost to the branch. Where branches stand in each other, an inner one is charged with what it loses of the lanes that came to
// it, the outer one with what those were fewer. To a loop come as many lanes as leave it in the end. From the exact totals of
// the whole launch; a is a mean, so that warps of different fullness are not told apart. Lanes off by a guard (@%p1) of
// another instruction than the branch are no loss here.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <vector>

namespace warpglass {

struct BranchCost {
    std::uint32_t ptxLine = 0, sourceLine = 0; // sourceLine: of Kernel::source; 0 = unknown
    bool isLoop = false;
    std::uint64_t executions = 0, divergent = 0; // by warps; of them, those whose lanes went both ways
    double lost = 0;                             // thread-instructions
    double share = 0;                            // of all that the launch's warps had room for, 0 to 1
};

// Of conditional branches that parted lanes, the costliest first. Empty where the counts or the PTX are not known.
std::vector<BranchCost> branchCosts(const Trace& trace, std::uint32_t launch);

} // namespace warpglass
