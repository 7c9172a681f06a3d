// SPDX-License-Identifier: GPL-3.0-or-later
// The tile that a block's own accesses make up, on traces made by hand.
#include "gpu/metrics/tile_use.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpglass::testing {
namespace {

constexpr std::uint32_t writes = 10, reads = 20, elsewhere = 30; // PTX lines

// One block of one warp. Line 10 stores 32 rows of 32 floats at byte 256, row by row; line 20 loads them column by column; line
// 30 stores to 128 bytes that lie behind them.
Trace transposing(std::uint64_t rowBytes = 128) {
    Trace trace;
    trace.info.recordedAccesses = true;
    trace.kernels.push_back({.name = "transpose"});
    for (const std::uint32_t line : {writes, reads, elsewhere})
        trace.sites.push_back({.kind = SiteKind::Access, .ptxLine = line, .text = "access"});
    trace.launches.push_back({.grid = {1}, .block = {32}, .end = {1000}, .blockCount = 1});
    trace.blocks.push_back({.end = {1000}, .warpCount = 1});
    trace.warps.push_back({.liveLanes = LaneMask::all(), .end = {1000}});
    std::int64_t time = 0;
    const auto access = [&](std::uint32_t site, AccessKind kind,
                            const std::function<std::uint64_t(std::uint64_t)>& place) {
        AccessRow row;
        row.event = trace.events.size();
        row.space = MemorySpace::Shared;
        row.kind = kind;
        row.bytesPerElement = 4;
        row.firstLane = trace.accessAddresses.size();
        trace.events.push(time++, site, EventKind::Access, LaneMask::all(), {});
        for (std::uint64_t lane = 0; lane < 32; ++lane) {
            trace.accessAddresses.push_back(place(lane));
            trace.accessValues.push_back(0);
        }
        trace.accesses.push_back(row);
    };
    for (std::uint64_t n = 0; n < 32; ++n)
        access(0, AccessKind::Store, [&](std::uint64_t lane) { return 256 + n * rowBytes + 4 * lane; });
    for (std::uint64_t n = 0; n < 32; ++n)
        access(1, AccessKind::Load, [&](std::uint64_t lane) { return 256 + lane * rowBytes + 4 * n; });
    access(2, AccessKind::Store, [&](std::uint64_t lane) { return 256 + 32 * rowBytes + 4 * lane; });
    trace.warps[0].eventCount = std::uint32_t(trace.events.size());
    return trace;
}

// 32 stores in a pass each, 32 loads in 32 each: what a pattern of 32 x 32 floats gives, and the same layouts mend it.
TEST(RecordedTile, IsWhatItsLinesTouchAndIsRankedAsItsPattern) {
    const Trace trace = transposing();
    for (const std::uint32_t line : {writes, reads}) {
        const auto tile = recordedTile(trace, 0, line);
        ASSERT_TRUE(tile);
        EXPECT_EQ(tile->base, 256u);
        EXPECT_EQ(tile->use.bytes, 4096u); // what lies behind it is not its own
        EXPECT_EQ(tile->use.rowBytes, 128u);
        EXPECT_EQ(tile->use.rows, 32u);
        EXPECT_EQ(tile->requests, 64u);
        EXPECT_EQ(tile->left, 0u);
        EXPECT_EQ(tile->writeLine, writes);
        EXPECT_EQ(tile->readLine, reads);
        const LayoutRanking ranking = rankLayouts(tile->use);
        EXPECT_EQ(ranking.plain.writePasses, 32u);
        EXPECT_EQ(ranking.plain.readPasses, 1024u);
        const LayoutRanking pattern =
            rankLayouts(Tile{.rows = 32, .columns = 32, .writer = {TileWalk::Row, 1}, .reader = {TileWalk::Column, 1}});
        ASSERT_EQ(ranking.best.size(), pattern.best.size());
        for (std::size_t n = 0; n < pattern.best.size(); ++n) {
            EXPECT_EQ(ranking.best[n].layout, pattern.best[n].layout);
            EXPECT_EQ(ranking.best[n].passes(), pattern.best[n].passes());
        }
    }
    EXPECT_EQ(recordedTile(trace, 0, elsewhere)->use.bytes, 128u);
    EXPECT_FALSE(recordedTile(trace, 0, 11));
    EXPECT_FALSE(recordedTile(trace, 7, reads));
}

// Rows that are four bytes longer meet all banks already: nothing is better than what is there.
TEST(RecordedTile, ThatIsPaddedNeedsNothing) {
    const auto tile = recordedTile(transposing(132), 0, reads);
    ASSERT_TRUE(tile);
    EXPECT_EQ(tile->use.rowBytes, 132u);
    const LayoutRanking ranking = rankLayouts(tile->use);
    EXPECT_EQ(ranking.plain.readPasses, 32u);
    EXPECT_EQ(ranking.plain.passes(), ranking.leastWrites + ranking.leastReads);
}

TEST(RecordedTile, CountsCopiesThatShareItsPipe) {
    Trace trace = transposing();
    for (const std::uint32_t place :
         {256u, 4351u, 4352u, noIndex}) // the third lies behind it, of the last nothing is known
        trace.copies.push_back({.place = place});
    EXPECT_EQ(recordedTile(trace, 0, reads)->copies, 2u);
}

// The request that takes the most passes, and where it lies: lane 1 of the column lies a row further, in bank 0 again; with rows
// of 132 bytes in bank 1.
TEST(RecordedTile, TellsWhereTheSlowestRequestLies) {
    const auto tile = recordedTile(transposing(), 0, reads);
    ASSERT_TRUE(tile);
    const std::uint32_t worst = worstOf(tile->use.reads, {}, tile->use.rows);
    ASSERT_EQ(worst, 0u);
    const PlacedRequest plain = placed(tile->use.reads[0], {}, 32);
    EXPECT_EQ(plain.places[1], 128u);
    EXPECT_EQ(plain.served.passes, 32);
    const PlacedRequest padded =
        placed(tile->use.reads[0], {.order = TileOrder::Padded, .rowBytes = 128, .padding = 4}, 32);
    EXPECT_EQ(padded.places[1], 132u);
    EXPECT_EQ(padded.served.passes, 1);
}

} // namespace
} // namespace warpglass::testing
