// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/residency.h"

#include <gtest/gtest.h>

using namespace warpglass;

namespace {

// Two blocks of 2 warps on one SM of 64 slots, [0,10) and [5,15): 2, 4, 2 of 64.
Trace twoBlocks() {
    Trace trace;
    trace.info.ccMajor = 9;
    trace.info.smCount = 1;
    trace.info.timeUnit = TimeUnit::Nanoseconds;
    trace.kernels.push_back({.name = "k"});
    trace.launches.push_back({.grid = {2, 1, 1}, .block = {64, 1, 1}, .end = {15}, .blockCount = 2});
    trace.blocks.push_back({.start = {0}, .end = {10}});
    trace.blocks.push_back({.index = 1, .start = {5}, .end = {15}});
    return trace;
}

} // namespace

TEST(Residency, IsTheShareOfWarpSlots) {
    const auto shares = residencyOverTime(twoBlocks(), 0, 3);
    ASSERT_EQ(shares.size(), 3u);
    EXPECT_DOUBLE_EQ(shares[0], 2.0 / 64);
    EXPECT_DOUBLE_EQ(shares[1], 4.0 / 64);
    EXPECT_DOUBLE_EQ(shares[2], 2.0 / 64);
}

// One column of [0,15): the blocks fill 2 of 64 slots for 20 of 15 units.
TEST(Residency, AColumnIsAnAverage) {
    const auto shares = residencyOverTime(twoBlocks(), 0, 1);
    ASSERT_EQ(shares.size(), 1u);
    EXPECT_DOUBLE_EQ(shares[0], 2.0 / 64 * 20 / 15);
}

TEST(Residency, BlocksBeyondTheLaunchCountInside) {
    Trace trace = twoBlocks();
    trace.blocks[0].start = {-10}; // clocks agree to a few ns only
    trace.blocks[1].end = {40};
    EXPECT_EQ(residencyOverTime(trace, 0, 3), residencyOverTime(twoBlocks(), 0, 3));
}

TEST(Residency, IsUnknownWithoutBlocksOrDevice) {
    Trace trace = twoBlocks();
    EXPECT_TRUE(residencyOverTime(trace, 1, 3).empty());
    EXPECT_TRUE(residencyOverTime(trace, 0, 0).empty());
    trace.info.ccMajor = 1;
    EXPECT_TRUE(residencyOverTime(trace, 0, 3).empty());
    trace = twoBlocks();
    trace.launches[0].blockCount = 0;
    EXPECT_TRUE(residencyOverTime(trace, 0, 3).empty());
}
