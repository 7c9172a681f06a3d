// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel with the function that it calls (data/called.cu), optimised, where the function lies in the kernel's section behind
// its EXIT at 110, and with -O0 -g, where it has a section of its own. Places and lines were read off listings of each.
#include "gpu/base/read_file.h"
#include "gpu/machine/whole.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

namespace warpglass::testing {

namespace {

struct CodeAndWhole {
    machine::Cubin cubin;
    machine::Whole whole;
};

CodeAndWhole readWhole(const std::string& name) {
    const auto file = readFile(WARPGLASS_SOURCE_DIR "/tests/machine/data/" + name);
    const auto cubin = machine::readCubin(std::as_bytes(std::span(*file)));
    std::string text;
    for (const std::string& line : cubin->ptx)
        text += line + "\n";
    const auto module = ptx::parse(text);
    return {*cubin, machine::wholeOf(*cubin, "calls", *module)};
}

std::uint32_t lineAt(const machine::Whole& whole, std::uint64_t place) {
    const machine::LineRow* row = whole.code.ptx.at(place);
    return row ? row->line : 0;
}

const machine::PtxFate* fateOf(const machine::Whole& whole, std::uint32_t line) {
    const auto found = std::ranges::find(whole.fates.lines, line, &machine::PtxFate::line);
    return found == whole.fates.lines.end() ? nullptr : &*found;
}

} // namespace

// 120 MOV begins the function; 160 LDG is its PTX line 32, 190 LDG 38, 180 @!P0 BRA 1b0 its line 35.
TEST(Whole, AFunctionInTheKernelsSectionHasItsLines) {
    const auto [cubin, whole] = readWhole("called.sm_90.cubin");
    ASSERT_EQ(whole.parts.size(), 1u);
    EXPECT_EQ(whole.code.code.size(), 0x1e0u / 16) << "without the branch to itself and what follows";
    EXPECT_EQ(cubin.functions[0].helpers(), cubin.functions[0].code.size()) << "it is no code of the compiler's own";
    EXPECT_EQ(whole.names, (std::map<std::size_t, std::string>{{0x120 / 16, "_Z6turnedPKfi"}}));
    EXPECT_EQ(lineAt(whole, 0x160), 32u);
    EXPECT_EQ(lineAt(whole, 0x50), 72u);
    const machine::PtxFate* load = fateOf(whole, 38);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->code, std::vector<std::uint32_t>{0x190 / 16});
    const auto decision = std::ranges::find(whole.fates.decisions, 35u, &machine::Decision::line);
    ASSERT_NE(decision, whole.fates.decisions.end());
    EXPECT_EQ(decision->fate, machine::BranchFate::Left);
    EXPECT_EQ(decision->code, std::vector<std::uint32_t>{0x180 / 16});
    // FSETP waits for scoreboard 2, which the load at 160 sets.
    EXPECT_EQ(whole.awaited(cubin, 0x170 / 16), std::vector<std::uint32_t>{0x160 / 16});
}

// calls: 3b0 bytes without its end; turned: 250 behind it. Its 0 BSSY names 240, which is 5f0 here; 140 LDG is PTX line 32.
TEST(Whole, AFunctionWithASectionComesBehind) {
    const auto [cubin, whole] = readWhole("called_debug.sm_90.cubin");
    ASSERT_EQ(whole.parts.size(), 2u);
    EXPECT_EQ(whole.parts[1].first, 0x3b0u / 16);
    EXPECT_EQ(whole.parts[1].size, 0x250u / 16);
    EXPECT_EQ(whole.code.code.size(), 0x600u / 16);
    EXPECT_EQ(whole.code.registers, 26u);
    EXPECT_EQ(whole.names, (std::map<std::size_t, std::string>{{0x3b0 / 16, "_Z6turnedPKfi"}}));
    EXPECT_EQ(whole.code.code[0x3b0 / 16].target, 0x5f0u);
    EXPECT_EQ(lineAt(whole, 0x3a0), 102u);
    EXPECT_EQ(lineAt(whole, 0x3b0 + 0x140), 32u);
    EXPECT_EQ(&whole.partOf(0x3a0 / 16), &whole.parts[0]);
    EXPECT_EQ(&whole.partOf(0x3b0 / 16), &whole.parts[1]);
    const machine::PtxFate* load = fateOf(whole, 38); // 1a0 to 1e0 of the function
    ASSERT_TRUE(load);
    EXPECT_EQ(load->code.front(), (0x3b0u + 0x1a0) / 16);
    EXPECT_EQ(load->code.back(), (0x3b0u + 0x1e0) / 16);
    EXPECT_TRUE(std::ranges::is_sorted(whole.fates.lines, {}, &machine::PtxFate::line));
    // Its first LDC waits for scoreboards that nobody in it has set: not for loads of the kernel.
    EXPECT_TRUE(std::ranges::all_of(whole.awaited(cubin, 0x3c0 / 16), [](std::uint32_t i) { return i >= 0x3b0 / 16; }));
}

// A stranger's table may say what it will.
TEST(Whole, WithoutATextThereIsTheKernelAlone) {
    const auto file = readFile(WARPGLASS_SOURCE_DIR "/tests/machine/data/called_debug.sm_90.cubin");
    const auto cubin = machine::readCubin(std::as_bytes(std::span(*file)));
    const machine::Whole whole = machine::wholeOf(*cubin, "calls", {});
    ASSERT_EQ(whole.parts.size(), 1u);
    EXPECT_EQ(whole.code.code.size(), 0x3b0u / 16);
    EXPECT_TRUE(whole.fates.lines.empty());
}

} // namespace warpglass::testing
