// SPDX-License-Identifier: GPL-3.0-or-later
// Fragments of matrices: single lanes worked out by hand from the PTX ISA's lists ("Matrix Fragments for mma").
#include "gpu/ptx/matrix_form.h"

#include <gtest/gtest.h>

#include <set>

namespace warpglass::ptx {
namespace {

using Role = MatrixRole;

MatrixForm form(std::string_view text) {
    const auto found = matrixForm(text);
    EXPECT_TRUE(found) << text;
    return found.value_or(MatrixForm{});
}

TEST(MatrixForm, ReadsShapeTypesAndLayouts) {
    const MatrixForm f = form("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32");
    EXPECT_EQ(f.kind, MatrixForm::Kind::Product);
    EXPECT_EQ(f.m, 16u);
    EXPECT_EQ(f.n, 8u);
    EXPECT_EQ(f.k, 32u);
    EXPECT_EQ(f.a, Type::U8);
    EXPECT_EQ(f.b, Type::S8);
    EXPECT_EQ(f.d, Type::S32);
    EXPECT_TRUE(f.satfinite && f.aByRows && !f.bByRows && !f.sparse);
    EXPECT_TRUE(form("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32").sparse);
    EXPECT_TRUE(form("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc").exclusive);

    const MatrixForm load = form("wmma.load.b.sync.aligned.col.m8n32k16.shared.bf16");
    EXPECT_EQ(load.kind, MatrixForm::Kind::Load);
    EXPECT_EQ(load.role, Role::B);
    EXPECT_FALSE(load.aByRows); // as it lies in memory
    EXPECT_EQ(form("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f16").c, Type::F16);

    const MatrixForm async = form("wgmma.mma_async.sync.aligned.m64n200k16.f32.bf16.bf16");
    EXPECT_EQ(async.kind, MatrixForm::Kind::AsyncProduct);
    EXPECT_EQ(async.n, 200u);
    EXPECT_EQ(async.b, Type::BF16);

    EXPECT_EQ(form("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16").count, 4u);
    EXPECT_TRUE(form("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16").transposed);
    EXPECT_FALSE(matrixForm("wgmma.wait_group.sync.aligned"));
    EXPECT_FALSE(matrixForm("add.s32"));
    EXPECT_FALSE(matrixForm("mma.sync.aligned.row.col.f32.f16.f16.f32")); // no shape
}

// Lane 14: g = 3, t = 2. Lines of 16 bytes, as they lie in memory: of m16n16 sixteen a matrix, of m16n8 its eight columns.
TEST(MatrixForm, SaysWhichByteOfALineALaneMoves) {
    const MatrixForm load = form("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8");
    const Fragment loaded = fragmentOf(load, Role::D);
    EXPECT_EQ(loaded.rows, 32u);
    EXPECT_EQ(loaded.columns, 16u);
    EXPECT_EQ(loaded.registers, 4u);
    EXPECT_EQ(cellOf(load, Role::D, 14, 1), (MatrixCell{9, 3}));       // first register: lines 8 to 11 at byte 3
    EXPECT_EQ(cellOf(load, Role::D, 14, 4 + 2), (MatrixCell{10, 11})); // second: the same at byte 11
    EXPECT_EQ(cellOf(load, Role::D, 14, 8 + 3), (MatrixCell{27, 3}));  // second matrix
    const MatrixForm store = form("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8");
    EXPECT_EQ(fragmentOf(store, Role::D).rows, 32u);
    EXPECT_EQ(fragmentOf(store, Role::D).registers, 4u);
    EXPECT_EQ(cellOf(store, Role::D, 14, 1), (MatrixCell{5, 3}));
    EXPECT_EQ(cellOf(store, Role::D, 14, 2), (MatrixCell{4, 11}));
    EXPECT_EQ(cellOf(store, Role::D, 14, 4), (MatrixCell{12, 3}));
    EXPECT_EQ(fragmentOf(form("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), Role::D).registers, 4u);
    EXPECT_EQ(fragmentOf(form("ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64"), Role::D).elements, 8u);
}

// Lane 14: g = 3, t = 2.
TEST(MatrixForm, SaysWhichElementALaneHolds) {
    const MatrixForm f = form("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    EXPECT_EQ(cellOf(f, Role::A, 14, 0), (MatrixCell{3, 4}));
    EXPECT_EQ(cellOf(f, Role::A, 14, 3), (MatrixCell{11, 5}));
    EXPECT_EQ(cellOf(f, Role::A, 14, 4), (MatrixCell{3, 12}));
    EXPECT_EQ(cellOf(f, Role::A, 14, 7), (MatrixCell{11, 13}));
    EXPECT_EQ(cellOf(f, Role::B, 14, 1), (MatrixCell{5, 3}));
    EXPECT_EQ(cellOf(f, Role::B, 14, 2), (MatrixCell{12, 3}));
    EXPECT_EQ(cellOf(f, Role::C, 14, 1), (MatrixCell{3, 5}));
    EXPECT_EQ(cellOf(f, Role::D, 14, 2), (MatrixCell{11, 4}));

    const MatrixForm bytes = form("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
    EXPECT_EQ(cellOf(bytes, Role::A, 14, 6), (MatrixCell{11, 10})); // 4t + 2, second row
    EXPECT_EQ(cellOf(bytes, Role::A, 14, 9), (MatrixCell{3, 25}));  // 4t + 1 + 16
    EXPECT_EQ(cellOf(bytes, Role::B, 14, 7), (MatrixCell{27, 3}));  // 4t + 3 + 16

    const MatrixForm doubles = form("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64");
    EXPECT_EQ(cellOf(doubles, Role::A, 14, 5), (MatrixCell{11, 10})); // t + 4 * 2
    EXPECT_EQ(cellOf(doubles, Role::B, 14, 3), (MatrixCell{14, 3}));
}

// m8n8k4: lane 18 is of the first quad's upper half: its rows are 4 to 7.
TEST(MatrixForm, KnowsTheQuadsOfTheOldestShape) {
    const MatrixForm f = form("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32");
    EXPECT_EQ(cellOf(f, Role::A, 18, 3), (MatrixCell{6, 3}));
    EXPECT_EQ(cellOf(f, Role::B, 18, 3), (MatrixCell{3, 6}));
    EXPECT_EQ(cellOf(f, Role::C, 18, 7), (MatrixCell{6, 7})); // (0 + 2) + 4, 4 + 2 + 1
    EXPECT_EQ(cellOf(form("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16"), Role::A, 18, 3), (MatrixCell{7, 2}));
}

// An H200 stores element 5 of lane 14 there: sums of this shape lie as those of its turned product (m32n8).
TEST(MatrixForm, KnowsTheTurnedSumsOfWmma) {
    const MatrixForm f = form("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32");
    EXPECT_EQ(cellOf(f, Role::D, 14, 5), (MatrixCell{5, 19}));
    EXPECT_EQ(cellOf(f, Role::C, 0, 2), (MatrixCell{0, 8}));
    EXPECT_EQ(cellOf(form("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16"), Role::D, 14, 5), (MatrixCell{3, 21}));
}

// Thread 78 of four warps: warp 2, lane 14.
TEST(MatrixForm, SaysWhichRowsAWarpOfFourHas) {
    const MatrixForm f = form("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16");
    EXPECT_EQ(fragmentOf(f, Role::D).elements, 8u);
    EXPECT_EQ(cellOf(f, Role::D, 78, 0), (MatrixCell{35, 4}));
    EXPECT_EQ(cellOf(f, Role::D, 78, 7), (MatrixCell{43, 13}));
    EXPECT_EQ(cellOf(f, Role::A, 78, 2), (MatrixCell{43, 4}));
}

TEST(MatrixForm, LdmatrixGivesALaneNeighboursOfARowOrOfAColumn) {
    EXPECT_EQ(cellOf(form("ldmatrix.sync.aligned.m8n8.x2.shared.b16"), Role::D, 14, 3), (MatrixCell{11, 5}));
    EXPECT_EQ(cellOf(form("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"), Role::D, 14, 3), (MatrixCell{13, 3}));
}

// Every element of every matrix is held by one lane, and by one only.
TEST(MatrixForm, FragmentsCoverTheirMatrixOnce) {
    for (const char* text :
         {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
          "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc",
          "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", "wmma.mma.sync.aligned.row.col.m32n8k16.f32.f16",
          "wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32", "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16"})
        for (const Role role : {Role::A, Role::B, Role::C, Role::D}) {
            const MatrixForm f = form(text);
            const Fragment fragment = fragmentOf(f, role);
            std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                for (std::uint32_t element = 0; element < fragment.elements; ++element) {
                    const MatrixCell cell = cellOf(f, role, lane, element);
                    EXPECT_TRUE(cell.row < fragment.rows && cell.column < fragment.columns) << text;
                    EXPECT_TRUE(seen.emplace(cell.row, cell.column).second) << text;
                }
            EXPECT_EQ(seen.size(), fragment.rows * fragment.columns) << text;
        }
}

TEST(MatrixForm, CountsOperations) {
    EXPECT_EQ(form("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").operationsOfThread(), 128u); // 2*16*8*16 / 32
    EXPECT_EQ(form("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16").operationsOfThread(), 1024u);
    EXPECT_EQ(form("wmma.load.a.sync.aligned.row.m16n16k16.f16").operationsOfThread(), 0u);
}

} // namespace
} // namespace warpglass::ptx
