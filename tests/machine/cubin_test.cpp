// SPDX-License-Identifier: GPL-3.0-or-later
// Cubins of our own kernels against what cuobjdump and nvdisasm say of them (data/NAME.tsv): registers, stack, shared memory, and
// for each instruction its lines of the source and its line of PTX.
#include "gpu/machine/cubin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace warpglass::testing {

namespace {

std::string cubinFile(const std::string& name) {
    return WARPGLASS_SOURCE_DIR "/tests/machine/data/" + name;
}

std::vector<std::byte> cubinBytes(const std::string& name) {
    std::ifstream file(cubinFile(name), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

std::string sourceLines(const machine::Function& f, std::uint64_t at) {
    std::string lines;
    for (const machine::LineRow* row = f.source.at(at); row;) {
        lines += (lines.empty() ? "" : " ") + std::to_string(row->line);
        row = row->inlinedAt == machine::noRow ? nullptr : &f.source.rows[row->inlinedAt];
    }
    return lines;
}

} // namespace

TEST(Cubin, SaysWhatTheToolkitSays) {
    const std::pair<const char*, unsigned> files[] = {{"atomics.sm_80", 80},
                                                      {"atomics.sm_90a", 90},
                                                      {"atomics.sm_120a", 120},
                                                      {"divergence.sm_90a", 90},
                                                      {"reduce_shuffle.sm_90a", 90}};
    for (const auto& [name, arch] : files) {
        const auto bytes = cubinBytes(std::string(name) + ".cubin");
        const auto cubin = machine::readCubin(bytes);
        ASSERT_TRUE(cubin) << name;
        EXPECT_EQ(cubin->arch, arch);
        const auto facts = machine::readFacts(bytes); // the same, without the code
        ASSERT_TRUE(facts) << name;
        for (const machine::Function& function : cubin->functions) {
            ASSERT_EQ(facts->count(function.name), 1u) << function.name;
            EXPECT_EQ(facts->at(function.name).registers, function.registers);
            EXPECT_EQ(facts->at(function.name).stackBytes, function.stackBytes);
        }
        const machine::Function* f = nullptr;
        std::size_t functions = 0, instructions = 0, inlined = 0;
        std::ifstream expected(cubinFile(std::string(name) + ".tsv"));
        for (std::string line; std::getline(expected, line);) {
            if (line.starts_with('#'))
                continue;
            std::vector<std::string> columns;
            std::istringstream in(line);
            for (std::string column; std::getline(in, column, '\t');)
                columns.push_back(column);
            if (columns.size() == 4) {
                f = nullptr;
                for (const machine::Function& g : cubin->functions)
                    if (g.name == columns[0])
                        f = &g;
                ASSERT_TRUE(f) << columns[0];
                EXPECT_TRUE(f->entry);
                EXPECT_EQ(f->registers, std::stoul(columns[1])) << columns[0];
                EXPECT_EQ(f->stackBytes, std::stoul(columns[2])) << columns[0];
                // Below 9.0 what the toolkit's reader calls shared memory of a kernel leaves out what is not named there.
                EXPECT_EQ(f->sharedBytes, std::stoul(columns[3])) << columns[0];
                ++functions;
                continue;
            }
            columns.resize(3);
            const std::uint64_t at = std::stoull(columns[0], nullptr, 16);
            EXPECT_TRUE((sourceLines(*f, at) + " ").starts_with(columns[1] + " "))
                << name << " " << f->name << " " << columns[0] << ": " << sourceLines(*f, at) << ", " << columns[1];
            const machine::LineRow* ptx = f->ptx.at(at);
            EXPECT_EQ(ptx ? std::to_string(ptx->line) : "", columns[2]) << name << " " << f->name << " " << columns[0];
            inlined += columns[1].find(' ') != std::string::npos;
            ++instructions;
        }
        EXPECT_EQ(functions, cubin->functions.size());
        std::size_t read = 0;
        for (const machine::Function& g : cubin->functions)
            read += g.code.size();
        EXPECT_EQ(instructions, read);
        if (std::string(name).starts_with("divergence")) {
            EXPECT_GT(inlined, 30u);
        }
        ASSERT_FALSE(cubin->ptx.empty());
        EXPECT_TRUE(std::ranges::any_of(cubin->ptx, [](const auto& l) { return l.starts_with(".target sm_"); }));
    }
}

// Every prefix of a cubin, and one with each byte of its head and tables changed, is a Result and no crash.
// Code as it is made to be sampled: choose of fates.cu, whose line marks lead to lines of its PTX. They are those that the
// ordinary code has in its table of PTX lines (fates.sm_90.cubin; fate_test.cpp).
TEST(Cubin, LineMarksOfPtxAreLinesOfPtx) {
    const auto marked = machine::readCubin(cubinBytes("choose_sampled.sm_90.cubin"));
    const auto plain = machine::readCubin(cubinBytes("fates.sm_90.cubin"));
    ASSERT_TRUE(marked && plain);
    const machine::Function& sampled = marked->functions.front();
    const auto choose = std::ranges::find(plain->functions, "choose", &machine::Function::name);
    ASSERT_NE(choose, plain->functions.end());
    EXPECT_TRUE(sampled.source.rows.empty());
    ASSERT_EQ(sampled.bits, choose->bits) << "marks change no machine code";
    for (const auto& [place, line] : {std::pair(0x60u, 35u), {0x90u, 39u}, {0xb0u, 46u}}) {
        ASSERT_TRUE(sampled.ptx.at(place) && choose->ptx.at(place));
        EXPECT_EQ(sampled.ptx.at(place)->line, line);
        EXPECT_EQ(choose->ptx.at(place)->line, line);
    }
}

TEST(Cubin, DamagedOnesAreErrorsOrHarmless) {
    const std::vector<std::byte> whole = cubinBytes("atomics.sm_80.cubin");
    const std::size_t programHeads = 5 * 56; // at the end: nobody reads them
    for (std::size_t size = 0; size < whole.size() - programHeads; size += size < 256 ? 1 : 97)
        EXPECT_FALSE(machine::readCubin(std::span(whole).first(size))) << size;
    for (std::size_t at = 0; at < whole.size(); at += 3) {
        std::vector<std::byte> changed = whole;
        changed[at] ^= std::byte(0xff);
        const auto cubin = machine::readCubin(changed);
        if (!cubin)
            continue;
        for (const machine::Function& f : cubin->functions)
            EXPECT_LE(f.code.size() * machine::instructionBytes, whole.size());
    }
    EXPECT_FALSE(machine::readCubin(
        std::as_bytes(std::span("\x7f"
                                "ELF, but not such a one, and long enough to have a head of 64 bytes"))));
}

} // namespace warpglass::testing
