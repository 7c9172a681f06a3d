// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic at its edges, against the host's.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;
const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

template <class F>
float inMode(int mode, F f) {
    std::fesetround(mode);
    volatile float r = f();
    std::fesetround(FE_TONEAREST);
    return r;
}

TEST(Arithmetic, CarryGoesFromWordToWord) {
    using Words = std::vector<unsigned long long>;
    const Words in{0xffffffffffffffffull, 5, 2, 7};
    const auto out = values<unsigned long long>(Kernel("carry", {1}, {1}, {buffer(in), buffer(Words(4))}).run(), 1);
    EXPECT_EQ(out[0], 1ull);  // 2^64 - 1 + 2
    EXPECT_EQ(out[1], 13ull); // 5 + 7 + carry
    EXPECT_EQ(out[2], 0xfffffffffffffffdull);
    EXPECT_EQ(out[3], 5ull - 7ull); // no borrow
}

TEST(Arithmetic, RoundsInTheModeThatWasAskedFor) {
    std::vector<float> in{3.0f, 7.0f, 0.1f, 1e-20f, 2.0f, 1.0f, 123456.78f, 0.333f};
    const auto out = values<float>(Kernel("rounding", {1}, {8}, {buffer(in), buffer(std::vector<float>(96))}).run(), 1);
    for (std::size_t k = 0; k < in.size(); ++k) {
        const volatile float x = in[k], one = 1.0f, three = 3.0f, tiny = 1e-9f, tenth = 0.1f;
        const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        for (std::size_t m = 0; m < 4; ++m) {
            EXPECT_EQ(out[12 * k + m], inMode(modes[m], [&] { return one / x; }));
            EXPECT_EQ(out[12 * k + 4 + m], inMode(modes[m], [&] { return std::sqrt(float(x)); }));
        }
        EXPECT_EQ(out[12 * k + 8], x / three);
        EXPECT_EQ(out[12 * k + 9], inMode(FE_TOWARDZERO, [&] { return x / three; }));
        EXPECT_EQ(out[12 * k + 10], inMode(FE_DOWNWARD, [&] { return x + tiny; }));
        EXPECT_EQ(out[12 * k + 11], inMode(FE_UPWARD, [&] { return std::fma(float(x), float(x), float(tenth)); }));
    }
}

TEST(Arithmetic, MinAndMaxPreferNumbersToNaN) {
    std::vector<float> in{1, 2, nan, 3, 4, nan, -0.0f, 0.0f, infinity, -infinity, nan, nan};
    const auto out = values<float>(Kernel("minMax", {1}, {6}, {buffer(in), buffer(std::vector<float>(12))}).run(), 1);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 2);
    EXPECT_EQ(out[2], 3);
    EXPECT_EQ(out[3], 3);
    EXPECT_EQ(out[4], 4);
    EXPECT_EQ(out[5], 4);
    EXPECT_TRUE(std::signbit(out[6]));
    EXPECT_FALSE(std::signbit(out[7]));
    EXPECT_EQ(out[8], -infinity);
    EXPECT_EQ(out[9], infinity);
    EXPECT_TRUE(std::isnan(out[10]));
    EXPECT_TRUE(std::isnan(out[11]));
}

TEST(Arithmetic, ShiftsOverTheWidthClamp) {
    const std::uint32_t v = 0x90000001u;
    const auto out = values<std::uint32_t>(Kernel("shifts", {1}, {32}, {buffer(Ints(96)), value(int(v))}).run(), 0);
    for (unsigned t = 0; t < 32; ++t) {
        const unsigned n = 2 * t;
        EXPECT_EQ(out[3 * t], n < 32 ? v << n : 0u);
        EXPECT_EQ(out[3 * t + 1], n < 32 ? v >> n : 0u);
        EXPECT_EQ(int(out[3 * t + 2]), int(v) >> (n < 32 ? n : 31));
    }
}

TEST(Arithmetic, ConversionsSaturate) {
    std::vector<float> in{1.5f, -1.5f, 3e9f, -3e9f, 1e20f, nan, 2.5f, -200.0f, 300.0f};
    const auto out = values<int>(Kernel("conversions", {1}, {9}, {buffer(in), buffer(Ints(54))}).run(), 1);
    const auto row = [&](std::size_t k) {
        return std::vector<int>(out.begin() + long(6 * k), out.begin() + long(6 * k + 6));
    };
    const int high = std::numeric_limits<int>::max(), low = std::numeric_limits<int>::min();
    EXPECT_EQ(row(0), (Ints{1, 1, 2, 2, 1, 0}));
    EXPECT_EQ(row(1), (Ints{-1, 0, -2, -1, -1, -1}));
    EXPECT_EQ(row(2)[0], high);
    EXPECT_EQ(std::uint32_t(row(2)[1]), 3000000000u);
    EXPECT_EQ(row(3)[0], low);
    EXPECT_EQ(row(3)[1], 0);
    EXPECT_EQ(row(4)[0], high);
    EXPECT_EQ(std::uint32_t(row(4)[1]), 0xffffffffu);
    EXPECT_EQ(row(5)[0], 0);
    EXPECT_EQ(row(5)[1], 0);
    EXPECT_EQ(row(6)[2], 2); // half to even
    EXPECT_EQ(row(7)[4], -128);
    EXPECT_EQ(row(8)[4], 127);
}

