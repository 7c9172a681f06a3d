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

// Where the branch at the end of each block meets: "2"; "~2", where the branch around it does, at last in 2; "2<4", with some
// that jump over it to 4; "4n" or "4t", its next or its target side jumps over where a branch around it meets, to 4.
void expectMeetings(const std::string& text, const std::vector<std::string>& meetings) {
    const Module m = test::parsed(text);
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_TRUE(flow.ok()) << flow.error().text();
    std::vector<std::string> found;
    for (const Meeting& at : flow->meetings) {
        found.push_back((at.around ? "~" : "") + std::to_string(at.block));
        if (at.behind != Meeting::nowhere)
            found.back() += "<" + std::to_string(at.behind);
        if (at.leaving != Meeting::Side::None)
            found.back() += at.leaving == Meeting::Side::Next ? "n" : "t";
    }
    EXPECT_EQ(found, meetings);
}
std::string as(const char* head, const std::string& body) {
    return std::string(".version 9.0\n.target sm_75\n.address_size 64\n") + head +
           "{\n.reg .pred %p<5>;\n.reg .b32 %r<4>;\n" + body + "\n}\n";
}
void expectMeetingsOfKernel(const std::string& body, const std::vector<std::string>& meetings) {
    expectMeetings(as(".entry k()\n", body), meetings);
}

TEST(ControlFlow, AReturnInAnIfDoesNotKeepTheOthersApart) {
    // 0 parts to 1 and 3; 1 leaves (4 does nothing else) or goes on in 2, which falls into 3.
    expectMeetingsOfKernel("@%p1 bra J; @%p2 bra E; mov.u32 %r1, 1; J: mov.u32 %r2, 1; E: ret;",
                           {"3", "~4", "3", "4", "5"});
    // What leaves may work first, and each side may leave: 0 parts to 1 and 4, these to 2 and 3, 5 and 6; 3 goes to 6.
    expectMeetingsOfKernel("@%p1 bra B; @%p2 bra A; mov.u32 %r1, 1; ret; A: mov.u32 %r1, 2; bra J;"
                           "B: @%p3 bra J; mov.u32 %r1, 3; ret; J: mov.u32 %r2, 1; ret;",
                           {"6", "~7", "7", "6", "~7", "7", "7"});
    // The bound check alone: there is nothing to meet in but the end.
    expectMeetingsOfKernel("@%p1 bra E; mov.u32 %r1, 1; E: ret;", {"2", "2", "3"});
}

TEST(ControlFlow, AReturnInALoopDoesNotKeepTheOthersApart) {
    // 1: head, which leaves to 6, the end; 2: an if, its body 3; 4: latch, then 5 behind the loop.
    expectMeetingsOfKernel(
        "mov.u32 %r1, 0; H: @%p1 bra E; @%p2 bra L; mov.u32 %r2, 1; L: @%p3 bra H; mov.u32 %r2, 2; E: ret;",
        {"1", "~6", "4", "4", "5", "6", "7"});
}

TEST(ControlFlow, LanesThatMeetNeverPassThoseThatWait) {
    // 1 parts to 2 and 3; 2 leaves to 5, which works and returns; 3 leaves to 6 or goes round. Who leaves to 5 passes where the
    // others meet: ptxas has a barrier for 5 around the loop, and one for 3 in it, which 2 breaks.
    expectMeetingsOfKernel(
        "mov.u32 %r1, 0; H: @%p1 bra V; @%p2 bra O; V: @%p3 bra E; bra H; O: mov.u32 %r2, 1; E: ret;",
        {"1", "3<5", "5t", "~6", "1", "6", "7"});
    // In a loop that is left to 5, which returns, and to 6, what is behind the loop is 6, for 1 as well.
    expectMeetingsOfKernel("mov.u32 %r1, 0; H: @%p1 bra N; mov.u32 %r2, 1; ret; N: @%p2 bra H; mov.u32 %r1, 1;"
                           "mov.u32 %r2, 1; bra D; D: mov.u32 %r3, 1; ret;",
                           {"1", "~6", "6", "4", "5", "6"});
}

TEST(ControlFlow, AJumpOutOfAnIfDoesNotKeepTheOthersApart) {
    // 0 parts to 1 and 3; 1 jumps to 4 or goes on in 2, which falls into 3, and that into 4.
    const std::string body = "@%p1 bra J; @%p2 bra D; mov.u32 %r1, 1; J: mov.u32 %r2, 1; D: mov.u32 %r3, 1; ret;";
    expectMeetingsOfKernel(body, {"3<4", "4t", "3", "4", "5"});
    // In a function, its end is such a place; 4 is where it returns.
    expectMeetings(as(".func f()\n", "@%p1 bra J; @%p2 ret; mov.u32 %r1, 1; J: mov.u32 %r2, 1; ret;"),
                   {"3<4", "4t", "3", "4"});
    // In a loop, of which nothing jumps out but that: 1 is the head, 6 what is behind the loop, 7 where 2 jumps to.
    expectMeetingsOfKernel("mov.u32 %r1, 0; H: @%p1 bra J; @%p2 bra D; mov.u32 %r1, 1; J: @%p3 bra H; mov.u32 %r2, 1;"
                           "D: mov.u32 %r3, 1; ret;",
                           {"1", "4<6", "6t", "4", "5<6", "6", "7"});
    // But not by an indexed branch, whose lanes come back to it until all have gone: 1 goes to 4 or 2.
    expectMeetingsOfKernel("T: .branchtargets D, W; @%p1 bra J; brx.idx %r1, T; W: mov.u32 %r1, 1; J: mov.u32 %r2, 1;"
                           "D: mov.u32 %r3, 1; ret;",
                           {"4", "4", "3", "4", "5"});
    // One within the other: 0 parts to 1 and 6, 1 to 2 and 5; 3 jumps from between 2 and 4, 5 to the same place, 7.
    expectMeetingsOfKernel("@%p1 bra R; @%p2 bra X; @%p3 bra W; @%p4 bra D; W: mov.u32 %r1, 1; X: @%p1 bra D;"
                           "R: mov.u32 %r2, 1; D: mov.u32 %r3, 1; ret;",
                           {"6<7", "5<7", "4<7", "7t", "5", "7t", "7", "8"});
}

