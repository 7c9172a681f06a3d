// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles in shared memory: where a byte lies, and passes worked out by hand.
#include "gpu/metrics/tile_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace warpglass::testing {
namespace {

Tile square32(TileWalk read) {
    return {.rows = 32, .columns = 32, .elementBytes = 4, .writer = {TileWalk::Row, 1}, .reader = {read, 1}};
}

const RankedLayout* find(const LayoutRanking& ranking, TileOrder order, std::uint32_t number) {
    for (const RankedLayout& r : ranking.best)
        if (r.layout.order == order && (order == TileOrder::Padded ? r.layout.padding : r.layout.bits) == number)
            return &r;
    return nullptr;
}

// A row of 32 floats is all 32 banks: 32 rows are written in 32 passes. The elements of a column are 32 words apart, all in
// one bank: 32 passes each, 1024 in all.
TEST(TileLayout, AColumnOfATileAsWideAsTheBanksMeetsOneBank) {
    const LayoutRanking ranking = rankLayouts(square32(TileWalk::Column));
    EXPECT_EQ(ranking.plain.writePasses, 32u);
    EXPECT_EQ(ranking.plain.readPasses, 1024u);
    EXPECT_EQ(ranking.leastReads, 32u);
}

// One word more a row puts each element of a column into a bank of its own; 32 rows lose 4 bytes each.
TEST(TileLayout, OneWordMoreARowIsEnough) {
    const LayoutRanking ranking = rankLayouts(square32(TileWalk::Column));
    const RankedLayout* padded = find(ranking, TileOrder::Padded, 4);
    ASSERT_NE(padded, nullptr);
    EXPECT_EQ(padded->writePasses, 32u);
    EXPECT_EQ(padded->readPasses, 32u);
    EXPECT_EQ(padded->lost, 128u);
}

// Column c of row r lies in bank c ^ r: five bits of the row, five bits above those of the column. Nothing is lost, so it
// comes first. In bytes the bits begin two higher.
TEST(TileLayout, AnExclusiveOrWithTheRowLosesNothing) {
    const LayoutRanking ranking = rankLayouts(square32(TileWalk::Column));
    ASSERT_FALSE(ranking.best.empty());
    const RankedLayout& first = ranking.best.front();
    EXPECT_EQ(first.layout.order, TileOrder::Swizzled);
    EXPECT_EQ(nameOf(first.layout, 4), "Swizzle<5,0,5>");
    EXPECT_EQ(first.passes(), 64u);
    EXPECT_EQ(first.lost, 0u);
    // Row 3, column 5: 3 * 32 + (5 ^ 3) = 102.
    EXPECT_EQ(first.layout.place((3 * 32 + 5) * 4, 32), 102u * 4u);
}

// TMA's swizzle over 128 bytes moves 16 bytes by the row modulo 8: a column of floats meets 8 places of 16 bytes, 4 rows
// each: 4 passes, 128 for 32 columns. Over 64 bytes the row (two boxes side by side, each 64 bytes wide) takes two bits of the
// address's 128 bytes: rows r and r + 1 share 128 bytes, so of 32 rows in 64 bytes each: 16 pairs, 4 places by the pair
// modulo 4, of both halves: 8 places, 4 rows each: 4 passes, too.
TEST(TileLayout, TmaMovesSixteenBytesTogether) {
    const LayoutRanking ranking = rankLayouts(square32(TileWalk::Column));
    for (const std::uint32_t bits : {2u, 3u}) {
        const RankedLayout* boxes = find(ranking, TileOrder::Boxes, bits);
        ASSERT_NE(boxes, nullptr) << bits;
        EXPECT_EQ(boxes->readPasses, 128u) << bits;
        EXPECT_EQ(boxes->lost, 0u) << bits;
    }
    const RankedLayout* none = find(ranking, TileOrder::Boxes, 0);
    ASSERT_NE(none, nullptr);
    EXPECT_EQ(none->readPasses, 1024u);
}

// PTX ISA, "Swizzling modes": over 128 bytes, the sixteen bytes number c of row r lie at c ^ (r mod 8). Row 3, byte 40 (c = 2,
// 8 into it): 2 ^ 3 = 1, so 3 * 128 + 16 + 8.
TEST(TileLayout, TheSwizzleOver128BytesIsTmas) {
    const TileLayout layout{.order = TileOrder::Boxes, .rowBytes = 128, .bits = 3, .base = 4, .shift = 3, .span = 128};
    EXPECT_EQ(layout.place(3 * 128 + 40, 64), 3u * 128u + 24u);
    EXPECT_EQ(layout.place(8 * 128 + 40, 64), 8u * 128u + 40u); // row 8 is as row 0
}

// Fragments by ldmatrix: a lane's row of eight halves is 16 bytes, eight lanes together. In rows of 64 halves (128 bytes) eight
// rows of a column meet the same four banks: 8 passes for each eight lanes. 64 * 64 halves are 512 such rows, 64 times eight:
// 512 passes, and 64 with TMA's swizzle over 128 bytes.
TEST(TileLayout, RowsOfEightHalvesMeetAllBanksWithTmasSwizzle) {
    const Tile tile{
        .rows = 64, .columns = 64, .elementBytes = 2, .writer = {TileWalk::Row, 8}, .reader = {TileWalk::Column, 8}};
    const LayoutRanking ranking = rankLayouts(tile);
    EXPECT_EQ(ranking.plain.readPasses, 512u);
    EXPECT_EQ(ranking.leastReads, 64u);
    const RankedLayout* boxes = find(ranking, TileOrder::Boxes, 3);
    ASSERT_NE(boxes, nullptr);
    EXPECT_EQ(boxes->readPasses, 64u);
    const RankedLayout* padded = find(ranking, TileOrder::Padded, 16);
    ASSERT_NE(padded, nullptr);
    EXPECT_EQ(padded->readPasses, 64u);
    EXPECT_EQ(padded->lost, 64u * 16u);
}

// Whatever the layout: no two bytes meet, none lies beyond the room that it is said to take.
TEST(TileLayout, EveryByteHasAPlaceOfItsOwn) {
    for (const Tile& tile : {square32(TileWalk::Column), Tile{.rows = 12, .columns = 24, .elementBytes = 2}}) {
        for (const RankedLayout& r : rankLayouts(tile).best) {
            std::set<std::uint64_t> places;
            for (std::uint64_t byte = 0; byte < tile.bytes(); ++byte)
                places.insert(r.layout.place(byte, tile.rows));
            EXPECT_EQ(places.size(), tile.bytes()) << nameOf(r.layout, tile.elementBytes);
            EXPECT_LT(*places.rbegin(), tile.bytes() + r.lost) << nameOf(r.layout, tile.elementBytes);
        }
    }
}

// The short way of counting and the one that the pictures use tell the same.
TEST(TileLayout, PassesAreThoseOfTheMemoryView) {
    for (const std::uint32_t elements : {1u, 2u, 4u})
        for (const TileWalk walk : {TileWalk::Row, TileWalk::Column}) {
            const Tile tile{
                .rows = 24, .columns = 40, .elementBytes = 4, .writer = {walk, elements}, .reader = {walk, elements}};
            const LayoutRanking ranking = rankLayouts(tile);
            for (const RankedLayout& r : ranking.best) {
                std::uint64_t passes = 0;
                for (const TileRequest& request : requestsOf(tile, false)) {
                    std::vector<std::uint64_t> places;
                    for (const std::uint64_t byte : request.bytes)
                        places.push_back(r.layout.place(byte, tile.rows));
                    passes +=
                        std::uint64_t(analyseShared(request.active, places, request.bytesPerLane, request.kind).passes);
                }
                EXPECT_EQ(r.readPasses, passes) << nameOf(r.layout, 4) << ", " << elements;
            }
        }
}

TEST(TileLayout, WhatCannotBeIsToldByItsOption) {
    EXPECT_EQ(faultOf({.rows = 0, .columns = 4}), TileFault::Shape);
    EXPECT_EQ(faultOf({.rows = 4096, .columns = 4096}), TileFault::Shape);
    EXPECT_EQ(faultOf({.rows = 4, .columns = 6, .elementBytes = 4, .reader = {TileWalk::Row, 4}}), TileFault::Reader);
    EXPECT_EQ(faultOf({.rows = 4, .columns = 8, .elementBytes = 8, .writer = {TileWalk::Row, 4}}), TileFault::Writer);
    EXPECT_EQ(faultOf({.rows = 4, .columns = 8, .elementBytes = 4, .reader = {TileWalk::Row, 4}}), TileFault::None);
    EXPECT_EQ(bytesOfType("f16"), 2u);
    EXPECT_EQ(bytesOfType("bf16"), 2u);
    EXPECT_EQ(bytesOfType("b128"), 16u);
    EXPECT_EQ(bytesOfType("f"), 0u);
    EXPECT_EQ(bytesOfType("double"), 0u);
}

} // namespace
} // namespace warpglass::testing
