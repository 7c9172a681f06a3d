// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that ptxas unrolls, or does not, as its machine code for sm_90 shows beside each kernel of unrolled.ptx: a warp waits
// once for the loads that are under way together.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

constexpr int wordsApart = 1024; // floats from one load to the next
constexpr int most = 640;        // rounds

double nsOf(const std::string& kernel, int rounds) {
    Kernel k(
        kernel, Dim3{1}, Dim3{32},
        {buffer(std::vector<float>(std::size_t(most) * wordsApart, 1)), buffer(std::vector<float>(1)), value(rounds)},
        "unrolled.ptx");
    k.options.timing = true;
    k.options.warmL2 = true;
    const Recording r = k.run();
    EXPECT_FALSE(r.fault) << r.fault->text();
    return double(r.trace->launches[0].end.value);
}

// Cycles, from one number of rounds to another, so that what comes before and behind falls out.
double cyclesOfARound(const std::string& kernel, int from = 128, int to = 640) {
    return (nsOf(kernel, to) - nsOf(kernel, from)) * 1.98 / (to - from);
}

} // namespace

TEST(Unrolled, FourRoundsWaitTogether) {
    const double one = cyclesOfARound("kept");
    EXPECT_GT(one, 268); // L2 (h200-micro.csv, chase_l2)
    EXPECT_NEAR(cyclesOfARound("walk") / one, 0.25, 0.05);
    EXPECT_NEAR(cyclesOfARound("met") / one, 0.25, 0.12); // what four barriers take comes on top
}

// Some 20 words find registers. Of 512 rounds, each 20th waits.
TEST(Unrolled, AKnownNumberOfRoundsWaitsForRegistersAlone) {
    const double one = cyclesOfARound("kept");
    EXPECT_NEAR((nsOf("counted", 1) - nsOf("kept", 1)) * 1.98 / 511 / one, 1 / 20.0, 0.03);
}

// Fourteen of sixteen loads go at once, and the other two when the first have come: sixteen take two waits. An H200: 41 cycles a load of 304 (sums_down_sum
// and sums_down_sum_one, N:1024, again), 107 of 738 cold.
TEST(Unrolled, WhatIsLiveAroundTheLoopLeavesRoomForFewerLoads) {
    const double one = cyclesOfARound("kept");
    EXPECT_NEAR(cyclesOfARound("down") / one, 2 / 16.0, 0.03);
}

TEST(Unrolled, EachRoundWaitsWhereUnrollingIsForbidden) {
    const double one = cyclesOfARound("kept");
    EXPECT_NEAR(cyclesOfARound("summed") / one, 1, 0.05);
    EXPECT_NEAR(cyclesOfARound("stepped") / one, 1, 0.05);
    EXPECT_GT(cyclesOfARound("fenced") / one, 1);
    EXPECT_GT(cyclesOfARound("stored") / one, 0.9);
}

// Four leave three over: two go together, then one. Two take as long as one, four as long as any of these.
TEST(Unrolled, WhatIsLeftGoesByTwoAndByOne) {
    const double one = cyclesOfARound("kept");
    const auto waits = [&](int left) { // in the mean, since not all memory answers alike
        double ns = 0;
        for (int rounds = 128; rounds < 192; rounds += 8)
            ns += nsOf("walk", rounds + left) - nsOf("walk", rounds);
        return ns / 8 * 1.98 / one;
    };
    EXPECT_NEAR(waits(2), 1, 0.3);
    EXPECT_NEAR(waits(3), 2, 0.4);
    EXPECT_NEAR(waits(4), 1, 0.3);
}

// A sum is there four cycles after it was issued: whoever waits for longer waits for what it adds. Of one warp that has no
// more than a slot and four cycles of its own latency an instruction, all else is memory.
TEST(Unrolled, SumsThatWaitForLoadsAreWaitsForMemory) {
    for (const char* const kernel : {"walk", "counted", "met", "down"}) {
        Kernel k(
            kernel, Dim3{1}, Dim3{32},
            {buffer(std::vector<float>(std::size_t(most) * wordsApart, 1)), buffer(std::vector<float>(1)), value(most)},
            "unrolled.ptx");
        k.options.timing = true;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto share = [&](std::string_view metric) {
            for (const warpglass::Counter& c : r.trace->counters)
                if (c.metric == metric)
                    return c.value;
            return -1.0;
        };
        EXPECT_GE(share("share_stall_wait"), 0) << kernel;
        EXPECT_LE(share("share_stall_wait"), 4 * share("share_selected")) << kernel;
        EXPECT_GT(share("share_stall_long_scoreboard"), 60) << kernel;
    }
}

} // namespace warpglass::testing
