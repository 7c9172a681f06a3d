// SPDX-License-Identifier: GPL-3.0-or-later
// Variables by the debug information in a module's text, and texts that are damaged.
#include "gpu/ptx/debug_info.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/section_bytes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

namespace warpglass::testing {
namespace {

using ptx::DebugInfo;
using Kind = DebugInfo::Type::Kind;

std::string variablesText() {
    std::ifstream in(std::string(WARPGLASS_SOURCE_DIR) + "/tests/emulator/data/variables.ptx");
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}
ptx::Module moduleOf(std::string text) {
    auto module = ptx::parse(std::move(text), "variables.ptx");
    EXPECT_TRUE(module) << module.error().text();
    return std::move(*module);
}
const DebugInfo::Variable* variableAt(const DebugInfo& info, const std::string& name, int line) {
    for (const DebugInfo::Variable& v : info.variables)
        if (v.name == name && v.line == line)
            return &v;
    return nullptr;
}

TEST(DebugVariables, AreReadWithScopeTypeAndPlace) {
    const ptx::Module module = moduleOf(variablesText());
    const DebugInfo info = ptx::debugInfo(module);
    const DebugInfo::Variable* const half = variableAt(info, "half", 25);
    ASSERT_NE(half, nullptr);
    EXPECT_EQ(module.functions[half->function].name, "sums");
    EXPECT_EQ(info.types[half->type].kind, Kind::Float);
    EXPECT_EQ(info.types[half->type].bytes, 8u);
    ASSERT_EQ(half->places.size(), 1u);
    EXPECT_EQ(half->places[0].kind, DebugInfo::Place::Kind::Register);
    EXPECT_EQ(half->places[0].name, "%fd1");

    const DebugInfo::Variable* const parts = variableAt(info, "parts", 17);
    ASSERT_NE(parts, nullptr);
    EXPECT_EQ(info.types[parts->type].kind, Kind::Array);
    EXPECT_EQ(info.types[parts->type].count, 4u);
    EXPECT_EQ(info.types[parts->type].bytes, 16u);
    ASSERT_EQ(parts->places.size(), 1u);
    EXPECT_EQ(parts->places[0].kind, DebugInfo::Place::Kind::Memory);
    EXPECT_TRUE(parts->places[0].name.starts_with("__local_depot"));
    EXPECT_EQ(parts->places[0].offset, 0u);

    const DebugInfo::Variable *const first = variableAt(info, "k", 18), *const second = variableAt(info, "k", 26);
    ASSERT_TRUE(first && second);
    EXPECT_LE(first->end, second->begin); // one loop, and then the other
    EXPECT_GT(first->places.size(), 1u);  // in one register, and then in another
    EXPECT_TRUE(variableAt(info, "n", 14)->isParameter);
}

// struct Pair { int first[4]; int last; }: 20 bytes.
TEST(DebugVariables, HavePartsByNameAndByPlace) {
    const ptx::Module module = moduleOf(variablesText());
    const DebugInfo info = ptx::debugInfo(module);
    const DebugInfo::Variable* const pair = variableAt(info, "pair", 44);
    ASSERT_NE(pair, nullptr);
    EXPECT_EQ(info.types[pair->type].bytes, 20u);
    EXPECT_EQ(ptx::partOf(info, pair->type, ".last")->offset, 16u);
    EXPECT_EQ(ptx::partOf(info, pair->type, ".first[3]")->offset, 12u);
    EXPECT_EQ(ptx::partOf(info, pair->type, "")->offset, 0u);
    for (const char* none : {".first[4]", ".second", "[0]", ".first.last", ".first[", ".first[x]"})
        EXPECT_FALSE(ptx::partOf(info, pair->type, none)) << none;
    EXPECT_EQ(ptx::pathAt(info, pair->type, 8)->path, ".first[2]");
    EXPECT_EQ(ptx::pathAt(info, pair->type, 16)->path, ".last");
    EXPECT_FALSE(ptx::pathAt(info, pair->type, 20));
}

TEST(DebugVariables, OfASectionsTextAreItsBytes) {
    const ptx::Module module =
        moduleOf(".version 7.0\n.target sm_80\n.address_size 64\n"
                 ".section .debug_loc { .b8 1, 255\n.b16 513\n.b32 .debug_str+3\n.b64 there+2 }\n"
                 ".section .debug_str { .b8 7\nhere:\n.b8 8\n.b32 here }\n");
    const auto all = ptx::sectionBytes(module);
    const auto number = [](const std::vector<std::byte>& bytes) {
        std::vector<int> numbers;
        for (const std::byte b : bytes)
            numbers.push_back(int(b));
        return numbers;
    };
    // 513 = 0x0201; .debug_str begins at 0; "there" is the code's, and what is added to it stays.
    EXPECT_EQ(number(all.find(".debug_loc")->second.bytes),
              (std::vector<int>{1, 255, 1, 2, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(all.find(".debug_loc")->second.symbols.at(8), "there");
    EXPECT_EQ(number(all.find(".debug_str")->second.bytes), (std::vector<int>{7, 8, 1, 0, 0, 0})); // "here" is at 1
}

// Numbers of its debug sections changed by chance, and the text cut off: each is read or left out, and nothing else happens.
TEST(DebugVariables, OfADamagedTextAreLeftOut) {
    const std::string text = variablesText();
    const std::size_t sections = text.find("\t.section");
    ASSERT_NE(sections, std::string::npos);
    std::mt19937 dice(47);
    std::size_t read = 0;
    for (int turn = 0; turn < 300; ++turn) {
        std::string damaged = text;
        for (int k = 0; k < 1 + turn % 8; ++k) {
            std::size_t at = sections + dice() % (damaged.size() - sections);
            at = damaged.find_first_of("0123456789", at);
            if (at != std::string::npos)
                damaged[at] = char('0' + dice() % 10);
        }
        const auto module = ptx::parse(std::move(damaged), "damaged.ptx");
        if (!module)
            continue;
        const DebugInfo info = ptx::debugInfo(*module);
        for (const DebugInfo::Variable& v : info.variables) {
            EXPECT_LT(v.function, module->functions.size());
            EXPECT_LE(v.end, module->functions[v.function].body.size());
            for (std::uint64_t at = 0; at < 64; ++at)
                read += ptx::pathAt(info, v.type, at).has_value();
            (void)ptx::partOf(info, v.type, ".first[1]");
        }
    }
    EXPECT_GT(read, 1000u); // most damage leaves most of it as it was
}

} // namespace
} // namespace warpglass::testing