TEST(Arithmetic, SubWordStoresLeaveTheirNeighboursAlone) {
    const auto r = Kernel("subWords", {1}, {40},
                          {buffer(std::vector<std::uint8_t>(48, 0xee)), buffer(std::vector<std::uint16_t>(44, 0xeeee))})
                       .run();
    const auto bytes = values<std::uint8_t>(r, 0);
    const auto halves = values<std::uint16_t>(r, 1);
    for (std::size_t t = 0; t < 48; ++t)
        EXPECT_EQ(bytes[t], t < 40 ? std::uint8_t(t * 7) : 0xee);
    for (std::size_t t = 0; t < 44; ++t)
        EXPECT_EQ(halves[t], t < 40 ? std::uint16_t(std::uint8_t(t * 7) * 300) : 0xeeee);
}

TEST(Arithmetic, BitFieldsAndPermutations) {
    std::vector<std::uint32_t> in{0x12345678, 0x9abcdef0, 0, 0xffffffff, 0xdeadbeef, 0x01020304, 0x80000001, 0x7f};
    std::vector<int> signedIn(in.begin(), in.end());
    const auto out =
        values<std::uint32_t>(Kernel("bitTricks", {1}, {4}, {buffer(signedIn), buffer(Ints(32))}).run(), 1);
    for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t a = in[2 * k], b = in[2 * k + 1];
        const std::uint32_t* o = out.data() + 8 * k;
        EXPECT_EQ(o[0], std::uint32_t(std::popcount(a)));
        EXPECT_EQ(o[1], std::uint32_t(std::countl_zero(a)));
        std::uint32_t reversed = 0;
        for (int i = 0; i < 32; ++i)
            reversed |= (a >> i & 1) << (31 - i);
        EXPECT_EQ(o[2], reversed);
        const auto byte = [&](int n) { return n < 4 ? a >> (8 * n) & 0xff : b >> (8 * (n - 4)) & 0xff; };
        EXPECT_EQ(o[3], byte(5) | byte(1) << 8 | byte(7) << 16 | byte(3) << 24); // selector 0x3715
        EXPECT_EQ(o[4], std::uint32_t((((std::uint64_t(b) << 32) | a) << 13) >> 32));
        EXPECT_EQ(o[5], a >> 5 & 0x1ff);
        EXPECT_EQ(o[6], (b & ~0xfff00u) | (a & 0xfff) << 8);
        std::uint32_t dot = 5;
        for (int n = 0; n < 4; ++n)
            dot += byte(n) * byte(n + 4);
        EXPECT_EQ(o[7], dot);
    }
}

// Quotients and rests, unsigned and signed, of a and b.
const char* const dividingText = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry divides(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<5>; .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 32, %r1;
  mul.wide.u32 %rd3, %r3, 16;
  add.u64 %rd3, %rd3, %rd1;
  mul.wide.u32 %rd4, %r3, 32;
  add.u64 %rd4, %rd4, %rd2;
  ld.global.v2.u64 {%rd5,%rd6}, [%rd3];
  div.u64 %rd7, %rd5, %rd6;
  st.global.u64 [%rd4], %rd7;
  rem.u64 %rd7, %rd5, %rd6;
  st.global.u64 [%rd4+8], %rd7;
  div.s64 %rd7, %rd5, %rd6;
  st.global.u64 [%rd4+16], %rd7;
  rem.s64 %rd7, %rd5, %rd6;
  st.global.u64 [%rd4+24], %rd7;
  ret;
}
)";

TEST(Arithmetic, DividesNumbersOf64Bits) {
    std::mt19937_64 random(3);
    const auto any = [&] { return random() >> random() % 64; };
    std::vector<std::uint64_t> in;
    for (std::uint32_t warp = 0; warp < 300; ++warp)
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            std::uint64_t a = any(), b = any() | 1;
            if (warp % 4 == 1) // a multiple of b, or one less
                a = (a % (~0ull / b)) * b - lane % 2;
            if (warp % 4 == 2) { // all below 2^52, which goes another way
                a >>= 12;
                b = b >> 12 | 1;
            }
            if (warp % 8 == 3) // the greatest there are
                a = ~0ull - lane;
            if (warp % 16 == 7) // by the greatest that are no exception, and beyond
                b = (1ull << 62) + lane - 16;
            if (warp % 64 == 8 && lane < 4) { // of signed ones the lowest, by -1 too
                a = 1ull << 63;
                b = lane % 2 ? ~0ull : 0ull - lane - 3;
            }
            in.insert(in.end(), {a, b});
        }
    Kernel k("divides", {300}, {32}, {buffer(in), buffer(std::vector<std::uint64_t>(2 * in.size()))});
    k.plan.ptx = dividingText;
    const auto out = values<std::uint64_t>(k.run(), 1);
    for (std::size_t n = 0; n < in.size() / 2; ++n) {
        const std::uint64_t a = in[2 * n], b = in[2 * n + 1];
        const bool wraps = b == ~0ull; // the lowest number has no negative, and the host's division would stop for it
        EXPECT_EQ(out[4 * n], a / b) << a << " / " << b;
        EXPECT_EQ(out[4 * n + 1], a % b) << a << " % " << b;
        EXPECT_EQ(out[4 * n + 2], wraps ? 0 - a : std::uint64_t(std::int64_t(a) / std::int64_t(b))) << a << " / " << b;
        EXPECT_EQ(out[4 * n + 3], wraps ? 0 : std::uint64_t(std::int64_t(a) % std::int64_t(b))) << a << " % " << b;
    }
}

TEST(Arithmetic, PrintfFormatsArgumentsOfEverySize) {
    const auto r = Kernel("printing", {1}, {4}, {value(2.5f)}).run();
    EXPECT_EQ(r.trace->output, "-1 text  2.50|x|1234567890123 4000000000%\n0 text  2.50|x|1234567890123 4000000000%\n");
}

} // namespace
} // namespace warpglass::testing
