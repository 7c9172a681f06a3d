// SPDX-License-Identifier: GPL-3.0-or-later
// What became of lines of PTX: data/fates.cu, whose machine code was read by hand in the listing of `sass` (opcodes, guards and
// targets there are held to nvdisasm in instruction_test.cpp). Lines are those of the PTX in the cubin.
#include "gpu/base/catalogue.h"
#include "gpu/machine/compact.h"
#include "gpu/machine/fate.h"
#include "gpu/machine/kept.h"
#include "gpu/machine/operations.h"
#include "gpu/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace warpglass::testing {

namespace {

using machine::BranchFate;
using machine::LineFate;

struct Read {
    machine::Cubin cubin;
    ptx::Module module;
    const machine::Function* function = nullptr;
    machine::Fates fates;

    const machine::PtxFate& line(std::uint32_t n) const {
        static const machine::PtxFate none;
        const auto at = std::ranges::find(fates.lines, n, &machine::PtxFate::line);
        EXPECT_TRUE(at != fates.lines.end()) << n;
        return at != fates.lines.end() ? *at : none;
    }
    const machine::Decision& decision(std::uint32_t n) const {
        static const machine::Decision none;
        const auto at = std::ranges::find(fates.decisions, n, &machine::Decision::line);
        EXPECT_TRUE(at != fates.decisions.end()) << n;
        return at != fates.decisions.end() ? *at : none;
    }
};

std::vector<std::byte> fatesCubin() {
    std::ifstream file(WARPGLASS_SOURCE_DIR "/tests/machine/data/fates.sm_90.cubin", std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Read readFates(const std::string& function) {
    Read read;
    read.cubin = machine::readCubin(fatesCubin()).value();
    std::string text;
    for (const std::string& line : read.cubin.ptx)
        text += line + "\n";
    read.module = ptx::parse(text).value();
    for (const machine::Function& f : read.cubin.functions)
        if (f.name == function)
            read.function = &f;
    read.fates = machine::fatesOf(*read.function, read.cubin.arch, read.module);
    return read;
}

using Places = std::vector<std::uint32_t>;

Places places(std::initializer_list<std::uint32_t> bytes) { // of instructions, as numbers
    Places found;
    for (const std::uint32_t at : bytes)
        found.push_back(at / machine::instructionBytes);
    return found;
}

} // namespace

// choose: PTX 37 setp, 39 mul, 41 selp. In the code 80 ISETP (37), 90 @P0 IMAD (39); nothing of line 41: the product is made
// where it is kept. 31 cvta and 33 mul.wide have nothing of their own either: 34, the sum of both, is 50 IMAD(.WIDE).
TEST(Fate, ASelectBecomesAPredicate) {
    const Read read = readFates("choose");
    EXPECT_EQ(read.line(39).fate, LineFate::Predicated);
    EXPECT_EQ(read.line(39).code, places({0x90}));
    EXPECT_EQ(read.decision(41).fate, BranchFate::Predicated);
    EXPECT_EQ(read.decision(41).code, places({0x90}));
    EXPECT_EQ(read.decision(41).asked, 37u); // setp
    for (const std::uint32_t line : {31u, 33u}) {
        EXPECT_EQ(read.line(line).fate, LineFate::Merged) << line;
        EXPECT_EQ(read.line(line).into, 34u) << line;
    }
    EXPECT_EQ(read.line(35).fate, LineFate::Kept);
    EXPECT_EQ(read.line(35).code, places({0x60})); // LDG
    EXPECT_EQ(text(machine::wordsOf(read.decision(41), Message{})),
              "became the predicate of 1 machine instruction: lanes are switched off there, none jumps");
    EXPECT_EQ(text(machine::wordsOf(read.line(35), *read.function, 90)), "1 machine instruction: LDG");
    EXPECT_TRUE(read.fates.spills.empty());
}

// guarded: PTX 68, "@%p1 bra" over the rest, is 40 @P0 EXIT.
TEST(Fate, AnEarlyReturnIsAnExit) {
    const Read read = readFates("guarded");
    EXPECT_EQ(read.decision(68).fate, BranchFate::Exit);
    EXPECT_EQ(read.decision(68).code, places({0x40}));
}

// part: PTX 110 is b0 @P0 BRA 0x290 behind 80 BSSY 0x380: lanes meet at 380, of PTX 146. So do those that leave the loop, by
// 360 @!P0 BRA 0x2d0 (133), or never enter it (117, 2b0): 1c0 and e0 name places before those.
TEST(Fate, ABranchIsLeftAndItsLanesMeet) {
    const Read read = readFates("part");
    for (const auto& [line, at, loop] : {std::tuple{110u, 0xb0u, false}, {117u, 0x2b0u, false}, {133u, 0x360u, true}}) {
        const machine::Decision& d = read.decision(line);
        EXPECT_EQ(d.fate, BranchFate::Left) << line;
        EXPECT_EQ(d.code, places({at})) << line;
        EXPECT_EQ(d.isLoop, loop) << line;
        EXPECT_EQ(d.meets, 0x380u) << line;
        EXPECT_EQ(d.meetsLine, 146u) << line;
    }
    // The square root and the division call code behind the end, from 3d0 on, which is of no line: 149 is "ret", 3c0 EXIT.
    EXPECT_EQ(read.function->helpers(), 0x3d0u / 16);
    EXPECT_EQ(read.line(149).code, places({0x3c0}));
    EXPECT_EQ(text(machine::wordsAt(read.decision(133), 17, machine::wordsOf(read.decision(133), plain("line 22")))),
              "line 17: the loop's branch is a branch still; its lanes meet at line 22");
}

// together: 180 STS waits for scoreboard 2, which the four LDG at b0, e0, 100 and 110 release; before them nobody waits for it.
// 1b0 FFMA waits for scoreboard 0: 1a0 LDS; 140 LDC released it before, for 170. Its 16 bytes a lane: bits 73 to 75 are 6.
TEST(Fate, AWaitIsForLoads) {
    const Read read = readFates("together");
    EXPECT_EQ(machine::awaited(*read.function, 0x180 / 16), places({0xb0, 0xe0, 0x100, 0x110}));
    EXPECT_EQ(machine::awaited(*read.function, 0x1b0 / 16), places({0x1a0}));
    EXPECT_TRUE(machine::awaited(*read.function, 0x190 / 16).empty());
    EXPECT_EQ(machine::accessBytes(*read.function, 0x1a0 / 16, 90), 16u);
    EXPECT_EQ(machine::accessBytes(*read.function, 0xb0 / 16, 90), 4u);
    EXPECT_EQ(machine::accessBytes(*read.function, 0x1b0 / 16, 90), 0u);
}

// sum: PTX 426 asks of n, a parameter: 130 BRA, no BSSY before it. 468 and 488 jump back.
TEST(Fate, ABranchThatAllLanesTakeAlikeHasNoMeeting) {
    const Read read = readFates("sum");
    EXPECT_EQ(read.decision(426).fate, BranchFate::Left);
    EXPECT_FALSE(read.decision(426).meets);
    EXPECT_TRUE(read.decision(468).isLoop);
    EXPECT_EQ(read.decision(468).fate, BranchFate::Left);
}

// ptxas -v of spilled: 128 bytes stack frame, 148 bytes spill stores, 148 bytes spill loads.
TEST(Fate, SpillsAreThoseOfPtxas) {
    const Read read = readFates("spilled");
    EXPECT_EQ(read.function->stackBytes, 128u);
    std::uint32_t stores = 0, loads = 0, told = 0;
    for (const std::uint32_t c : read.fates.spills) {
        const bool isStore = machine::mnemonic(read.function->code[c].opcode, 90) == "STL";
        (isStore ? stores : loads) += machine::accessBytes(*read.function, c, 90);
    }
    EXPECT_EQ(stores, 148u);
    EXPECT_EQ(loads, 148u);
    for (const machine::PtxFate& fate : read.fates.lines)
        told += fate.spills;
    EXPECT_EQ(told, read.fates.spills.size());
}

// What a recording keeps of a kernel is the same code, and little of the file: of 34,728 bytes most are PTX.
TEST(Fate, KeptCodeIsTheSame) {
    MachineCodes codes;
    ASSERT_TRUE(machine::keep(codes, fatesCubin(), {"part", "choose"}));
    ASSERT_EQ(codes.all.size(), 1u);
    EXPECT_EQ(codes.all[0].arch, 90u);
    EXPECT_EQ(codes.all[0].compiler, "ptxas V13.0.88");
    EXPECT_LT(codes.bytes.size(), 12'000u);
    EXPECT_TRUE(machine::bytesWith(codes, "spilled").empty());
    const auto kept = machine::codeWith(codes, "part");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->functions.size(), 2u);
    EXPECT_TRUE(kept->ptx.empty());
    const Read read = readFates("part");
    for (const machine::Function& f : kept->functions) {
        if (f.name != "part")
            continue;
        EXPECT_EQ(f.bits, read.function->bits);
        EXPECT_EQ(f.registers, 12u); // as ptxas says
        ASSERT_EQ(f.ptx.rows.size(), read.function->ptx.rows.size());
        for (std::size_t i = 0; i < f.code.size(); ++i) {
            EXPECT_EQ(f.ptx.at(16 * i)->line, read.function->ptx.at(16 * i)->line);
            EXPECT_EQ(f.source.at(16 * i)->line, read.function->source.at(16 * i)->line);
        }
    }
}

} // namespace warpglass::testing
