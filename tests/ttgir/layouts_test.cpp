// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ttgir/encodings.h"

#include "gpu/ptx/matrix_form.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <set>
#include <string>

using namespace warpglass;
using namespace warpglass::ttgir;

namespace {

const Aliases& someLayouts() {
    static const Aliases all{
        {"#line", "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"},
        {"#rows",
         "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>"},
        {"#columns",
         "#ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>"},
        {"#mma", "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>"},
        {"#wgmma",
         "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>"},
        {"#shared", "#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>"},
        {"#nvmma", "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"},
        {"#turned", "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>"},
    };
    return all;
}

TileLayout layout(std::string_view encoding, const Place& shape) {
    const auto made = tileLayout(encoding, shape, someLayouts());
    EXPECT_TRUE(made);
    return made ? *made : TileLayout();
}

std::uint64_t offsetIn(std::string_view encoding, const Place& shape, const Place& element) {
    const auto made = sharedLayout(encoding, shape, 16, someLayouts());
    EXPECT_TRUE(made);
    return made ? made->offsetOf(element) : 0;
}

// Every element is somebody's.
void covers(const TileLayout& l) {
    std::set<Place> seen;
    for (std::uint32_t w = 0; w < l.warpCount(); ++w)
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            for (std::uint32_t r = 0; r < l.registerCount(); ++r)
                seen.insert(l.element(w, lane, r));
    std::size_t all = 1;
    for (const std::uint32_t n : l.shape)
        all *= n;
    EXPECT_EQ(seen.size(), all);
}

} // namespace

// 4 elements a thread, 32 threads, 4 warps: 512 elements a round, so that 1,024 take 8 registers. Element 700 = 512 + 188 is in
// the second round; 188 = 128 + 60: warp 1; 60 = 15 * 4 + 0: lane 15, register 4 + 0.
TEST(TileLayouts, blockedAlongOneDimension) {
    const TileLayout l = layout("#line", {1024});
    EXPECT_EQ(l.registerCount(), 8u);
    EXPECT_EQ(l.element(1, 15, 4), Place{700});
    EXPECT_EQ(holdersOf(l, {700}), (std::vector<Holder>{{1, 15, 4}}));
    covers(l);
}

// 8 lanes of 4 elements take a row of 32, 4 lanes down, 4 warps: 16 rows. Of 64 x 64 there are two halves to the right first
// (order: dimension 1 runs fastest), then four down: registers 4 and 8 and 16. Row 37, column 41: 37 = 2 * 16 + 5 is the third
// round down (registers + 8 * 2), warp 5 / 4 = 1, row 1 of it; 41 = 32 + 9: the right half (+ 4), lane 2 of its row, element 1:
// lane 1 * 8 + 2 = 10, register 16 + 4 + 1 = 21.
TEST(TileLayouts, blockedInTwoDimensions) {
    const TileLayout l = layout("#rows", {64, 64});
    EXPECT_EQ(l.registerCount(), 32u);
    EXPECT_EQ(l.element(1, 10, 21), (Place{37, 41}));
    covers(l);
}

// The other order: 16 lanes of 4 down make 64 rows; 2 lanes and 4 warps across: 8 columns a round, 32 take four, registers 4, 8.
// Row 22 = 5 * 4 + 2, column 13 = 8 + 5 = 8 + 2 * 2 + 1: lane 5 + 16 * 1, warp 2, register 2 + 4.
TEST(TileLayouts, blockedByColumns) {
    const TileLayout l = layout("#columns", {64, 32});
    EXPECT_EQ(l.element(2, 21, 6), (Place{22, 13}));
    covers(l);
}

// A tile that is smaller than the threads are many: 512 elements' worth of them for 128. Warps 1 to 3 hold what warp 0 holds.
TEST(TileLayouts, copiesWhereTheTileIsSmall) {
    const TileLayout l = layout("#line", {128});
    EXPECT_EQ(l.element(3, 7, 2), Place{30});
    EXPECT_EQ(holdersOf(l, {30}), (std::vector<Holder>{{0, 7, 2}, {1, 7, 2}, {2, 7, 2}, {3, 7, 2}}));
}

