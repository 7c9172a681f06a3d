// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions in global memory by blocks on several host threads: none is lost, however their words lie.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace warpglass::testing {
namespace {

constexpr std::uint32_t blockCount = 400, blockSize = 64, roundCount = 30, slots = 64, slotBytes = 2048;

// In each of the roundCount: a row of words, one word for all (32 and 64 bits, the largest of them), words on thirty pages,
// each for one thread of a block, and bits of five lanes of each warp.
const char* const reducingText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry reduces(.param .u64 data)
{
  .reg .b32 %r<9>; .reg .b64 %rd<6>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  add.u32 %r3, %r1, 1;
  mad.lo.u32 %r4, %r2, 64, %r1;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
  add.u64 %rd3, %rd1, 0;
  cvt.u64.u32 %rd4, %r1;
  add.u64 %rd4, %rd4, 0x100000000;
  mad.lo.u32 %r5, %r1, 37, %r2;
  and.b32 %r5, %r5, 63;
  mul.wide.u32 %rd5, %r5, 2048;
  add.u64 %rd5, %rd5, %rd1;
  and.b32 %r6, %r1, 31;
  setp.lt.u32 %p1, %r6, 5;
  mov.u32 %r7, 1;
  shl.b32 %r7, %r7, %r6;
  mov.u32 %r8, 0;
again:
  red.global.add.u32 [%rd2], %r3;
  red.global.add.u32 [%rd3+256], 1;
  red.global.max.s32 [%rd3+260], %r4;
  red.global.add.u64 [%rd3+264], %rd4;
  red.global.add.u32 [%rd5+512], 1;
  @%p1 red.global.or.b32 [%rd3+272], %r7;
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p2, %r8, 30;
  @%p2 bra again;
  ret;
}
)";

TEST(Reductions, OfManyThreadsAreAllThere) {
    for (const int hostThreads : {1, 4}) {
        Kernel k("reduces", {blockCount}, {blockSize}, {buffer(std::vector<std::uint32_t>(slots * slotBytes / 4))});
        k.plan.ptx = reducingText;
        k.options.threads = hostThreads;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto words = values<std::uint32_t>(r, 0);
        for (std::uint32_t t = 0; t < blockSize; ++t)
            EXPECT_EQ(words[t], blockCount * roundCount * (t + 1)) << hostThreads << " host threads, word " << t;
        EXPECT_EQ(words[64], blockCount * roundCount * blockSize);
        EXPECT_EQ(words[65], blockCount * blockSize - 1);
        // blockSize * 2^32 + 0 + 1 + ... + 63, of each block and round
        EXPECT_EQ(words[66], blockCount * roundCount * 2016);
        EXPECT_EQ(words[67], blockCount * roundCount * blockSize);
        EXPECT_EQ(words[68], 31u);
        for (std::uint32_t s = 0; s < slots; ++s)
            EXPECT_EQ(words[(s * slotBytes + 512) / 4], blockCount * roundCount)
                << hostThreads << " host threads, slot " << s;
    }
}

// Sums of f32 at one word, one lane after the other, with the old values; [data]: what is added by 32 lanes.
const char* const addingText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry adds(.param .u64 data, .param .u64 sums)
{
  .reg .b32 %r<4>; .reg .b64 %rd<6>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [sums];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd3, %rd1;
  add.u64 %rd5, %rd3, %rd2;
  ld.global.f32 %f1, [%rd4];
  atom.global.add.f32 %f2, [%rd2], %f1;
  st.global.f32 [%rd5+8], %f2;
  red.global.add.f32 [%rd2+4], %f1;
  ret;
}
)";

TEST(Reductions, OfFloatsTakeSubnormalSumsForZeros) {
    const float least = std::numeric_limits<float>::min(), below = least / 4;
    std::vector<std::vector<float>> all(4, std::vector<float>(32));
    std::mt19937 random(5);
    for (std::size_t lane = 0; lane < 32; ++lane) {
        all[0][lane] = float(random()) / 65536 - 20000;          // ordinary ones
        all[1][lane] = lane % 3 ? below : least;                 // the former are zeros
        all[2][lane] = lane % 2 ? -least * 1.25f : least * 1.5f; // least / 4 in between, which is none
        all[3][lane] = lane == 9 ? std::numeric_limits<float>::infinity() : float(lane);
    }
    const auto flushed = [&](float v) { return std::fabs(v) < least ? std::copysign(0.0f, v) : v; };
    for (const auto& added : all)
        for (const float start : {0.0f, -0.0f, 3.5f, below}) {
            std::vector<float> before(34);
            before[0] = before[1] = start;
            Kernel k("adds", {1}, {32}, {buffer(added), buffer(before)});
            k.plan.ptx = addingText;
            const auto got = values<float>(k.run(), 1);
            float sum = start;
            for (std::size_t lane = 0; lane < 32; ++lane) {
                EXPECT_EQ(std::bit_cast<std::uint32_t>(got[2 + lane]), std::bit_cast<std::uint32_t>(sum)) << lane;
                sum = flushed(flushed(sum) + flushed(added[lane]));
            }
            EXPECT_EQ(std::bit_cast<std::uint32_t>(got[0]), std::bit_cast<std::uint32_t>(sum));
            EXPECT_EQ(std::bit_cast<std::uint32_t>(got[1]), std::bit_cast<std::uint32_t>(sum));
        }
}

// Pairs of f16: two words of each lane, of which one is asked for what was there, and after them one word for all lanes.
const char* const addingHalvesText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry addsHalves(.param .u64 data, .param .u64 sums)
{
  .reg .b32 %r<4>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [sums];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd3, %rd1;
  add.u64 %rd5, %rd3, %rd2;
  ld.global.u32 %r2, [%rd4];
  red.global.add.noftz.f16x2 [%rd5], %r2;
  atom.global.add.noftz.f16x2 %r3, [%rd5+128], %r2;
  st.global.u32 [%rd4], %r3;
  red.global.add.noftz.f16x2 [%rd2+256], %r2;
  ret;
}
)";

