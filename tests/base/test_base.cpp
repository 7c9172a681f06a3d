// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/dim3.h"
#include "gpu/base/lane_mask.h"
#include "gpu/base/parallel.h"
#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/base/time.h"
#include "gpu/base/utf8.h"

#include <gtest/gtest.h>
#include <memory>

namespace warpglass {
namespace {

TEST(Dim3, ReadsShapes) {
    EXPECT_EQ(parseDim3("64"), (Dim3{64, 1, 1}));
    EXPECT_EQ(parseDim3("32,16"), (Dim3{32, 16, 1}));
    EXPECT_EQ(parseDim3("32x16"), (Dim3{32, 16, 1}));
    EXPECT_EQ(parseDim3("8X8x4"), (Dim3{8, 8, 4}));
    EXPECT_EQ(parseDim3("0"), (Dim3{0, 1, 1}));
}

TEST(Dim3, RefusesWhatIsNoShape) {
    for (const char* text : {"", "x", "32x", ",16", "1x2x3x4", "-1", "3 2", "4294967296", "1.5", "16x16 "})
        EXPECT_FALSE(parseDim3(text)) << text;
}

TEST(Dim3, WritesShapesAndIndices) {
    EXPECT_EQ((Dim3{64, 1, 1}).text(), "64");
    EXPECT_EQ((Dim3{32, 16, 1}).text(), "32x16");
    EXPECT_EQ((Dim3{32, 1, 2}).text(), "32x1x2");
    EXPECT_EQ((Dim3{3, 0, 0}).indexText(), "(3)");
    EXPECT_EQ((Dim3{3, 1, 0}).indexText(), "(3, 1)");
    EXPECT_EQ((Dim3{3, 0, 2}).indexText(), "(3, 0, 2)");
}

TEST(Dim3, LinearIndexGoesFastestInX) {
    const Dim3 grid{5, 3, 2};
    EXPECT_EQ(grid.count(), 30u);
    EXPECT_EQ(grid.at(0), (Dim3{0, 0, 0}));
    EXPECT_EQ(grid.at(7), (Dim3{2, 1, 0})); // 7 = 1 * 5 + 2
    for (std::uint64_t n = 0; n < grid.count(); ++n)
        EXPECT_EQ(grid.linear(grid.at(n)), n);
}

TEST(LaneMask, CountsLanes) {
    EXPECT_EQ(LaneMask::firstLanes(0), LaneMask::none());
    EXPECT_EQ(LaneMask::firstLanes(8).bits, 0xffu);
    EXPECT_EQ(LaneMask::firstLanes(31).count(), 31);
    EXPECT_EQ(LaneMask::firstLanes(32), LaneMask::all());
    EXPECT_EQ(LaneMask{0xaaaaaaaau}.count(), 16);
    EXPECT_EQ(LaneMask{0xaaaaaaa0u}.lowest(), 5);
    EXPECT_EQ(LaneMask::none().lowest(), 32);
    EXPECT_TRUE(LaneMask::of(31).has(31));
    EXPECT_FALSE(LaneMask::of(31).has(30));
}

TEST(LaneMask, WarpsHoldThirtyTwoThreads) {
    EXPECT_EQ(warpsFor(0u), 0u);
    EXPECT_EQ(warpsFor(1u), 1u);
    EXPECT_EQ(warpsFor(32u), 1u);
    EXPECT_EQ(warpsFor(33u), 2u);
    EXPECT_EQ(warpsFor(80u), 3u); // 32 + 32 + 16
    EXPECT_EQ(warpsFor(1024u), 32u);
    EXPECT_EQ(warpsFor(0xffffffffu), 0x8000000u); // adding 31 first would wrap around
    EXPECT_EQ(warpsFor(std::uint64_t(1) << 40), std::uint64_t(1) << 35);
}

TEST(Time, RangesAreHalfOpen) {
    const TimeRange range{{10}, {20}};
    EXPECT_FALSE(range.contains({9}));
    EXPECT_TRUE(range.contains({10}));
    EXPECT_FALSE(range.contains({20}));
    EXPECT_EQ(range.length(), (Time{10}));
}

TEST(Error, SaysWhatWhereAndWhatToDo) {
    EXPECT_EQ((Error{"it is empty"}).text(), "it is empty");
    EXPECT_EQ((Error{"it is empty", "a.ptx"}).text(), "a.ptx: it is empty");
    EXPECT_EQ((Error{"unknown word", "a.ptx", 3, 7}).text(), "a.ptx:3:7: unknown word");
    EXPECT_EQ((Error{"unknown word", "", 3}).text(), "line 3: unknown word");
    EXPECT_EQ((Error{"no such kernel", "", 0, 0, "Use list."}).text(), "no such kernel. Use list.");
    EXPECT_EQ((Error{"It stopped.", "", 0, 0, "Try again."}).text(), "It stopped. Try again.");
}

// What somebody has written may be of any length; the sentence about it is not. Its ends say what it is about.
TEST(Error, QuotesNoLineWithoutEnd) {
    std::string quoted;
    for (int n = 0; n < 100'000; ++n)
        quoted += "\u00e9"; // of two bytes: none is cut in two
    for (const char* before : {"", "x"}) {
        const std::string text = Error{before + quoted + " is no number", "", 0, 0, "Write one."}.text();
        EXPECT_LT(text.size(), 7000u);
        EXPECT_TRUE(text.starts_with(std::string(before) + "\u00e9"));
        EXPECT_TRUE(text.ends_with("\u00e9 is no number. Write one.")) << text.substr(text.size() - 100);
        EXPECT_EQ(text, validUtf8(text));
    }
    std::string lines;
    for (int n = 0; n < 10'000; ++n)
        lines += "a line\n"; // of a compiler, which may say many
    EXPECT_EQ(Error{lines}.text(), lines);
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> good = 7;
    const Result<int> bad = Error{"no"};
    EXPECT_TRUE(good);
    EXPECT_EQ(*good, 7);
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().message, "no");
    Result<std::unique_ptr<int>> moved = std::make_unique<int>(3);
    EXPECT_EQ(**std::move(moved), 3);
    EXPECT_TRUE(Result<void>());
    EXPECT_FALSE(Result<void>(Error{"no"}));
}

TEST(Parallel, DoesEachPieceOnce) {
    for (const int threads : {1, 2, 5}) {
        std::vector<std::atomic<int>> done(1000);
        parallelFor(done.size(), threads, [&](std::size_t i) { ++done[i]; });
        for (const auto& n : done)
            ASSERT_EQ(n, 1);
    }
    parallelFor(0, 4, [](std::size_t) { FAIL(); });
}

// Memory that is short is told to who asked for the work, when nobody works any more.
TEST(Parallel, HandsOnWhatWorkThrows) {
    std::atomic<int> done{0};
    const auto all = [&] {
        parallelFor(1000, 4, [&](std::size_t i) {
            if (i == 5)
                throw std::bad_alloc();
            ++done;
        });
    };
    EXPECT_THROW(all(), std::bad_alloc);
    EXPECT_GE(done, 0);
    EXPECT_LT(done, 1000);
}

TEST(Progress, CarriesFractionAndCancellation) {
    Progress progress;
    progress.report(0.25);
    EXPECT_EQ(progress.fraction(), 0.25);
    EXPECT_FALSE(progress.cancelled());
    progress.cancel();
    EXPECT_TRUE(progress.cancelled());
}

TEST(ValidUtf8, LeavesTextAndReplacesTheRest) {
    const std::string text = "plain, \xc3\xa9, \xe7\xba\xbf\xe7\xa8\x8b, \xf0\x9f\x99\x82";
    EXPECT_EQ(validUtf8(text), text);
    const std::string r = "\xef\xbf\xbd";
    EXPECT_EQ(validUtf8("a\xff"
                        "b"),
              "a" + r + "b");
    EXPECT_EQ(validUtf8("\xe7\xba"), r + r);                 // cut off
    EXPECT_EQ(validUtf8("\xc0\xaf"), r + r);                 // overlong
    EXPECT_EQ(validUtf8("\xed\xa0\x80"), r + r + r);         // a surrogate
    EXPECT_EQ(validUtf8("\xf4\x90\x80\x80"), r + r + r + r); // beyond U+10FFFF
}

} // namespace
} // namespace warpglass