// Held to PTX's own tables, by which the emulator multiplies (gpu/ptx/matrix_form.h): a tile of 16 x 8 of a single warp is what
// mma.m16n8k16 writes; and A and B of halves are its operands, each half of a register in turn.
TEST(TileLayouts, mmaLiesAsItsInstructionSays) {
    const Aliases one{
        {"#one", "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>"}};
    const auto form = ptx::matrixForm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    ASSERT_TRUE(form);
    const struct {
        const char* encoding;
        Place shape;
        ptx::MatrixRole role;
        std::uint32_t elements;
    } cases[] = {{"#one", {16, 8}, ptx::MatrixRole::D, 4},
                 {"#ttg.dot_op<{opIdx = 0, parent = #one, kWidth = 2}>", {16, 16}, ptx::MatrixRole::A, 8},
                 {"#ttg.dot_op<{opIdx = 1, parent = #one, kWidth = 2}>", {16, 8}, ptx::MatrixRole::B, 4}};
    for (const auto& c : cases) {
        const auto l = tileLayout(c.encoding, c.shape, one);
        ASSERT_TRUE(l) << c.encoding;
        EXPECT_EQ(l->registerCount(), c.elements);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            for (std::uint32_t e = 0; e < c.elements; ++e) {
                const ptx::MatrixCell cell = ptx::cellOf(*form, c.role, lane, e);
                EXPECT_EQ(l->element(0, lane, e), (Place{cell.row, cell.column})) << c.encoding << lane << ' ' << e;
            }
    }
}

// wgmma's result of 64 x 64 over four warps, as PTX has it.
TEST(TileLayouts, wgmmaLiesAsItsInstructionSays) {
    const auto form = ptx::matrixForm("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16");
    ASSERT_TRUE(form);
    const TileLayout l = layout("#wgmma", {64, 64});
    ASSERT_EQ(l.registerCount(), 32u);
    for (std::uint32_t thread = 0; thread < 128; ++thread)
        for (std::uint32_t e = 0; e < 32; ++e) {
            const ptx::MatrixCell cell = ptx::cellOf(*form, ptx::MatrixRole::D, thread, e);
            EXPECT_EQ(l.element(thread / 32, thread % 32, e), (Place{cell.row, cell.column})) << thread << ' ' << e;
        }
    covers(l);
}

// Warps 2 x 2, the one to the right next: warp 1 is 8 columns to the right, warp 2 16 rows down; 64 x 64 take 4 rounds right,
// then two down. Of A both warps of a row of warps hold the same.
TEST(TileLayouts, warpsOfAProductStandSideBySide) {
    const TileLayout l = layout("#mma", {64, 64});
    EXPECT_EQ(l.element(1, 0, 0), (Place{0, 8}));
    EXPECT_EQ(l.element(2, 0, 0), (Place{16, 0}));
    EXPECT_EQ(l.element(0, 0, 4), (Place{0, 16}));  // after 4 of the instruction
    EXPECT_EQ(l.element(0, 0, 16), (Place{32, 0})); // after 4 rounds to the right
    covers(l);
    const TileLayout a = layout("#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>", {64, 32});
    EXPECT_EQ(a.element(0, 9, 3), a.element(1, 9, 3));
    EXPECT_EQ(a.element(2, 0, 0), (Place{16, 0}));
    covers(a);
    const TileLayout b = layout("#ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>", {32, 64});
    EXPECT_EQ(b.element(0, 9, 3), b.element(2, 9, 3));
    EXPECT_EQ(b.element(1, 0, 0), (Place{0, 8}));
    covers(b);
}

// Triton's own answers, to 19 layouts (data/triton_layouts.txt): basis by basis.
TEST(TileLayouts, areThoseThatTritonSays) {
    std::ifstream in(WARPGLASS_SOURCE_DIR "/tests/ttgir/data/triton_layouts.txt");
    const auto placesIn = [](const std::string& text) { // "[[0, 1], [8, 0]]"
        std::vector<Place> all;
        for (std::size_t at = 1; at < text.size(); ++at) {
            if (text[at] == '[')
                all.emplace_back();
            else if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
                std::size_t used = 0;
                all.back().push_back(std::uint32_t(std::stoul(text.substr(at), &used)));
                at += used - 1;
            }
        }
        return all;
    };
    int compared = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("# "))
            continue;
        std::vector<std::string> parts;
        for (std::size_t at = 0; at != std::string::npos;) {
            const std::size_t bar = line.find(" | ", at);
            parts.push_back(line.substr(at, bar == std::string::npos ? bar : bar - at));
            at = bar == std::string::npos ? bar : bar + 3;
        }
        ASSERT_EQ(parts.size(), 5u) << line;
        const auto l = tileLayout(parts[0], placesIn("[" + parts[1] + "]").at(0), {});
        ASSERT_TRUE(l) << line;
        EXPECT_EQ(l->registers, placesIn(parts[2])) << line;
        EXPECT_EQ(l->lanes, placesIn(parts[3])) << line;
        EXPECT_EQ(l->warps, placesIn(parts[4])) << line;
        ++compared;
    }
    EXPECT_EQ(compared, 19);
}

