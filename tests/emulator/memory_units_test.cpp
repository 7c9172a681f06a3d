// SPDX-License-Identifier: GPL-3.0-or-later
// Each unit on the way of an access by itself, in figures chosen so that the sums are easy.
#include "gpu/emulator/timing/atomic_units.h"
#include "gpu/emulator/timing/memory_path.h"

#include <gtest/gtest.h>

namespace warpglass::emulator {
namespace {

const DeviceTiming& h200() {
    return timingOf(*findDevice("h200"));
}

// 32 bytes a cycle by each way, for one SM at 1 GHz.
DeviceTiming plain() {
    DeviceTiming t = h200();
    t.l2BytesPerCycle = 32;
    t.l2GBs = t.dramGBs = 32;
    t.l2StoreShare = 0.5;
    t.portRequestCycles = 4;
    t.l2RequestsPerNs = 0.25; // a line every four cycles
    return t;
}
MemorySurroundings alone() {
    MemorySurroundings around;
    around.cyclesPerNs = 1;
    return around;
}

AccessSummary of(AccessKind kind, std::uint32_t bytes, std::uint32_t distinct) {
    AccessSummary access;
    access.kind = kind;
    access.space = MemorySpace::Global;
    access.active = LaneMask(~0u);
    access.bytes = bytes;
    access.bytesDistinct = distinct;
    return access;
}
LaneAddresses apart(std::uint64_t from, std::uint64_t step) {
    LaneAddresses addresses{};
    for (std::uint64_t lane = 0; lane < 32; ++lane)
        addresses[lane] = from + lane * step;
    return addresses;
}

} // namespace

TEST(DataStore, ServesBothQueuesWithOneStore) {
    DataStore store;
    EXPECT_EQ(store.take(Pipe::Lsu, 100, 30), 100);
    EXPECT_EQ(store.end(Pipe::Lsu), 130);
    EXPECT_EQ(store.end(Pipe::Mio), 0); // what is taken there does not need the words
    EXPECT_EQ(store.takeWords(Pipe::Mio, 110, 40), 110);
    EXPECT_EQ(store.began(), 110);
    EXPECT_EQ(store.began(), 0);          // told once
    EXPECT_EQ(store.end(Pipe::Lsu), 150); // one store serves both
    EXPECT_EQ(store.take(Pipe::Lsu, 120, 1), 150);
    store.holdUp(Pipe::Lsu, 90); // long past
    EXPECT_EQ(store.end(Pipe::Lsu), 151);
}

// Two have room: the third waits until the first has gone on, the fourth for the second.
TEST(AccessQueue, HasRoomWhenTheOldestHasGoneOn) {
    AccessQueue queue(2);
    queue.enter(10);
    EXPECT_EQ(queue.free(), 0);
    queue.enter(50);
    EXPECT_EQ(queue.free(), 10);
    queue.enter(90);
    EXPECT_EQ(queue.free(), 50);
}

// Sixteen words of four bytes side by side are two sectors of one line; 128 bytes apart each is a line of its own, and all of
// them want one bank.
TEST(WantedLines, AreLinesSectorsAndBanks) {
    WantedLines wanted;
    AccessSummary half = of(AccessKind::Load, 4, 64);
    half.active = LaneMask(0xffff);
    wanted.take(half, apart(4096, 4));
    ASSERT_EQ(wanted.parts().size(), 1U);
    EXPECT_EQ(wanted.parts()[0].line, 32U);
    EXPECT_EQ(int(wanted.parts()[0].sectors), 0b0011);
    EXPECT_EQ(wanted.parts()[0].words, 0xffffU);
    wanted.take(of(AccessKind::Load, 4, 128), apart(4096, 128));
    EXPECT_EQ(wanted.parts().size(), 32U);
    EXPECT_EQ(wanted.sectors(), 32U);
    EXPECT_EQ(wanted.bankWords(), 32U);
    wanted.take(of(AccessKind::Load, 4, 128), apart(4096 + 64, 4)); // across a line's end
    EXPECT_EQ(wanted.parts().size(), 2U);
    EXPECT_EQ(wanted.sectors(), 4U);
}

// One set of eight lines, since 16 KB are the least: 128 lines, 16 sets. The ninth line of a set takes the oldest one's place.
TEST(L1Cache, KeepsTheLinesThatWereUsedLast) {
    DeviceTiming t = plain();
    t.l1Bytes = 1024;
    t.l1Ways = 128; // all of it one set
    L1 cache(t, alone());
    for (std::uint64_t line = 0; line < 128; ++line)
        cache.lookUp(line).valid = 1;
    EXPECT_EQ(int(cache.lookUp(0).valid), 1);
    EXPECT_EQ(int(cache.lookUp(1000).valid), 0); // in the place of line 1
    EXPECT_EQ(int(cache.lookUp(0).valid), 1);
    EXPECT_EQ(int(cache.lookUp(1).valid), 0);
}

// A copy by bulk passes what was written, which is put off by as much; a load waits for both.
TEST(PortAndL2, GiveSectorsOneAfterTheOther) {
    Port port(plain());
    EXPECT_EQ(port.take(10, 2), 10); // until 12
    EXPECT_EQ(port.take(11, 1), 12); // until 13
    port.fillUp(3);                  // a request of three sectors takes four cycles
    EXPECT_EQ(port.take(0, 0), 14);
    L2 l2(plain(), alone());
    EXPECT_EQ(l2.take(10, 4), 10);
    EXPECT_EQ(l2.takeBulk(0, 2, 0.5), 14);
    EXPECT_EQ(l2.free(), 15);
    l2.write(20, 3 * l2.storeCycles()); // two cycles each
    EXPECT_EQ(l2.free(), 26);
    EXPECT_EQ(l2.takeBulk(21, 2, 1), 21);
    EXPECT_EQ(l2.take(22, 1), 28);
}

// Half of the time at work, of which all is reading: (0.5 - 0.35) / 0.65 of 300 cycles; as much writing adds as much again.
TEST(Dram, AnswersLaterWhenItIsBusy) {
    DeviceTiming t = plain();
    Dram dram(t, alone());
    EXPECT_EQ(dram.loaded(), 0);
    dram.works(0, 0.5 * t.dramMemory, false);
    EXPECT_NEAR(dram.loaded(), 0.15 / 0.65 * 300, 1e-9);
    Dram mixed(t, alone());
    mixed.works(0, 0.25 * t.dramMemory, false);
    mixed.works(0, 0.25 * t.dramMemory, true);
    EXPECT_NEAR(mixed.loaded(), 0.15 / 0.65 * 600, 1e-9);
    EXPECT_TRUE(dram.opensPage(0, 64));
    EXPECT_FALSE(dram.opensPage(400, 95)); // the same kilobyte
    EXPECT_FALSE(dram.opensPage(900, 64)); // 500 cycles later it is open still
    EXPECT_TRUE(dram.opensPage(1401, 64));
    EXPECT_EQ(dram.take(7, 3), 7);
    EXPECT_EQ(dram.free(), 10);
}

// 9800 bytes in 100 cycles, behind the 100 from the instruction to its first request. Between SMs a line takes 128 / 20
// = 6.4 cycles.
TEST(CopyUnit, IsOneForAllCopiesOfAnSm) {
    CopyUnit copies(h200());
    copies.begin(50);
    EXPECT_EQ(copies.free(), 150);
    copies.take(9800, false);
    EXPECT_NEAR(copies.free(), 250, 1e-9);
    copies.begin(60);
    EXPECT_NEAR(copies.free(), 250, 1e-9);
    EXPECT_NEAR(copies.betweenSms(1000, 128), 1006.4, 1e-9);
    EXPECT_NEAR(copies.betweenSms(1000, 128), 1012.8, 1e-9);
}

// 32 lanes at one word, one every 1.45 cycles; a warp that makes one of them takes one turn; and 32 requests are under way.
TEST(AtomicUnits, QueueAtASector) {
    DeviceTiming t = h200();
    t.atomicLanesPerCycle = t.hotSectorsPerNs.back().sectors = 1e9; // no matter here
    const MemorySurroundings around = alone();
    L2Holdings holdings(around);
    AtomicUnits atomics(t, around);
    WantedLines wanted;
    const AccessSummary access = of(AccessKind::Atomic, 4, 4);
    const LaneAddresses one = apart(4096, 0);
    wanted.take(access, one);
    EXPECT_NEAR(atomics.global(1000, wanted, access, one, 0, {}, true, holdings), 1000 + 32 * 1.45, 1e-6);
    EXPECT_NEAR(atomics.global(1000, wanted, access, one, 0, {.combined = true}, true, holdings), 1000 + 33 * 1.45,
                1e-6);
    EXPECT_NEAR(atomics.global(1000, wanted, access, one, 0, {}, false, holdings), 1000,
                1e-6); // who is spared the queue
    EXPECT_TRUE(holdings.has(128));
    EXPECT_EQ(AtomicUnits::lanesAtOneWord(access, one), 32);
    for (std::int64_t k = 0; k < t.atomicsUnderWay; ++k)
        EXPECT_EQ(atomics.underWay(100 + k), 0);
    EXPECT_EQ(atomics.underWay(500), 100);
}

// One word of each of 32 sectors, by one SM of 132 at 1.98 GHz: L2 takes 90 sectors a ns of all (an H200 93.1 where all SMs add to
// words drawn by a hash, atomics2_u32/lanes:32/words:1048576/step:-1), 32 * 132 * 1.98 / 90 = 92.9 cycles for a request. Where
// they lie side by side, all words of each sector wanted, 58 of all: 4 * 132 * 1.98 / 58 = 18.0.
TEST(AtomicUnits, OfManySectorsL2TakesNoMoreThanItCan) {
    const DeviceTiming& t = h200();
    MemorySurroundings around = alone();
    around.activeSms = 132;
    around.cyclesPerNs = 1.98;
    const auto takes = [&](std::uint64_t step) {
        L2Holdings holdings(around);
        AtomicUnits atomics(t, around);
        WantedLines wanted;
        const AccessSummary access = of(AccessKind::Atomic, 4, 128);
        double done = 0;
        for (std::uint64_t k = 0; k < 10; ++k) {
            const LaneAddresses addresses = apart(k * 4096, step);
            wanted.take(access, addresses);
            done = atomics.global(0, wanted, access, addresses, 0, {}, true, holdings);
        }
        return done / 10;
    };
    EXPECT_NEAR(takes(32), 92.9, 0.1);
    EXPECT_NEAR(takes(4), 18.0, 0.1);
}

// A page of 4 KB lies in one half of L2: an atomic of an SM there waits 272 cycles, of an SM at the other half 494
// (atomic_wait_add/lanes:1: the least 262, the median 482). Loads do not (meet_load/volatile: 316 to 386 with the loop, as cg),
// and nobody waits for an atomic without a result.
TEST(MemoryPath, AnAtomicGoesToTheHalfOfL2ThatHasItsWord) {
    const DeviceTiming& t = h200();
    const auto waits = [&](std::uint32_t sm, std::uint64_t page, AccessKind kind, bool strong) {
        MemorySurroundings around = alone();
        around.sm = sm;
        MemoryPath path(t, around);
        const LaneAddresses one = apart(page * 4096, 0);
        const AccessSummary access = of(kind, 4, 4);
        path.global(0, access, one, 0, 0, strong, {}, {}); // L2 has it from then on
        return path.global(100'000, access, one, 0, 1, strong, {}, {}) - 100'000;
    };
    int far = 0;
    for (std::uint64_t page = 0; page < 64; ++page) {
        const std::int64_t even = waits(0, page, AccessKind::Atomic, true),
                           odd = waits(1, page, AccessKind::Atomic, true);
        EXPECT_EQ(std::abs(even - odd), 222) << page;
        EXPECT_EQ(even, waits(2, page, AccessKind::Atomic, true)) << page;
        EXPECT_EQ(waits(0, page, AccessKind::Load, true), waits(1, page, AccessKind::Load, true)) << page;
        EXPECT_EQ(waits(0, page, AccessKind::Atomic, false), waits(1, page, AccessKind::Atomic, false)) << page;
        far += even > odd;
    }
    EXPECT_NEAR(far, 32, 8); // of 64
}

// 30 values of a warp's lanes: 11 cycles each less 7, and a vote's latency; those of another warp 60 cycles later.
TEST(MemoryPath, MatchesValuesOneAfterTheOther) {
    const DeviceTiming t = h200();
    MemoryPath path(t, alone());
    EXPECT_EQ(path.match(0, 30), 11 * 30 - 7 + t.vote);
    EXPECT_EQ(path.match(0, 30), 60 + 11 * 30 - 7 + t.vote); // two cycles for each value of the one before
    EXPECT_EQ(path.match(1000, 1), 1000 + 11 - 7 + t.vote);
}

// A limit that is taken away for one instruction: the access is not led to what it costs.
TEST(MemoryPath, LeadsAccessesPastWhatTheyAreSpared) {
    const DeviceTiming t = h200();
    MemoryPath path(t, alone());
    const AccessSummary load = of(AccessKind::Load, 4, 128);
    const LimitSet hits = LimitSet().with(Limit::L1Misses), near = LimitSet().with(Limit::L2Misses);
    EXPECT_EQ(path.global(0, load, apart(1 << 20, 4), 0, 0, false, {}, hits), t.l1);
    EXPECT_EQ(path.totals().l2Sectors, 0U);
    EXPECT_LT(path.global(1000, load, apart(1 << 21, 4), 0, 0, false, {}, near), 1000 + t.l2 + t.l2Spread.back() + 10);
    EXPECT_EQ(path.totals().dramSectors, 0U);
    EXPECT_GT(path.global(2000, load, apart(1 << 22, 4), 0, 0, false, {}, {}),
              2000 + t.dram + t.dramSpread.front() - 1);
    EXPECT_EQ(path.totals().dramSectors, 4U);
    EXPECT_EQ(path.global(3000, load, apart(1 << 22, 4), 0, 0, false, {}, {}), 3000 + t.l1); // it is there now
}

} // namespace warpglass::emulator
