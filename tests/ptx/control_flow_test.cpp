// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/control_flow.h"

#include "gpu/ptx/parse.h"
#include "gpu/ptx/source_lines.h"
#include "tests/ptx/files.h"

#include <gtest/gtest.h>

namespace warpglass::ptx {
namespace {

Module moduleOf(const std::string& body) {
    return test::parsed(
        ".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n.reg .pred %p<4>;\n.reg .b32 %r<4>;\n" + body +
        "\n}\n");
}

using Lists = std::vector<std::vector<std::uint32_t>>;
using List = std::vector<std::uint32_t>;

// Successors and immediate post-dominators by block; the exit is the number of blocks.
void expectFlow(const std::string& body, const Lists& successors, const List& postDominators) {
    const Module m = moduleOf(body);
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_TRUE(flow.ok()) << flow.error().text();
    ASSERT_EQ(flow->blocks.size(), successors.size());
    for (std::size_t b = 0; b < successors.size(); ++b)
        EXPECT_EQ(flow->blocks[b].successors, successors[b]) << "block " << b;
    EXPECT_EQ(flow->postDominator, postDominators);
}

TEST(ControlFlow, StraightLine) {
    expectFlow("mov.u32 %r1, 1; mov.u32 %r2, 2; ret;", {{1}}, {1});
}

TEST(ControlFlow, IfWithoutElse) {
    // 0 -> 1 (fall-through) or 2; 1 -> 2; both sides meet in 2
    expectFlow("@%p1 bra E; mov.u32 %r1, 1; E: ret;", {{1, 2}, {2}, {3}}, {2, 2, 3});
}

TEST(ControlFlow, IfElse) {
    // 0 -> 1 or 2; 1 jumps to 3; 2 falls into 3
    expectFlow("@%p1 bra T; mov.u32 %r1, 1; bra.uni J; T: mov.u32 %r1, 2; J: ret;", {{1, 2}, {3}, {3}, {4}},
               {3, 3, 3, 4});
}

TEST(ControlFlow, LoopMeetsBehindItself) {
    // 0 -> 1; 1 -> 2 (out) or 1 (again): lanes that leave early wait in 2
    expectFlow("mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; @%p1 bra L; ret;", {{1}, {2, 1}, {3}}, {1, 2, 3});
}

TEST(ControlFlow, NestedIfInLoop) {
    // 1: head; 2: if body; 3: latch, jumps to 1 or leaves to 4
    expectFlow("mov.u32 %r1, 0; H: @%p1 bra L; mov.u32 %r2, 1; L: @%p2 bra H; ret;", {{1}, {2, 3}, {3}, {4, 1}, {5}},
               {1, 3, 3, 4, 5});
}

TEST(ControlFlow, EarlyReturnMeetsOnlyAtTheExit) {
    // 0 -> 1 or 2; 1 returns; 2 returns: nothing but the exit is behind both
    expectFlow("@%p1 bra E; ret; E: mov.u32 %r1, 1; ret;", {{1, 2}, {3}, {3}}, {3, 3, 3});
}

TEST(ControlFlow, GuardedReturnFallsThroughAndLeaves) {
    expectFlow("@%p1 ret; mov.u32 %r1, 1; ret;", {{1, 2}, {2}}, {2, 2});
}

TEST(ControlFlow, SwitchByIndexedBranch) {
    // 0 -> 1, 2 or 3; 1 and 2 jump to 4; 3 falls into 4; a target that is listed twice counts once
    expectFlow("T: .branchtargets A, B, C, A; brx.idx %r1, T; A: mov.u32 %r1, 1; bra J; B: mov.u32 %r1, 2; bra J; "
               "C: mov.u32 %r1, 3; J: ret;",
               {{1, 2, 3}, {4}, {4}, {4}, {5}}, {4, 4, 4, 4, 5});
}

TEST(ControlFlow, IrreducibleLoop) {
    // 0 enters the loop {1, 2} at both places; 1 -> 2; 2 -> 3 or 1. Every path comes through 2.
    expectFlow("@%p1 bra B; A: mov.u32 %r1, 1; B: @%p2 bra A; ret;", {{1, 2}, {2}, {3, 1}, {4}}, {2, 2, 3, 4});
}

TEST(ControlFlow, EndlessLoopHasTheExitAsPostDominator) {
    // 1 never reaches the exit; the branch in 0 then meets where its other side goes
    expectFlow("@%p1 bra E; L: bra L; E: ret;", {{1, 2}, {1}, {3}}, {2, 3, 3});
}

TEST(ControlFlow, LanesMeetWithinAnEndlessLoop) {
    // 0 enters the loop {1, 2, 3, 4} that nothing leaves; 1 parts to 2 and 3, which meet in 4.
    expectFlow(
        "mov.u32 %r1, 0; L: @%p1 bra T; mov.u32 %r1, 1; bra.uni J; T: mov.u32 %r1, 2; J: mov.u32 %r2, %r1; bra.uni L;",
        {{1}, {2, 3}, {4}, {4}, {1}}, {1, 4, 4, 4, 1});
    // The same where other threads end: 0 goes to the loop {1, 2, 3} or to the exit.
    expectFlow("@%p0 bra E; L: @%p1 bra J; mov.u32 %r1, 1; J: mov.u32 %r2, %r1; bra.uni L; E: ret;",
               {{1, 4}, {2, 3}, {3}, {1}, {5}}, {4, 3, 3, 1, 5});
}

TEST(ControlFlow, LanesMeetBehindABranchWithATrapInIt) {
    // 0 parts to 1 and 4; 1 traps in 2 or goes to 3; 3 and 4 meet in 5.
    expectFlow("@%p1 bra F; @%p2 bra G; trap; G: mov.u32 %r1, 1; bra.uni J; F: mov.u32 %r1, 2; J: ret;",
               {{1, 4}, {2, 3}, {6}, {5}, {5}, {6}}, {5, 3, 6, 5, 5, 6});
    // A guarded trap, as clang writes it; and a function in which all lanes trap.
    expectFlow("@%p1 bra J; @%p2 trap; mov.u32 %r1, 1; J: ret;", {{1, 3}, {2, 4}, {3}, {4}}, {3, 2, 3, 4});
    expectFlow("@%p1 bra J; mov.u32 %r1, 1; J: trap;", {{1, 2}, {2}, {3}}, {2, 2, 3});
}

// Where the branches of each block meet; negative: where the branch around it does, at last in -n - 1.
void expectMeetings(const std::string& body, const std::vector<int>& meetings) {
    const Module m = moduleOf(body);
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_TRUE(flow.ok()) << flow.error().text();
    std::vector<int> found;
    for (const Meeting& at : flow->meetings)
        found.push_back(at.around ? -int(at.block) - 1 : int(at.block));
    EXPECT_EQ(found, meetings);
}

TEST(ControlFlow, AReturnInAnIfDoesNotKeepTheOthersApart) {
    // 0 parts to 1 and 3; 1 leaves (4 does nothing else) or goes on in 2, which falls into 3.
    expectMeetings("@%p1 bra J; @%p2 bra E; mov.u32 %r1, 1; J: mov.u32 %r2, 1; E: ret;", {3, -5, 3, 4, 5});
    // What leaves may work first, and each side may leave: 0 parts to 1 and 4, these to 2 and 3, 5 and 6; 3 goes to 6.
    expectMeetings("@%p1 bra B; @%p2 bra A; mov.u32 %r1, 1; ret; A: mov.u32 %r1, 2; bra J;"
                   "B: @%p3 bra J; mov.u32 %r1, 3; ret; J: mov.u32 %r2, 1; ret;",
                   {6, -8, 7, 6, -8, 7, 7});
    // The bound check alone: there is nothing to meet in but the end.
    expectMeetings("@%p1 bra E; mov.u32 %r1, 1; E: ret;", {2, 2, 3});
}

TEST(ControlFlow, AReturnInALoopDoesNotKeepTheOthersApart) {
    // 1: head, which leaves to 5; 2: an if, its body 3; 4: latch, then 5 behind the loop, and 6, the end.
    expectMeetings("mov.u32 %r1, 0; H: @%p1 bra E; @%p2 bra L; mov.u32 %r2, 1; L: @%p3 bra H; mov.u32 %r2, 2; E: ret;",
                   {1, -7, 4, 4, 5, 6, 7});
}

TEST(ControlFlow, LanesThatMeetNeverPassThoseThatWait) {
    // 1 parts to 2 and 3; 2 leaves to 5, which works and returns; 3 leaves to 6 or goes round. What is behind the loop for 2
    // is no place that 3 goes to, so that all keep to their post-dominators.
    expectMeetings("mov.u32 %r1, 0; H: @%p1 bra V; @%p2 bra O; V: @%p3 bra E; bra H; O: mov.u32 %r2, 1; E: ret;",
                   {1, 6, 6, 6, 1, 6, 7});
}

TEST(ControlFlow, ReconvergenceIsAnInstruction) {
    const Module m = moduleOf("@%p1 bra T; mov.u32 %r1, 1; bra.uni J; T: mov.u32 %r1, 2; J: ret;");
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_TRUE(flow.ok());
    EXPECT_EQ(flow->reconvergence(0, 5), 4u); // J
    EXPECT_EQ(flow->reconvergence(4, 5), 5u); // ret: the end of the function
}

TEST(ControlFlow, UnknownLabelIsAnError) {
    Module m = moduleOf("bra L; L: ret;");
    m.functions[0].labels.clear();
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_FALSE(flow.ok());
    EXPECT_NE(flow.error().message.find("'L'"), std::string::npos);
    EXPECT_EQ(flow.error().line, 8);
}

TEST(ControlFlow, EveryBlockOfTheCorpusIsCoveredOnce) {
    for (const auto& path : test::corpus()) {
        const Module m = test::parsed(test::readFile(path));
        for (const Function& f : m.functions) {
            const Result<ControlFlow> flow = controlFlow(f);
            ASSERT_TRUE(flow.ok());
            std::uint32_t at = 0;
            for (const BasicBlock& b : flow->blocks) {
                EXPECT_EQ(b.first, at);
                EXPECT_LT(b.first, b.end);
                at = b.end;
            }
            EXPECT_EQ(at, f.body.size());
        }
    }
}

TEST(SourceLines, ChainGoesFromTheInnermostOutwards) {
    // inner() of line 3 inlined into outer() at line 7 column 2, which is inlined into the kernel at line 20 column 9.
    const Module m = test::parsed(
        ".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n.reg .b32 %r<2>;\n.loc 1 19 1\nmov.u32 %r1, 0;\n"
        ".loc 1 20 9\n.loc 1 7 2, function_name $L__info_string0, inlined_at 1 20 9\n"
        ".loc 1 3 5, function_name $L__info_string1, inlined_at 1 7 2\nmov.u32 %r1, 1;\nret;\n}\n"
        ".file 1 \"k.cu\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 111,117,116,101,114,0\n$L__info_string1:\n"
        ".b8 105,110,110,101,114,0\n}\n");
    const auto plain = sourceChain(m, m.functions.at(0).body.at(0));
    ASSERT_EQ(plain.size(), 1u);
    EXPECT_EQ(plain[0].line, 19);
    const auto chain = sourceChain(m, m.functions.at(0).body.at(1));
    ASSERT_EQ(chain.size(), 3u);
    EXPECT_EQ(chain[0].line, 3);
    EXPECT_EQ(chain[0].function, "inner");
    EXPECT_EQ(chain[1].line, 7);
    EXPECT_EQ(chain[1].column, 2);
    EXPECT_EQ(chain[1].function, "outer");
    EXPECT_EQ(chain[2].line, 20);
    EXPECT_EQ(chain[2].column, 9);
    EXPECT_EQ(chain[2].function, "");
}

TEST(SourceLines, CompilerOutputEndsInTheKernelsOwnFile) {
    // control.cu: outer() and inner() are inlined into calls(); the shuffle in inner() comes from a toolkit header.
    const Module m = test::parsed(test::readFile(WARPGLASS_SOURCE_DIR "/tests/ptx/data/control.optimised.ptx"));
    bool deep = false;
    for (const Function& f : m.functions)
        for (const Instruction& i : f.body) {
            const auto chain = sourceChain(m, i);
            if (i.opcode != Opcode::Shfl)
                continue;
            ASSERT_GE(chain.size(), 3u);
            EXPECT_NE(m.findFile(chain.front().file)->path, "control.cu");
            EXPECT_EQ(m.findFile(chain.back().file)->path, "control.cu");
            EXPECT_EQ(chain.back().line, 13); // out[threadIdx.x] = s->area(n) + fib(n & 7) + outer(n);
            deep = true;
        }
    EXPECT_TRUE(deep);
}

} // namespace
} // namespace warpglass::ptx