// A sum over the columns of #rows: 64 rows. Lanes of a row (8) hold the same, and of a lane's 32 registers 4 are left: one a
// round down. Row 37: warp 1, lanes 8 to 15, register 2.
TEST(TileLayouts, aSliceIsItsParentWithoutADimension) {
    const TileLayout l = layout("#ttg.slice<{dim = 1, parent = #rows}>", {64});
    EXPECT_EQ(l.registerCount(), 4u);
    const auto holders = holdersOf(l, {37});
    ASSERT_EQ(holders.size(), 8u);
    for (std::uint32_t n = 0; n < 8; ++n)
        EXPECT_EQ(holders[n], (Holder{1, 8 + n, 2}));
}

TEST(TileLayouts, linearIsAsItIsWritten) {
    const TileLayout l = layout("#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, "
                                "0]], warp = [[16, 0]], block = []}>",
                                {32, 8});
    EXPECT_EQ(l.element(1, 0b10110, 3), (Place{16 ^ 8 ^ 4 ^ 1, 4 ^ 1}));
    covers(l);
}

// Rows of 32 halves in groups of 8; two rows a phase, four phases. Row 5: phase 5 / 2 % 4 = 2. Column 13 is group 1, element 5:
// group 1 ^ 2 = 3, so the element stands at 5 * 32 + 3 * 8 + 5 = 189.
TEST(SharedLayouts, swizzledExchangesGroups) {
    EXPECT_EQ(offsetIn("#shared", {64, 32}, {5, 13}), 189u);
    EXPECT_EQ(offsetIn("#shared", {64, 32}, {0, 13}), 13u);
    EXPECT_EQ(offsetIn("#shared", {64, 32}, {8, 13}), 8 * 32 + 13u); // phase 8 / 2 % 4 = 0
}

// Eight rows of 128 bytes, 16-byte groups exchanged by the row: row 3, column 21 of halves is group 2, element 5; 2 ^ 3 = 1:
// 3 * 64 + 1 * 8 + 5 = 205. Column 64 of 128 begins a second panel, behind all 64 rows of the first.
TEST(SharedLayouts, nvmmaLiesInPanelsAsTensorCopiesWriteThem) {
    EXPECT_EQ(offsetIn("#nvmma", {64, 64}, {3, 21}), 205u);
    EXPECT_EQ(offsetIn("#nvmma", {64, 128}, {3, 21}), 205u);
    EXPECT_EQ(offsetIn("#nvmma", {64, 128}, {3, 64 + 21}), 64 * 64 + 205u);
    EXPECT_EQ(offsetIn("#nvmma", {64, 64}, {11, 21}), 11 * 64 + 1 * 8 + 5u); // row 11 = 8 + 3
    // 64 bytes, by columns: what runs along is dimension 0 (32 halves), two a phase of four. Column 5 (phase 2), row 13 (group 1):
    // 5 * 32 + (1 ^ 2) * 8 + 5 = 189.
    EXPECT_EQ(offsetIn("#turned", {32, 64}, {13, 5}), 189u);
}

// Three stages of 64 x 32: the third begins behind 2 * 2048 elements.
TEST(SharedLayouts, stagesLieBehindEachOther) {
    EXPECT_EQ(offsetIn("#shared", {3, 64, 32}, {2, 5, 13}), 2 * 2048 + 189u);
    EXPECT_EQ(offsetIn("#nvmma", {3, 64, 64}, {1, 3, 21}), 4096 + 205u);
}

TEST(TileLayouts, whatIsNotKnownIsSaid) {
    EXPECT_FALSE(tileLayout(
        "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = "
        "[[1]]}>",
        {256}, {}));
    EXPECT_FALSE(tileLayout("#ttg.amd_mfma<{}>", {32, 32}, {}));
    EXPECT_FALSE(tileLayout("#line", {1000}, someLayouts()));
    EXPECT_FALSE(tileLayout("#line", {32, 32}, someLayouts()));
    EXPECT_FALSE(tileLayout("#ttg.dot_op<{opIdx = 1, parent = #wgmma, kWidth = 2}>", {32, 64}, someLayouts()));
    EXPECT_FALSE(sharedLayout("#rows", {32, 32}, 16, someLayouts()));
    const Aliases circle{{"#a", "#ttg.slice<{dim = 0, parent = #a}>"}};
    EXPECT_FALSE(tileLayout("#a", {32}, circle));
}
