// SPDX-License-Identifier: GPL-3.0-or-later
// What branches cost, of a warp whose lanes were counted by hand.
#include "gpu/metrics/branch_costs.h"

#include <gtest/gtest.h>

#include <string>

using namespace warpglass;

namespace {

InstructionCount ran(std::uint32_t line, std::uint64_t executions, std::uint64_t lanes) {
    InstructionCount c;
    c.ptxLine = line;
    c.executions = executions;
    c.lanes = lanes;
    return c;
}
InstructionCount parted(std::uint32_t line, std::uint64_t executions, std::uint64_t lanes, std::uint64_t taken) {
    InstructionCount c = ran(line, executions, lanes);
    c.isBranch = c.isConditional = true;
    c.divergent = 1;
    c.takenLanes = taken;
    return c;
}

Trace costly(const std::string& body, std::vector<InstructionCount> counts) {
    Trace trace;
    Kernel kernel;
    kernel.name = kernel.entry = "k";
    kernel.ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n"
                 ".reg .b32 %r<4>;\n" + // lines 1 to 7
                 body +
                 "}\n";
    trace.kernels.push_back(std::move(kernel));
    trace.launches.push_back({.kernel = 0, .grid = {1}, .block = {32}});
    trace.counts = std::move(counts);
    return trace;
}

} // namespace

// 32 lanes come to the branch of line 10 and 8 go on, 8 to that of line 13 and 2 go on. Lost to the outer one are 24 lanes at
// each of lines 11, 12, 13, 14, 15 and 17: 6 * 24 = 144; to the inner one 8 - 2 at lines 14 and 15: 12. Ten instructions had
// room for 320.
TEST(BranchCosts, OfBranchesInEachOther) {
    const Trace trace = costly("mov.u32 %r1, %tid.x;\n"     // 8
                               "setp.gt.u32 %p1, %r1, 7;\n" // 9
                               "@%p1 bra DONE;\n"           // 10
                               "add.u32 %r2, %r1, 1;\n"     // 11
                               "setp.gt.u32 %p2, %r1, 1;\n" // 12
                               "@%p2 bra SKIP;\n"           // 13
                               "add.u32 %r2, %r2, 1;\n"     // 14
                               "add.u32 %r2, %r2, 1;\n"     // 15
                               "SKIP:\n"                    // 16
                               "add.u32 %r3, %r2, 1;\n"     // 17
                               "DONE:\n"                    // 18
                               "ret;\n",                    // 19
                               {ran(8, 1, 32), ran(9, 1, 32), parted(10, 1, 32, 24), ran(11, 1, 8), ran(12, 1, 8),
                                parted(13, 1, 8, 6), ran(14, 1, 2), ran(15, 1, 2), ran(17, 1, 8), ran(19, 1, 32)});
    const auto costs = branchCosts(trace, 0);
    ASSERT_EQ(costs.size(), 2u);
    EXPECT_EQ(costs[0].ptxLine, 10u);
    EXPECT_DOUBLE_EQ(costs[0].lost, 144);
    EXPECT_DOUBLE_EQ(costs[0].share, 144.0 / 320);
    EXPECT_FALSE(costs[0].isLoop);
    EXPECT_EQ(costs[1].ptxLine, 13u);
    EXPECT_DOUBLE_EQ(costs[1].lost, 12);
}

// 16 lanes go round once and 16 twice: three instructions run twice, for 64 lanes at most, and have 48: 3 * 16 = 48 are lost
// of the 8 * 32 = 256 that there was room for.
TEST(BranchCosts, OfALoopThatLanesLeaveOneAfterTheOther) {
    const Trace trace = costly("mov.u32 %r1, %tid.x;\n"      // 8
                               "LOOP:\n"                     // 9
                               "add.u32 %r1, %r1, 16;\n"     // 10
                               "setp.lt.u32 %p1, %r1, 32;\n" // 11
                               "@%p1 bra LOOP;\n"            // 12
                               "ret;\n",                     // 13
                               {ran(8, 1, 32), ran(10, 2, 48), ran(11, 2, 48), parted(12, 2, 48, 16), ran(13, 1, 32)});
    const auto costs = branchCosts(trace, 0);
    ASSERT_EQ(costs.size(), 1u);
    EXPECT_TRUE(costs[0].isLoop);
    EXPECT_DOUBLE_EQ(costs[0].lost, 48);
    EXPECT_DOUBLE_EQ(costs[0].share, 48.0 / 256);
}

TEST(BranchCosts, OfBranchesThatPartNobodyAreNone) {
    Trace trace =
        costly("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra DONE;\nadd.u32 %r2, %r1, 1;\nDONE:\nret;\n",
               {ran(8, 1, 32), ran(9, 1, 32), parted(10, 1, 32, 0), ran(11, 1, 32), ran(13, 1, 32)});
    trace.counts[2].divergent = 0;
    EXPECT_TRUE(branchCosts(trace, 0).empty());
    EXPECT_TRUE(branchCosts(trace, 1).empty()); // there is no such launch
}
