// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels/catalogue.h"
#include "gpu/trace/trace.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace warpglass;
using namespace warpglass::testing;

// partialWarp with one block of four warps, which take slots 0 to 3 of their SM.
std::vector<int> schedulers(const std::string& device, bool timing) {
    warpglass::testing::Kernel k("partialWarp", Dim3{1}, Dim3{128}, {buffer(std::vector<unsigned>(128))});
    k.options.device = device;
    k.options.timing = timing;
    std::vector<int> found;
    const Recording r = k.run();
    for (const Warp& w : r.trace->warps) {
        EXPECT_EQ(w.slot, w.warpInBlock);
        found.push_back(w.scheduler);
    }
    return found;
}

} // namespace

TEST(Timing, WarpSlotsAreDealtToTheDevicesSchedulersInTurn) {
    for (const bool timing : {true, false}) {
        EXPECT_EQ(schedulers("h200", timing), (std::vector<int>{0, 1, 2, 3}));
        EXPECT_EQ(schedulers("m2070", timing), (std::vector<int>{0, 1, 0, 1})); // it has two
    }
}

namespace {

// Cycles of the two sides of warp 0's divergent branch in mathKernel1 as written: one assignment each.
std::pair<std::int64_t, std::int64_t> sidesOfMathKernel1(bool cold, double& fetching, std::int64_t& duration) {
    const CatalogueEntry* entry = findKernel("mathKernel1");
    LaunchRequest request = entry->look;
    request.mode = CompileMode::AsWritten;
    const auto plan = makePlan(*entry, request);
    RunOptions options;
    options.timing = true;
    options.coldCode = cold;
    options.detail.kind = Detail::Kind::All;
    Progress progress;
    const auto recording = makeEmulator()->run(*plan, options, progress);
    const Trace& trace = *recording->trace;
    duration = trace.launches[0].end.value;
    std::int64_t fetch = 0, all = 0;
    for (const StateRow& s : trace.statesOf(trace.warps[0])) {
        all += (s.end - s.begin).value;
        fetch += s.state == WarpState::StallNoInstruction ? (s.end - s.begin).value : 0;
    }
    fetching = 100.0 * double(fetch) / double(all);
    const Warp& warp = trace.warps[0];
    for (std::uint32_t n = 0; n + 3 < warp.eventCount; ++n)
        if (const Event branch = trace.event(warp, n);
            branch.kind == EventKind::Branch && !branch.taken.empty() && branch.taken != branch.active)
            return {(trace.event(warp, n + 2).time - trace.event(warp, n + 1).time).value,
                    (trace.event(warp, n + 3).time - trace.event(warp, n + 2).time).value};
    return {};
}

} // namespace

// Both sides are an assignment and a jump or none. What tells them apart in a launch that fetches its code for the first
// time is the fetch, 220 cycles or 111 ns, on one side alone; that is no property of the sides.
TEST(Timing, EqualPathsTakeEqualTimeUnlessColdCodeIsAskedFor) {
    double warmFetching = 0, coldFetching = 0;
    std::int64_t warmEnd = 0, coldEnd = 0;
    const auto [first, second] = sidesOfMathKernel1(false, warmFetching, warmEnd);
    EXPECT_GT(first, 0);
    EXPECT_GT(second, 0);
    EXPECT_LT(std::max(first, second), 2 * std::min(first, second)) << first << " and " << second;
    EXPECT_LT(warmFetching, 10);
    const auto [coldFirst, coldSecond] = sidesOfMathKernel1(true, coldFetching, coldEnd);
    EXPECT_GT(std::max(coldFirst, coldSecond), 111);
    // About 130 machine instructions of 15 cycles; their 17 lines are fetched by two warps in turn, 220 cycles each.
    EXPECT_GT(coldFetching, 30);
    EXPECT_GT(coldEnd, warmEnd + 111);
}

