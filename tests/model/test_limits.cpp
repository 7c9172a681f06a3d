// SPDX-License-Identifier: GPL-3.0-or-later
// The timing model without one limit: what it computes and counts stays, and what is saved is what the limit costs,
// worked out by hand for chains of additions (4 cycles each on an H200) and from launches that lack the limit by nature.
#include "app/session/session.h"
#include "app/session/why.h"
#include "gpu/emulator/emulator.h"
#include "gpu/metrics/limit_pairs.h"
#include "gpu/metrics/pipeline.h"
#include "gpu/metrics/why_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpglass::testing {
namespace {

constexpr double nsPerCycle = 1000 / 1980.0;

struct TimedRun {
    double ns = 0;
    TracePtr trace;
    Buffers buffers;
};

TimedRun timed(const LaunchPlan& plan, LimitSet without, std::vector<std::uint32_t> lines = {}) {
    RunOptions options;
    options.timing = true;
    options.without = without;
    options.withoutLines = std::move(lines);
    Progress progress;
    auto run = makeEmulator()->run(plan, options, progress);
    EXPECT_TRUE(run) << (run ? "" : run.error().text());
    if (!run || run->fault)
        return {};
    EXPECT_NE(run->check.check, Check::Wrong) << text(without) << ": " << run->check.why;
    return {run->trace->timings.at(0).durationNs, run->trace, std::move(run->buffers)};
}

LaunchPlan planOf(const std::string& kernel, std::int64_t size, Dim3 block,
                  std::map<std::string, std::int64_t> set = {}) {
    session::RunRequest request;
    request.kernel = kernel;
    request.launch.size = size;
    request.launch.block = block;
    request.launch.set = std::move(set);
    auto plan = session::planOf(request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().text());
    return plan ? std::move(*plan) : LaunchPlan{};
}

double gain(const LaunchPlan& plan, Limit limit) {
    return 1 - timed(plan, LimitSet().with(limit)).ns / timed(plan, {}).ns;
}

// One block of one kernel without arguments, whose text is given.
LaunchPlan planOfText(const std::string& body, std::uint32_t threads) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "chains";
    plan.moduleName = "chains.ptx";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry chains()\n{\n.reg .pred %p<4>;\n"
               ".reg .b32 %r<8>;\n" +
               body + "\tret;\n}\n";
    plan.grid = {1, 1, 1};
    plan.block = {threads, 1, 1};
    return plan;
}

std::string chain(int additions, const char* reg) {
    std::string text;
    for (int n = 0; n < additions; ++n)
        text += fmt::format("\tmul.lo.u32 {0}, {0}, {0};\n", reg);
    return text;
}

// 100 products of halves, each of which needs the sums of the one before: 10 + 2 x 7 = 24 cycles each, and 4 where the unit
// takes no time; a kernel with products runs at 1,800 MHz.
TEST(Limits, WithoutTensorCoresProductsTakeAnAdditionsTime) {
    std::string body = "\t.reg .f32 %f<8>;\n\tmov.f32 %f1, 0f00000000;\n\tmov.f32 %f2, %f1;\n\tmov.f32 %f3, %f1;\n"
                       "\tmov.f32 %f4, %f1;\n\tmov.u32 %r1, %tid.x;\n";
    for (int n = 0; n < 100; ++n)
        body += "\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r1, %r1, %r1}, {%r1, "
                "%r1}, {%f1, %f2, %f3, %f4};\n";
    LaunchPlan plan = planOfText(body, 32);
    plan.ptx.replace(plan.ptx.find("sm_75"), 5, "sm_80");
    const double saved = timed(plan, {}).ns - timed(plan, LimitSet().with(Limit::Tensor)).ns;
    EXPECT_NEAR(saved * 1.8, 100 * (24 - 4), 60);
    EXPECT_NEAR(gain(plan, Limit::CopyEngine), 0, 1e-9);
}

// Tiles that the copy unit brings come sooner if it takes no time; lanes' own copies do not pass it.
TEST(Limits, WithoutTheCopyEngineTilesComeSooner) {
    EXPECT_GT(gain(planOf("matmul_producer", 256, {160, 1, 1}), Limit::CopyEngine), 0.02);
    EXPECT_NEAR(gain(planOf("matmul_two_stages", 256, {128, 1, 1}), Limit::CopyEngine), 0, 1e-9);
}

// 1024 blocks of which an SM holds eight: 100 SMs have eight and 32 have seven, and no SM waits for another. 1089 blocks are 33
// more than there are places: they run when all others are through.
TEST(Limits, ABalancedGridHasNoTail) {
    EXPECT_LT(gain(planOf("matmul_tiled", 512, {16, 16, 1}), Limit::Tail), 0.05);
    EXPECT_GT(gain(planOf("matmul_tiled", 528, {16, 16, 1}), Limit::Tail), 0.3);
}

TEST(Limits, AreReadAndWritten) {
    const auto two = parseLimits("divergence,l2-misses");
    ASSERT_TRUE(two);
    EXPECT_TRUE(two->has(Limit::Divergence) && two->has(Limit::L2Misses));
    EXPECT_FALSE(two->has(Limit::Tail));
    EXPECT_EQ(text(*two), "divergence,l2-misses");
    EXPECT_EQ(*parseLimits("all"), LimitSet::all());
    EXPECT_TRUE(parseLimits("")->empty());
    ASSERT_FALSE(parseLimits("divergence,speed"));
    EXPECT_NE(parseLimits("divergence,speed").error().text().find("\"speed\" is no limit"), std::string::npos);
}

TEST(Limits, ChangeNeitherResultsNorCounts) {
    for (const LaunchPlan& plan :
         {planOf("reduceNeighbored", 16384, {128, 1, 1}), planOf("transpose_smem", 128, {32, 32, 1}),
          planOf("atomicTwoLevel", 16384, {256, 1, 1}), planOf("divergentMixed", 8192, {256, 1, 1}),
          planOf("matmul_tiled", 64, {16, 16, 1}), planOf("sumByShuffle", 8192, {256, 1, 1})}) {
        const TimedRun as = timed(plan, {});
        ASSERT_TRUE(as.trace) << plan.kernelName;
        for (const Limit limit : allOf<Limit>) {
            const TimedRun without = timed(plan, LimitSet().with(limit));
            ASSERT_TRUE(without.trace) << plan.kernelName;
            EXPECT_EQ(without.buffers, as.buffers) << plan.kernelName << " without " << name(limit);
            ASSERT_EQ(without.trace->counts.size(), as.trace->counts.size());
            for (std::size_t k = 0; k < as.trace->counts.size(); ++k) {
                const InstructionCount &a = as.trace->counts[k], &b = without.trace->counts[k];
                EXPECT_TRUE(a.executions == b.executions && a.lanes == b.lanes && a.sectors == b.sectors &&
                            a.passes == b.passes && a.divergent == b.divergent)
                    << plan.kernelName << " without " << name(limit) << ", line " << a.ptxLine;
            }
            EXPECT_TRUE(validate(*without.trace).ok())
                << plan.kernelName << " without " << name(limit) << ": " << validate(*without.trace).error().text();
        }
        const TimedRun floor = timed(plan, LimitSet::all());
        EXPECT_EQ(floor.buffers, as.buffers);
        EXPECT_LT(floor.ns, 0.8 * as.ns) << plan.kernelName;
    }
}

TEST(Limits, ThatALaunchDoesNotMeetCostNothing) {
    const LaunchPlan plan = planOf("vectorAdd", 65536, {256, 1, 1}); // no branch that divides, no shared memory
    for (const Limit limit :
         {Limit::Conflicts, Limit::Atomics, Limit::Barriers, Limit::Coalescing, Limit::Shared, Limit::Divergence})
        EXPECT_EQ(gain(plan, limit), 0) << name(limit);
}

// Half a warp multiplies 300 times in a row, then the other half does: 2 x 1,200 cycles. At once: 1,200.
TEST(Limits, DivergenceIsTheShorterSide) {
    const std::string body = "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n\tsetp.lt.u32 %p1, %r1, 16;\n"
                             "\t@%p1 bra OTHER;\n" +
                             chain(300, "%r2") + "\tbra.uni END;\nOTHER:\n" + chain(300, "%r2") + "END:\n";
    const LaunchPlan plan = planOfText(body, 32);
    const double saved = timed(plan, {}).ns - timed(plan, LimitSet().with(Limit::Divergence)).ns;
    EXPECT_NEAR(saved / nsPerCycle, 1200, 30);
    // Sides of 300 and 100: what is saved is the shorter one.
    const std::string uneven = "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n\tsetp.lt.u32 %p1, %r1, 16;\n"
                               "\t@%p1 bra OTHER;\n" +
                               chain(300, "%r2") + "\tbra.uni END;\nOTHER:\n" + chain(100, "%r2") + "END:\n";
    const LaunchPlan other = planOfText(uneven, 32);
    EXPECT_NEAR((timed(other, {}).ns - timed(other, LimitSet().with(Limit::Divergence)).ns) / nsPerCycle, 400, 30);
}

// Warp 0 works for 300 multiplications, then all meet, then warp 1 does: 2,400 cycles one after the other. Without the
// barrier both work at once, on schedulers of their own.
TEST(Limits, ABarrierIsTheTimeThatIsWaitedThere) {
    const std::string body = "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, %tid.x;\n\tsetp.ge.u32 %p1, %r1, 32;\n"
                             "\t@%p1 bra MEET;\n" +
                             chain(300, "%r2") +
                             "MEET:\n\tbar.sync 0;\n\tsetp.lt.u32 %p2, %r1, 32;\n\t@%p2 bra END;\n" +
                             chain(300, "%r2") + "END:\n";
    const LaunchPlan plan = planOfText(body, 64);
    const double saved = timed(plan, {}).ns - timed(plan, LimitSet().with(Limit::Barriers)).ns;
    EXPECT_NEAR(saved / nsPerCycle, 1200, 60);
}

// A launch without the limit is as fast as the one that a programmer has freed of it.
TEST(Limits, AreWhatAProgrammerTakesAway) {
    const auto ns = [](const LaunchPlan& plan, LimitSet without) { return timed(plan, without).ns; };
    const LaunchPlan conflicts = planOf("transpose_smem", 512, {32, 32, 1}),
                     padded = planOf("transpose_padded", 512, {32, 32, 1});
    EXPECT_NEAR(ns(conflicts, LimitSet().with(Limit::Conflicts)) / ns(padded, {}), 1, 0.1);
    EXPECT_NEAR(gain(padded, Limit::Conflicts), 0, 0.02);
    const LaunchPlan column = planOf("sumMatrix2D", 1024, {32, 32, 1}),
                     row = planOf("sumMatrixOnGPU2D", 1024, {32, 32, 1});
    EXPECT_NEAR(ns(column, LimitSet().with(Limit::Coalescing)) / ns(row, {}), 1, 0.15);
    EXPECT_NEAR(gain(row, Limit::Coalescing), 0, 0.02);
}

// What the program quotes of pairs of kernels (resources/model/pairs.csv) is what the model says, for those that are small.
TEST(Limits, SayOfPairsWhatTheFileSays) {
    int asked = 0;
    for (const LimitPair& pair : limitPairs()) {
        EXPECT_TRUE(pair.measured > 0 && pair.measured < 1) << pair.first;
        std::istringstream words(pair.first);
        std::string kernel, option;
        std::int64_t size = 0, block = 0;
        words >> kernel >> option >> size >> option >> block;
        if (size > 1 << 20 || kernel.find("transpose") != std::string::npos ||
            kernel.find("sumMatrix") != std::string::npos)
            continue;
        EXPECT_NEAR(gain(planOf(kernel, size, {std::uint32_t(block), 1, 1}), pair.limit), pair.predicted, 0.02)
            << pair.first;
        ++asked;
    }
    EXPECT_GE(asked, 2);
}

// WARPGLASS_PAIRS_CSV=FILE asks about all pairs, the large ones too, and writes the file anew.
TEST(PairsFile, IsWrittenAnewWhenAsked) {
    const char* path = std::getenv("WARPGLASS_PAIRS_CSV");
    if (!path)
        GTEST_SKIP() << "WARPGLASS_PAIRS_CSV names no file";
    std::ofstream out(path);
    out << "limit,first,second,measured_pct,predicted_pct\n";
    for (const LimitPair& pair : limitPairs()) {
        std::istringstream words(pair.first);
        std::string kernel, option;
        std::int64_t size = 0;
        Dim3 block{1, 1, 1};
        char x = 0;
        words >> kernel >> option >> size >> option >> block.x >> x >> block.y;
        block.y = std::max(1u, block.y);
        out << fmt::format("{},{},{},{:.0f},{:.0f}\n", name(pair.limit), pair.first, pair.second, 100 * pair.measured,
                           100 * gain(planOf(kernel, size, block), pair.limit))
            << std::flush;
    }
}

TEST(Limits, AreTakenAwayFromOneLine) {
    const LaunchPlan plan = planOf("transpose_naive", 512, {32, 32, 1});
    const TimedRun as = timed(plan, {});
    std::vector<std::uint32_t> loads, stores; // the stores are spread, the loads are not
    for (const InstructionCount& c : as.trace->countsOf(0))
        if (c.isMemory && c.space == MemorySpace::Global)
            (c.access == AccessKind::Store ? stores : loads).push_back(c.ptxLine);
    ASSERT_TRUE(!loads.empty() && !stores.empty());
    const LimitSet coalescing = LimitSet().with(Limit::Coalescing);
    EXPECT_EQ(timed(plan, coalescing, loads).ns, as.ns);
    EXPECT_EQ(timed(plan, coalescing, stores).ns, timed(plan, coalescing).ns);
    EXPECT_LT(timed(plan, coalescing, stores).ns, 0.7 * as.ns);
}

TEST(Limits, SayInTheTraceThatTheyAreGone) {
    const LaunchPlan plan = planOf("vectorAdd", 1024, {256, 1, 1});
    const auto has = [](const Trace& t, const std::string& metric) {
        return std::any_of(t.counters.begin(), t.counters.end(),
                           [&](const Counter& c) { return c.metric == metric && c.value == 1; });
    };
    EXPECT_FALSE(has(*timed(plan, {}).trace, "without_latency"));
    EXPECT_TRUE(has(*timed(plan, LimitSet().with(Limit::Latency)).trace, "without_latency"));
}

Why whyOf(const std::string& kernel, std::int64_t size, Dim3 block, Detail::Kind detail = Detail::Kind::Auto) {
    session::RunRequest request;
    request.options.detail.kind = detail;
    request.kernel = kernel;
    request.launch.size = size;
    request.launch.block = block;
    const auto plan = session::planOf(request);
    EXPECT_TRUE(plan);
    Progress progress;
    int last = -1;
    auto why = session::why(request, *plan, progress, [&](int done, int runs) {
        EXPECT_EQ(done, last + 1);
        EXPECT_LT(done, runs);
        last = done;
    });
    EXPECT_TRUE(why) << (why ? "" : why.error().text());
    return why ? std::move(*why) : Why{};
}

const WhyLimit& of(const Why& why, Limit limit) {
    return *std::find_if(why.limits.begin(), why.limits.end(), [&](const WhyLimit& l) { return l.limit == limit; });
}

// 32 lanes that add 4 bytes each to one word ask for 128 bytes of 4; one lane a warp asks for 4 of 4.
TEST(Why, SaysWhoMeetsAtAnAddress) {
    Why why;
    why.ns = 100;
    const WhyLimit atomics{.limit = Limit::Atomics, .ns = 50};
    WhyLine line;
    line.found = 128, line.least = 4, line.savedNs = 50;
    EXPECT_EQ(finding(why, atomics, line),
              "on average 32 lanes of a warp meet at one address; without that the launch would take 50 % less.");
    line.found = 4;
    EXPECT_NE(finding(why, atomics, line).find("but warps do"), std::string::npos);
}

// Each warp of transpose_naive stores 32 floats a column apart: 32 sectors where 128 bytes fill 4.
TEST(Why, NamesTheLineThatPays) {
    const Why why = whyOf("transpose_naive", 512, {32, 32, 1});
    ASSERT_EQ(why.limits.size(), allOf<Limit>.size());
    const WhyLimit& coalescing = of(why, Limit::Coalescing);
    ASSERT_EQ(coalescing.lines.size(), 1U);
    EXPECT_EQ(coalescing.lines[0].found, 32);
    EXPECT_EQ(coalescing.lines[0].least, 4);
    EXPECT_EQ(coalescing.lines[0].access, AccessKind::Store);
    EXPECT_NE(
        sentence(why, coalescing, coalescing.lines[0]).find("(store): a warp touches 32 sectors where 4 would do"),
        std::string::npos);
    EXPECT_TRUE(sentence(why, of(why, Limit::Conflicts)).empty());
    for (std::size_t n = 1; n < why.limits.size(); ++n)
        EXPECT_GE(why.limits[n].ns, why.limits[n - 1].ns);
    EXPECT_LT(why.floorNs, why.limits.front().ns);
    ASSERT_TRUE(why.pair);
    EXPECT_LE(why.pair->ns, why.limits.front().ns);
    const auto json = session::whyJson(why);
    EXPECT_EQ(json["limits"].size(), allOf<Limit>.size());
    EXPECT_EQ(json["kernel"], "transpose_naive");
    EXPECT_EQ(json["origin"], "modelled");
    EXPECT_NE(session::whyText(why).find("If only the bytes that are asked for moved"), std::string::npos);
    Why longer = why; // by what no digit shows
    longer.pair->ns = why.ns * (1 + 1e-9);
    EXPECT_EQ(session::whyText(longer).find("-0 %"), std::string::npos);
}

// The loads and the store of sumMatrix2D stand in line 10 alone: who waits for memory waits there, also where the launch
// was recorded without its warps. (A warp that has stored ends only when its store has left, at the line of the kernel's end.)
TEST(Why, FindsLinesOfALaunchWithoutDetail) {
    const Why why = whyOf("sumMatrix2D", 256, {32, 32, 1}, Detail::Kind::None);
    const WhyLimit& bandwidth = of(why, Limit::Bandwidth);
    ASSERT_FALSE(bandwidth.lines.empty());
    EXPECT_EQ(bandwidth.lines[0].line, 10U);
    EXPECT_GT(bandwidth.lines[0].share, 0.6);
}

// A chain of 3,000 multiplications takes 12,000 cycles, 6.1 us, on any machine with that latency.
TEST(Why, SaysWhatNoLimitIsToBlameFor) {
    const LaunchPlan plan = planOfText("\tmov.u32 %r1, %tid.x;\n" + chain(3000, "%r1"), 32);
    session::RunRequest request;
    Progress progress;
    const auto why = session::why(request, plan, progress, {});
    ASSERT_TRUE(why) << (why ? "" : why.error().text());
    EXPECT_NEAR(why->floorNs, 12000 * nsPerCycle, 60);
    EXPECT_FALSE(why->fromSource);
    EXPECT_NE(remains(*why).find("wait for each other's results"), std::string::npos);
    EXPECT_TRUE(remains(whyOf("transpose_naive", 256, {32, 32, 1})).empty());
}

// 32 blocks on 132 SMs leave 100 idle. Shares are named from 10 % on, the largest first, issuing apart; times that save less
// than half a per cent are names and no rows; and what is to be done comes before the numbers.
TEST(Why, SaysFirstWhatCostsTimeThenHowMuch) {
    Trace trace;
    trace.info.smCount = 132;
    trace.kernels.push_back({.name = "k"});
    trace.launches.push_back({.grid = {32, 1, 1}, .block = {64, 1, 1}});
    for (const auto& [metric, value] : {std::pair{"share_selected", 30.0},
                                        {"share_stall_wait", 12.0},
                                        {"share_stall_lg_throttle", 41.6},
                                        {"stall_sync", 9.0},
                                        {"share_stall_mio_throttle", 11.0}})
        trace.counters.push_back({0, metric, "", value, "%", Origin::Modelled});
    Why why;
    why.trace = std::make_shared<const Trace>(trace);
    why.ns = 1000;
    why.floorNs = 500;
    why.limits = {
        {.limit = Limit::Bandwidth, .ns = 600}, {.limit = Limit::Tail, .ns = 994}, {.limit = Limit::Launch, .ns = 996}};
    // Without launching it takes 996 of 1000 ns, of which 132 SMs would take 32 / 132 : 0.996 x (1 - 0.242) = 0.755.
    EXPECT_EQ(idleSms(why).text(),
              "Of the device's 132 SMs, 100 never get a block: the grid has only 32. The same work "
              "shared among all of them would take up to 75 % less.");
    const std::vector<Said> most = spent(why);
    ASSERT_EQ(most.size(), 3U);
    EXPECT_EQ(most[0].text(),
              "Warps spend 42 % of their time on LG throttle: the queue for global and local memory is full.");
    EXPECT_NE(most[1].text().find("fixed latencies"), std::string::npos);
    EXPECT_NE(most[2].text().find("MIO throttle"), std::string::npos);
    const std::string text = session::whyText(why);
    const std::size_t sentence = text.find("If memory moved"), row = text.find("bandwidth "),
                      tail = text.find("\ntail ");
    EXPECT_TRUE(sentence < row && row < tail && tail != std::string::npos) << text;
    EXPECT_EQ(text.find("\nlaunch "), std::string::npos) << text;
    EXPECT_NE(text.find("nothing to gain from: launch\n"), std::string::npos) << text;
    EXPECT_EQ(text.find(" 0 %"), std::string::npos) << text;
    trace.launches.front().grid = {132, 1, 1};
    why.trace = std::make_shared<const Trace>(trace);
    EXPECT_TRUE(idleSms(why).empty());
}

// What is left of a kernel whose parents wait for their children is no chain of instructions, and no other grid shares it.
TEST(Why, KnowsWhoSleeps) {
    const Why why = whyOf("nestedHelloWorld", 8, {8, 1, 1});
    EXPECT_NE(remains(why).find("warps that sleep"), std::string::npos) << remains(why).text();
    EXPECT_EQ(idleSms(why).find("shared among"), std::string::npos);
}

// 32 lanes read a column of 32 x 32 words: 32 passes for each of 32 loads, beside 32 stores of a pass each. Any layout without
// conflicts takes 64.
TEST(Why, SaysHowATileLiesBetter) {
    const Why why = whyOf("transpose_smem", 512, {32, 32, 1});
    const WhyLimit& conflicts = of(why, Limit::Conflicts);
    ASSERT_EQ(conflicts.lines.size(), 1U);
    ASSERT_TRUE(conflicts.lines[0].layout);
    EXPECT_EQ(conflicts.lines[0].passes, 1056U);
    EXPECT_EQ(conflicts.lines[0].layout->passes(), 64U);
    EXPECT_NE(finding(why, conflicts, conflicts.lines[0]).find("would take 64 passes where they take 1056"),
              std::string::npos);
}

// Of two stages as they run it says that four would hide what is waited for; of the kernel that has four, nothing of the kind,
// and its launch takes as much less as was waited, within a tenth of the launch.
TEST(Why, SaysOfTwoStagesThatFourWouldHideTheCopies) {
    const Why two = whyOf("matmul_two_stages", 256, {128, 1, 1}), four = whyOf("matmul_four_stages", 256, {128, 1, 1});
    const std::string said = pipelineSentence(two).text();
    EXPECT_NE(said.find("with 4 stages instead of 2"), std::string::npos) << said;
    EXPECT_EQ(session::whyText(two).find(said), session::whyText(two).find("\n\n") + 2); // before all else
    EXPECT_EQ(pipelineSentence(four).text(), "");
    const auto pipeline = pipelineOf(*two.trace);
    ASSERT_TRUE(pipeline);
    EXPECT_NEAR(1 - four.ns / two.ns, pipeline->waits, 0.15);
}

TEST(Why, IsNotAskedOfAGpu) {
    session::RunRequest request;
    request.kernel = "vectorAdd";
    request.backend = "cuda";
    Progress progress;
    const auto why = session::why(request, {}, progress, {});
    ASSERT_FALSE(why);
    EXPECT_NE(why.error().text().find("--backend emulator"), std::string::npos);
}

} // namespace
} // namespace warpglass::testing
