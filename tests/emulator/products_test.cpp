// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of matrix products, those for any processor and those for this one, against whole-number arithmetic.
#include "gpu/emulator/lanes/products.h"
#include "gpu/emulator/ops/scalar_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace warpglass::emulator {
namespace {

const Products& fast() {
    return products();
}

// A number of a matrix: sign, significand and the exponent of its last bit, as its format has them; and as a float.
struct Number {
    std::int64_t significand = 0;
    int unit = 0, exponent = 0; // of the format, for numbers below its least normal one the least
    float value() const { return std::ldexp(float(significand), unit); }
};
struct Format {
    int fraction, least, low, high; // exponents are drawn from low to high
};

Number draw(std::mt19937& random, const Format& f) {
    Number n;
    if (random() % 8 == 0)
        return n;
    const int e = f.low + int(random() % std::uint32_t(f.high - f.low + 1));
    const auto bits = std::int64_t(random() & ((1u << f.fraction) - 1));
    n.exponent = std::max(e, f.least);
    n.significand = e < f.least ? bits : bits | 1 << f.fraction; // subnormal ones: less than a whole
    n.unit = n.exponent - f.fraction;
    if (random() % 2)
        n.significand = -n.significand;
    return n;
}

// What the head of products.h says, in whole numbers: sum = result * 2^unit.
std::int64_t exactSum(const std::vector<std::pair<Number, Number>>& terms, const Number& c, int fraction, int& unit) {
    bool any = false;
    int most = -10000;
    for (const auto& [a, b] : terms)
        if (a.significand != 0 && b.significand != 0) {
            any = true;
            most = std::max(most, a.exponent + b.exponent);
        }
    unit = c.unit;
    if (!any)
        return c.significand;
    if (c.significand != 0)
        most = std::max(most, c.exponent);
    unit = most - fraction;
    const auto cut = [&](std::int64_t v, int of) { // v * 2^of in units, towards zero
        const std::int64_t size = std::abs(v);
        const int shift = unit - of;
        const std::int64_t kept = size == 0 || shift > 62 ? 0 : shift <= 0 ? size << -shift : size >> shift;
        return v < 0 ? -kept : kept;
    };
    std::int64_t sum = cut(c.significand, c.unit);
    for (const auto& [a, b] : terms)
        sum += cut(a.significand * b.significand, a.unit + b.unit);
    return sum;
}

// sum * 2^unit with no more than `bits` bits, none below 2^lowest: towards zero, or to nearest.
float rounded(std::int64_t sum, int unit, int bits, int lowest, bool nearest) {
    auto size = std::uint64_t(std::abs(sum));
    bool half = false, below = false; // the last bit dropped, and whether there was one before
    while (size >> bits != 0 || (size != 0 && unit < lowest)) {
        below |= half;
        half = (size & 1) != 0;
        size >>= 1;
        ++unit;
    }
    if (nearest && half && (below || (size & 1) != 0))
        ++size;
    double v = std::ldexp(double(size), unit);
    if (nearest && v >= 65520)
        v = HUGE_VAL;
    return float(sum < 0 ? -v : v);
}

TEST(MatrixProducts, MakeTheSumsOfTensorCores) {
    struct Kind {
        Format a, c;
        std::uint32_t m, n, k;
        bool toHalves;
    };
    const Format half{10, -14, -24, 15}, nearOne{10, -14, -3, 3}, brain{7, -126, -30, 30}, wide{7, -126, -130, 62},
        tf32{10, -126, -60, 55}, single{23, -126, -20, 20}, singleWide{23, -126, -126, 100};
    const Kind kinds[] = {{half, single, 16, 8, 16, false},     {nearOne, single, 16, 8, 16, false},
                          {nearOne, nearOne, 16, 8, 16, true},  {half, half, 8, 32, 16, true},
                          {brain, single, 16, 8, 16, false},    {wide, singleWide, 16, 8, 8, false},
                          {tf32, singleWide, 16, 16, 8, false}, {half, singleWide, 8, 8, 4, false}};
    std::mt19937 random(12);
    for (const Kind& kind : kinds)
        for (int round = 0; round < 20; ++round) {
            const std::uint32_t m = kind.m, n = kind.n, k = kind.k;
            std::vector<Number> a(m * k), b(k * n), c(m * n);
            std::vector<float> fa(m * k), fb(k * n), fc(m * n);
            const auto fill = [&](std::vector<Number>& numbers, std::vector<float>& floats, const Format& f) {
                const bool zeros = round % 7 == 6;
                for (std::size_t i = 0; i < numbers.size(); ++i) {
                    numbers[i] = zeros && &numbers != &c ? Number{} : draw(random, f);
                    floats[i] = numbers[i].value();
                }
            };
            fill(a, fa, kind.a);
            fill(b, fb, kind.a);
            fill(c, fc, kind.c);
            FloatProduct p;
            p.m = m;
            p.n = n;
            p.k = p.strideA = k;
            p.leastA = p.leastB = kind.a.least;
            p.leastC = kind.c.least;
            p.a = fa.data();
            p.b = fb.data();
            p.c = fc.data();
            p.toHalves = kind.toHalves;
            std::vector<float> plain(m * n), quick(m * n);
            p.d = plain.data();
            baseline::matrixProducts.floats(p);
            p.d = quick.data();
            fast().floats(p);
            for (std::uint32_t i = 0; i < m * n; ++i) {
                std::vector<std::pair<Number, Number>> terms;
                for (std::uint32_t j = 0; j < k; ++j)
                    terms.emplace_back(a[i / n * k + j], b[j * n + i % n]);
                int unit = 0;
                const std::int64_t sum = exactSum(terms, c[i], 25, unit);
                const float expected =
                    kind.toHalves ? rounded(sum, unit, 11, -24, true) : rounded(sum, unit, 24, -149, false);
                ASSERT_EQ(plain[i], expected) << "kind " << &kind - kinds << ", round " << round << ", sum " << i;
                ASSERT_EQ(quick[i], expected) << "kind " << &kind - kinds << ", round " << round << ", sum " << i;
            }
        }
}

TEST(MatrixProducts, KeepInfinitiesAndNaNOfSums) {
    // Row 0 of a: infinity times 2, row 1: infinity times 0 in the last column, row 2: an infinite accumulator.
    std::vector<float> a(8 * 4, 1.0f), b(4 * 8, 2.0f), c(8 * 8, 3.0f), d(8 * 8);
    a[0] = a[4] = HUGE_VALF;
    b[7] = 0;
    c[16] = -HUGE_VALF;
    FloatProduct p;
    p.m = p.n = 8;
    p.k = p.strideA = 4;
    p.leastA = p.leastB = -14;
    p.a = a.data();
    p.b = b.data();
    p.c = c.data();
    p.d = d.data();
    const auto check = [&](const Products& products) {
        products.floats(p);
        EXPECT_EQ(d[0], HUGE_VALF);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(d[7]), 0x7fffffffu);
        EXPECT_EQ(d[16], -HUGE_VALF);
        EXPECT_EQ(d[17], 11); // 4 * 1 * 2 + 3
        a[0] = a[4] = 1;      // the accumulator alone
        products.floats(p);
        EXPECT_EQ(d[0], 11);
        EXPECT_EQ(d[16], -HUGE_VALF);
        a[0] = a[4] = HUGE_VALF;
    };
    check(baseline::matrixProducts);
    check(fast());
}