namespace {

// Cycles a load of a chain through so many MiB, from line to line, each met once.
double cyclesOfALoad(std::size_t mebibytes, bool warm) {
    constexpr std::size_t steps = 512;
    const std::size_t words = mebibytes << 18, stride = words / steps;
    std::vector<unsigned> chain(words);
    for (std::size_t n = 0; n < steps; ++n)
        chain[n * stride] = unsigned((n + 1) % steps * stride);
    warpglass::testing::Kernel k("chase", Dim3{1}, Dim3{1},
                                 {buffer(chain), buffer(std::vector<unsigned>(1)), value(int(steps))}, "chase.ptx");
    k.options.timing = true;
    k.options.warmL2 = warm;
    const Recording r = k.run();
    const double launchNs = warm ? 600 : 1700; // an empty kernel's duration
    constexpr double cyclesPerNs = 1.98;       // the H200's clock
    return (double(r.trace->launches[0].end.value) - launchNs) / steps * cyclesPerNs;
}

} // namespace

// An H200, by a chain through memory that all SMs have read just before: 288 cycles a load while it fits (1 to 16 MB),
// 491 where it is twice what L2 can hold of it (64 MB), and 667 where something else was read since. A loop of our own
// around the load takes some 25 cycles more.
TEST(Timing, AWarmL2HoldsHalfOfItsSize) {
    EXPECT_NEAR(cyclesOfALoad(4, false), 667, 50);
    EXPECT_NEAR(cyclesOfALoad(4, true), 288, 50);
    EXPECT_NEAR(cyclesOfALoad(64, true), 491, 65);
    EXPECT_NEAR(cyclesOfALoad(64, false), 667, 50);
}

namespace {

// Cycles of a launch of one block, without what launching takes; the two numbers are the kernel's arguments.
double cyclesOf(const std::string& entry, std::uint32_t threads, int first, int second, bool warm = false) {
    warpglass::testing::Kernel k(entry, Dim3{1}, Dim3{threads},
                                 {buffer(std::vector<unsigned>(1)), value(first), value(second)}, entry + ".ptx");
    k.options.timing = true;
    k.options.warmL2 = warm;
    const Recording r = k.run();
    EXPECT_FALSE(r.fault) << r.fault->text();
    return (double(r.trace->launches[0].end.value) - (warm ? 650 : 1700)) * 1.98;
}

} // namespace

// What lies in caches when a launch begins, its code and parameters too, shortens it: an empty kernel takes an H200 640 ns
// where the one before was the same, 1.7 us where all caches were emptied.
TEST(Timing, AWarmLaunchTakesLessTimeToBegin) {
    EXPECT_NEAR(cyclesOf("constants", 32, 1, 4, true), cyclesOf("constants", 32, 1, 4, false), 4);
}

// An H200, with 1056 blocks of 256 threads (h200-micro.csv, atomics2_*/lanes:32/step:0): billions of additions a second.
TEST(Timing, AtomicsOfAllSmsQueueForTheirSectors) {
    const struct {
        const char* kernel;
        int words;
        double measured;
    } cases[] = {{"sums_u32", 1, 1.37}, {"sums_u32", 32, 12.98}, {"sums_u32", 1024, 79.70},
                 {"sums_f32", 1, 0.57}, {"sums_f32", 32, 12.42}, {"sums_f32", 1024, 79.14}};
    for (const auto& c : cases) {
        constexpr int rounds = 16;
        warpglass::testing::Kernel k(
            c.kernel, Dim3{1056}, Dim3{256},
            {buffer(std::vector<unsigned>(std::size_t(c.words))), value(c.words - 1), value(rounds)}, "sums.ptx");
        k.options.timing = true;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const double ns = double(r.trace->launches[0].end.value) - 1700;
        EXPECT_NEAR(1056 * 256 * rounds / ns, c.measured, 0.25 * c.measured) << c.kernel << ", words: " << c.words;
    }
}

// Sums of floats in shared memory are loops there, a round for each lane that wants the same word: 103 cycles for one,
// 388 for four, 3048 for 32; of eight warps at one word 11,972 (shared_atomic_f32).
TEST(Timing, SharedMemoryAddsFloatsOneLaneAfterTheOther) {
    const auto cycles = [](std::uint32_t threads, int shift) {
        const auto ns = [&](int rounds) {
            warpglass::testing::Kernel k("sums_shared", Dim3{1}, Dim3{threads},
                                         {buffer(std::vector<unsigned>(1)), value(shift), value(rounds)}, "sums.ptx");
            k.options.timing = true;
            return double(k.run().trace->launches[0].end.value);
        };
        return (ns(48) - ns(16)) * 1.98 / 32;
    };
    EXPECT_NEAR(cycles(32, 0), 103, 20);
    EXPECT_NEAR(cycles(32, 2), 388, 40);
    EXPECT_NEAR(cycles(32, 5), 3048, 150);
    EXPECT_NEAR(cycles(256, 5), 11972, 1200);
}

