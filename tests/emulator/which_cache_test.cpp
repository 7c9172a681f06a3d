// SPDX-License-Identifier: GPL-3.0-or-later
// What the caches have: L2 of what it had when a launch began, while the launch reads on; the first one for constants.
#include "gpu/emulator/timing/memory_path.h"

#include <cmath>
#include <gtest/gtest.h>

namespace warpglass::emulator {
namespace {

constexpr std::uint64_t megabyte = 1024 * 1024;

// A warp's load of words side by side, from that word on.
AccessSummary wholeLine() {
    AccessSummary access;
    access.kind = AccessKind::Load;
    access.space = MemorySpace::Global;
    access.active = LaneMask(~0u);
    access.bytes = 4;
    access.bytesDistinct = 128;
    return access;
}
std::array<std::uint64_t, 32> lineAt(std::uint64_t word) {
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane)
        addresses[lane] = (word + lane) * 4;
    return addresses;
}

// Of an SM of an H200 whose others are at work, too.
MemoryPath::Surroundings onAllSms() {
    MemoryPath::Surroundings around;
    around.activeSms = 132;
    around.l2Bytes = 50 * megabyte;
    return around;
}

// The share that is found in L2 by one of 132 SMs that together read so many MB once, from the first to the last, of which a
// kernel had read the last `had` MB before, in the same order.
double found(double megabytes, double had) {
    L2Contents before(50 * megabyte);
    const auto end = std::uint64_t(megabytes * double(megabyte)), begin = end - std::uint64_t(had * double(megabyte));
    before.touch({{begin, end}});
    const std::vector<L2Piece> pieces = before.pieces();
    MemoryPath::Surroundings around = onAllSms();
    around.had = pieces;
    MemoryPath path(timingOf(*findDevice("h200")), around);
    const std::uint64_t lines = end / 128 / 132;
    for (std::uint64_t n = 0; n < lines; ++n)
        path.global(std::int64_t(n) * 1000, wholeLine(), lineAt(n * 132 * 32), 0, 0, false, {}, {});
    return 1 - double(path.totals().dramSectors) / double(4 * lines);
}

} // namespace

// 40 MB find room. Who reads 64 MB again from the beginning misses the first 24, which put out the next, and so on: nothing is
// found (an H200: 196 us for the sum of columns of 64 MB, as behind reads of other memory; sums_down_sum/N:4096/blocks:16).
TEST(WarmL2, LosesWhatHasLainThereLongestToWhatIsRead) {
    EXPECT_NEAR(found(16, 16), 1, 0.01);
    EXPECT_NEAR(found(36, 36), 1, 0.01);
    EXPECT_NEAR(found(36, 18), 0.5, 0.01); // there is room for what comes, too
    EXPECT_NEAR(found(64, 64), 0, 0.01);
    EXPECT_EQ(found(64, 0), 0);
}

// L2 had every second line, and of the others nobody knows, since the table is full: they come from DRAM (660 cycles, 490 for
// the quickest), each as a whole, and the rest from L2 (511 for the slowest).
TEST(FullTable, LinesComeFromDramAsAWhole) {
    TouchTable table(1024);
    for (std::uint64_t sector = 0; !table.full(); ++sector)
        table.add((std::uint64_t(1) << 40) + sector, 0, 0);
    constexpr std::uint64_t lines = 4096;
    std::vector<L2Piece> had;
    for (std::uint64_t n = 0; n < lines; n += 2)
        had.push_back({{n * 128, n * 128 + 128}, 0, 0, false});
    MemoryPath::Surroundings around;
    around.l2Bytes = 50 * megabyte;
    around.had = had;
    around.touched = &table;
    MemoryPath path(timingOf(*findDevice("h200")), around);
    int late = 0;
    for (std::uint64_t n = 0; n < lines; ++n)
        late += path.global(std::int64_t(n) * 2000, wholeLine(), lineAt(n * 32), 0, 0, false, {}, {}) -
                    std::int64_t(n) * 2000 >
                (timingOf(*findDevice("h200")).l2 + 243);
    EXPECT_NEAR(double(path.totals().dramSectors) / double(4 * lines), 0.5, 0.02);
    EXPECT_NEAR(late / double(lines), 0.5 * 0.9, 0.1); // not the quickest of DRAM
}

