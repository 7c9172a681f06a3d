// SPDX-License-Identifier: GPL-3.0-or-later
// What is left in L2, against what an H200 with 50 MB showed (h200-micro.csv, left_* and kept_*: of lines looked at one by one, those
// that answered within 515 cycles, which one in twenty does of lines that are not there).
#include "gpu/device/l2_contents.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpglass {
namespace {

constexpr std::uint64_t MB = 1024 * 1024, a = 0x700000000000, b = 0x710000000000;

// The share of these bytes that is there.
double left(const L2Contents& contents, std::uint64_t begin, std::uint64_t bytes) {
    std::uint64_t there = 0;
    for (const L2Piece& p : contents.pieces())
        there +=
            std::max(std::min(p.at.end, begin + bytes), begin) - std::min(std::max(p.at.begin, begin), begin + bytes);
    return double(there) / double(bytes);
}

// Kernels have filled it before.
constexpr std::uint64_t other = 0x720000000000;
L2Contents full() {
    L2Contents contents(50 * MB);
    contents.touch({{other, other + 64 * MB}});
    return contents;
}

double leftOf(std::uint64_t megabytes, bool copied) {
    L2Contents contents = full();
    copied ? contents.copy({a, a + megabytes * MB}) : contents.touch({{a, a + megabytes * MB}});
    return left(contents, a, megabytes * MB);
}

TEST(L2Contents, KeepsTheLastThatKernelsTouched) { // left_read, left_written, left_memset
    EXPECT_EQ(leftOf(32, false), 1);
    EXPECT_NEAR(leftOf(48, false), 0.84, 0.03);
    EXPECT_NEAR(leftOf(64, false), 0.63, 0.03);
    EXPECT_NEAR(leftOf(128, false), 0.31, 0.03);
}

TEST(L2Contents, KeepsLittleOfCopies) { // left_pageable, left_pinned, left_to_host
    EXPECT_EQ(leftOf(2, true), 1);
    EXPECT_NEAR(leftOf(4, true), 0.86, 0.05);
    EXPECT_NEAR(leftOf(8, true), 0.45, 0.03);
    EXPECT_NEAR(leftOf(16, true), 0.22, 0.03);
    EXPECT_NEAR(leftOf(64, true), 0.05, 0.02);
}

double kept(std::uint64_t first, bool copied, std::uint64_t then, bool thenCopied) { // KB, MB
    L2Contents contents = full();
    copied ? contents.copy({a, a + first * 1024}) : contents.touch({{a, a + first * 1024}});
    thenCopied ? contents.copy({b, b + then * MB}) : contents.touch({{b, b + then * MB}});
    return left(contents, a, first * 1024);
}

TEST(L2Contents, KernelsPutOutWhatHasLainThereLongest) { // kept_read/KB:16384/then_read, and so on
    EXPECT_EQ(kept(16384, false, 16, false), 1);
    EXPECT_NEAR(kept(16384, false, 32, false), 0.52, 0.03);
    EXPECT_NEAR(kept(4096, false, 64, false), 0, 0.01);
    EXPECT_EQ(kept(16384, false, 64, true), 1); // copies put nothing of it out
}

TEST(L2Contents, WhateverComesPutsCopiesOut) { // kept_pageable/KB:4096/then_read, then_pageable, and so on
    for (const bool copies : {false, true}) {
        EXPECT_NEAR(kept(1024, true, 1, copies), 1, 0.01);
        EXPECT_NEAR(kept(4096, true, 1, copies), 0.62, 0.04);
        EXPECT_NEAR(kept(4096, true, 4, copies), 0.15, 0.16);
        EXPECT_EQ(kept(1024, true, 16, copies), 0);
    }
    EXPECT_EQ(kept(64, true, 32, false), 1); // came along with the commands
}

// In a process of its own each, of lines looked at one by one 53 % answer within 480 cycles where all are there (fresh_*, as
// shares of those 53): one copy of 16, 32, 48 MB; the first, second and third of three of 16 MB.
TEST(L2Contents, CopiesFillWhatIsFree) {
    const auto afterCopies = [](std::vector<std::uint64_t> megabytes, std::size_t asked) {
        L2Contents contents(50 * MB);
        for (std::size_t k = 0; k < megabytes.size(); ++k)
            contents.copy({a + k * 256 * MB, a + (k * 256 + megabytes[k]) * MB});
        return left(contents, a + asked * 256 * MB, megabytes[asked] * MB);
    };
    EXPECT_EQ(afterCopies({16}, 0), 1);
    EXPECT_NEAR(afterCopies({32}, 0), 0.74, 0.05);
    EXPECT_NEAR(afterCopies({48}, 0), 0.43, 0.08);
    EXPECT_NEAR(afterCopies({16, 16, 16}, 0), 0.02, 0.03);
    EXPECT_NEAR(afterCopies({16, 16, 16}, 1), 0.50, 0.05);
    EXPECT_EQ(afterCopies({16, 16, 16}, 2), 1);
    // Behind a kernel that wrote 1, 16 or 64 MB: 100, 24 and 13 %; before one that wrote 8 MB: 100 %.
    const auto afterWriting = [](std::uint64_t megabytes) {
        L2Contents contents(50 * MB);
        contents.touch({{b, b + megabytes * MB}});
        contents.copy({a, a + 16 * MB});
        return left(contents, a, 16 * MB);
    };
    EXPECT_EQ(afterWriting(1), 1);
    EXPECT_NEAR(afterWriting(16), 0.4, 0.17); // 100 % behind one that read as much: the two are not told apart
    EXPECT_NEAR(afterWriting(64), 0.2, 0.08);
    L2Contents before(50 * MB);
    before.copy({a, a + 16 * MB});
    before.touch({{b, b + 8 * MB}});
    EXPECT_EQ(left(before, a, 16 * MB), 1);
}

// By hand: x and y of 16 MB at one pace, then z of 16 MB of which 8 were there: 40 MB have room for z and 24 MB of the others,
// three quarters of each, their ends.
TEST(L2Contents, ArraysOfOneKernelGoTogether) {
    L2Contents contents(50 * MB);
    const std::uint64_t x = a, y = b, z = a + 64 * MB;
    contents.touch({{z, z + 8 * MB}});
    contents.touch({{x, x + 16 * MB}, {y, y + 16 * MB}});
    contents.touch({{z, z + 16 * MB}});
    EXPECT_EQ(left(contents, z, 16 * MB), 1);
    EXPECT_NEAR(left(contents, x, 16 * MB), 0.75, 0.001);
    EXPECT_EQ(left(contents, y, 4 * MB), 0);
    EXPECT_EQ(left(contents, y + 5 * MB, 11 * MB), 1);
}

// again/loads256, each256, inplace1024: behind a fill of 96 MB, which leaves 40 of it in 50 MB, there is room for 24 MB of what
// is read; 32 MB lose 8, a quarter. Of 16 MB read and 16 written 6.9 are lost of
// the 16 read, of 4 and 4 none. What is written in its place is not lost.
TEST(L2Contents, BehindAFillNotAllStaysThatIsRead) {
    const auto behindFill = [](std::vector<L2Range> ranges, std::uint64_t written) {
        L2Contents contents(50 * MB);
        contents.touch({{b, b + 96 * MB}}, true);
        contents.launch(std::move(ranges), written * MB);
        return contents;
    };
    const auto read = [&](std::uint64_t megabytes) {
        return left(behindFill({{a, a + megabytes * MB}}, 0), a, megabytes * MB);
    };
    EXPECT_EQ(read(16), 1);
    EXPECT_EQ(read(24), 1);
    EXPECT_NEAR(read(32), 0.75, 0.01);
    const auto readAndWritten = [&](std::uint64_t megabytes) {
        const std::uint64_t bytes = megabytes * MB;
        return left(behindFill({{a, a + bytes}, {a + 32 * MB, a + 32 * MB + bytes}}, megabytes), a, bytes);
    };
    EXPECT_EQ(readAndWritten(4), 1);
    EXPECT_NEAR(readAndWritten(8), 1 - 3.2 / 8, 0.12);
    EXPECT_NEAR(readAndWritten(16), 1 - 6.9 / 16, 0.02);
    EXPECT_EQ(left(behindFill({{a, a + 16 * MB}}, 16), a, 16 * MB), 1);
    L2Contents clean(50 * MB); // nothing has to be written out
    clean.launch({{a, a + 32 * MB}}, 0);
    EXPECT_EQ(left(clean, a, 32 * MB), 1);
}

TEST(L2Contents, SaysWhatItHoldsInWords) {
    L2Contents contents(50 * MB);
    contents.touch({{a + 16 * MB, a + 32 * MB}});
    contents.copy({a, a + MB});
    contents.touch({{b, b + 256}, {b, b + 512}}, true); // the second beyond the first
    const auto pieces = contents.pieces();
    ASSERT_EQ(pieces.size(), 4U);
    EXPECT_EQ(text(pieces), "c:700000000000+100000@100000-0,700001000000+1000000@1000200-200,"
                            "w:710000000000+100@200-0,w:710000000100+100@200-0");
    const auto again = parseL2Pieces(text(pieces));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, pieces);
    EXPECT_TRUE(parseL2Pieces(""));
    for (const char* wrong :
         {"7", "7+", "7+1@2-3", "7+0@2-1", "7+1@2-1,7+1@2-1", "x", "7+1@2-1 ", "c:", "ffffffffffffffff+9@1-0"})
        EXPECT_FALSE(parseL2Pieces(wrong)) << wrong;
}

} // namespace
} // namespace warpglass