// An H200, cycles a round of 256 threads (h200-micro.csv, bar_*): bar.sync 39.7, with .and 108.8, with a count 82.7.
TEST(Timing, BarriersThatReduceTakeLonger) {
    const auto cycles = [](const char* kernel) {
        const auto ns = [&](int rounds) {
            warpglass::testing::Kernel k(kernel, Dim3{1}, Dim3{256}, {buffer(std::vector<unsigned>(1)), value(rounds)},
                                         "barriers.ptx");
            k.options.timing = true;
            return double(k.run().trace->launches[0].end.value);
        };
        return (ns(200) - ns(100)) * 1.98 / 100;
    };
    const double plain = cycles("barrier_sync");
    EXPECT_NEAR(plain, 39.7, 6); // ptxas makes one round of four
    EXPECT_NEAR(cycles("barrier_and") - plain, 108.8 - 39.7, 2);
    EXPECT_NEAR(cycles("barrier_popc") - plain, 82.7 - 39.7, 2);
}

// An H200, cycles a load of a chain (h200-micro.csv, constant_lanes): 34.4 where all lanes want one word, and 11 more for
// each further one: 111.4 with 8, 375.4 with 32. From 256 to 512 loads, so that what is before and behind falls out.
TEST(Timing, WordsOfConstantMemoryComeOneAfterTheOther) {
    const auto load = [](int distinct) {
        return (cyclesOf("constants", 32, distinct, 512) - cyclesOf("constants", 32, distinct, 256)) / 256;
    };
    const double one = load(1);
    EXPECT_GT(one, 34.4);
    EXPECT_LT(one, 34.4 + 20); // the loop of our own around it
    EXPECT_NEAR(load(8) - one, 111.4 - 34.4, 1);
    EXPECT_NEAR(load(32) - one, 375.4 - 34.4, 1);
}

// 1024 threads with 16 words each find them in L1 (64 KB of its 256); with 512 words each, 2 MB, every read of a warp is a
// line of 128 bytes from L2, for which the port of 66 bytes a cycle takes 1.94 cycles. An access of L1 takes one.
TEST(Timing, LocalMemoryBeyondL1ComesFromL2) {
    const auto read = [](int words) { // cycles a read of a warp
        constexpr int rounds = 4;
        return (cyclesOf("local_walk", 1024, words, 2 * rounds) - cyclesOf("local_walk", 1024, words, rounds)) /
               rounds / words / 32;
    };
    const double near = read(16), far = read(512);
    EXPECT_LT(near, 1.5);
    EXPECT_NEAR(far, 1.94, 0.1);
}

