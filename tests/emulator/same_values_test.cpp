// SPDX-License-Identifier: GPL-3.0-or-later
// Stores by blocks on several host threads, of values that are there already and of others by turns: memory holds what
// was stored last, whatever the width, however the lanes lie, and if one lane alone stores something else.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

constexpr std::uint32_t storingBlocks = 64, storingSize = 64, storingRounds = 100,
                        storingThreads = storingBlocks * storingSize;

// Thread 17 of each block stores another value each round, the others one that changes every twenty storingRounds. Each thread
// reads what it stored: 1, 2, 4, 8, 8 and 16 bytes of a record of its own, and a row's word, long and vector of four. In
// odd storingRounds only every third thread stores its row's word. wrong: how often something else was there.
const char* const storingText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry stores(.param .u64 data)
{
  .reg .b32 %r<16>; .reg .b64 %rd<10>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;
  mul.wide.u32 %rd2, %r3, 64;
  add.u64 %rd2, %rd2, %rd1;        // records: 4096 of 64 bytes
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd3, %rd3, %rd1;        // + 262144: words
  mul.wide.u32 %rd4, %r3, 8;
  add.u64 %rd4, %rd4, %rd1;        // + 278528: longs
  mul.wide.u32 %rd5, %r3, 16;
  add.u64 %rd5, %rd5, %rd1;        // + 311296: fours
  setp.eq.u32 %p1, %r1, 17;
  rem.u32 %r4, %r1, 3;
  setp.eq.u32 %p2, %r4, 0;
  mov.u32 %r5, 0;                  // round
  mov.u32 %r15, 0;                 // wrong
again:
  div.u32 %r6, %r5, 20;
  @%p1 mov.u32 %r6, %r5;
  add.u32 %r6, %r6, 1;
  mad.lo.u32 %r7, %r6, 3, %r1;
  mad.lo.u32 %r8, %r6, 5, %r1;
  mad.lo.u32 %r9, %r6, 7, %r1;
  mov.b64 %rd6, {%r6, %r7};
  st.global.u8 [%rd2], %r6;
  st.global.u16 [%rd2+2], %r7;
  st.global.u32 [%rd2+4], %r8;
  st.global.u64 [%rd2+8], %rd6;
  st.global.v2.u32 [%rd2+16], {%r8, %r9};
  st.global.v4.u32 [%rd2+32], {%r6, %r7, %r8, %r9};
  st.global.u64 [%rd4+278528], %rd6;
  st.global.v4.u32 [%rd5+311296], {%r9, %r8, %r7, %r6};
  and.b32 %r10, %r5, 1;
  setp.eq.or.u32 %p3, %r10, 0, %p2;
  @%p3 st.global.u32 [%rd3+262144], %r7;
  ld.global.u8 %r10, [%rd2];
  xor.b32 %r14, %r10, %r6;
  and.b32 %r14, %r14, 255;
  ld.global.u16 %r10, [%rd2+2];
  xor.b32 %r10, %r10, %r7;
  and.b32 %r10, %r10, 65535;
  or.b32 %r14, %r14, %r10;
  ld.global.u32 %r10, [%rd2+4];
  xor.b32 %r10, %r10, %r8;
  or.b32 %r14, %r14, %r10;
  ld.global.v2.u32 {%r10, %r11}, [%rd2+8];
  xor.b32 %r10, %r10, %r6;
  xor.b32 %r11, %r11, %r7;
  or.b32 %r14, %r14, %r10;
  or.b32 %r14, %r14, %r11;
  ld.global.v2.u32 {%r10, %r11}, [%rd2+16];
  xor.b32 %r10, %r10, %r8;
  xor.b32 %r11, %r11, %r9;
  or.b32 %r14, %r14, %r10;
  or.b32 %r14, %r14, %r11;
  ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd2+32];
  xor.b32 %r10, %r10, %r6;
  xor.b32 %r11, %r11, %r7;
  xor.b32 %r12, %r12, %r8;
  xor.b32 %r13, %r13, %r9;
  or.b32 %r14, %r14, %r10;
  or.b32 %r14, %r14, %r11;
  or.b32 %r14, %r14, %r12;
  or.b32 %r14, %r14, %r13;
  ld.global.v2.u32 {%r10, %r11}, [%rd4+278528];
  xor.b32 %r10, %r10, %r6;
  xor.b32 %r11, %r11, %r7;
  or.b32 %r14, %r14, %r10;
  or.b32 %r14, %r14, %r11;
  ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5+311296];
  xor.b32 %r10, %r10, %r9;
  xor.b32 %r11, %r11, %r8;
  xor.b32 %r12, %r12, %r7;
  xor.b32 %r13, %r13, %r6;
  or.b32 %r14, %r14, %r10;
  or.b32 %r14, %r14, %r11;
  or.b32 %r14, %r14, %r12;
  or.b32 %r14, %r14, %r13;
  ld.global.u32 %r10, [%rd3+262144];
  xor.b32 %r10, %r10, %r7;
  @!%p3 mov.u32 %r10, 0;
  or.b32 %r14, %r14, %r10;
  setp.ne.u32 %p4, %r14, 0;
  @%p4 add.u32 %r15, %r15, 1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p5, %r5, 100;
  @%p5 bra again;
  st.global.u32 [%rd2+48], %r15;
  ret;
}
)";

