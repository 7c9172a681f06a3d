// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/uniform.h"

#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

std::set<std::string> uniformIn(const std::string& body, bool oneDimensional = true) {
    const auto module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"
                   ".reg .pred %p<9>;\n.reg .b32 %r<30>;\n" +
                       body + "ret;\n}\n",
                   "uniform.ptx");
    EXPECT_TRUE(module.ok()) << module.error().text();
    return module.ok() ? uniformRegisters(module->functions.front(), oneDimensional) : std::set<std::string>{};
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

} // namespace
} // namespace warpglass::probe