// 16 of 132 blocks that run at once want a sector; those of later waves, told earlier or later, are not among them. SMs are told
// apart by 56 bits: of 16 some fall together.
TEST(TouchTable, KnowsWhoWantsASectorInTheFirstWave) {
    TouchTable table(1024);
    table.setWave(132);
    EXPECT_EQ(table.wantedBy(5, 0), 0);
    for (const std::uint32_t block :
         {300u, 301u, 0u, 7u, 14u, 21u, 28u, 35u, 42u, 49u, 56u, 63u, 70u, 77u, 84u, 91u, 98u, 105u, 200u})
        table.add(5, block, block % 132);
    EXPECT_NEAR(table.wantedBy(5, 3), 16, 3);
    EXPECT_EQ(table.wantedBy(5, 132), 0);
}

// Blocks of 10,000 touches: one that has 9,000 left had wanted 1,000 sectors before this one, one with 2,500 left 7,500; a block of
// the second wave, which had wanted none, is not among them. Who had wanted 1,000 or fewer itself finds nobody ahead.
TEST(TouchTable, KnowsHowEarlyABlockWantedASector) {
    TouchTable table(1024);
    table.setWave(132);
    table.setTouches(10'000);
    const TouchTable::Use load{.loads = ~0u};
    table.use(5, 200, 68, load, false, 10'000);
    EXPECT_FALSE(table.wantedWithin(5, 3, 5'000));
    table.use(5, 7, 7, load, false, 2'500);
    EXPECT_FALSE(table.wantedWithin(5, 3, 5'000));
    table.use(5, 14, 14, load, false, 9'000);
    EXPECT_TRUE(table.wantedWithin(5, 3, 1'001));
    EXPECT_FALSE(table.wantedWithin(5, 3, 1'000));
    EXPECT_FALSE(table.wantedWithin(5, 132, 5'000)); // of the second wave
    table.add(6, 9, 9);                              // told by somebody who does not know
    EXPECT_FALSE(table.wantedWithin(6, 3, 5'000));
}

// 64 lines that 15 other SMs want, too: of what comes from DRAM, a 16th is this one's, and a block that began 100 blocks later
// waits 100 x 1.2 cycles less for it than the first one.
TEST(TouchTable, OneFetchServesAllThatWantItAtOnce) {
    TouchTable table(1024);
    table.setWave(132);
    constexpr std::uint64_t lines = 64;
    for (std::uint64_t sector = 0; sector < 4 * lines; ++sector)
        for (std::uint32_t sm = 1; sm < 16; ++sm)
            table.add(sector, sm * 7, sm * 7);
    const auto waits = [&](std::uint32_t block, double* share) {
        MemoryPath::Surroundings around = onAllSms();
        around.touched = &table;
        MemoryPath path(timingOf(*findDevice("h200")), around);
        std::int64_t sum = 0;
        for (std::uint64_t n = 0; n < lines; ++n)
            sum += path.global(std::int64_t(n) * 2000, wholeLine(), lineAt(n * 32), block, 0, false, {}, {}) -
                   std::int64_t(n) * 2000;
        *share = path.totals().dramSectors / double(4 * lines);
        return double(sum) / lines;
    };
    double first = 0, later = 0;
    const double early = waits(0, &first), late = waits(107, &later);
    EXPECT_NEAR(first, 1.0 / 16, 0.02);
    EXPECT_NEAR(later, 1.0 / 16, 0.02);
    EXPECT_NEAR(early - late, 120, 10);
}

// Behind a fill, what is read has DRAM write as much: 45 % longer, until 40 MB have come (here: never). Lines follow each other
// faster than DRAM gives them.
TEST(FilledL2, IsWrittenOutBeforeAnythingComes) {
    const auto cycles = [](bool filled) {
        L2Contents before(50 * megabyte);
        before.touch({{1 << 30, (1 << 30) + 96 * megabyte}}, filled);
        const std::vector<L2Piece> pieces = before.pieces();
        MemoryPath::Surroundings around = onAllSms();
        around.had = pieces;
        MemoryPath path(timingOf(*findDevice("h200")), around);
        std::int64_t end = 0;
        for (std::uint64_t n = 0; n < 2000; ++n)
            end = std::max(end, path.global(std::int64_t(n), wholeLine(), lineAt(n * 32), 0, 0, false, {}, {}));
        return double(end);
    };
    EXPECT_NEAR(cycles(true) / cycles(false), 1.45, 0.05);
}

TEST(FullTable, GrowsAndKeepsWhatItHas) {
    TouchTable table(1024, 100000);
    for (std::uint64_t n = 0; n < 50000; ++n) {
        if (n % 1000 == 0)
            table.makeRoom(1000);
        table.use(n * 7, std::uint32_t(n % 100), 0, {.stores = 1}, false);
    }
    EXPECT_FALSE(table.full());
    EXPECT_EQ(table.sectors(), 50000U);
    EXPECT_EQ(table.written().partly, 50000U);
    for (std::uint64_t n = 0; n < 50000; ++n)
        ASSERT_EQ(table.first(n * 7), n % 100) << n;
    EXPECT_EQ(table.first(3), ~0u);
    table.makeRoom(1000000); // no more than it may
    for (std::uint64_t n = 50000; n < 120000; ++n)
        table.add(n * 7, 0, 0);
    EXPECT_TRUE(table.full());
    EXPECT_EQ(table.sectors(), 100000U);
}

// Two blocks and one sector of eight words. They meet where one finds, or leaves, what the other has to do with.
TEST(TouchTable, SaysWhetherBlocksMeet) {
    using Use = TouchTable::Use;
    const Use load{.loads = 0xf}, store{.stores = 0xf}, storeBeside{.stores = 0xf0},
        add{.changes = 0xf, .operation = 1}, most{.changes = 0xf, .operation = 3},
        ticket{.changes = 0xf, .operation = 1, .ordered = true}, addBeside{.changes = 0xf0, .operation = 1};
    const auto meet = [](const Use& one, const Use& other, std::uint32_t block = 7, bool timed = true) {
        bool both[2];
        for (const bool turned : {false, true}) { // whoever is told first
            TouchTable table(16);
            table.use(5, turned ? block : 3, 0, turned ? other : one, turned ? timed : false);
            table.use(5, turned ? 3 : block, 0, turned ? one : other, turned ? false : timed);
            both[turned] = table.meet();
            EXPECT_EQ(table.first(5), timed ? 3u : std::min(3u, block)); // who is timed is not found
        }
        EXPECT_EQ(both[0], both[1]);
        return both[0];
    };
    EXPECT_FALSE(meet(load, load));
    EXPECT_FALSE(meet(store, storeBeside));
    EXPECT_FALSE(meet(add, add));
    EXPECT_FALSE(meet(add, storeBeside));
    EXPECT_FALSE(meet(store, load, 3)); // by the same block
    EXPECT_TRUE(meet(store, load));
    EXPECT_TRUE(meet(store, store));
    EXPECT_TRUE(meet(store, add));
    EXPECT_TRUE(meet(load, add));
    EXPECT_TRUE(meet(add, most));
    EXPECT_TRUE(meet(ticket, add));
    EXPECT_TRUE(meet(store, load, 7, false));
    EXPECT_TRUE(meet(ticket, addBeside)); // though not at one word: nobody looks so closely
    EXPECT_TRUE(meet(ticket, storeBeside));
}

namespace {

// A chain of loads of constant memory, as h200-micro.csv has it (constant_set_chain, less what the loop itself takes, and
// chase_constant): 34 cycles a load within 2 KB, 70 more for each further line of 64 bytes, however much memory it is.
// Cycles a load of one warp whose lanes share a word, which goes on by `step` bytes through so many.
double load(std::uint64_t bytes, std::uint64_t step) {
    MemoryPath path(timingOf(*findDevice("h200")), {});
    AccessSummary access;
    access.space = MemorySpace::Constant;
    access.active = LaneMask(~0u);
    access.bytes = 4;
    std::array<std::uint64_t, 32> addresses{};
    std::int64_t now = 0, from = 0;
    const std::uint64_t loads = bytes / step; // of one turn
    for (std::uint64_t n = 0; n < 3 * loads; ++n) {
        if (n == loads)
            from = now; // all lines have been met
        addresses.fill(n % loads * step);
        now = path.constant(now, access, addresses, {});
    }
    return double(now - from) / double(2 * loads);
}

} // namespace

TEST(ConstantCache, HoldsTwoKilobytes) {
    for (const std::uint64_t bytes : {1024u, 2048u})
        for (const std::uint64_t step : {4u, 64u})
            EXPECT_NEAR(load(bytes, step), 34, 1) << bytes << " bytes by " << step;
    for (const std::uint64_t bytes : {4096u, 16384u, 65536u}) {
        EXPECT_NEAR(load(bytes, 64), 104.5, 3) << bytes;
        EXPECT_NEAR(load(bytes, 256), 106, 5) << bytes;
        EXPECT_NEAR(load(bytes, 4), 34 + 4.4, 1) << bytes;
    }
}

} // namespace warpglass::emulator
