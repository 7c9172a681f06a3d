// SPDX-License-Identifier: GPL-3.0-or-later
// With time, blocks that meet at words of global memory do so in the order in which they would run, whether they are timed
// or not. Here block 0 and every 132nd behind it are: those of the first SM.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;
constexpr int gridBlocks = 1000;

// Timed, on any number of host threads; all leave the same. out: a buffer's place.
Ints timed(Kernel k, std::size_t out) {
    k.options.timing = true;
    k.options.threads = 4;
    const Ints on4 = values<int>(k.run(), out);
    k.options.threads = 1;
    const Recording r = k.run();
    EXPECT_FALSE(r.fault);
    EXPECT_EQ(values<int>(r, out), on4);
    EXPECT_EQ(r.trace->timings.size(), 1u);
    return on4;
}
Ints timed(const std::string& entry, Ints out, const std::string& file = "turns.ptx") {
    return timed(Kernel(entry, {gridBlocks}, {64}, {buffer(std::move(out), "out")}, file), 0);
}

// An H200 leaves 997, since few of the others come before the store of the first; 8 were left where what is timed ran behind
// all else.
TEST(Turns, AFirstBlockSetsBeforeTheOthersAdd) {
    for (const int left : {timed("firstSets", {7}, "block_order.ptx")[0], timed("setsByFunctions", {7})[0]}) {
        EXPECT_GE(left, 900);
        EXPECT_LE(left, gridBlocks);
    }
    for (const int left : timed("setsByBlock", Ints(8, 7))) { // 125 blocks a word
        EXPECT_GE(left, 110);
        EXPECT_LE(left, 125);
    }
}

TEST(Turns, WhatALastBlockWritesStays) {
    EXPECT_GE(timed("lastStays", {0}, "block_order.ptx")[0], 900);
    for (const int left : timed("lastStaysByBlock", Ints(4)))
        EXPECT_GE(left, 900);
}

// Blocks begin one after the other, in the order of their numbers: those of the first SM are not 992 to 999 of 1000.
TEST(Turns, TicketsAreGivenInTheOrderOfTime) {
    const Ints of =
        timed(Kernel("takesATicket", {gridBlocks}, {64}, {buffer(Ints(1)), buffer(Ints(gridBlocks))}, "turns.ptx"), 1);
    double away = 0;
    for (int b = 0; b < gridBlocks; ++b)
        away += std::abs(of[std::size_t(b)] - b) / double(gridBlocks);
    EXPECT_LT(away, 132);
    EXPECT_LT(of[0], 132);
    EXPECT_GT(of[792], 132);
    Ints all = of, expected(gridBlocks);
    std::sort(all.begin(), all.end());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
}

// Each block takes about as many items, and the whole takes as long as if they were dealt out, and what of the queue's cost is
// not hidden (a round trip of an atomic and a barrier an item, for some 400 instructions of work). Of 80 blocks 8 are timed, of 40 all;
// with 60 items a block the time that is modelled is over before the queue is empty.
TEST(Turns, AQueueFeedsTimedBlocksAndOthersAlike) {
    for (const int some : {40, 80})
        for (const int each : {10, 60}) {
            constexpr int threads = 128;
            const int n = each * some;
            const std::vector<float> out(std::size_t(n) * threads);
            Kernel queue("takesFromAQueue", {std::uint32_t(some)}, {threads},
                         {buffer(Ints(1)), buffer(out), buffer(Ints(std::size_t(some))), value(n)}, "turns.ptx");
            Kernel dealt("isDealtOut", {std::uint32_t(some)}, {threads}, {buffer(out), value(n)}, "turns.ptx");
            for (Kernel* const k : {&queue, &dealt}) {
                k->options.timing = true;
                k->options.device = "gtx1060"; // 10 SMs
            }
            const Recording a = queue.run(), b = dealt.run();
            EXPECT_EQ(values<float>(a, 1), values<float>(b, 0));
            const Ints taken = values<int>(a, 2);
            EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), n);
            const auto [least, most] = std::minmax_element(taken.begin(), taken.end());
            EXPECT_GE(*least, each * 7 / 10) << some << " " << each;
            EXPECT_LE(*most, each * 13 / 10) << some << " " << each;
            const double ratio = a.trace->timings[0].durationNs / b.trace->timings[0].durationNs;
            EXPECT_GT(ratio, 0.85) << some << " " << each;
            EXPECT_LT(ratio, 2.0) << some << " " << each;
        }
}

// Right in any order: many blocks, of which some are timed.
TEST(Turns, LastBlocksAndLooksBackAreRight) {
    Ints in;
    for (int k = 0; k < gridBlocks * 128; ++k)
        in.push_back(k * 31 % 101);
    Ints sums(in.size());
    std::partial_sum(in.begin(), in.end(), sums.begin());
    const Ints half(in.begin(), in.begin() + gridBlocks * 64);
    Kernel last("lastBlockSums", {gridBlocks}, {64},
                {buffer(half), buffer(Ints(gridBlocks)), buffer(Ints(1)), buffer(Ints(1))}, "waiting.ptx");
    EXPECT_EQ(timed(last, 3)[0], sums[half.size() - 1]);
    Kernel scan("lookBackScan", {gridBlocks}, {128},
                {buffer(in), buffer(Ints(in.size())), buffer(std::vector<std::uint64_t>(gridBlocks)), buffer(Ints(1))},
                "waiting.ptx");
    EXPECT_EQ(timed(scan, 1), sums);
}

} // namespace
} // namespace warpglass::testing
