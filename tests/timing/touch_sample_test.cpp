// SPDX-License-Identifier: GPL-3.0-or-later
// What a look at two blocks' accesses shows, by accesses worked out by hand.
#include "gpu/emulator/lanes/summarise.h"
#include "gpu/emulator/watch/touch_sample.h"

#include <gtest/gtest.h>

namespace warpglass::emulator {
namespace {

template <class Address>
void see(TouchSample& sample, AccessKind kind, std::uint64_t block, Address addressOf) {
    std::array<std::uint64_t, 32> addresses;
    for (std::size_t lane = 0; lane < 32; ++lane)
        addresses[lane] = addressOf(std::uint64_t(lane));
    AccessSummary s;
    s.kind = kind;
    s.active = {~0u};
    s.bytes = 4;
    summariseSectors(s, addresses);
    sample.see(s, addresses, block);
}

// Blocks 1 and 2 of 4 are looked at. Each reads the same four sectors three times, and one that both want: of 13 sectors
// that a block asks for, 5 are new to it; of 5, the next block finds one (0) already there.
TEST(TouchSample, CountsWhatIsAskedForAgain) {
    TouchSample sample(4);
    EXPECT_FALSE(sample.covers(0) || sample.covers(3));
    EXPECT_TRUE(sample.covers(1) && sample.covers(2));
    for (const std::uint64_t block : {1, 2}) {
        for (int again = 0; again < 3; ++again)
            see(sample, AccessKind::Load, block, [&](std::uint64_t lane) { return 4096 * block + 4 * lane; });
        see(sample, AccessKind::Load, block, [](std::uint64_t) { return 64; });
    }
    const Reuse reuse = sample.reuse(1);
    EXPECT_DOUBLE_EQ(reuse.read, 5.0 / 13);
    EXPECT_DOUBLE_EQ(reuse.fresh, 4.0 / 5);
    EXPECT_DOUBLE_EQ(reuse.ofBlock, 5);
    EXPECT_DOUBLE_EQ(reuse.pass, 1);
}

// 32 lanes, a line each: at one place of their lines, one bank has 32 words; each at the next place, every bank has one.
// Each sector lies alone in its line: DRAM moves its neighbour along, and a page's price is what was handed over.
TEST(TouchSample, SeesBanksAndPages) {
    TouchSample column(1), diagonal(1);
    see(column, AccessKind::Load, 0, [](std::uint64_t lane) { return 128 * lane; });
    EXPECT_DOUBLE_EQ(column.reuse(1.5).pass, 32);
    EXPECT_DOUBLE_EQ(column.reuse(1.5).dram, 2 * 1.5);
    see(diagonal, AccessKind::Load, 0, [](std::uint64_t lane) { return 132 * lane; });
    EXPECT_DOUBLE_EQ(diagonal.reuse(1).pass, 1);
}

// Half of each sector is written: all of them in part. Then the other halves: none.
TEST(TouchSample, SeesWhatIsWrittenInPart) {
    TouchSample sample(1);
    const auto half = [&](std::uint64_t which) {
        see(sample, AccessKind::Store, 0,
            [&](std::uint64_t lane) { return lane / 4 * 32 + which * 16 + lane % 4 * 4; });
    };
    half(0);
    EXPECT_DOUBLE_EQ(sample.reuse(1).partly, 1);
    half(1);
    EXPECT_DOUBLE_EQ(sample.reuse(1).partly, 0);
}

// Eight bins, four lanes each, in one sector: it is kept four times as long as by lanes of words of their own. Blocks that
// want the same line share it; those that want their own do not.
TEST(TouchSample, SeesAtomicsThatMeet) {
    TouchSample shared(2), apart(2);
    for (const std::uint64_t block : {0, 1}) {
        see(shared, AccessKind::Atomic, block, [](std::uint64_t lane) { return lane % 8 * 4; });
        see(apart, AccessKind::Atomic, block, [&](std::uint64_t lane) { return 4096 * block + lane * 4; });
    }
    EXPECT_DOUBLE_EQ(shared.reuse(1).hottest, 4);
    EXPECT_DOUBLE_EQ(shared.reuse(1).hotLines, 1);
    EXPECT_DOUBLE_EQ(apart.reuse(1).hottest, 1);
    EXPECT_DOUBLE_EQ(apart.reuse(1).hotLines, 0);
}

} // namespace
} // namespace warpglass::emulator
