// SPDX-License-Identifier: GPL-3.0-or-later
// Warps and blocks that wait for each other come to their end, with the host's result, in both policies, with and without
// time, and are accused of nothing while all checks are on. Those that can never end are told why, in bounded time.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;

Kernel waiting(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments) {
    return Kernel(entry, grid, block, std::move(arguments), "waiting.ptx");
}

// stack: whether lock-step is enough.
void everyWay(Kernel k, std::size_t out, const Ints& expected, bool stack = true) {
    k.options.checkRaces = true;
    for (const bool independent : {false, true})
        for (const bool timing : {false, true}) {
            if (!independent && !stack)
                continue;
            k.options.reconvergence =
                independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
            k.options.timing = timing;
            const std::string how =
                k.plan.entry + (independent ? ", independent" : ", stack") + (timing ? ", timed" : "");
            const Recording r = k.run();
            ASSERT_FALSE(r.fault) << how << ": " << r.fault->text();
            EXPECT_EQ(values<int>(r, out), expected) << how;
            for (const Diagnostic& d : r.trace->diagnostics)
                ADD_FAILURE() << how << ": " << d.message;
        }
}

Ints numbers(int n, int times, int modulo) {
    Ints v;
    for (int i = 0; i < n; ++i)
        v.push_back(i * times % modulo);
    return v;
}

TEST(Waiting, DataGoesFromBlockToBlockBehindAFence) {
    constexpr int blocks = 5, n = 64;
    Ints expected; // block b finds what b blocks have each moved by one place and made larger by one
    for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < n; ++t)
            expected.push_back((t + b) % n + b);
    everyWay(
        waiting("chain", {blocks}, {n}, {buffer(Ints(blocks * n)), buffer(Ints(blocks)), buffer(Ints(blocks * n))}), 2,
        expected);
    everyWay(waiting("chainByRelease", {6}, {32}, {buffer(Ints(6)), buffer(Ints(6)), buffer(Ints(6))}), 2,
             {0, 0, 1, 3, 6, 10}); // 0, 0 + 0, 0 + 1, ... + 4
}

TEST(Waiting, TheLastBlockAddsUp) {
    const Ints in = numbers(7 * 64, 31, 1000);
    everyWay(waiting("lastBlockSums", {7}, {64}, {buffer(in), buffer(Ints(7)), buffer(Ints(1)), buffer(Ints(1))}), 3,
             {std::accumulate(in.begin(), in.end(), 0)});
}

TEST(Waiting, LookBackScan) {
    constexpr int blocks = 9;
    const Ints in = numbers(blocks * 128, 7919, 101);
    Ints expected(in.size());
    std::partial_sum(in.begin(), in.end(), expected.begin());
    everyWay(
        waiting("lookBackScan", {blocks}, {128},
                {buffer(in), buffer(Ints(in.size())), buffer(std::vector<std::uint64_t>(blocks)), buffer(Ints(1))}),
        1, expected);
}

TEST(Waiting, LockOfThreadsWarpsAndBlocks) {
    constexpr int all = 3 * 70;
    everyWay(waiting("lockOfThreads", {3}, {70}, {buffer(Ints(1)), buffer(Ints(2))}), 1, {all, 3 * all});
    everyWay(waiting("lockNeedsIndependence", {2}, {40}, {buffer(Ints(1)), buffer(Ints(1))}), 1, {80}, false);
}

TEST(Waiting, TicketsAreServedInOrder) {
    constexpr int warps = 4 * 3;
    Ints expected(warps);
    std::iota(expected.begin(), expected.end(), 0);
    everyWay(
        waiting("ticketsOfWarps", {4}, {96}, {buffer(Ints(1)), buffer(Ints(1)), buffer(Ints(1)), buffer(Ints(warps))}),
        3, expected);
}

TEST(Waiting, ProducerAndConsumerShareARing) {
    Ints expected;
    for (int i = 0; i < 11; ++i)
        expected.push_back(i * i + 1);
    everyWay(
        waiting("ring", {2}, {32}, {buffer(Ints(4)), buffer(Ints(1)), buffer(Ints(1)), buffer(Ints(11)), value(11)}), 3,
        expected);
}

TEST(Waiting, TwoBuffersChangePlacesAtTheGridsBarrier) {
    constexpr int n = 5 * 64, rounds = 4; // an even number: the result is in the first
    Ints a = numbers(n, 17, 97);
    for (int r = 0; r < rounds; ++r) {
        Ints b(n);
        for (int i = 0; i < n; ++i)
            b[std::size_t(i)] = (a[std::size_t((i + n - 1) % n)] + a[std::size_t((i + 1) % n)]) & 0xffff;
        a = b;
    }
    everyWay(waiting("gridDoubleBuffer", {5}, {64}, {buffer(numbers(n, 17, 97)), buffer(Ints(n)), value(rounds)}), 0,
             a);
    Ints c = numbers(n, 17, 97);
    for (int r = 0; r < rounds; ++r) {
        std::rotate(c.begin(), c.begin() + 1, c.end());
        for (int& v : c)
            ++v;
    }
    everyWay(waiting("ownGridBarrier", {5}, {64},
                     {buffer(numbers(n, 17, 97)), buffer(Ints(n)), buffer(Ints(1)), value(rounds)}),
             0, c);
}

