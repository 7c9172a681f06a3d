// SPDX-License-Identifier: GPL-3.0-or-later
// Machine instructions against nvdisasm: data/instructions.tsv has, of the instructions of our own kernels, some with each
// opcode, guard and kind of branch on five architectures.
#include "gpu/machine/instruction.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

namespace warpglass::testing {

namespace {

struct Listed {
    unsigned arch = 0;
    std::uint64_t at = 0, low = 0, high = 0;
    std::string text;
};

std::vector<Listed> listedInstructions() {
    std::ifstream file(WARPGLASS_SOURCE_DIR "/tests/machine/data/instructions.tsv");
    std::vector<Listed> listed;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        std::istringstream in(line);
        Listed l;
        in >> l.arch >> std::hex >> l.at >> l.low >> l.high;
        in.ignore(1);
        std::getline(in, l.text);
        listed.push_back(l);
    }
    return listed;
}

} // namespace

TEST(MachineInstruction, SaysWhatNvdisasmSays) {
    const std::vector<Listed> listed = listedInstructions();
    ASSERT_GT(listed.size(), 1700u);
    static const std::regex form(R"((@!?U?P[0-9T] +)?([A-Z0-9_]+)(\S*)(.*))");
    std::size_t targets = 0;
    for (const Listed& l : listed) {
        std::smatch said;
        ASSERT_TRUE(std::regex_match(l.text, said, form)) << l.text;
        const machine::Instruction in = machine::decode(l.low, l.high, l.at, l.arch);
        // What goes somewhere that is told ends in that place: a register before it or an absolute call has none.
        const std::string name = said[2], rest = said[4];
        const bool goes =
            (name == "BRA" || name == "BSSY" || said[3].str().find("COLLECTIVE") != std::string::npos ||
             (name == "CALL" && said[3].str().starts_with(".REL") && rest.find('R') == std::string::npos)) &&
            rest.find("0x") != std::string::npos;
        std::string expected = said[1].str() + name;
        if (goes)
            expected += " " + rest.substr(rest.rfind("0x"));
        targets += goes ? 1 : 0;
        EXPECT_EQ(machine::plainText(in, l.arch), std::regex_replace(expected, std::regex(" +"), " "))
            << l.arch << " " << l.text;
    }
    EXPECT_GT(targets, 150u);
}

// LDG.E, by hand:
//   0x000ea2000c1e1900 >> 41 = 0x751 = 0b000000'111'010'1'0001:
//   waits for none, no scoreboard for its operands, 2 for its result, does not yield, stalls a cycle
TEST(MachineInstruction, ControlByHand) {
    const machine::Control load = machine::decode(0x00000004040d7981, 0x000ea2000c1e1900, 0xc0, 90).control;
    EXPECT_EQ(load.stall, 1);
    EXPECT_FALSE(load.yields);
    EXPECT_EQ(load.writes, 2);
    EXPECT_EQ(load.reads, machine::noScoreboard);
    EXPECT_EQ(load.waits, 0);
    // IMAD.WIDE R4, R0, 0xc, R4 behind LDC.64 R4 (which releases scoreboard 0):
    //   0x001fca00078e0204 >> 41 = 0xfe5 = 0b000001'111'111'0'0101: waits for 0, yields, stalls 5 cycles
    const machine::Control product = machine::decode(0x0000000c00047825, 0x001fca00078e0204, 0xb0, 90).control;
    EXPECT_EQ(product.waits, 1);
    EXPECT_EQ(product.stall, 5);
    EXPECT_EQ(product.writes, machine::noScoreboard);
    EXPECT_EQ(product.reads, machine::noScoreboard);
    EXPECT_TRUE(product.yields);
}

TEST(MachineInstruction, UnknownOpcodesAreShownAsSuch) {
    const machine::Instruction in = machine::decode(0x7fff, 0, 0, 90);
    EXPECT_EQ(machine::mnemonic(in.opcode, 90), "");
    EXPECT_EQ(machine::plainText(in, 90), "?fff");
    EXPECT_EQ(machine::mnemonic(0x235, 90), "HFMA2"); // which sm_120 calls IADD
    EXPECT_EQ(machine::mnemonic(0x235, 120), "IADD");
}

} // namespace warpglass::testing
