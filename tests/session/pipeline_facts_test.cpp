// SPDX-License-Identifier: GPL-3.0-or-later
// What expectations may say of copies, mbarriers and products, on a trace in which each number is worked out by hand.
#include "app/session/expectation.h"

#include <gtest/gtest.h>

#include <string>

namespace warpglass::session {
namespace {

constexpr const char* pipelinePtx =
    "cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
    "cp.async.commit_group;\n"
    "cp.async.wait_group 1;\n"
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n"
    "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
    "add.f32 %f1, %f1, %f2;\n";
enum Line : std::uint32_t { copyLine = 1, commitLine, waitLine, mmaLine, wgmmaLine, addLine };

//   block  warp  ordered  come  bytes
//   0      0        0      30    512
//   0      0       10      50   1024
//   0      1       30      60    512   just as the first has come: 1536 bytes are on their way from 10 to 50
//   1      0        5      25   2048
//   2              no detail
//
// Mbarriers of block 0 lie at bytes 0 (made for 1, 4096 bytes, two phases), 8 (made for 1, 2048 bytes, one phase) and 16 (made
// for 128, none ends); of block 1 at byte 0 (made for 7).
//
// Warp 0 of block 0 in cycles: two groups are ordered from 0 to 4, it leaves one under way and multiplies from 6 to 10. Up to the
// end of the next product, at 110, it waits 25 cycles of 100 for a group, and leaves one again: two stages.
Trace pipelineTrace() {
    Trace trace;
    trace.info.timing = true;
    Kernel kernel{.name = "pipeline", .source = "a\nb\n", .sourceName = "p.cu", .ptx = pipelinePtx, .files = {"p.cu"}};
    kernel.lines = {{mmaLine, {0, 1, 1}, 1}, {wgmmaLine, {0, 2, 1}, 2}, {addLine, {0, 1, 1}, 1}};
    trace.kernels.push_back(kernel);
    trace.sites.push_back({.kind = SiteKind::Instruction, .ptxLine = copyLine, .text = "cp.async"});
    trace.launches.push_back({.grid = {3}, .block = {64}, .end = {200}, .firstBlock = 0, .blockCount = 3});
    const auto warp = [&](std::uint32_t block, std::uint16_t number) {
        trace.warps.push_back({.block = block, .warpInBlock = number, .liveLanes = LaneMask::all(), .end = {200}});
    };
    for (std::uint32_t b = 0; b < 3; ++b)
        trace.blocks.push_back(
            {.index = b, .end = {200}, .firstWarp = 2 * b, .warpCount = std::uint16_t(b < 2 ? 2 : 0)});
    for (std::uint32_t b = 0; b < 2; ++b)
        for (std::uint16_t w = 0; w < 2; ++w)
            warp(b, w);

    const auto copy = [&](std::uint32_t of, std::int64_t from, std::int64_t to, std::uint64_t bytes) {
        trace.copies.push_back({.warp = of, .issued = {from}, .complete = {to}, .bytes = bytes});
    };
    copy(0, 0, 30, 512);
    copy(0, 10, 50, 1024);
    copy(1, 30, 60, 512);
    copy(2, 5, 25, 2048);

    using K = PhaseEventKind;
    const auto event = [&](std::uint32_t block, std::int64_t time, K kind, std::uint32_t of, std::uint32_t barrier,
                           std::uint32_t count) {
        trace.phaseEvents.push_back(
            {.block = block, .warp = of, .time = {time}, .kind = kind, .barrier = barrier, .count = count});
    };
    event(0, 0, K::Init, 0, 0, 1);
    event(0, 0, K::Init, 0, 8, 1);
    event(0, 1, K::Init, 0, 16, 128);
    event(0, 2, K::Expect, 0, 0, 4096);
    event(0, 3, K::Expect, 0, 8, 2048);
    event(0, 4, K::Wait, 1, 0, 0);
    event(0, 5, K::Wait, 1, 0, 0);
    event(0, 6, K::Complete, noIndex, 0, 0);
    event(0, 7, K::Wait, 0, 16, 0);
    event(0, 8, K::Complete, noIndex, 8, 0);
    event(0, 9, K::Complete, noIndex, 0, 0);
    event(1, 0, K::Init, 2, 0, 7);

    const auto counted = [&](std::uint32_t line, std::uint64_t executions) {
        trace.counts.push_back({.ptxLine = line, .executions = executions, .lanes = 32 * executions});
    };
    counted(mmaLine, 24);
    counted(wgmmaLine, 4);
    counted(addLine, 1000); // no product

    constexpr WarpState runs = WarpState::Selected, stalls = WarpState::StallLongScoreboard;
    const auto state = [](std::int64_t from, std::int64_t to, WarpState what, std::uint32_t line) {
        return StateRow{{from}, {to}, what, line};
    };
    std::vector<StateRow> states{state(0, 2, runs, commitLine),   state(2, 4, runs, commitLine),
                                 state(4, 6, runs, waitLine),     state(6, 10, runs, mmaLine),
                                 state(10, 20, runs, commitLine), state(20, 45, stalls, waitLine),
                                 state(45, 50, runs, waitLine),   state(50, 110, runs, mmaLine)};
    trace.warps[0].stateCount = std::uint32_t(states.size());
    for (std::size_t w = 1; w < trace.warps.size(); ++w)
        trace.warps[w].firstState = states.size();
    trace.states = LargeTable<StateRow>(std::move(states));
    return trace;
}

Judgement judgedOf(const std::string& text, const Trace& trace) {
    const auto expectation = parseExpectation(text);
    EXPECT_TRUE(expectation.ok()) << text << ": " << (expectation ? "" : expectation.error().text());
    return expectation ? judge(*expectation, {.trace = &trace}) : Judgement{};
}

void expectHolds(const char* text) {
    static const Trace trace = pipelineTrace();
    const Judgement judgement = judgedOf(text, trace);
    EXPECT_TRUE(judgement.holds) << text << ": " << judgement.found;
}
void expectUntold(const char* text, const char* why) {
    static const Trace trace = pipelineTrace();
    const Judgement judgement = judgedOf(text, trace);
    EXPECT_FALSE(judgement.holds) << text;
    EXPECT_NE(judgement.found.find(why), std::string::npos) << judgement.found;
}

TEST(PipelineFacts, CountCopiesOfABlockOrAWarp) {
    expectHolds("copies = 3");
    expectHolds("copies[warp 0] = 2");
    expectHolds("copies[block 1] = 1");
    expectHolds("copies[block 1, warp 1] = 0");
    expectHolds("copied_bytes = 512 + 1024 + 512");
    expectHolds("copied_bytes[warp 1] = 512");
    expectHolds("copied_bytes_at_once = 1024 + 512");
    expectHolds("copied_bytes_at_once[block 1] = 2048");
    expectHolds("copying_warps = 2");
    expectHolds("copying_warps[block 1] = 1");
    expectUntold("copies[block 2] = 0", "nothing of that block was recorded");
    expectUntold("copied_bytes[launch 1] = 0", "nothing of that block was recorded");
}

TEST(PipelineFacts, CountWhatHappensToMbarriers) {
    expectHolds("mbarriers = 3");
    expectHolds("mbarriers[block 1] = 1");
    expectHolds("phases = 2 + 1");
    expectHolds("phases[mbarrier 0] = 2");
    expectHolds("phases[mbarrier 2] = 0");
    expectHolds("phase_arrivals = 128");
    expectHolds("phase_arrivals[mbarrier 1] = 1");
    expectHolds("phase_arrivals[block 1, mbarrier 0] = 7");
    expectHolds("phase_bytes = 4096");
    expectHolds("phase_bytes[mbarrier 1] = 2048");
    expectHolds("phase_waits = 3");
    expectHolds("phase_waits[warp 1] = 2");
    expectHolds("phase_waits[mbarrier 2] = 1");
    expectUntold("phases[mbarrier 3] = 0", "the block has no such mbarrier");
}

TEST(PipelineFacts, CountProductsByTheLineOfTheSource) {
    expectHolds("products = 24 + 4");
    expectHolds("products[line 1] = 24"); // the sum of floats there is none
    expectHolds("products[line 2] = 4");
}

// 25 of 100 cycles between products. The copy takes one round of 100; without waiting a round is 75, of which two are more
// than 100 and one is less: it has to be asked for two rounds ahead.
TEST(PipelineFacts, TellStagesAndWhatWouldBeEnough) {
    expectHolds("stages = 2");
    expectHolds("copy_waits = 25");
    expectHolds("enough_stages = 3");
}

TEST(PipelineFacts, SayWhatTheyNeedWithoutTheTimingModel) {
    Trace trace = pipelineTrace();
    trace.states = LargeTable<StateRow>(std::vector<StateRow>{});
    for (Warp& warp : trace.warps)
        warp.firstState = warp.stateCount = 0;
    for (const char* text : {"stages = 2", "enough_stages = 3", "copy_waits = 25"}) {
        EXPECT_FALSE(judgedOf(text, trace).holds) << text;
        EXPECT_NE(judgedOf(text, trace).found.find("timing"), std::string::npos) << judgedOf(text, trace).found;
    }
}

} // namespace
} // namespace warpglass::session