TEST(Waiting, PiecesOfWorkAreTakenFromOneCounter) {
    Ints expected;
    for (int p = 0; p < 13; ++p)
        for (int t = 0; t < 32; ++t)
            expected.push_back(p * 1000 + t);
    everyWay(waiting("workQueue", {4}, {32}, {buffer(Ints(1)), buffer(Ints(13 * 32)), value(13)}), 1, expected);
}

TEST(Waiting, NothingIsSaidOfEqualFlagsAndOfBytesBesideEachOther) {
    everyWay(waiting("sameValueAndBytes", {8}, {64}, {buffer(Ints(1)), buffer(std::vector<std::uint8_t>(8))}), 0, {1});
}

TEST(Waiting, WarpsAndBuffersOfABlock) {
    Ints value(64);
    for (int t = 0; t < 64; ++t) { // what lane t ^ 1 had, and one more than what lane t ^ 2 then has
        const auto square = [](int k) { return k * k; };
        value[std::size_t(t)] = square(t ^ 1) + square(t ^ 2 ^ 1) + 1;
    }
    for (int r = 0; r < 5; ++r) {
        std::rotate(value.begin(), value.begin() + 33, value.end());
        for (int& v : value)
            v += r;
    }
    everyWay(waiting("warpsAndBuffers", {2}, {64}, {buffer(Ints(64))}), 0, value);
}

TEST(Waiting, LocksAndFlagsInSharedMemory) {
    // Warps 0, 1 and 2 add 1, 33 and 65.
    everyWay(waiting("sharedLockAndFlag", {2}, {96}, {buffer(Ints(2))}), 0, {77, 99});
}

TEST(Waiting, NamedBarriersBetweenTwoWarps) {
    Ints expected;
    for (int r = 0; r < 6; ++r)
        for (int lane = 0; lane < 32; ++lane)
            expected.push_back(r * 107 + 2 * (31 - lane));
    everyWay(waiting("namedBarriers", {1}, {64}, {buffer(Ints(32)), buffer(Ints(6 * 32)), value(6)}), 1, expected);
}

TEST(Waiting, IsSeenInTime) {
    // Block b begins its work when block b - 1 is through: with one block an SM, all begin at once and end one after the
    // other, each at least a round trip to L2 later than the one before it.
    Kernel k = waiting("chain", {5}, {64}, {buffer(Ints(5 * 64)), buffer(Ints(5)), buffer(Ints(5 * 64))});
    k.options.timing = true;
    const Recording r = k.run();
    ASSERT_FALSE(r.fault);
    ASSERT_EQ(r.trace->blocks.size(), 5u);
    for (std::size_t b = 1; b < 5; ++b) {
        const auto& before = r.trace->blocks[b - 1];
        const auto& block = r.trace->blocks[b];
        EXPECT_LT(block.start, r.trace->blocks[0].end) << b;     // they live together
        EXPECT_GT(block.end.value, before.end.value + 100) << b; // ns
    }
}

TEST(Waiting, ForOneWhoseCopiesComeAtOnce) {
    Ints words(48);
    std::iota(words.begin(), words.end(), 0);
    everyWay(Kernel("served", {1}, {64}, {buffer(words, "words"), buffer(Ints(32), "result")}, "served.ptx"), 1,
             Ints(32, 4 * 66));
}

TEST(Hang, TellsWhoHoldsTheLock) {
    for (const bool independent : {false, true})
        for (const bool timing : {false, true}) {
            Kernel k = waiting("lockNeverReleased", {3}, {32}, {buffer(Ints(1), "lock"), buffer(Ints(3), "out")});
            k.options.reconvergence =
                independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
            k.options.timing = timing;
            const Recording r = k.run();
            ASSERT_TRUE(r.fault);
            const std::string text = r.fault->text();
            for (const char* part : {"2 lanes of 2 blocks wait for byte 0 of buffer \"lock\"",
                                     "block (0), thread (0) last wrote 1 there at line", "whose block has ended",
                                     "nobody is left who could write there: 1 of 3 blocks have ended"})
                EXPECT_NE(text.find(part), std::string::npos) << part << ": " << text;
        }
}

TEST(Hang, TellsThatNobodyEverWroteTheFlag) {
    Kernel k = waiting("flagNeverWritten", {2}, {32}, {buffer(Ints(2), "flag"), buffer(Ints(32), "out")});
    const Recording r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("2 lanes of 2 blocks wait for byte 4 of buffer \"flag\""), std::string::npos)
        << r.fault->text();
    EXPECT_NE(r.fault->text().find("no thread has ever written there"), std::string::npos) << r.fault->text();
}

