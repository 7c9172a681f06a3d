// SPDX-License-Identifier: GPL-3.0-or-later
// --against twin: numbers that are not what fp64 makes of the same launch are told, with where they lost their digits; those of
// right kernels are not.
#include "gpu/base/messages/emulator.h"
#include "tests/emulator/run_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpglass::testing {
namespace {

constexpr std::uint16_t halfOne = 0x3c00, halfThree = 0x4200;

Recording run(const std::string& entry, std::vector<Argument> arguments, double tolerance = 0, Dim3 block = {32}) {
    Kernel kernel(entry, {1}, block, std::move(arguments), "twin.ptx");
    kernel.options.twin = tolerance;
    return kernel.run();
}
// What of the launch is told with one of these messages inside of who and where, or by itself.
std::vector<Diagnostic> told(const Recording& r, std::initializer_list<MessageId> ids) {
    std::vector<Diagnostic> all;
    for (const Diagnostic& d : r.trace->diagnostics) {
        const Message whole = d.message.message();
        const auto* const inner =
            whole.arguments.empty() ? nullptr : std::get_if<std::vector<Message>>(&whole.arguments[0]);
        for (const MessageId id : ids)
            if (whole.id == id || (inner && !inner->empty() && inner->front().id == id))
                all.push_back(d);
    }
    return all;
}
std::vector<Diagnostic> lost(const Recording& r) {
    return told(r, {say::DigitsLost.id, say::DigitsLostAt.id});
}
// One that says all this, of so many numbers that are left.
void has(const std::vector<Diagnostic>& all, std::vector<std::string> parts, std::uint64_t count) {
    parts.push_back(fmt::format(" {} number", count));
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].kind, DiagnosticKind::DigitsLost);
    for (const std::string& part : parts)
        EXPECT_NE(all[0].message.find(part), std::string::npos) << part << "\n" << all[0].message;
}

// 4096, 4097, 4098, 4099: the squares are 16777216, 16785409, 16793604, 16801801, their sum 67158030, the variance 1.25. In
// float the second sum is 33562624 (a multiple of 4), one too small, and the last one 67158032 (a multiple of 8) of 67158029. A
// quarter of it is 16789508, less 4097.5 squared (16789506.25, rounded to 16789506): 2.
TEST(Twin, TellsWhatCancelsOut) {
    const std::vector<float> in{4096, 4097, 4098, 4099};
    const Recording r = run("variance", {buffer(in, "in"), buffer(std::vector<float>(32), "out"), value(4)});
    EXPECT_EQ(values<float>(r, 1)[0], 2.0f);
    has(lost(r),
        {"makes 2 where fp64 makes 1.25 (relative error 0.6): sub.f32 of 16789508, 16789506, in fp64 of 16789507.5, "
         "16789506.25",
         "most of the error was made before, by fma.rn.f32 on line 10 of twin.cu", "out[0]: 2, in fp64 1.25",
         "line 13 of twin.cu", "thread (0)"},
        32);
    // The same spread around 4 is exact.
    EXPECT_TRUE(
        lost(run("variance", {buffer(std::vector<float>{4, 5, 6, 7}), buffer(std::vector<float>(32)), value(4)}))
            .empty());
}

TEST(Twin, TellsSumsOfManyAndNotThoseOfKahan) {
    constexpr int n = 400001;
    float sum = 0;
    double exact = 0;
    for (int i = 0; i < n; ++i)
        sum += 0.1f, exact += double(0.1f);
    ASSERT_GT(std::fabs(sum - exact) / exact, std::exp2(-12)); // or there would be nothing to tell
    const std::vector<float> in(32, 0.1f);
    const auto out = [] { return buffer(std::vector<float>(32), "out"); };
    const Recording r = run("plainSum", {buffer(in), out(), value(n)});
    has(lost(r), {"add.f32", fmt::format("{}, in fp64 {:.10g}", sum, exact), "line 19 of twin.cu"}, 32);
    const Recording kahan = run("kahanSum", {buffer(in), out(), buffer(std::vector<float>(32), "rest"), value(n)});
    EXPECT_TRUE(lost(kahan).empty());
    EXPECT_NE(values<float>(kahan, 2)[0], 0.0f); // what is left in it is the rounding error, whose twin is 0
    EXPECT_EQ(values<float>(kahan, 1)[0], float(exact));
    // Seen to a relative 1e-9 the sum is no double, however it is made.
    EXPECT_FALSE(lost(run("kahanSum", {buffer(in), out(), buffer(std::vector<float>(32)), value(1000)}, 1e-9)).empty());
}

