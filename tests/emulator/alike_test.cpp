// SPDX-License-Identifier: GPL-3.0-or-later
// What is done for all lanes of a warp at once gives each of them what it asked for: constants by an index of the lane's
// own, parts of words in local memory, values of lanes that each choose, columns of words that were stored as rows.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace warpglass::testing {
namespace {

constexpr std::uint32_t alikeLanes = 64;

std::vector<std::uint32_t> alikeRun(const std::string& body, std::size_t rows) {
    Kernel k("k", {1}, {alikeLanes}, {buffer(std::vector<std::uint32_t>(rows * alikeLanes))});
    k.plan.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .u32 squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
.const .align 4 .b8 parts[8] = {1, 128, 255, 127, 2, 254, 3, 253};
.visible .entry k(.param .u64 data)
{
  .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  .local .align 4 .b8 own[8];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
)" + body + "  ret;\n}\n";
    const Recording r = k.run();
    EXPECT_FALSE(r.fault) << r.fault->text();
    return values<std::uint32_t>(r, 0);
}

TEST(Alike, ConstantsOfLanes) {
    const auto out = alikeRun(R"(
  mul.lo.u32 %r2, %r1, 5;
  and.b32 %r2, %r2, 15;
  mul.wide.u32 %rd3, %r2, 4;
  mov.u64 %rd4, squares;
  add.u64 %rd3, %rd3, %rd4;
  ld.const.u32 %r3, [%rd3];
  st.global.u32 [%rd2], %r3;
  rem.u32 %r4, %r1, 3;
  setp.eq.u32 %p1, %r4, 0;
  mov.u32 %r3, 7;
  @%p1 ld.const.u32 %r3, [%rd3];
  st.global.u32 [%rd2+256], %r3;
  and.b32 %r2, %r1, 7;
  cvt.u64.u32 %rd3, %r2;
  mov.u64 %rd4, parts;
  add.u64 %rd3, %rd3, %rd4;
  ld.const.s8 %r3, [%rd3];
  st.global.u32 [%rd2+512], %r3;
  mov.u32 %r3, 7;
  @%p1 ld.const.v2.u32 {%r3, %r5}, [squares+24];
  st.global.u32 [%rd2+768], %r3;
  ld.const.s8 %r3, [parts+5];
  st.global.u32 [%rd2+1024], %r3;
)",
                              5);
    constexpr int parts[8] = {1, -128, -1, 127, 2, -2, 3, -3};
    for (std::uint32_t t = 0; t < alikeLanes; ++t) {
        const std::uint32_t index = t * 5 % 16, square = index * index;
        EXPECT_EQ(out[t], square);
        EXPECT_EQ(out[alikeLanes + t], t % 3 == 0 ? square : 7);
        EXPECT_EQ(std::int32_t(out[2 * alikeLanes + t]), parts[t % 8]);
        EXPECT_EQ(out[3 * alikeLanes + t], t % 3 == 0 ? 36u : 7u);
        EXPECT_EQ(std::int32_t(out[4 * alikeLanes + t]), -2);
    }
}

TEST(Alike, PartsOfLocalWords) {
    const auto out = alikeRun(R"(
  mov.u64 %rd4, own;
  mov.u32 %r2, 0x11223344;
  st.local.u32 [%rd4], %r2;
  add.u32 %r3, %r1, 200;         // from lane 56 on more than a byte
  st.local.u8 [%rd4+2], %r3;
  rem.u32 %r4, %r1, 3;
  setp.eq.u32 %p1, %r4, 0;
  @%p1 st.local.u8 [%rd4+1], %r1;
  ld.local.u32 %r5, [%rd4];
  st.global.u32 [%rd2], %r5;
  ld.local.s8 %r5, [%rd4+2];
  st.global.u32 [%rd2+256], %r5;
  ld.local.u8 %r5, [%rd4+2];
  st.global.u32 [%rd2+512], %r5;
  mul.lo.u32 %r6, %r1, 1000;
  st.local.u16 [%rd4+6], %r6;
  ld.local.s16 %r5, [%rd4+6];
  st.global.u32 [%rd2+768], %r5;
)",
                              4);
    for (std::uint32_t t = 0; t < alikeLanes; ++t) {
        const std::uint32_t third = (t + 200) & 255;
        EXPECT_EQ(out[t], 0x11000044 | third << 16 | (t % 3 == 0 ? t : 0x33) << 8);
        EXPECT_EQ(std::int32_t(out[alikeLanes + t]), std::int32_t(third < 128 ? third : third - 256));
        EXPECT_EQ(out[2 * alikeLanes + t], third);
        EXPECT_EQ(std::int32_t(out[3 * alikeLanes + t]), t * 1000 < 32768 ? int(t * 1000) : int(t * 1000) - 65536);
    }
}