TEST(Reductions, OfPairsOfHalvesRoundOnce) {
    // Lower halves: 2048 + 1 lies between 2048 and 2050, and the even of their fractions is 2048's; 2048 + 3 between 2050
    // and 2052: 2052. Upper ones: 2^-24 + 2^-24 = 2^-23, which a flush would lose; 65504 + 32 is nearer to infinity.
    const std::uint32_t one = 0x00013c00, three = 0x00014200, huge = 0x50003c00; // 2^-24 and 1, 2^-24 and 3, 32 and 1
    std::vector<std::uint32_t> added(32, one), sums(65, 0x00016800);             // 2^-24 and 2048
    added[5] = three;
    added[9] = huge;
    sums[9] = sums[41] = 0x7bff6800;
    sums[64] = 0;
    Kernel k("addsHalves", {1}, {32}, {buffer(added), buffer(sums)});
    k.plan.ptx = addingHalvesText;
    const Recording r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto got = values<std::uint32_t>(r, 1), before = values<std::uint32_t>(r, 0);
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t expected = lane == 5 ? 0x00026802 : lane == 9 ? 0x7c006800 : 0x00026800;
        EXPECT_EQ(got[lane], expected) << lane;
        EXPECT_EQ(got[32 + lane], expected) << lane;
        EXPECT_EQ(before[lane], sums[lane]) << lane;
    }
    // Lower: 31 times 1 and 3 are 34 = 0x5040; upper: 9 times 2^-24, 32, and 22 times 2^-24, which are nothing beside 32.
    EXPECT_EQ(got[64], 0x50005040u);
}

// Words that all blocks reduce into, of each operation on a page of its own, and a word for each block beside those of
// others, of which it reads back each time what it alone did: add 1; set to 7; add 1; the largest of that and 100.
const char* const readingText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry reads(.param .u64 data)
{
  .reg .b32 %r<16>; .reg .b64 %rd<6>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;    // of the launch
  cvt.u64.u32 %rd2, %r3;
  mul.wide.u32 %rd3, %r2, 4;
  add.u64 %rd3, %rd3, %rd1;        // + 8192: the block's
  not.b32 %r4, %r3;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r8, 0;
  mov.u32 %r9, 0;                  // wrong
again:
  red.global.add.u32 [%rd1], %r3;
  red.global.min.u32 [%rd1+1024], %r3;
  red.global.max.s32 [%rd1+2048], %r4;
  red.global.and.b32 [%rd1+3072], %r4;
  red.global.or.b32 [%rd1+4096], %r3;
  red.global.xor.b32 [%rd1+5120], %r3;
  red.global.add.u64 [%rd1+6144], %rd2;
  red.global.max.u64 [%rd1+7168], %rd2;
  @!%p1 bra next;
  red.global.add.u32 [%rd3+8192], 1;
  ld.global.u32 %r5, [%rd3+8192];
  setp.eq.u32 %p2, %r8, 0;
  selp.u32 %r7, 1, 101, %p2;
  setp.ne.u32 %p3, %r5, %r7;
  @%p3 add.u32 %r9, %r9, 1;
  red.global.add.u32 [%rd3+8192], 1;
  st.global.u32 [%rd3+8192], 7;
  red.global.add.u32 [%rd3+8192], 1;
  ld.global.u32 %r5, [%rd3+8192];
  setp.ne.u32 %p3, %r5, 8;
  @%p3 add.u32 %r9, %r9, 1;
  red.global.add.u32 [%rd3+8192], 1;
  red.global.max.u32 [%rd3+8192], 100;
next:
  add.u32 %r8, %r8, 1;
  setp.lt.u32 %p2, %r8, 31;
  @%p2 bra again;
  @%p1 red.global.add.u32 [%rd1+4], %r9;
  ret;
}
)";

TEST(Reductions, AreThereForTheThreadThatReads) {
    for (const int hostThreads : {1, 2, 4, 4, 4, 4, 4, 4}) { // whether they meet is chance
        std::vector<std::uint32_t> before(2048 + blockCount);
        before[256] = before[768] = ~0u; // the least, and
        before[512] = 0x80000000u;       // the largest of signed ones
        Kernel k("reads", {blockCount}, {blockSize}, {buffer(before)});
        k.plan.ptx = readingText;
        k.options.threads = hostThreads;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto words = values<std::uint32_t>(r, 0);
        std::uint32_t all = 0, bits = ~0u, any = 0, odd = 0;
        std::uint64_t sum = 0;
        for (std::uint32_t t = 0; t < blockCount * blockSize; ++t) {
            all += 31 * t;
            sum += 31 * std::uint64_t(t);
            bits &= ~t;
            any |= t;
            odd ^= t; // 31 times
        }
        EXPECT_EQ(words[0], all);
        EXPECT_EQ(words[1], 0u) << "read back, " << hostThreads << " host threads";
        EXPECT_EQ(words[256], 0u);
        EXPECT_EQ(words[512], ~0u); // -1, thread 0's
        EXPECT_EQ(words[768], bits);
        EXPECT_EQ(words[1024], any);
        EXPECT_EQ(words[1280], odd);
        EXPECT_EQ(words[1536] | std::uint64_t(words[1537]) << 32, sum);
        EXPECT_EQ(words[1792], blockCount * blockSize - 1);
        for (std::uint32_t b = 0; b < blockCount; ++b)
            EXPECT_EQ(words[2048 + b], 100u);
    }
}

} // namespace
} // namespace warpglass::testing
