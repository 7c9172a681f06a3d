// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen_checks.h"

#include <cstdint>
#include <numeric>

namespace warpglass::testing {
namespace {

double halfOf(std::uint32_t bits) { // normal numbers only
    return std::ldexp(double((bits & 0x3ff) | 0x400), int(bits >> 10 & 31) - 25) * (bits & 0x8000 ? -1 : 1);
}

void checkBodies(const Ran& r) {
    const auto b = r.before("bodies"), force = r.after("force");
    const auto n = std::size_t(r.value("n"));
    for (std::size_t i = 0; i < n; i += 97) { // a sample: all would take the host longer than the emulator
        double f[3] = {};
        for (std::size_t k = 0; k < n; ++k) {
            const double d[3] = {double(b[4 * k]) - b[4 * i], double(b[4 * k + 1]) - b[4 * i + 1],
                                 double(b[4 * k + 2]) - b[4 * i + 2]};
            const double s = b[4 * k + 3] / std::pow(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3, 1.5);
            for (int c = 0; c < 3; ++c)
                f[c] += s * d[c];
        }
        for (std::size_t c = 0; c < 3; ++c)
            ASSERT_NEAR(force[4 * i + c], f[c], 1e-3 * std::max(100.0, std::abs(f[c]))) << i;
    }
}
void checkHalfDot(const Ran& r) {
    const auto a = r.before<std::uint32_t>("a"), b = r.before<std::uint32_t>("b");
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        for (const unsigned half : {0u, 16u})
            sum += halfOf(a[k] >> half & 0xffff) * halfOf(b[k] >> half & 0xffff);
    EXPECT_NEAR(r.after("out")[0] / sum, 1, 1e-3);
}
void checkHalfAxpy(const Ran& r) {
    const auto x = r.before<std::uint32_t>("x"), old = r.before<std::uint32_t>("y"), y = r.after<std::uint32_t>("y");
    for (std::size_t k = 0; k < x.size(); ++k)
        for (const unsigned half : {0u, 16u}) { // results from 1.5 to 3: a half there is a multiple of at least 2^-10
            const double wanted = 0.5 * halfOf(x[k] >> half & 0xffff) + halfOf(old[k] >> half & 0xffff);
            ASSERT_NEAR(halfOf(y[k] >> half & 0xffff), wanted, wanted < 2 ? 0x1p-11 : 0x1p-10) << k;
        }
}
void checkPolynomial(const Ran& r) {
    const auto x = r.before<double>("x"), c = r.before<double>("coefficient"), y = r.after<double>("y");
    for (std::size_t i = 0; i < x.size(); i += 31) {
        long double sum = 0, power = 1;
        for (const double coefficient : c) {
            sum += coefficient * power;
            power *= x[i];
        }
        ASSERT_NEAR(y[i], double(sum), 1e-12 * std::max(1.0, std::abs(double(sum)))) << i;
    }
}
void checkWave(const Ran& r) {
    const auto in = r.before("in");
    expectNear(
        r.after("out"), in.size(), [&](std::size_t k) { return std::sin(double(in[k])) * std::exp(-0.1 * in[k]); },
        1e-5);
}
void checkCall(const Ran& r) {
    const auto price = r.before("price"), strike = r.before("strike"), years = r.before("years");
    const double rate = r.value<float>("rate"), v = r.value<float>("volatility");
    // The distribution is approximated by a logistic function, good to 2e-4 of the true one.
    const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
    expectNear(
        r.after("out"), price.size(),
        [&](std::size_t k) {
            const double s = price[k], x = strike[k], t = years[k];
            const double d1 = (std::log(s / x) + (rate + v * v / 2) * t) / (v * std::sqrt(t)),
                         d2 = d1 - v * std::sqrt(t);
            return s * normal(d1) - x * std::exp(-rate * t) * normal(d2);
        },
        0.04);
}
void checkSoftmax(const Ran& r) {
    const auto in = r.before("in");
    const auto columns = std::size_t(r.value("columns"));
    std::vector<double> sums(in.size() / columns);
    for (std::size_t k = 0; k < in.size(); ++k)
        sums[k / columns] += std::exp(double(in[k]));
    const auto out = r.after("out");
    for (std::size_t k = 0; k < in.size(); ++k)
        ASSERT_NEAR(double(out[k]) * sums[k / columns] / std::exp(double(in[k])), 1, 1e-4) << k;
}
void checkLayerNorm(const Ran& r) {
    const auto in = r.before("in"), out = r.after("out");
    const auto columns = std::size_t(r.value("columns"));
    for (std::size_t first = 0; first < in.size(); first += columns) {
        const double mean =
            std::accumulate(in.begin() + std::ptrdiff_t(first), in.begin() + std::ptrdiff_t(first + columns), 0.0) /
            double(columns);
        double squares = 0;
        for (std::size_t k = first; k < first + columns; ++k)
            squares += (in[k] - mean) * (in[k] - mean);
        const double deviation = std::sqrt(squares / double(columns) + 1e-5);
        for (std::size_t k = first; k < first + columns; ++k)
            ASSERT_NEAR(out[k], (in[k] - mean) / deviation, 1e-4) << k;
    }
}
void checkCircle(const Ran& r) {
    const double points = double(r.plan.grid.count() * r.plan.block.count()) * r.value("points");
    EXPECT_NEAR(4 * r.after<unsigned>("inside")[0] / points, 3.14159, 0.01);
}
void checkOscillators(const Ran& r) { // sixteen in a ring pull at each other: what they hold together stays
    const auto in = r.before("in"), out = r.after("out");
    const std::size_t n = in.size() / 16;
    for (std::size_t i = 0; i < n; ++i) {
        double before = 0, after = 0, moved = 0;
        for (std::size_t k = 0; k < 16; ++k) {
            before += in[k * n + i];
            after += out[k * n + i];
            moved += std::abs(out[k * n + i] - in[k * n + i]);
        }
        ASSERT_NEAR(after, before, 1e-4) << i;
        ASSERT_GT(moved, 0) << i;
    }
}
void checkStrides(const Ran& r) {
    const auto in = r.before("in");
    const auto stride = std::size_t(r.value("stride")), count = std::size_t(r.value("count"));
    std::vector<double> sum(in.size() / stride);
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += in[i * stride + k * 37 % stride];
    expectNear(
        r.after("out"), sum.size(), [&](std::size_t k) { return sum[k]; }, 1e-5);
}
void checkFar(const Ran& r) {
    const auto in = r.before("in");
    const std::size_t apart = 4 * std::size_t(r.value("apart"));
    expectNear(
        r.after("out"), r.after("out").size(),
        [&](std::size_t k) {
            double sum = 0;
            for (std::size_t at = k; at < in.size(); at += apart)
                sum += in[at];
            return sum;
        },
        1e-5);
}
void checkMandelbrot(const Ran& r) {
    const auto out = r.after<std::uint8_t>("out");
    const int width = r.value("width"), height = r.value("height"), most = r.value("most");
    int differ = 0; // near the edge of the set, which side a point falls on is a matter of rounding
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double zr = 0, zi = 0;
            int k = 0;
            for (; k < most && zr * zr + zi * zi < 4; ++k) {
                const double next = zr * zr - zi * zi - 2.25 + 3.0 * x / width;
                zi = 2 * zr * zi - 1.5 + 3.0 * y / height;
                zr = next;
            }
            differ += out[std::size_t(y * width + x)] != std::uint8_t(k);
        }
    EXPECT_LT(differ, width * height / 100);
}

} // namespace

HostChecks arithmeticChecks() {
    return {
        {"nbody_tile", checkBodies},
        {"half2_dot", checkHalfDot},
        {"half2_axpy", checkHalfAxpy},
        {"polynomial_fp64", checkPolynomial},
        {"wave", checkWave},
        {"call_price", checkCall},
        {"softmax_row", checkSoftmax},
        {"layer_norm", checkLayerNorm},
        {"monte_carlo", checkCircle},
        {"oscillators", checkOscillators},
        {"stride_read", checkStrides},
        {"far_blocks", checkFar},
        {"mandelbrot", checkMandelbrot},

    };
}

} // namespace warpglass::testing
