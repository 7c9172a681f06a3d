// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <gtest/gtest.h>

using namespace warpglass;
using namespace warpglass::ptx;

namespace {

const std::string joinedHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

Module parsed(const std::string& text) {
    auto module = parse(joinedHead + text, "part.ptx");
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

// A kernel that another file's kernel launches is declared there, before or after its definition.
TEST(Join, TakesTheDefinitionOfAKernelThatAnotherFileDeclares) {
    const std::string declaration = ".extern .entry k(.param .u32 n);\n.visible .entry a() { ret; }\n",
                      definition = ".visible .entry k(.param .u32 n) { exit; }\n";
    for (const bool first : {false, true}) {
        const auto m = first ? joined(definition, declaration) : joined(declaration, definition);
        ASSERT_TRUE(m) << m.error().text();
        const Function* k = m->findFunction("k");
        ASSERT_NE(k, nullptr);
        EXPECT_EQ(k->body.size(), 1u);
        EXPECT_FALSE(k->isExtern);
    }
    EXPECT_FALSE(joined(definition, definition));
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

// Both files inline a function; each names it by its own label 0, and one of the names they share.
// Files that name the block's dynamic shared memory mean the same bytes: they lie where all of them may use them.
TEST(Join, GivesDynamicSharedMemoryTheWidestAlignment) {
    const std::string wide = ".extern .shared .align 1024 .b8 room[];\n.visible .entry a() {\n ret;\n}\n",
                      narrow = ".extern .shared .align 4 .b8 room[];\n.visible .entry b() {\n ret;\n}\n";
    for (const bool first : {false, true}) {
        const auto m = first ? joined(wide, narrow) : joined(narrow, wide);
        ASSERT_TRUE(m) << m.error().text();
        ASSERT_EQ(m->variables.size(), 1u);
        EXPECT_EQ(m->variables[0].alignment, 1024);
    }
}

TEST(Join, KeepsTheNamesOfInlinedFunctions) {
    const auto file = [](const char* entry, const char* inlined) {
        return std::string(".visible .entry ") + entry +
               "() {\n .loc 1 9 3, function_name $L__info_string0, inlined_at 1 5 2\n ret;\n}\n" + ".file 1 \"" +
               entry + ".cu\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 " + inlined + ",0\n}\n";
    };
    for (const char* second : {"98", "97"}) {
        const auto m = joined(file("k", "97"), file("l", second));
        ASSERT_TRUE(m) << m.error().text();
        const auto again = parse(write(*m), "again.ptx"); // the labels stand for the same names
        ASSERT_TRUE(again) << again.error().text();
        std::vector<std::string> names;
        for (const Function& f : again->functions)
            names.push_back(again->places.at(f.body.at(0).place).function);
        EXPECT_EQ(names, (std::vector<std::string>{"a", std::string(1, char(std::stoi(second)))}));
    }
}