// Some SMs are followed for as long as there is a budget, and what is left goes on at their rate. Where that begins, time
// does not go back for any warp.
TEST(Timing, GoesOnWhereTheBudgetEnds) {
    for (const int threads : {96, 256, 512}) {
        warpglass::testing::Kernel k("rounds", Dim3{8}, Dim3{std::uint32_t(threads)},
                                     {buffer(std::vector<unsigned>(512)), value(20'000)}, "rounds.ptx");
        k.options.timing = true;
        k.options.detail.kind = Detail::Kind::All;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_LT(r.trace->timings[0].timedInstructions, r.warpInstructions) << "the budget reached";
        const auto valid = validate(*r.trace);
        EXPECT_TRUE(valid) << threads << " threads: " << valid.error().text();
    }
}

namespace {

// What all SMs want at once, against an H200: the rows cas_loop_u32 and part_store_u32 of h200-micro.csv, less the 5 us of the
// events around them.
struct Swapped {
    double tries = 0, us = 0;
};

Swapped swapping(const char* kernel, std::uint32_t blocks, std::uint32_t threads, int words, int rounds) {
    const std::size_t all = std::size_t(blocks) * threads;
    warpglass::testing::Kernel k(kernel, Dim3{blocks}, Dim3{threads},
                                 {buffer(std::vector<unsigned>(std::size_t(words))), buffer(std::vector<unsigned>(all)),
                                  value(words - 1), value(rounds)},
                                 "swaps.ptx");
    k.options.timing = true;
    k.options.warmL2 = true;
    const Recording r = k.run();
    EXPECT_FALSE(r.fault) << r.fault->text();
    const auto sum = values<unsigned>(r, 0), tries = values<unsigned>(r, 1);
    EXPECT_EQ(std::accumulate(sum.begin(), sum.end(), 0ull), 3ull * all * std::uint64_t(rounds)) << "nothing is lost";
    return {std::accumulate(tries.begin(), tries.end(), 0.0) / (double(all) * rounds),
            double(r.trace->launches[0].end.value) / 1e3};
}

} // namespace

// Of n lanes at one word one succeeds while all others try in vain. With more than a thousand lanes the card's requests
// overtake each other, and fewer are in vain.
TEST(Timing, SwapsAreTriedAgainWhenOthersCameInBetween) {
    EXPECT_NEAR(swapping("swaps", 1, 32, 1, 1).tries, 16.5, 0.1);
    EXPECT_NEAR(swapping("swaps", 16, 32, 1, 1).tries, 230, 0.2 * 230);
    EXPECT_NEAR(swapping("swaps_volatile", 16, 32, 1, 1).tries, 230, 0.2 * 230);
    EXPECT_NEAR(swapping("swaps_volatile", 16, 32, 32, 2).tries, 9.25, 0.3 * 9.25);
    EXPECT_NEAR(swapping("swaps_volatile", 132, 32, 32, 2).tries, 66.4, 0.25 * 66.4);
    EXPECT_NEAR(swapping("swaps_volatile", 132, 256, 1024, 8).tries, 14.7, 0.2 * 14.7);
}

// All of them queue at one sector of L2, whichever SM they come from: 512 lanes with 230 tries each in 144 us.
TEST(Timing, SwapsOfAllSmsQueueAtTheirSector) {
    EXPECT_NEAR(swapping("swaps_volatile", 16, 32, 1, 1).us, 144, 0.3 * 144);
}

// 1056 blocks of 256 threads store 16 times: us, by bytes that they store to.
TEST(Timing, StoresOfAllSmsQueueForTheirLines) {
    const struct {
        int bytes;
        double measured;
    } cases[] = {{256, 23.1}, {1024, 16.1}, {4096, 10.9}};
    for (const auto& c : cases) {
        warpglass::testing::Kernel k(
            "stores", Dim3{1056}, Dim3{256},
            {buffer(std::vector<unsigned>(std::size_t(c.bytes / 4))), value(c.bytes / 4 - 1), value(16)}, "swaps.ptx");
        k.options.timing = true;
        k.options.warmL2 = true;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        EXPECT_NEAR(double(r.trace->launches[0].end.value) / 1e3, c.measured, 0.3 * c.measured) << c.bytes << " bytes";
    }
}

// With a = 2^31 and b = 3: a + a is 2^32, so that its upper word is b + b + 1 = 7; b + b is 6 and carries nothing into b = 3;
// b - a borrows, which leaves b - 1 = 2; a b + a is 2^33: 0 and 2, of which madc adds the carry of the lower word: a b is
// 2^32 + 2^31, its lower word plus a is 2^32. The instructions behind it, of 6 and of 0, are there to be waited for.
TEST(Timing, CarriesGoToTheSumThatTheyBelongTo) {
    const auto turned = [](unsigned x) {
        unsigned y = x;
        for (int k = 0; k < 4; ++k)
            y = y * y + x;
        return y;
    };
    for (const bool timing : {false, true}) {
        std::vector<unsigned> data(10);
        data[0] = 1u << 31, data[1] = 3;
        warpglass::testing::Kernel k("carries", Dim3{1}, Dim3{1}, {buffer(data)}, "carries.ptx");
        k.options.timing = timing;
        const Recording r = k.run();
        std::memcpy(data.data(), r.buffers[0].data(), r.buffers[0].size());
        EXPECT_EQ(data, (std::vector<unsigned>{0, 7, 6, 3, turned(6), (1u << 31) + 3, 2, 0, 2, 0})) << timing;
    }
}