TEST(ControlFlow, AJumpOutOfALoopDoesNotKeepTheOthersApart) {
    // ptxas has a barrier for what is behind the loop, 3, which those break that jump from its head, 1, to 4.
    expectMeetingsOfKernel("mov.u32 %r1, 0; H: @%p1 bra D; @%p2 bra H; mov.u32 %r1, 1; D: mov.u32 %r3, 1; ret;",
                           {"1", "4t", "3<4", "4", "5"});
    // Two barriers to break if the loop is in an if: 0 parts to 1 and 5; 2 jumps to 6; behind the loop is 4.
    expectMeetingsOfKernel("@%p0 bra J; mov.u32 %r1, 0; H: @%p1 bra D; @%p2 bra H; mov.u32 %r2, 1; J: mov.u32 %r1, 1;"
                           "D: mov.u32 %r3, 1; ret;",
                           {"5<6", "2", "6t", "4<6", "5", "6", "7"});
    // But one for all if others come to where the loop ends.
    expectMeetingsOfKernel(
        "@%p0 bra J; mov.u32 %r1, 0; H: @%p1 bra D; @%p2 bra H; J: mov.u32 %r1, 1; D: mov.u32 %r3, 1; ret;",
        {"5", "2", "5", "5", "5", "6"});
    // An if in a loop, out of which 2 jumps to 6: 1 parts to 2 and 4.
    expectMeetingsOfKernel("mov.u32 %r1, 0; H: @%p1 bra X; @%p2 bra D; mov.u32 %r1, 1; X: @%p3 bra H; mov.u32 %r1, 2;"
                           "D: mov.u32 %r3, 1; ret;",
                           {"1", "4<6", "6t", "4", "5<6", "6", "7"});
    // One place where some meet before all do, though others leave the kernel: 0 or 1 to 2, 1 to 4, 2 to 3 or 5.
    expectMeetingsOfKernel("@%p1 bra M; @%p2 bra J; M: @%p3 bra E; mov.u32 %r1, 1; J: mov.u32 %r2, 1; ret; E: ret;",
                           {"2<4", "4t", "~6", "4", "6", "6"});
}

TEST(ControlFlow, ABlockBeginsWithAnInstruction) {
    const Module m = moduleOf("@%p1 bra T; mov.u32 %r1, 1; bra.uni J; T: mov.u32 %r1, 2; J: ret;");
    const Result<ControlFlow> flow = controlFlow(m.functions.at(0));
    ASSERT_TRUE(flow.ok());
    EXPECT_EQ(flow->firstOf(flow->postDominator[0], 5), 4u); // J
    EXPECT_EQ(flow->firstOf(flow->postDominator[3], 5), 5u); // behind ret: the end of the function
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

TEST(LabelMap, FindsEachLabelAndNoOther) {
    Function f;
    EXPECT_FALSE(LabelMap().find("A"));
    EXPECT_FALSE(LabelMap(f).find("A"));
    for (std::uint32_t n = 0; n < 1000; ++n)
        f.labels.push_back({"L" + std::to_string(n), 3 * n, 0});
    f.labels.push_back({"L7", 1, 0}); // the first one of a name counts
    const LabelMap labels(f);
    for (std::uint32_t n = 0; n < 1000; ++n)
        EXPECT_EQ(labels.find("L" + std::to_string(n)), 3 * n);
    EXPECT_FALSE(labels.find("L1000"));
    EXPECT_FALSE(labels.find(""));
}

// Jumps to the same place, jumps of tables and falling through, in the order of the blocks.
TEST(ControlFlow, TableJumpsHaveAllTheirTargets) {
    const Module m =
        test::parsed(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                     ".reg .b32 %r<2>;\n.reg .pred %p;\n"
                     "T: .branchtargets B, A, B;\n"
                     "@%p bra A;\nbrx.idx %r1, T;\nA:\nmov.u32 %r1, 1;\n@%p bra B;\nbra A;\nB:\nret;\n}\n");
    const auto flow = controlFlow(m.functions[0]);
    ASSERT_TRUE(flow);
    ASSERT_EQ(flow->blocks.size(), 5u); // bra | brx | A: mov, bra | bra | B: ret
    using Blocks = std::vector<std::uint32_t>;
    EXPECT_EQ(flow->blocks[0].successors, (Blocks{1, 2}));
    EXPECT_EQ(flow->blocks[1].successors, (Blocks{4, 2}));
    EXPECT_EQ(flow->blocks[2].successors, (Blocks{3, 4}));
    EXPECT_EQ(flow->blocks[3].successors, (Blocks{2}));
    EXPECT_EQ(flow->blocks[4].successors, (Blocks{5}));
}

} // namespace
} // namespace warpglass::ptx
