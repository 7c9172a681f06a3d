// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/uniform.h"

#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

UniformCode commonOf(const std::string& body, bool oneDimensional = true) {
    const auto module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
                   ".reg .pred %p<9>;\n.reg .b32 %r<30>;\n" +
                       body + "ret;\n}\n",
                   "uniform.ptx");
    EXPECT_TRUE(module.ok()) << module.error().text();
    return module.ok() ? uniformCode(module->functions.front(), oneDimensional) : UniformCode{};
}

std::set<std::string> uniformIn(const std::string& body, bool oneDimensional = true) {
    return commonOf(body, oneDimensional).registers;
}

// Which of the instructions one lane of a warp comes to alone, by 0 and 1.
std::string aloneIn(const std::string& body) {
    std::string found;
    for (const bool alone : commonOf(body).alone)
        found += alone ? '1' : '0';
    return found;
}

// The number of a warp is the thread's without its lowest five bits, and so is a comparison with a multiple of 32; that of a lane
// is what is left of it. What lies in memory may be anything.
TEST(UniformRegisters, AreOfTheWarp) {
    const auto found =
        uniformIn("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\nshr.u32 %r3, %r1, 4;\nand.b32 %r4, %r1, 31;\n"
                  "and.b32 %r5, %r1, 96;\nsetp.lt.u32 %p1, %r1, 128;\nsetp.gt.u32 %p2, %r1, 127;\n"
                  "setp.lt.u32 %p3, %r1, 100;\nld.param.u32 %r6, [n];\nadd.u32 %r7, %r6, %r2;\n"
                  "add.u32 %r8, %r6, %r3;\nld.shared.u32 %r9, [%r6];\nmov.u32 %r10, %ctaid.x;\n");
    EXPECT_EQ(found, (std::set<std::string>{"%r2", "%r5", "%p1", "%p2", "%r6", "%r7", "%r10"}));
    EXPECT_EQ(uniformIn("mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\n", false), std::set<std::string>{});
}

// A counter of a loop that all lanes leave together is the same in all; where lanes leave at their own turn it is not, nor is
// what they set to different constants on their ways.
TEST(UniformRegisters, AreNotSetWhereLanesPart) {
    const std::string loop = "mov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r3;\n@%p1 bra L;\n";
    EXPECT_EQ(uniformIn("ld.param.u32 %r3, [n];\n" + loop), (std::set<std::string>{"%r2", "%r3", "%p1"}));
    EXPECT_EQ(uniformIn("mov.u32 %r3, %tid.x;\n" + loop), std::set<std::string>{});
    EXPECT_EQ(uniformIn("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 bra A;\n"
                        "mov.u32 %r2, 8;\nA: add.u32 %r4, %r2, 1;\nmov.u32 %r5, 3;\n"),
              std::set<std::string>{"%r5"});
}

// A number that one lane gives to all is the same in all.
TEST(UniformRegisters, AreGivenByOneLane) {
    EXPECT_EQ(uniformIn("mov.u32 %r1, %laneid;\nshfl.sync.idx.b32 %r2|%p1, %r1, 0, 31, -1;\n"
                        "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\nshfl.sync.idx.b32 %r4, %r1, %r1, 31, -1;\n"),
              (std::set<std::string>{"%r2", "%r3", "%p1"}));
}

// Instructions with the return. Whoever is not thread 128 jumps over two of them; with another condition that more of
// them jump by, too. Below 128 they are many, and where others come in from elsewhere they are not alone.
TEST(UniformCode, IsOfOneLaneBehindItsNumber) {
    const std::string head = "mov.u32 %r1, %tid.x;\nsetp.ne.s32 %p1, %r1, 128;\n",
                      rest = "mov.u32 %r2, 1;\nmov.u32 %r3, 2;\nA:\n";
    EXPECT_EQ(aloneIn(head + "@%p1 bra A;\n" + rest), "000110");
    EXPECT_EQ(aloneIn(head + "setp.lt.s32 %p2, %r9, 1;\nor.pred %p3, %p1, %p2;\n@%p3 bra A;\n" + rest), "00000110");
    EXPECT_EQ(aloneIn("mov.u32 %r1, %tid.x;\nsetp.ge.s32 %p1, %r1, 128;\n@%p1 bra A;\n" + rest), "000000");
    EXPECT_EQ(aloneIn("setp.lt.s32 %p2, %r9, 1;\n@%p2 bra B;\n" + head +
                      "@%p1 bra A;\nmov.u32 %r2, 1;\nB:\nmov.u32 %r3, 2;\nA:\n"),
              "00000100");
    EXPECT_EQ(aloneIn("mov.u32 %r1, %tid.x;\nand.b32 %r4, %r1, 31;\nsetp.eq.s32 %p1, %r4, 0;\n@!%p1 bra A;\n" + rest),
              "0000110");
    EXPECT_EQ(
        aloneIn(
            "mov.u32 %r4, 0;\nelect.sync %r5|%p1, -1;\n@%p1 mov.u32 %r4, 1;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra A;\n" +
            rest),
        "00000110");
}

} // namespace
} // namespace warpglass::probe