// x = 1 - 2001 / 2^24: its square is 1 - 2001 / 2^23 + 2001^2 / 2^48, of which float keeps all but the last part. That is
// 2001 / 2^25 of the difference to 1, or 6e-5. Beside others of 0.75 it is 2e-8 of what is stored.
TEST(Twin, JudgesByTheLargestOfAStore) {
    const float x = 1 - 2001 * 0x1p-24f;
    std::vector<float> in(32, x);
    const auto all = [&](double tolerance) {
        return lost(run("oneLess", {buffer(in), buffer(std::vector<float>(32), "out")}, tolerance));
    };
    has(all(5e-5), {"makes 0.00023853779 where fp64 makes", "(relative error 5.96e-05): sub.rn.f32", "mul.rn.f32"}, 32);
    EXPECT_TRUE(all(7e-5).empty());
    EXPECT_TRUE(all(0).empty()); // more than half of the digits are left
    std::fill(in.begin() + 1, in.end(), 0.5f);
    EXPECT_TRUE(all(5e-5).empty());
}

// 4096 times one: from 2048 on a half has no room for one more. 3 is added up to 4096: from then on to the next multiple of 4.
TEST(Twin, KnowsHalves) {
    const Recording r = run("halves", {buffer(std::vector<std::uint16_t>(32, halfOne)),
                                       buffer(std::vector<std::uint16_t>(32), "out"), value(4096)});
    has(lost(r), {"out[0]: 2048, in fp64 4096", "add.f16", "line 42 of twin.cu"}, 32);
    EXPECT_TRUE(lost(run("halves", {buffer(std::vector<std::uint16_t>(32, halfOne)),
                                    buffer(std::vector<std::uint16_t>(32)), value(2048)}))
                    .empty());
    std::vector<std::uint16_t> in(64, halfThree);
    in[2 * 5] = halfOne; // the lower one of thread 5
    const Recording pairs = run("pairs", {buffer(in), buffer(std::vector<std::uint16_t>(64), "out"), value(4000)});
    EXPECT_FALSE(lost(pairs).empty());
    EXPECT_EQ(told(pairs, {say::AgainstTwin.id}).size(), 1u);
}

// 0.25 is lost beside 10^8 in the first sum, and with it whatever way it goes. Twice it is 0.5, all 32 are 8.
TEST(Twin, GoesWhereNumbersGo) {
    const Recording r = run("ways", {buffer(std::vector<float>(32, 0.25f), "in"), buffer(std::vector<float>(33), "out"),
                                     buffer(std::vector<float>(32), "notes"), value(1), value(1)});
    EXPECT_EQ(values<float>(r, 1)[32], 0.0f);
    const std::vector<Diagnostic> all = lost(r);
    has(all, {"makes 0 where fp64 makes 0.25"}, 65);
    const std::vector<Diagnostic> buffers = told(r, {say::AgainstTwin.id});
    ASSERT_EQ(buffers.size(), 2u);
    EXPECT_NE(buffers[0].message.find("of 33 numbers"), std::string::npos) << buffers[0].message;
    EXPECT_NE(buffers[1].message.find("of 32 numbers"), std::string::npos) << buffers[1].message;
    EXPECT_NE(buffers[1].message.find("0, in fp64 0.25"), std::string::npos) << buffers[1].message;
}

TEST(Twin, CountsWhatIsDecidedOtherwise) {
    const Recording r =
        run("decides", {buffer(std::vector<float>(32, 0.25f)), buffer(std::vector<int>(32)), value(0.125f)});
    const std::vector<Diagnostic> decided = told(r, {say::DecidesOtherwise.id});
    ASSERT_EQ(decided.size(), 1u);
    EXPECT_NE(decided[0].message.find("of 0, 0.125, in fp64 of 0.25, 0.125"), std::string::npos) << decided[0].message;
    EXPECT_NE(decided[0].message.find("32 times"), std::string::npos) << decided[0].message;
    EXPECT_TRUE(lost(r).empty()); // what it leaves are whole numbers
    EXPECT_TRUE(
        told(run("decides", {buffer(std::vector<float>(32, 8.0f)), buffer(std::vector<int>(32)), value(0.125f)}),
             {say::DecidesOtherwise.id})
            .empty());
}

// The compiler's own functions round to whole numbers by large constants, take numbers to pieces and make up for rounding.
TEST(Twin, IsQuietAboutFunctionsOfTheLibrary) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> from(0.01f, 1.0f);
    std::vector<float> in(128);
    for (float& v : in)
        v = from(random);
    const Recording r = run("functions", {buffer(in), buffer(std::vector<float>(17 * 128), "out")}, 0, {128});
    for (const Diagnostic& d : lost(r))
        ADD_FAILURE() << d.message;
    const std::vector<Diagnostic> buffers = told(r, {say::AgainstTwin.id});
    ASSERT_EQ(buffers.size(), 1u);
}

} // namespace
} // namespace warpglass::testing