TEST(Alike, ShufflesFromLanesThatEachChooses) {
    const auto out = alikeRun(R"(
  mul.lo.u32 %r2, %r1, 7;
  add.u32 %r3, %r1, 1000;
  shfl.sync.idx.b32 %r4|%p1, %r3, %r2, 31, -1;
  selp.u32 %r5, 1, 0, %p1;
  shl.b32 %r5, %r5, 16;
  or.b32 %r4, %r4, %r5;
  st.global.u32 [%rd2], %r4;
  shfl.sync.down.b32 %r4|%p1, %r3, %r2, 31, -1;
  selp.u32 %r5, 1, 0, %p1;
  shl.b32 %r5, %r5, 16;
  or.b32 %r4, %r4, %r5;
  st.global.u32 [%rd2+256], %r4;
  shfl.sync.up.b32 %r4|%p1, %r3, %r2, 0, -1;
  selp.u32 %r5, 1, 0, %p1;
  shl.b32 %r5, %r5, 16;
  or.b32 %r4, %r4, %r5;
  st.global.u32 [%rd2+512], %r4;
  shfl.sync.idx.b32 %r4, %r3, %r2, 0x181f, -1; // among eight
  st.global.u32 [%rd2+768], %r4;
)",
                              4);
    for (std::uint32_t t = 0; t < alikeLanes; ++t) {
        const std::uint32_t lane = t % 32, warp = t - lane + 1000, by = t * 7 % 32;
        EXPECT_EQ(out[t], (warp + by) | 1u << 16);
        const bool below = lane + by < 32, above = lane >= by;
        EXPECT_EQ(out[alikeLanes + t], below ? (warp + lane + by) | 1u << 16 : warp + lane);
        EXPECT_EQ(out[2 * alikeLanes + t], above ? (warp + lane - by) | 1u << 16 : warp + lane);
        EXPECT_EQ(out[3 * alikeLanes + t], warp + lane / 8 * 8 + by % 8);
    }
}

// Sixty-four words are stored as rows, by 64 threads or by 32 of them; warp 0 loads every second one, twice.
TEST(Alike, ColumnsOfRowsAreWrittenOrNot) {
    for (const std::uint32_t storing : {64u, 32u}) {
        Kernel k("k", {2}, {64}, {buffer(std::vector<std::uint32_t>(32))});
        k.plan.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data)
{
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 table[256];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, table;
  mad.lo.u32 %r3, %r1, 4, %r2;
  mad.lo.u32 %r4, %r1, 8, %r2;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  setp.lt.u32 %p1, %r1, )" +
                     std::to_string(storing) +
                     R"(;
  @%p1 st.shared.u32 [%r3], %r1;
  bar.sync 0;
  setp.ge.u32 %p2, %r1, 32;
  @%p2 bra over;
  mov.u32 %r7, 0;
again:
  ld.shared.u32 %r5, [%r4];
  st.global.u32 [%rd2], %r5;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p3, %r7, 3;
  @%p3 bra again;
over:
  ret;
}
)";
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto out = values<std::uint32_t>(r, 0);
        for (std::uint32_t t = 0; t < storing / 2; ++t)
            EXPECT_EQ(out[t], 2 * t);
        const auto told =
            std::count_if(r.trace->diagnostics.begin(), r.trace->diagnostics.end(),
                          [](const Diagnostic& d) { return d.kind == DiagnosticKind::UninitialisedRead; });
        EXPECT_EQ(told, storing == 64 ? 0 : 1);
    }
}

} // namespace
} // namespace warpglass::testing
