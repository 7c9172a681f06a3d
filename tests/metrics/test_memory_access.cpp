// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/memory_access.h"

#include <gtest/gtest.h>

using namespace warpglass;

namespace {

std::vector<std::uint64_t> addresses(std::uint64_t base, std::uint64_t stride, int lanes = 32) {
    std::vector<std::uint64_t> list;
    for (int i = 0; i < lanes; ++i)
        list.push_back(base + stride * std::uint64_t(i));
    return list;
}

} // namespace

// 32 lanes x 4 B, offset one element from an aligned start: bytes 4 to 131, which lie in sectors 0..4: 128 of 160 B, 80
// %.
TEST(GlobalAccess, offsetByOneElementTouchesFiveSectors) {
    const GlobalAccess a = analyseGlobal(LaneMask::all(), addresses(0x1000 + 4, 4), 4);
    EXPECT_EQ(a.sectors.size(), 5u);
    EXPECT_EQ(a.lines, 2u);
    EXPECT_DOUBLE_EQ(a.efficiency(), 80.0);
}

// Stride s elements of 4 B: 32*4*s bytes are spanned. 2: 8 sectors, 50 %. 4: 16, 25 %. 8: 32, 12.5 %. 32: 32, 12.5 %.
TEST(GlobalAccess, stridesHalveTheEfficiencyDownToOneWordASector) {
    EXPECT_DOUBLE_EQ(analyseGlobal(LaneMask::all(), addresses(0x1000, 4), 4).efficiency(), 100.0);
    EXPECT_DOUBLE_EQ(analyseGlobal(LaneMask::all(), addresses(0x1000, 8), 4).efficiency(), 50.0);
    EXPECT_DOUBLE_EQ(analyseGlobal(LaneMask::all(), addresses(0x1000, 16), 4).efficiency(), 25.0);
    EXPECT_DOUBLE_EQ(analyseGlobal(LaneMask::all(), addresses(0x1000, 32), 4).efficiency(), 12.5);
    EXPECT_DOUBLE_EQ(analyseGlobal(LaneMask::all(), addresses(0x1000, 128), 4).efficiency(), 12.5);
}

// All lanes read one word: 4 of 32 bytes of one sector.
TEST(GlobalAccess, broadcastOfOneWordCountsItsBytesOnce) {
    const GlobalAccess a = analyseGlobal(LaneMask::all(), addresses(0x1000, 0), 4);
    EXPECT_EQ(a.sectors.size(), 1u);
    EXPECT_EQ(a.bytesRequested, 128u);
    EXPECT_EQ(a.bytesDistinct, 4u);
    EXPECT_DOUBLE_EQ(a.efficiency(), 12.5);
}

// Lanes 0, 8, 16, 24 (mask 0x01010101), 4 B each at 32 B distance: the packed addresses belong to those lanes.
TEST(GlobalAccess, packedAddressesBelongToTheActiveLanes) {
    const GlobalAccess a = analyseGlobal({0x01010101u}, addresses(0x2000, 32, 4), 4);
    ASSERT_EQ(a.sectors.size(), 4u);
    EXPECT_EQ(a.sectors[2].lanes, LaneMask::of(16));
    EXPECT_EQ(a.sectors[2].bytes, 0xfu);
}

// A column of a 16 x 16 tile of words: stride 64 B = 16 words, so lanes fall into banks 0 and 16 alternately: 16 words
// each of two banks for 32 lanes: 16 passes. With a padding word (stride 17) every lane has a bank of its own: one
// pass.
TEST(SharedAccess, columnOfASixteenTileNeedsSixteenPassesAndPaddingCures) {
    const SharedAccess bad = analyseShared(LaneMask::all(), addresses(0, 64), 4, AccessKind::Load);
    EXPECT_EQ(bad.passes, 16);
    EXPECT_EQ(bad.idealPasses, 1);
    EXPECT_EQ(bad.conflicting, LaneMask::all());
    const SharedAccess good = analyseShared(LaneMask::all(), addresses(0, 68), 4, AccessKind::Load);
    EXPECT_EQ(good.passes, 1);
    EXPECT_TRUE(good.conflicting.empty());
}

TEST(SharedAccess, oneWordForAllIsABroadcastInOnePass) {
    const SharedAccess a = analyseShared(LaneMask::all(), addresses(256, 0), 4, AccessKind::Load);
    EXPECT_EQ(a.passes, 1);
    ASSERT_EQ(a.words.size(), 1u);
    EXPECT_EQ(a.words[0].lanes, LaneMask::all());
}

// 8 bytes a lane, contiguous: each half warp fills the 32 banks once: two passes, as good as can be. 16 bytes: four.
TEST(SharedAccess, wideElementsGoByHalfAndQuarterWarps) {
    const SharedAccess doubles = analyseShared(LaneMask::all(), addresses(0, 8), 8, AccessKind::Load);
    EXPECT_EQ(doubles.passes, 2);
    EXPECT_EQ(doubles.idealPasses, 2);
    const SharedAccess quads = analyseShared(LaneMask::all(), addresses(0, 16), 16, AccessKind::Load);
    EXPECT_EQ(quads.passes, 4);
    EXPECT_EQ(quads.idealPasses, 4);
}

// Passes and conflicts of an H200 (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld, l1tex__data_bank_conflicts_...).
TEST(SharedAccess, wideLoadsThatNeighboursWantAlikeGoTogetherAsOnAnH200) {
    struct Case {
        int bytes;
        AccessKind kind;
        std::uint32_t mask;
        std::uint64_t (*element)(std::uint64_t lane);
        int passes, conflicts;
    };
    const auto one = [](std::uint64_t) { return std::uint64_t(0); };
    const auto pairs = [](std::uint64_t lane) { return lane / 2; };
    const auto twoByTurns = [](std::uint64_t lane) { return lane % 2; };
    const auto twoOfOneBank = [](std::uint64_t lane) { return lane % 2 * 8; };
    const auto four = [](std::uint64_t lane) { return lane % 4; };
    const auto halfOwn = [](std::uint64_t lane) { return lane < 16 ? lane : 0; };
    const auto own = [](std::uint64_t lane) { return lane; };
    const std::uint32_t all = ~0u, everyOther = 0x55555555;
    const auto load = AccessKind::Load, store = AccessKind::Store;
    for (const Case& c : {
             Case{16, load, all, one, 2, 0},
             Case{8, load, all, one, 1, 0},
             Case{16, load, all, pairs, 2, 0},
             Case{16, load, all, twoByTurns, 2, 0},
             Case{16, load, all, twoOfOneBank, 4, 2}, // 128 bytes apart: two passes in each of two halves
             Case{8, load, all, twoOfOneBank, 1, 0},
             Case{16, load, all, four, 4, 0},
             Case{16, load, all, halfOwn, 4, 0}, // all lanes must agree
             Case{16, load, everyOther, own, 4, 2},
             Case{16, store, all, one, 4, 0},
         }) {
        SCOPED_TRACE(testing::Message() << c.bytes << " bytes, mask " << c.mask);
        std::vector<std::uint64_t> of;
        for (std::uint64_t lane = 0; lane < 32; ++lane)
            if (c.mask >> lane & 1)
                of.push_back(c.element(lane) * std::uint64_t(c.bytes));
        const SharedAccess a = analyseShared({c.mask}, of, unsigned(c.bytes), c.kind);
        EXPECT_EQ(a.passes, c.passes);
        EXPECT_EQ(a.passes - a.idealPasses, c.conflicts);
    }
}
