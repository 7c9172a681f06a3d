// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that many SMs want for the first time at once, in the timing model against an H200 (programs/first_touch.cu): as PTX
// text, with the clock that the kernel itself reads. L2 holds nothing of them.
#include "tests/timing/text_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

constexpr int read = 512 * 1024; // bytes that each block reads, all the same

// Warps with four loads of 16 bytes a lane: 2 KB of each a round.
Text loadsOf(int warps) {
    Text t;
    t.declare = ".reg .b32 v<16>;\n";
    t.before = "mul.wide.u32 y1, tid, 16;\nadd.u64 y1, data, y1;\nmov.u32 x10, 0;\n";
    for (int u = 0; u < 4; ++u)
        t.each += say("ld.global.cg.v4.u32 %s, [y1+%d];\n", list("v", 4, 4 * u).c_str(), 512 * warps * u);
    for (int k = 0; k < 16; ++k)
        t.each += say("xor.b32 x10, x10, v%d;\n", k);
    t.each += say("add.u64 y1, y1, %d;\n", 2048 * warps);
    t.rounds = read / (2048 * warps);
    t.keep = "setp.eq.u32 p0, x10, 77;\n@p0 st.global.u64 [to], y1;\n";
    return t;
}
// A thread that waits for four copies of so many bytes at a time.
Text copiesOf(int bytes) {
    Text t;
    t.before = "mov.u64 y1, data;\nmov.u32 x24, 0;\n";
    for (int k = 0; k < 4; ++k)
        t.before += say("@first mbarrier.init.shared::cta.b64 [sm+%d], 1;\n", 65536 + 8 * k);
    t.before += "fence.mbarrier_init.release.cluster;\n";
    t.each = "@!first bra AFTER;\n";
    for (int k = 0; k < 4; ++k)
        t.each += say("mbarrier.arrive.expect_tx.shared::cta.b64 _, [sm+%d], %d;\nadd.u32 x25, sm, %d;\n"
                      "add.u32 x26, sm, %d;\nadd.u64 y3, y1, %d;\n"
                      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x25], [y3], %d, [x26];\n",
                      65536 + 8 * k, bytes, bytes * k, 65536 + 8 * k, bytes * k, bytes);
    t.each += "and.b32 x24, round, 1;\n";
    for (int k = 0; k < 4; ++k)
        t.each += waitFor(say("M%d", k), say("sm+%d", 65536 + 8 * k), "x24");
    t.each += say("add.u64 y1, y1, %d;\nAFTER:\n", 4 * bytes);
    t.rounds = read / (4 * bytes);
    return t;
}

// Bytes a cycle of the first block.
double rateOf(const Text& text, std::uint32_t blocks, std::uint32_t warps) {
    LaunchPlan plan;
    plan.grid = {blocks, 1, 1};
    plan.block = {warps * 32, 1, 1};
    plan.sharedBytes = warps == 1 ? 65536 + 1024 : 1024;
    const auto clocks = clocksOf(text, plan, read, false);
    return clocks.empty() ? 0 : read / cyclesOfBlock(clocks, 0, warps);
}

} // namespace

// One fetch serves all: on the card 66 and 132 SMs have the same 4 % faster than one alone has it. Of all SMs in time side by
// side (64 blocks), and of the first one beside blocks that ran without time (132). DRAM by itself would give each of them 35
// and 17 bytes a cycle; one alone reads 50 with 16 warps, and 25 with 8.
TEST(FirstTouches, ComeFromMemoryOnce) {
    const auto card = measuredCases();
    const double there = card.at("first_touch/same/sms:66/warps:16") / card.at("first_touch/same/sms:1/warps:16");
    for (const auto& [blocks, warps] : {std::pair(64u, 16u), {132u, 8u}}) {
        const double alone = rateOf(loadsOf(int(warps)), 1, warps);
        EXPECT_NEAR(rateOf(loadsOf(int(warps)), blocks, warps) / alone, there, 0.15) << blocks;
    }
}

// As do copies by bulk: what DRAM gives an SM of its own would be half of that.
TEST(FirstTouches, OfCopiesComeOnceToo) {
    for (const auto& [blocks, bytes] : {std::pair(64u, 16384), {132u, 8192}}) {
        const double alone = rateOf(copiesOf(bytes), 1, 1);
        EXPECT_NEAR(rateOf(copiesOf(bytes), blocks, 1) / alone, 1, 0.2) << blocks;
    }
}

} // namespace warpglass::testing
