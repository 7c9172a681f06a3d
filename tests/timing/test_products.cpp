// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores in the timing model against an H200: the same texts (programs/product_text.h), and the clock that the kernel
// itself reads.
#include "tests/timing/programs/product_text.h"
#include "tests/timing/text_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

// Cycles of a round from the first warp's beginning to the last one's end, of the last block.
double cyclesOfRound(Text text, std::uint32_t warps, std::uint32_t sharedBytes, std::uint32_t blocks = 1) {
    text.rounds = 32;
    LaunchPlan plan;
    plan.grid = {blocks, 1, 1};
    plan.block = {warps * 32, 1, 1};
    plan.sharedBytes = sharedBytes;
    const auto clocks = clocksOf(text, plan, 1024, false);
    return clocks.empty() ? 0 : cyclesOfBlock(clocks, blocks - 1, warps) / text.rounds / text.copies;
}

} // namespace

// A chain of one warp shows how long a product takes, four chains of 16 warps how often one begins.
TEST(Products, OfAWarpTakeWhatTheCardSays) {
    const auto card = measuredCases();
    for (const Form& f : forms) {
        if (f.name == std::string("m8n8k4.f16") || f.name == std::string("m16n8k32.e4m3"))
            continue; // no unit of an H200 makes these: ptxas writes other products and moves in their place
        const double latency = cyclesOfRound(productText(f, 1), 1, 1024);
        EXPECT_NEAR(latency / card.at(fmt::format("product/{}/warps:1/chains:1", f.name)), 1, 0.15)
            << f.name << ": " << latency;
        const double rate = cyclesOfRound(productText(f, 4), 16, 1024) / 4;
        EXPECT_NEAR(rate / card.at(fmt::format("product/{}/warps:16/chains:4", f.name)), 1, 0.1)
            << f.name << ": " << rate;
    }
}

// One warpgroup has the four units for itself; two and three share them. Alone, the group's way in and out counts.
TEST(Products, OfWarpgroupsTakeWhatTheCardSays) {
    const auto card = measuredCases();
    for (const Wide& w : wide)
        for (const int n : {32, 64, 128, 256}) // of fewer columns the model is up to 20 % late
            for (const bool registers : {false, true})
                for (const int groups : {1, 2})
                    for (const auto& [name, size, open] :
                         {std::tuple{"alone", 1, 0}, std::tuple{"fours", 4, 0}, std::tuple{"stream", 4, 1}}) {
                        const auto row = card.find(fmt::format("wgmma/{}/n:{}/a:{}/warpgroups:{}/{}", w.name, n,
                                                               registers ? "registers" : "shared", groups, name));
                        if (row == card.end())
                            continue;
                        const double cycles =
                            cyclesOfRound(wideText(w, n, registers, size, open), 4u * unsigned(groups), 65536) / size;
                        EXPECT_NEAR(cycles / row->second, 1, 0.15) << row->first << ": " << cycles;
                    }
}

// A kernel that has a product of a warp runs at a lower clock, whether it comes to it or not; products of doubles, and
// loads of matrices, do not change it. The row of one SM and of all is the same within 0.2 %.
TEST(Products, LowerTheClockAsOnTheCard) {
    const auto card = measuredCases();
    const std::string begin =
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n"
        ".reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .f64 %d<4>;\n"
        ".shared .align 128 .b8 s[1024];\nmov.u32 %r1, s; mov.u32 %r2, 0; mov.f32 %f1, 0f00000000;\n"
        "mov.f64 %d1, 0d0000000000000000; setp.ne.u32 %p, %r2, 0;\n";
    const std::pair<const char*, const char*> works[] = {
        {"fma", "fma.rn.f32 %f1, %f1, %f1, %f1;"},
        {"mma_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f1, %f1, %f1}, {%r2, %r2, %r2, %r2}, "
                    "{%r2, %r2}, {%f1, %f1, %f1, %f1};"},
        {"mma_once", "@%p bra M; bra E; M: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f1, %f1, %f1}, "
                     "{%r2, %r2, %r2, %r2}, {%r2, %r2}, {%f1, %f1, %f1, %f1}; E:"},
        {"mma_f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d1}, {%d1}, {%d1}, {%d1, %d1};"},
        {"ldmatrix", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r1];"},
    };
    for (const auto& [name, work] : works) {
        LaunchPlan plan;
        plan.kernelName = plan.entry = "k";
        plan.ptx = begin + work + "\nret;\n}\n";
        plan.grid = {1, 1, 1};
        plan.block = {32, 1, 1};
        RunOptions options;
        options.timing = true;
        options.device = "h200";
        Progress progress;
        const auto run = makeEmulator()->run(plan, options, progress);
        ASSERT_TRUE(run) << name << ": " << run.error().text();
        const double clock = run->trace->info.smClockMHz / 1000;
        for (const int blocks : {1, 132})
            EXPECT_NEAR(clock / card.at(fmt::format("clock/{}/blocks:{}", name, blocks)), 1, 0.005) << name;
        options.timing = false; // what a kernel asks its device for is the same then
        const auto plain = makeEmulator()->run(plan, options, progress);
        ASSERT_TRUE(plain) << name;
        EXPECT_EQ(plain->trace->info.smClockMHz, 1980) << name;
    }
}

// Each has an SM of its own there, and is timed where another one has been.
TEST(Products, OfOneBlockKeepNoOtherBlockWaiting) {
    const double alone = cyclesOfRound(wideText(wide[0], 64, false, 4, 0), 4, 65536);
    EXPECT_GT(alone, 0);
    EXPECT_NEAR(cyclesOfRound(wideText(wide[0], 64, false, 4, 0), 4, 65536, 8) / alone, 1, 0.01);
}

} // namespace warpglass::testing
