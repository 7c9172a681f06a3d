// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that wait for what other blocks write: each comes to its end, the same way every time; what can never end is
// told at once.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

// Runs it in both policies, with and without time, on one host thread and on several: the buffer `out` must always be
// `expected`, and the instructions as many.
void everyWay(const std::function<Kernel()>& make, std::size_t out, const Ints& expected) {
    for (const bool independent : {false, true})
        for (const bool timing : {false, true}) {
            std::uint64_t instructions = 0;
            for (const int threads : {1, 4}) {
                Kernel k = make();
                k.options.reconvergence =
                    independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
                k.options.timing = timing;
                k.options.threads = threads;
                const std::string how = std::string(independent ? "independent" : "stack") + (timing ? ", timed" : "");
                const Recording r = k.run();
                ASSERT_FALSE(r.fault) << how << ": " << r.fault->text();
                EXPECT_EQ(values<int>(r, out), expected) << how;
                if (threads == 1)
                    instructions = r.warpInstructions;
                EXPECT_EQ(r.warpInstructions, instructions) << how;
            }
        }
}

TEST(Blocks, MeetAtABarrierOfTheGrid) {
    constexpr int blocks = 6, threads = 64, rounds = 3;
    Ints expected; // 100 + 200 + 300, and three times the number of the neighbour
    for (int i = 0; i < blocks * threads; ++i)
        expected.push_back(600 + rounds * ((i / threads + 1) % blocks));
    everyWay(
        [] {
            return Kernel("gridBarrier", {blocks}, {threads},
                          {buffer(Ints(1)), buffer(Ints(blocks)), buffer(Ints(blocks * threads)), value(rounds)},
                          "blocks.ptx");
        },
        2, expected);
}

TEST(Blocks, EnterInTheOrderOfTheirTickets) {
    everyWay(
        [] {
            return Kernel("ticketLock", {5}, {32}, {buffer(Ints(1)), buffer(Ints(5))}, "blocks.ptx");
        },
        1, {4, 3, 2, 1, 0});
}

TEST(Blocks, TakeALockInTurn) {
    everyWay(
        [] {
            return Kernel("spinLock", {7}, {32}, {buffer(Ints(1)), buffer(Ints(1)), value(9)}, "blocks.ptx");
        },
        1, {7 * 9});
}

TEST(Blocks, LookAtTheSumsOfLaterBlocks) {
    // 1 to 8, summed from the end: 8, 8 + 7, ...
    everyWay(
        [] {
            return Kernel("lookBack", {8}, {32},
                          {buffer(Ints{1, 2, 3, 4, 5, 6, 7, 8}), buffer(Ints(8)), buffer(Ints(8)), buffer(Ints(8))},
                          "blocks.ptx");
        },
        1, {36, 35, 33, 30, 26, 21, 15, 8});
}

TEST(Blocks, ProduceAndConsumeOneItemAtATime) {
    everyWay(
        [] {
            return Kernel("producer", {2}, {32}, {buffer(Ints(1)), buffer(Ints(1)), buffer(Ints(6)), value(6)},
                          "blocks.ptx");
        },
        2, {0, 1, 4, 9, 16, 25});
}

TEST(Blocks, WaitForAFlagWithoutAFence) {
    everyWay(
        [] {
            return Kernel("plainFlag", {5}, {32}, {buffer(Ints(1)), buffer(Ints(5))}, "blocks.ptx");
        },
        1, Ints(5, 7));
}

// More words than anybody remembers: that nothing changes is not seen, and the others must have their turn all the same.
TEST(Blocks, WaitForManyFlagsAtOnce) {
    everyWay(
        [] {
            return Kernel("manyFlags", {40}, {32}, {buffer(Ints(40)), buffer(Ints(1))}, "blocks.ptx");
        },
        1, {39 * 40 / 2});
}

TEST(Blocks, HandABatonOnThatIsAskedForByAnAtomic) {
    constexpr int rounds = 24, threads = 64;
    Ints flags(rounds + 1), expected;
    flags[0] = 1;
    for (int s = 0; s < rounds; ++s)
        expected.insert(expected.end(), threads, s + 1);
    const auto make = [&] {
        return Kernel("baton", {8}, {threads}, {buffer(flags), buffer(Ints(rounds * threads)), value(rounds)},
                      "blocks.ptx");
    };
    everyWay(make, 1, expected);
    // Eight blocks, each on an SM of its own, live together, and who waits goes on when it can: a hand-over is an atomic's
    // way to L2 and back or two, some 300 ns each, not the time in which a block that waits would be given up.
    Kernel k = make();
    k.options.timing = true;
    const Recording r = k.run();
    ASSERT_FALSE(r.fault);
    for (const auto& block : r.trace->blocks) {
        EXPECT_LT(block.end.value, rounds * 1500) << block.index;
        EXPECT_GT(block.end.value, (rounds - 8) * 200) << block.index;
    }
}

TEST(Blocks, OfACooperativeLaunchMeetInGridSync) {
    constexpr int n = 4 * 32;
    Ints expected; // three times the neighbour's number; what is read after the last sync is 0 again
    for (int i = 0; i < n; ++i)
        expected.push_back(3 * ((i + 1) % n));
    everyWay(
        [] {
            return Kernel("gridSync", {4}, {32}, {buffer(Ints(n)), buffer(Ints(n))}, "blocks.ptx");
        },
        1, expected);
}

TEST(Blocks, ThatGiveUpAfterManyTriesAreNoHang) {
    everyWay(
        [] {
            return Kernel("patience", {2}, {32}, {buffer(Ints(1)), buffer(Ints(2)), value(100000)}, "blocks.ptx");
        },
        1, {100000, 100000});
}

TEST(Blocks, ThatWaitForWhatNobodyWritesAreToldAtOnce) {
    for (const bool independent : {false, true}) {
        Kernel k("nobody", {3}, {32}, {buffer(Ints(4), "flag"), buffer(Ints(3), "out")}, "blocks.ptx");
        k.options.reconvergence = independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
        const Recording r = k.run();
        ASSERT_TRUE(r.fault);
        EXPECT_NE(r.fault->text().find("3 lanes of 3 blocks wait for byte 12 of buffer \"flag\""), std::string::npos)
            << r.fault->text();
        EXPECT_NE(r.fault->text().find("nobody is left who could write there"), std::string::npos) << r.fault->text();
        EXPECT_LT(r.warpInstructions, 100000u); // 2^25 of each warp without the proof
    }
}

TEST(Blocks, ThatWaitForOneWithNoPlaceOnTheDeviceAreTold) {
    // A Tesla M2070 holds 8 blocks on each of its 14 SMs: 112 begin, 88 do not, and the last of those sets the flag.
    Kernel k("plainFlag", {200}, {32}, {buffer(Ints(1), "flag"), buffer(Ints(200))}, "blocks.ptx");
    k.options.device = "m2070";
    const Recording r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("88 blocks cannot begin before one of them ends: 112 live"), std::string::npos)
        << r.fault->text();
}

} // namespace
} // namespace warpglass::testing