TEST(MatrixProducts, AgreeOnWholeNumbersAndDoublesOfMatrices) {
    std::mt19937 random(7);
    for (const bool saturates : {false, true}) {
        constexpr std::uint32_t m = 16, n = 8, k = 32;
        std::vector<std::int32_t> a(m * k), b(k * n), c(m * n), plain(m * n), quick(m * n);
        for (auto& v : a)
            v = std::int32_t(random() % 256);
        for (auto& v : b)
            v = std::int32_t(random() % 256) - 128;
        for (auto& v : c)
            v = random() % 2 ? std::int32_t(random()) : 0x7fffffff - std::int32_t(random() % 1000);
        const auto run = [&](const Products& products, std::vector<std::int32_t>& d) {
            d = c;
            products.wholes({m, n, k, saturates, a.data(), b.data(), d.data(), d.data()});
        };
        run(baseline::matrixProducts, plain);
        run(fast(), quick);
        for (std::uint32_t i = 0; i < m * n; ++i) {
            std::int64_t sum = c[i];
            for (std::uint32_t j = 0; j < k; ++j)
                sum += std::int64_t(a[i / n * k + j]) * b[j * n + i % n];
            if (saturates)
                sum = std::clamp<std::int64_t>(sum, -0x80000000ll, 0x7fffffff);
            ASSERT_EQ(plain[i], std::int32_t(std::uint32_t(sum))) << i;
            ASSERT_EQ(quick[i], plain[i]) << i;
        }
    }
    std::vector<double> a(8 * 4), b(4 * 8), c(8 * 8), plain(8 * 8), quick(8 * 8);
    for (auto* v : {&a, &b, &c})
        for (double& d : *v)
            d = std::ldexp(double(random()), -int(random() % 64));
    baseline::matrixProducts.doubles({8, 8, 4, a.data(), b.data(), c.data(), plain.data()});
    fast().doubles({8, 8, 4, a.data(), b.data(), c.data(), quick.data()});
    for (std::uint32_t i = 0; i < 64; ++i) {
        double sum = c[i];
        for (std::uint32_t j = 0; j < 4; ++j)
            sum = std::fma(a[i / 8 * 4 + j], b[j * 8 + i % 8], sum);
        ASSERT_EQ(plain[i], sum) << i;
        ASSERT_EQ(quick[i], sum) << i;
    }
}

// A sum of two halves is exact in double precision: one rounding, to nearest.
TEST(MatrixProducts, AddHalves) {
    std::mt19937 random(31);
    for (const Products* products : {&fast(), &baseline::matrixProducts})
        for (int round = 0; round < 500; ++round) {
            std::array<std::uint16_t, 64> at, values, before;
            for (auto* row : {&at, &values})
                for (auto& v : *row)
                    v = std::uint16_t(round % 2 ? random() : 0x3c00 + random() % 0x800 + random() % 2 * 0x8000);
            const auto old = at;
            products->addHalves(at.data(), values.data(), round % 3 ? before.data() : nullptr);
            for (std::size_t i = 0; i < at.size(); ++i) {
                const double sum = double(halfToFloat(old[i])) + double(halfToFloat(values[i]));
                const std::uint16_t expected = std::isnan(sum) ? 0x7fff : floatToHalf(float(sum));
                ASSERT_EQ(at[i], expected) << old[i] << " and " << values[i];
            }
            if (round % 3) {
                ASSERT_EQ(before, old);
            }
        }
}

} // namespace
} // namespace warpglass::emulator
