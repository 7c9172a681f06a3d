// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions in the timing model against an H200 (programs/conversions.cu): the same forms as PTX text, and the clock that
// the kernel itself reads.
#include "tests/timing/text_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

// Cycles of a form for each time that a warp comes to it, with so many registers of a thread that go through it in turn. %0: one.
double cyclesOfForm(const std::string& form, std::uint32_t warps, int chains) {
    Text t;
    for (int c = 0; c < chains; ++c) {
        t.before += say("add.u32 x%d, tid, %d;\n", c, c);
        t.each += "{\n" + all(form, "%0", say("x%d", c)) + "\n}\n";
    }
    t.copies = 16;
    t.rounds = 16;
    t.keep = "setp.eq.u32 p0, x0, 77;\n@p0 st.global.u64 [to], begin;\n";
    LaunchPlan plan;
    plan.block = {warps * 32, 1, 1};
    plan.sharedBytes = 1024;
    const auto clocks = clocksOf(t, plan, 1024, true);
    return clocks.empty() ? 0 : cyclesOfBlock(clocks, 0, warps) / t.copies / t.rounds;
}

struct Conversion {
    const char *row, *text;
};

class Conversions : public ::testing::TestWithParam<Conversion> {};

// A chain of one warp, and what 32 warps with four chains each get of the SM.
TEST_P(Conversions, AreAsQuickAsTheCards) {
    const auto card = measuredCases();
    const std::string row = fmt::format("cvt/{}", GetParam().row);
    const double latency = cyclesOfForm(GetParam().text, 1, 1), rate = 32 * 4 / cyclesOfForm(GetParam().text, 32, 4);
    EXPECT_NEAR(latency / card.at(row + "/latency"), 1, 0.1) << latency;
    EXPECT_NEAR(rate / card.at(row + "/warps:32"), 1, 0.1) << rate;
}
INSTANTIATE_TEST_SUITE_P(
    Forms, Conversions,
    ::testing::Values(Conversion{"f32_bf16", ".reg .b16 h, g;\nmov.b32 {h, g}, %0;\ncvt.f32.bf16 %0, h;"},
                      Conversion{"f32_f16", ".reg .b16 h, g;\nmov.b32 {h, g}, %0;\ncvt.f32.f16 %0, h;"},
                      Conversion{"bf16x2_f32", "cvt.rn.bf16x2.f32 %0, %0, %0;"},
                      Conversion{"f16x2_f32", "cvt.rn.f16x2.f32 %0, %0, %0;"},
                      Conversion{"f32_s32", "cvt.rn.f32.s32 %0, %0;"},
                      Conversion{"tf32_f32", "cvt.rna.tf32.f32 %0, %0;"}),
    [](const auto& about) { return std::string(about.param.row); });

} // namespace
} // namespace warpglass::testing
