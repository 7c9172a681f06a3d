// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/write.h"

#include "gpu/ptx/parse.h"
#include "tests/ptx/files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace warpglass::ptx {
namespace {

bool isDebug(const Module& m) {
    return std::find(m.targetOptions.begin(), m.targetOptions.end(), "debug") != m.targetOptions.end();
}

// The machine code in a cubin, an ELF file: the bytes of each section called .text.*
std::map<std::string, std::string> machineCode(const std::filesystem::path& cubin) {
    const std::string elf = test::readFile(cubin);
    const auto number = [&](std::size_t at, std::size_t bytes) {
        std::uint64_t value = 0;
        if (at + bytes <= elf.size())
            std::memcpy(&value, elf.data() + at, bytes);
        return value;
    };
    const std::uint64_t table = number(40, 8), rowSize = number(58, 2), rows = number(60, 2), names = number(62, 2);
    const std::uint64_t nameTable = number(table + names * rowSize + 24, 8);
    std::map<std::string, std::string> code;
    for (std::uint64_t i = 0; i < rows; ++i) {
        const std::uint64_t row = table + i * rowSize;
        const std::string name = elf.c_str() + nameTable + number(row, 4);
        if (name.starts_with(".text."))
            code[name] = elf.substr(number(row + 24, 8), number(row + 32, 8));
    }
    return code;
}

class Corpus : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Corpus, WhatIsWrittenReadsTheSame) {
    const Module first = test::parsed(test::readFile(GetParam()));
    ASSERT_FALSE(first.functions.empty());
    const Module second = test::parsed(write(first));
    EXPECT_EQ(test::difference(first, second), "");
    EXPECT_EQ(write(first), write(second));
}

TEST_P(Corpus, TheAssemblerMakesTheSameMachineCode) {
    if (test::ptxas().empty())
        GTEST_SKIP() << "no ptxas here";
    const std::string text = test::readFile(GetParam());
    const Module m = test::parsed(text);
    const std::string base = ::testing::TempDir() + GetParam().stem().string();
    EXPECT_EQ(test::assemble(text, isDebug(m), base + ".read.cubin"), "");
    EXPECT_EQ(test::assemble(write(m), isDebug(m), base + ".written.cubin"), "");
    const auto read = machineCode(base + ".read.cubin"), written = machineCode(base + ".written.cubin");
    EXPECT_FALSE(read.empty());
    if (isDebug(m))
        return; // debug code keeps every variable in the order of its declaration: accepted, but not byte for byte
    for (const auto& [name, code] : read) {
        const auto other = written.find(name);
        ASSERT_NE(other, written.end()) << name;
        // 16 bytes an instruction; two comparisons, so that a failure prints a number and not the code.
        EXPECT_EQ(code.size() / 16, other->second.size() / 16) << name;
        EXPECT_TRUE(code == other->second) << name;
    }
    std::filesystem::remove(base + ".read.cubin");
    std::filesystem::remove(base + ".written.cubin");
}

INSTANTIATE_TEST_SUITE_P(Files, Corpus, ::testing::ValuesIn(test::corpus()), [](const auto& file) {
    std::string name = file.param.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

// Letters beyond ASCII stand there byte by byte, in octal; what is no letter stays as it was.
TEST(Write, NamesOfFilesAsCompilersDo) {
    const std::string head = ".version 8.0\n.target sm_75\n.address_size 64\n";
    const std::string files = "\t.file 1 \"/home/\\303\\274bung/\\346\\240\\270.cu\"\n"
                              "\t.file 2 \"C:\\\\101\\303.cu\"\n";
    const auto module = parse(head + files, "names.ptx");
    ASSERT_TRUE(module) << module.error().text();
    ASSERT_EQ(module->files.size(), 2u);
    EXPECT_EQ(module->files[0].path, "/home/\xc3\xbc"
                                     "bung/\xe6\xa0\xb8.cu");
    EXPECT_EQ(module->files[1].path, "C:\\\\101\\303.cu");
    const std::string text = write(*module);
    EXPECT_NE(text.find(files), std::string::npos) << text;
}

TEST(Write, AnInstructionIsOneLine) {
    const Module m =
        test::parsed(".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{ .reg .pred %p<2>; .reg .b32 "
                     "%r<4>;\n@!%p1 shfl.sync.down.b32\n %r1|%p1,\n %r2, 0x10, 31, -1 ; }");
    EXPECT_EQ(write(m.functions.at(0).body.at(0)), "@!%p1 shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;");
}

// ptxas takes the word behind the address alone.
TEST(Write, UnifiedStandsBehindTheAddress) {
    const Module m =
        test::parsed(".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{ .reg .b32 %r; .reg .b64 "
                     "%d<2>;\nld.global.L2::cache_hint.b32 %r, [%d0+4].unified, %d1; }");
    EXPECT_EQ(write(m.functions.at(0).body.at(0)), "ld.global.L2::cache_hint.b32 %r, [%d0+4].unified, %d1;");
}

} // namespace
} // namespace warpglass::ptx