// A loop that goes on when one of two words has been written; and lanes of which each waits for a word of its own.
TEST(Hang, TellsOfEveryWordThatIsWaitedFor) {
    for (const bool independent : {false, true}) {
        const auto text = [&](const char* entry, std::vector<Argument> arguments) {
            Kernel k(entry, {2}, {32}, std::move(arguments), "hang_words.ptx");
            k.options.reconvergence =
                independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
            const Recording r = k.run();
            EXPECT_TRUE(r.fault);
            return r.fault ? r.fault->text() : std::string();
        };
        const std::string either = text("eitherWord", {buffer(Ints(1), "first"), buffer(Ints(1), "second")});
        for (const char* part : {"64 lanes of 2 blocks wait for byte 0 of buffer \"first\"",
                                 "64 lanes of 2 blocks wait for byte 0 of buffer \"second\""})
            EXPECT_NE(either.find(part), std::string::npos) << either;
        // Words 0, 1, 2 of the buffer by turns: lanes 0, 3, ... 30 are 11, as are 1, ... 31; lanes 2, ... 29 are 10.
        const std::string own = text("ownWords", {buffer(Ints(3), "flags")});
        for (const char* part : {"22 lanes of 2 blocks wait for byte 0 of buffer \"flags\"",
                                 "22 lanes of 2 blocks wait for byte 4 of buffer \"flags\"",
                                 "20 lanes of 2 blocks wait for byte 8 of buffer \"flags\""})
            EXPECT_NE(own.find(part), std::string::npos) << own;
    }
}

// More words than a poll remembers at first: 15 words are asked by turns, and the one that stays unset is told first.
TEST(Hang, FindsTheOneOfManyWordsThatIsNeverWritten) {
    for (const bool independent : {false, true})
        for (const bool timing : {false, true}) {
            Kernel k("allWords", {16}, {32}, {buffer(Ints(16), "flags"), value(16)}, "hang_words.ptx");
            k.options.reconvergence =
                independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
            k.options.timing = timing;
            const Recording r = k.run();
            ASSERT_TRUE(r.fault);
            const std::string text = r.fault->text();
            EXPECT_NE(text.find("waits for what is never written: 32 lanes of block (0) wait for byte 28 of buffer "
                                "\"flags\""),
                      std::string::npos)
                << text;
            EXPECT_NE(text.find("; 11 more places, and nobody is left who could write there"), std::string::npos)
                << text;
        }
}

TEST(Hang, TellsOfABarrierThatCountsToTooMany) {
    for (const bool timing : {false, true}) {
        Kernel k = waiting("gridBarrierOneTooMany", {4}, {64}, {buffer(Ints(1), "count")});
        k.options.timing = timing;
        const Recording r = k.run();
        ASSERT_TRUE(r.fault);
        EXPECT_NE(r.fault->text().find("4 lanes of 4 blocks wait for byte 0 of buffer \"count\""), std::string::npos)
            << r.fault->text();
        EXPECT_NE(r.fault->text().find("thread (0) last wrote 4 there at line"), std::string::npos) << r.fault->text();
        EXPECT_NE(r.fault->text().find("which itself waits"), std::string::npos) << r.fault->text();
    }
}

TEST(Hang, TellsOfALockInsideAWarpThatNeedsIndependentLanes) {
    Kernel k = waiting("lockNeedsIndependence", {1}, {32}, {buffer(Ints(1), "lock"), buffer(Ints(1))});
    const Recording r = k.run();
    ASSERT_TRUE(r.fault);
    EXPECT_NE(r.fault->text().find("31 lanes of 1 block wait for byte 0 of buffer \"lock\""), std::string::npos)
        << r.fault->text();
    EXPECT_NE(r.fault->text().find("stands still until these lanes of its own warp"), std::string::npos)
        << r.fault->text();
}

TEST(Hang, EndsAtTheBoundOfInstructionsInEveryWay) {
    for (const bool independent : {false, true})
        for (const bool timing : {false, true})
            for (const bool accesses : {false, true}) {
                Kernel k = waiting("endless", {2}, {64}, {buffer(Ints(1)), value(1)});
                k.options.reconvergence =
                    independent ? Reconvergence::IndependentThreads : Reconvergence::PostDominatorStack;
                k.options.timing = timing;
                k.options.detail.accesses = accesses;
                k.options.instructionLimit = 100000;
                const Recording r = k.run();
                ASSERT_TRUE(r.fault);
                EXPECT_TRUE(find(r, DiagnosticKind::EndlessLoop)) << r.fault->text();
                EXPECT_LT(r.warpInstructions, 500000u);
            }
}

} // namespace
} // namespace warpglass::testing