TEST(SameValues, ThatAreStoredAgainAndOthersAreAllThere) {
    constexpr std::size_t words = 262144 / 4, longs = 278528 / 4, fours = 311296 / 4;
    for (const int hostThreads : {1, 2, 4}) {
        Kernel k("stores", {storingBlocks}, {storingSize},
                 {buffer(std::vector<std::uint32_t>(fours + 4 * storingThreads))});
        k.plan.ptx = storingText;
        k.options.threads = hostThreads;
        const Recording r = k.run();
        ASSERT_FALSE(r.fault) << r.fault->text();
        const auto data = values<std::uint32_t>(r, 0);
        for (std::uint32_t t = 0; t < storingThreads; ++t) {
            const std::uint32_t lane = t % storingSize;
            // What it stored in a round: 100 / 20 ages, and thread 17's own.
            const auto first = [&](std::uint32_t round) { return (lane == 17 ? round : round / 20) + 1; };
            const std::uint32_t a = first(storingRounds - 1), b = 3 * a + lane, c = 5 * a + lane, d = 7 * a + lane;
            const std::size_t own = std::size_t(t) * 16;
            ASSERT_EQ(data[own + 12], 0u) << "read back by thread " << t;
            ASSERT_EQ(data[own], (a & 255) | (b & 65535) << 16);
            ASSERT_EQ(data[own + 1], c);
            ASSERT_EQ(data[own + 2], a);
            ASSERT_EQ(data[own + 3], b);
            ASSERT_EQ(data[own + 4], c);
            ASSERT_EQ(data[own + 5], d);
            ASSERT_EQ(data[own + 8], a);
            ASSERT_EQ(data[own + 11], d);
            // Its word of the row: the last round is an odd one.
            ASSERT_EQ(data[words + t], 3 * first(lane % 3 == 0 ? storingRounds - 1 : storingRounds - 2) + lane);
            ASSERT_EQ(data[longs + 2 * t], a);
            ASSERT_EQ(data[longs + 2 * t + 1], b);
            ASSERT_EQ(data[fours + 4 * t], d);
            ASSERT_EQ(data[fours + 4 * t + 3], a);
        }
    }
}

// Two lanes of a warp store to one word: the higher one's value stays, also where it is there already.
TEST(SameValues, OfLanesThatStoreToOneWord) {
    Kernel k("pairs", {64}, {32}, {buffer(std::vector<std::uint32_t>(16))});
    k.plan.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry pairs(.param .u64 data)
{
  .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .pred %p1;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 15;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd2, %rd1;
  mov.u32 %r3, 0;
again:
  st.global.u32 [%rd2], %r1;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 200;
  @%p1 bra again;
  ret;
}
)";
    k.options.threads = 4;
    const Recording r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    const auto data = values<std::uint32_t>(r, 0);
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_EQ(data[i], 16 + i);
}

} // namespace
} // namespace warpglass::testing
