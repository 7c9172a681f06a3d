// SPDX-License-Identifier: GPL-3.0-or-later
// --check finite: the operation that makes infinity or NaN of finite numbers is told, with its line and numbers; those
// that only pass it on are not.
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpglass::testing {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

std::uint16_t half(int v) { // of a whole number that a half holds
    int exponent = 0;
    while (v >> (exponent + 1))
        ++exponent;
    return std::uint16_t(v == 0 ? 0 : (exponent + 15) << 10 | ((v << 10 >> exponent) & 0x3ff));
}

Recording run(const std::string& entry, std::vector<Argument> arguments, bool asked = true, bool timing = false) {
    Kernel kernel(entry, {1}, {32}, std::move(arguments), "finite.ptx");
    kernel.options.checkFinite = asked;
    kernel.options.timing = timing;
    return kernel.run();
}
std::vector<Diagnostic> told(const Recording& r) {
    std::vector<Diagnostic> all;
    for (const Diagnostic& d : r.trace->diagnostics)
        if (d.kind == DiagnosticKind::NotFinite)
            all.push_back(d);
    return all;
}
void tellsOnce(const Recording& r, const std::string& what, const std::string& place, std::uint64_t count) {
    const std::vector<Diagnostic> all = told(r);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NE(all[0].message.find(what), std::string::npos) << all[0].message;
    EXPECT_NE(all[0].message.find(place), std::string::npos) << all[0].message;
    EXPECT_EQ(all[0].count, count);
    EXPECT_FALSE(all[0].fatal);
    const auto sound = validate(*r.trace); // it can be written
    EXPECT_TRUE(sound) << sound.error().text();
}

// 32000 is added again and again: 64000 is below 65504, the largest half, and the third sum, 96000, is not. The fourth to
// the eighth only pass infinity on.
TEST(Finite, TellsTheSumThatRunsOver) {
    std::vector<std::uint16_t> in(32, half(1));
    in[5] = half(32000);
    const Recording r = run("halfSum", {buffer(in), buffer(std::vector<std::uint16_t>(32)), value(8)});
    tellsOnce(r, "makes inf of finite numbers: add.f16 of 64000, 32000", "line 9 of finite.cu", 1);
    EXPECT_NE(told(r)[0].message.find("thread (5)"), std::string::npos) << told(r)[0].message;
    in[5] = half(8000); // 64000 in all
    EXPECT_TRUE(told(run("halfSum", {buffer(in), buffer(std::vector<std::uint16_t>(32)), value(8)})).empty());
    in[5] = half(32000);
    EXPECT_TRUE(told(run("halfSum", {buffer(in), buffer(std::vector<std::uint16_t>(32)), value(8)}, false)).empty());
}

TEST(Finite, LeavesOutWhatWasBadBefore) {
    std::vector<float> in(32, 4.0f);
    in[7] = inf, in[8] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(told(run("roots", {buffer(in), buffer(std::vector<float>(32))})).empty());
    in[9] = -2.0f, in[30] = -4.0f; // two threads at one place: told once, of the first
    const Recording r = run("roots", {buffer(in), buffer(std::vector<float>(32))});
    tellsOnce(r, "makes NaN of finite numbers: sqrt.rn.f32 of -2", "line 14 of finite.cu", 1);
    EXPECT_FALSE(std::isfinite(values<float>(r, 1)[30]));
    EXPECT_EQ(values<float>(r, 1)[0], 3.0f); // and nothing else is changed
}

TEST(Finite, AsksOnlyLanesThatRun) {
    std::vector<double> in(32, 2.0);
    in[3] = 0.0;
    const auto of = [&](int from) {
        return run("quotients", {buffer(in), buffer(std::vector<double>(32)), value(from)});
    };
    tellsOnce(of(3), "makes inf of finite numbers: rcp.rn.f64 of 0", "line 19 of finite.cu", 1);
    EXPECT_TRUE(told(of(4)).empty());
}

TEST(Finite, KnowsConversionsPairsAndMatrices) {
    std::vector<float> in(32, 1.0f);
    in[31] = 65520.0f; // half way from 65504 to what would be next: away from it
    tellsOnce(run("narrow", {buffer(in), buffer(std::vector<std::uint16_t>(32))}),
              "makes inf of finite numbers: cvt.rn.f16.f32 of 65520", "line 23 of finite.cu", 1);
    in[31] = 65519.0f;
    EXPECT_TRUE(told(run("narrow", {buffer(in), buffer(std::vector<std::uint16_t>(32))})).empty());

    std::vector<std::uint16_t> pairs(64, half(2));
    pairs[2 * 4 + 1] = half(256); // thread 4's second: 65536
    tellsOnce(run("pairs", {buffer(pairs), buffer(std::vector<std::uint16_t>(64))}),
              "makes inf of finite numbers: mul.f16x2 of 256, 256", "line 27 of finite.cu", 1);

    // Each element of the product is eight products of 64 by 64: 32768; of 128 by 128: 131072.
    const auto product = [](int v) {
        return run("product", {buffer(std::vector<std::uint16_t>(64, half(v))), buffer(std::vector<int>(32))});
    };
    EXPECT_TRUE(told(product(64)).empty());
    tellsOnce(product(128), "A product of matrices makes inf of finite numbers: mma.sync", "line 36 of finite.cu", 1);
}

// With the timing model the operations run once more in other ways; what is told is the same.
TEST(Finite, IsToldOfTimedLaunches) {
    std::vector<float> in(32, 1.0f);
    in[2] = -1.0f;
    tellsOnce(run("roots", {buffer(in), buffer(std::vector<float>(32))}, true, true),
              "makes NaN of finite numbers: sqrt.rn.f32 of -1", "line 14 of finite.cu", 1);
}

} // namespace
} // namespace warpglass::testing
