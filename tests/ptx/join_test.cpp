// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <gtest/gtest.h>

using namespace warpglass;
using namespace warpglass::ptx;

namespace {

const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";

Module parsed(const std::string& text) {
    auto module = parse(head + text, "part.ptx");
    EXPECT_TRUE(module) << module.error().text();
    return module ? std::move(*module) : Module{};
}

Result<Module> joined(const std::string& a, const std::string& b) {
    std::vector<Module> parts;
    parts.push_back(parsed(a));
    parts.push_back(parsed(b));
    return join(std::move(parts));
}

} // namespace

TEST(Join, PutsDefinitionsWhereDeclarationsStood) {
    const auto m = joined(".extern .global .align 4 .u32 there;\n"
                          ".extern .func (.param .b32 r) f (.param .b32 x);\n"
                          ".visible .entry k() {\n ret;\n}\n",
                          ".visible .global .align 4 .u32 there = 7;\n"
                          ".visible .func (.param .b32 r) f (.param .b32 x) {\n ret;\n}\n");
    ASSERT_TRUE(m) << m.error().text();
    ASSERT_EQ(m->variables.size(), 1u);
    EXPECT_FALSE(m->variables[0].isExtern);
    EXPECT_EQ(m->variables[0].initial.at(0), std::byte{7});
    ASSERT_EQ(m->functions.size(), 2u);
    EXPECT_EQ(m->findFunction("f")->body.size(), 1u);
    // Four lines and three of a head before it; f stands in the second part's fifth line.
    EXPECT_EQ(m->findFunction("f")->body[0].line, 8 + 6);
}

TEST(Join, GivesWhatIsHiddenANameOfItsOwn) {
    const auto m = joined(".global .align 4 .u32 own = 1;\n"
                          ".visible .entry a() {\n .reg .b32 %r<2>;\n ld.global.u32 %r1, [own];\n ret;\n}\n",
                          ".global .align 4 .u32 own = 2;\n.global .align 8 .u64 where = own;\n"
                          ".visible .entry b() {\n .reg .b32 %r<2>;\n ld.global.u32 %r1, [own+4];\n ret;\n}\n");
    ASSERT_TRUE(m);
    ASSERT_EQ(m->variables.size(), 3u);
    EXPECT_EQ(m->variables[0].name, "own");
    const std::string second = m->variables[1].name;
    EXPECT_NE(second, "own");
    EXPECT_EQ(m->variables[2].initialAddresses.at(0).symbol, second);
    EXPECT_EQ(m->findFunction("a")->body[0].operands[1].name, "own");
    EXPECT_EQ(m->findFunction("b")->body[0].operands[1].name, second);
    EXPECT_EQ(m->findFunction("b")->body[0].operands[1].integer, 4);
    EXPECT_TRUE(parse(write(*m), "joined.ptx"));
}

TEST(Join, KeepsTheFirstOfWeakDefinitionsAndRefusesTwoStrongOnes) {
    const std::string weak = ".weak .func f() {\n ret;\n}\n", strong = ".visible .func f() {\n ret;\n}\n";
    EXPECT_TRUE(joined(weak, weak));
    EXPECT_EQ(joined(weak, weak)->functions.size(), 1u);
    const auto twice = joined(strong, strong);
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().message.find("f"), std::string::npos);
}
