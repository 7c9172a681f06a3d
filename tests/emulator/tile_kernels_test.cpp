// SPDX-License-Identifier: GPL-3.0-or-later
// What is proposed for the tile of a kernel that ran, and what the kernel takes when it is written so (data/tiles.cu). Passes are
// worked out by hand from that file: of 16 bytes a lane eight lanes are served together, of 8 bytes sixteen, of 4 bytes all.
#include "gpu/metrics/tile_use.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpglass::testing {
namespace {

struct TileKernel {
    const char* name;
    std::uint32_t rows, rowBytes, padding;
    std::uint64_t writes, reads, leastReads; // passes; writes have none too many
};
// floats: a row is all 32 banks, one pass; a column lies in one of them, 32 passes for each of 32.
// eights: 16 requests either way, of four times eight lanes. Eight lanes write a row of 128 bytes, one pass: 4 x 16. They read from
// eight rows the same four banks, 8 passes: 8 x 4 x 16.
// doubles: 8 requests, of twice 16 lanes. 16 lanes write a row of 128 bytes: 2 x 8. They read 16 rows in the same two banks: 16 x 2 x 8.
constexpr TileKernel tileKernels[] = {
    {"floats", 32, 128, 4, 32, 1024, 32},
    {"eights", 64, 128, 16, 64, 512, 64},
    {"doubles", 16, 128, 8, 16, 256, 16},
};

Recording runTile(const TileKernel& kernel, int how) {
    const std::size_t words = kernel.rows * kernel.rowBytes / 4;
    std::vector<std::uint32_t> in(words);
    for (std::size_t n = 0; n < words; ++n)
        in[n] = std::uint32_t(n);
    Kernel k(kernel.name, {1}, {32}, {buffer(in), buffer(std::vector<std::uint32_t>(words)), value(how)}, "tiles.ptx");
    k.options.detail.accesses = true;
    return k.run();
}
// Of all stores to shared memory, or loads from it, as the emulator counted them.
std::uint64_t passesOf(const Recording& r, AccessKind kind) {
    std::uint64_t passes = 0;
    for (const InstructionCount& c : r.trace->counts)
        if (c.isMemory && c.space == MemorySpace::Shared && c.access == kind)
            passes += c.passes;
    return passes;
}

TEST(TileKernels, ProposalsAreWhatTheKernelTakesThen) {
    for (const TileKernel& kernel : tileKernels) {
        const Recording plain = runTile(kernel, 0);
        EXPECT_EQ(passesOf(plain, AccessKind::Store), kernel.writes) << kernel.name;
        EXPECT_EQ(passesOf(plain, AccessKind::Load), kernel.reads) << kernel.name;
        std::uint32_t line = 0; // that loads from the tile
        for (const InstructionCount& c : plain.trace->counts)
            if (c.isMemory && c.space == MemorySpace::Shared && c.access == AccessKind::Load)
                line = c.ptxLine;
        const auto tile = recordedTile(*plain.trace, 0, line);
        ASSERT_TRUE(tile) << kernel.name;
        EXPECT_EQ(tile->use.bytes, kernel.rows * kernel.rowBytes) << kernel.name;
        EXPECT_EQ(tile->left, 0u);
        const LayoutRanking ranking = rankLayouts(tile->use);
        EXPECT_EQ(ranking.plain.writePasses, kernel.writes) << kernel.name;
        EXPECT_EQ(ranking.plain.readPasses, kernel.reads) << kernel.name;
        // What loses nothing comes first: the exclusive or with the row; then the shortest padding that takes as few passes.
        ASSERT_FALSE(ranking.best.empty()) << kernel.name;
        EXPECT_EQ(ranking.best.front().layout.order, TileOrder::Swizzled) << kernel.name;
        EXPECT_EQ(ranking.best.front().lost, 0u) << kernel.name;
        const auto padded = std::find_if(ranking.best.begin(), ranking.best.end(),
                                         [](const RankedLayout& r) { return r.layout.order == TileOrder::Padded; });
        ASSERT_NE(padded, ranking.best.end()) << kernel.name;
        EXPECT_EQ(padded->layout.padding, kernel.padding) << kernel.name;
        EXPECT_EQ(padded->lost, kernel.rows * kernel.padding) << kernel.name;
        for (const int how : {1, 2}) {
            const RankedLayout& proposed = how == 1 ? *padded : ranking.best.front();
            EXPECT_EQ(proposed.writePasses, kernel.writes) << kernel.name << how;
            EXPECT_EQ(proposed.readPasses, kernel.leastReads) << kernel.name << how;
            const Recording mended = runTile(kernel, how);
            EXPECT_EQ(passesOf(mended, AccessKind::Store), proposed.writePasses) << kernel.name << how;
            EXPECT_EQ(passesOf(mended, AccessKind::Load), proposed.readPasses) << kernel.name << how;
            EXPECT_EQ(mended.buffers[1], plain.buffers[1]) << kernel.name << how;
        }
    }
}

} // namespace
} // namespace warpglass::testing
