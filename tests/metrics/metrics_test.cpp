// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/json.h"
#include "gpu/metrics/metrics.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <set>

using namespace warpglass;

namespace {

// One launch of two warps (64 threads) on a device of compute capability 9.0.
Trace oneLaunch() {
    Trace trace;
    trace.info.ccMajor = 9;
    trace.info.smCount = 132;
    trace.info.mode = CompileMode::AsWritten;
    trace.kernels.push_back({.name = "k", .entry = "k", .ptxBranches = 2});
    trace.launches.push_back({.kernel = 0, .grid = {1}, .block = {64}});
    return trace;
}

InstructionCount branchRow(std::uint64_t executions, std::uint64_t divergent, bool conditional) {
    InstructionCount row;
    row.executions = executions;
    row.lanes = executions * 32;
    row.isBranch = true;
    row.isConditional = conditional;
    row.divergent = divergent;
    return row;
}

InstructionCount memoryRow(MemorySpace space, AccessKind access, std::uint64_t requests, std::uint64_t bytes,
                           std::uint64_t sectors) {
    InstructionCount row;
    row.executions = row.requests = requests;
    row.lanes = requests * 32;
    row.isMemory = true;
    row.space = space;
    row.access = access;
    row.bytesDistinct = bytes;
    row.sectors = sectors;
    return row;
}

double valueOf(const Trace& trace, std::string_view name) {
    const auto found = metric(trace, 0, name);
    EXPECT_TRUE(found && found->value) << name << ": " << (found ? found->why : "no such metric");
    return found && found->value ? *found->value : -1;
}

std::string whyNot(const Trace& trace, std::string_view name) {
    const auto found = metric(trace, 0, name);
    EXPECT_TRUE(found) << name;
    return !found ? "" : found->value ? "it has a value" : found->why;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

// mathKernel1 as written: each of 2 warps runs 5 branches, one of which sends even and odd lanes two ways:
// 10 branches, 2 divergent, (10 - 2) / 10 = 80 %, as hardware counts for code compiled as written.
TEST(BranchEfficiency, isTheShareOfBranchesThatDidNotDiverge) {
    Trace trace = oneLaunch();
    trace.counts = {branchRow(2, 2, true), branchRow(2, 0, true), branchRow(6, 0, false)};
    EXPECT_EQ(valueOf(trace, "branch"), 10);
    EXPECT_EQ(valueOf(trace, "divergent_branch"), 2);
    EXPECT_DOUBLE_EQ(valueOf(trace, "branch_efficiency"), 80);
}

// mathKernel3 of two ifs: 14 and 4: 10 / 14 = 71.43 %.
TEST(BranchEfficiency, ofTwoDivergentIfs) {
    Trace trace = oneLaunch();
    trace.counts = {branchRow(2, 2, true), branchRow(2, 2, true), branchRow(10, 0, false)};
    EXPECT_NEAR(valueOf(trace, "branch_efficiency"), 71.43, 0.005);
}

TEST(BranchEfficiency, isUndefinedWithoutConditionalBranchesAndSaysWhy) {
    Trace trace = oneLaunch();
    trace.counts = {branchRow(4, 0, false)};
    EXPECT_TRUE(contains(whyNot(trace, "branch_efficiency"), "no conditional branch was executed"));
    trace.info.mode = CompileMode::Optimised;
    trace.kernels[0].ptxBranches = 0;
    EXPECT_TRUE(contains(whyNot(trace, "branch_efficiency"), "no conditional branch is left"));
    EXPECT_EQ(valueOf(trace, "divergent_branch"), 0);
}

// 3 instructions of two warps; in the second only 20 lanes are on: (64 + 40 + 64) / (6 * 32) = 87.5 %; 6 / 2 = 3 a
// warp.
TEST(WarpExecutionEfficiency, countsLanesThatAreOn) {
    Trace trace = oneLaunch();
    InstructionCount all{.executions = 2, .lanes = 64}, some{.executions = 2, .lanes = 40};
    trace.counts = {all, some, all};
    EXPECT_DOUBLE_EQ(valueOf(trace, "warp_execution_efficiency"), 87.5);
    EXPECT_EQ(valueOf(trace, "inst_per_warp"), 3);
    EXPECT_EQ(valueOf(trace, "inst_executed"), 6);
}

TEST(InstructionsPerWarp, countPartialWarpsAsWarps) {
    Trace trace = oneLaunch();
    trace.launches[0].grid = {2, 2};
    trace.launches[0].block = {33}; // 2 warps a block, 8 together
    trace.counts = {InstructionCount{.executions = 80, .lanes = 1}};
    EXPECT_EQ(valueOf(trace, "inst_per_warp"), 10);
}

// A stride of 4 ints: 32 lanes touch 16 sectors and use 128 of 512 bytes: 25 %. Beside it a broadcast of one word:
// 4 of 32 bytes. Together (128 + 4) / (32 * 17) = 24.26 %.
TEST(LoadEfficiency, isDistinctBytesOverSectorsOfAllGlobalLoads) {
    Trace trace = oneLaunch();
    trace.counts = {memoryRow(MemorySpace::Global, AccessKind::Load, 1, 128, 16)};
    EXPECT_DOUBLE_EQ(valueOf(trace, "gld_efficiency"), 25);
    trace.counts.push_back(memoryRow(MemorySpace::Global, AccessKind::Load, 1, 4, 1));
    EXPECT_NEAR(valueOf(trace, "gld_efficiency"), 24.2647, 1e-4);
    EXPECT_EQ(valueOf(trace, "gld_transactions"), 17);
    EXPECT_EQ(valueOf(trace, "gld_requests"), 2);
}

TEST(LoadEfficiency, leavesOutStoresAtomicsAndOtherSpaces) {
    Trace trace = oneLaunch();
    trace.counts = {memoryRow(MemorySpace::Global, AccessKind::Load, 1, 128, 4),
                    memoryRow(MemorySpace::Global, AccessKind::Store, 2, 8, 2),
                    memoryRow(MemorySpace::Global, AccessKind::Atomic, 9, 4, 9),
                    memoryRow(MemorySpace::Shared, AccessKind::Load, 5, 640, 0),
                    memoryRow(MemorySpace::Local, AccessKind::Load, 5, 20, 20)};
    EXPECT_DOUBLE_EQ(valueOf(trace, "gld_efficiency"), 100);
    EXPECT_DOUBLE_EQ(valueOf(trace, "gst_efficiency"), 12.5);
    EXPECT_EQ(valueOf(trace, "gst_transactions"), 2);
    EXPECT_EQ(valueOf(trace, "gst_requests"), 2);
}

TEST(LoadEfficiency, isUndefinedWithoutLoads) {
    Trace trace = oneLaunch();
    trace.counts = {branchRow(1, 0, true)};
    EXPECT_TRUE(contains(whyNot(trace, "gld_efficiency"), "no global load was executed"));
    EXPECT_TRUE(contains(whyNot(trace, "gst_efficiency"), "no global store was executed"));
    EXPECT_EQ(valueOf(trace, "gld_transactions"), 0);
}

// A 16-way conflict: 16 passes where 1 would do, in each of 2 requests: 30 passes too many.
TEST(BankConflicts, arePassesBeyondTheIdeal) {
    Trace trace = oneLaunch();
    InstructionCount row = memoryRow(MemorySpace::Shared, AccessKind::Load, 2, 256, 0);
    row.passes = 32;
    row.idealPasses = 2;
    trace.counts = {row};
    EXPECT_EQ(valueOf(trace, "shared_bank_conflicts"), 30);
}

// 256 threads of 40 registers with 8 KB of shared memory on 9.0: 6 blocks, 48 of 64 warps (occupancy case 1).
TEST(TheoreticalOccupancy, isThatOfTheKernelOnTheTracesDevice) {
    Trace trace = oneLaunch();
    trace.launches[0].block = {256};
    trace.kernels[0].registers = 40;
    trace.kernels[0].sharedBytes = 8192;
    EXPECT_DOUBLE_EQ(valueOf(trace, "theoretical_occupancy"), 75);
}

// SM 0: block A from 0 to 100, block B from 50 to 150: 200 block-times in 150. SM 1: block C from 0 to 50, nothing
// until D from 100 to 150: 100 in 100. Blocks of 2 warps of 64: 2 * (200 + 100) / (64 * (150 + 100)) = 3.75 %.
TEST(AchievedOccupancy, averagesResidentWarpsWhileAnSmIsActive) {
    Trace trace = oneLaunch();
    trace.info.timeUnit = TimeUnit::Nanoseconds;
    trace.info.timeOrigin = Origin::Modelled;
    trace.launches[0].grid = {4};
    trace.launches[0].start = {0};
    trace.launches[0].end = {150};
    trace.launches[0].blockCount = 4;
    const auto block = [](std::uint32_t index, int begin, int end, std::uint16_t sm) {
        return Block{.launch = 0, .index = index, .start = {begin}, .end = {end}, .sm = sm};
    };
    trace.blocks = {block(0, 0, 100, 0), block(1, 0, 50, 1), block(2, 50, 150, 0), block(3, 100, 150, 1)};
    EXPECT_DOUBLE_EQ(valueOf(trace, "achieved_occupancy"), 3.75);
    EXPECT_EQ(metric(trace, 0, "achieved_occupancy")->origin, Origin::Modelled);
    EXPECT_EQ(valueOf(trace, "duration_ns"), 150);
    trace.info.timeOrigin = Origin::Measured;
    EXPECT_TRUE(contains(whyNot(trace, "achieved_occupancy"), "hardware's counter")); // see below
    EXPECT_EQ(metric(trace, 0, "duration_ns")->origin, Origin::Measured);
    // 17 sectors in 150 ns: 544 B / 150 ns = 3.627 GB/s
    trace.counts = {memoryRow(MemorySpace::Global, AccessKind::Load, 1, 128, 17)};
    EXPECT_NEAR(valueOf(trace, "gld_throughput"), 544 / 150e-9, 1);
}

// Probes stamp a block's first and last instruction. Four blocks that follow one another on an SM at once leave gaps
// between their stamps in which the SM was full, so their spans say less than the counter of the clean run: that one stands
// alone.
TEST(AchievedOccupancy, isTheHardwaresAloneWhereTimesWereMeasured) {
    Trace trace = oneLaunch();
    trace.info.timeUnit = TimeUnit::Nanoseconds;
    trace.info.timeOrigin = Origin::Measured;
    trace.launches[0].grid = {2};
    trace.launches[0].end = {200};
    trace.launches[0].blockCount = 2;
    trace.blocks = {Block{.index = 0, .start = {30}, .end = {90}}, Block{.index = 1, .start = {130}, .end = {190}}};
    Counter counter;
    counter.metric = "achieved_occupancy";
    counter.value = 95.9;
    counter.unit = "%";
    counter.origin = Origin::Measured;
    trace.counters = {counter};
    int told = 0;
    for (const Metric& m : metrics(trace, 0)) {
        if (m.name != "achieved_occupancy")
            continue;
        ++told;
        EXPECT_EQ(m.origin, Origin::Measured);
        EXPECT_DOUBLE_EQ(m.value.value_or(0), 95.9);
    }
    EXPECT_EQ(told, 1);
}

TEST(Times, areUndefinedInAFunctionalRun) {
    Trace trace = oneLaunch();
    trace.info.timeUnit = TimeUnit::Steps;
    trace.launches[0].end = {1000};
    trace.counts = {memoryRow(MemorySpace::Global, AccessKind::Load, 1, 128, 4)};
    for (const char* name : {"duration_ns", "achieved_occupancy", "gld_throughput"})
        EXPECT_TRUE(contains(whyNot(trace, name), "no clock")) << name;
}

// A warp at a barrier for 30 of its 120 cycles: 25 %.
TEST(StallSync, isTheShareOfTimeAtBarriers) {
    Trace trace = oneLaunch();
    EXPECT_TRUE(contains(whyNot(trace, "stall_sync"), "no warp states"));
    trace.launches[0].blockCount = 1;
    trace.blocks = {Block{.warpCount = 1}};
    trace.warps = {Warp{.stateCount = 3}};
    trace.states = {
        {{0}, {60}, WarpState::Selected}, {{60}, {90}, WarpState::StallBarrier}, {{90}, {120}, WarpState::StallWait}};
    EXPECT_DOUBLE_EQ(valueOf(trace, "stall_sync"), 25);
    EXPECT_EQ(metric(trace, 0, "stall_sync")->origin, Origin::Modelled);
    trace.samples = {{.launch = 0, .stall = "smsp__pcsamp_warps_issue_stalled_barrier", .count = 1},
                     {.launch = 0, .stall = "smsp__pcsamp_warps_issue_stalled_wait", .count = 1}};
    EXPECT_DOUBLE_EQ(valueOf(trace, "stall_sync"), 50); // the hardware's samples come before the model
}

TEST(Counters, comeFirstAndTheExactCountBeside) {
    Trace trace = oneLaunch();
    trace.counts = {memoryRow(MemorySpace::Global, AccessKind::Load, 1, 128, 16)};
    trace.counters = {
        {.launch = 0, .metric = "gld_efficiency", .nsight = "n", .value = 25.5, .unit = "%"},
        {.launch = 0, .metric = "lts__t_sectors.sum", .nsight = "lts__t_sectors.sum", .value = 7, .unit = "1"},
        {.launch = 1, .metric = "gld_efficiency", .nsight = "n", .value = 99, .unit = "%"}};
    EXPECT_EQ(valueOf(trace, "gld_efficiency"), 25.5);
    EXPECT_EQ(metric(trace, 0, "gld_efficiency")->origin, Origin::Measured);
    const auto json = metricsJson(metrics(trace, 0));
    EXPECT_EQ(json["gld_efficiency"]["value"], 25.5);
    EXPECT_EQ(json["gld_efficiency"]["origin"], "measured");
    EXPECT_EQ(json["gld_efficiency"]["counted"], 25.0);
    EXPECT_EQ(json["lts__t_sectors.sum"]["value"], 7);
}

TEST(MetricsJson, isNullWithAWhyWhereUndefined) {
    Trace trace = oneLaunch();
    trace.counts = {branchRow(2, 0, false)};
    const auto json = metricsJson(metrics(trace, 0));
    EXPECT_TRUE(json["branch_efficiency"]["value"].is_null());
    EXPECT_FALSE(json["branch_efficiency"]["why"].get<std::string>().empty());
    EXPECT_EQ(json["branch"]["value"], 2);
    EXPECT_EQ(json["branch"]["origin"], "counted");
    EXPECT_FALSE(json["branch"].contains("why"));
}

TEST(MetricTable, everyRowIsWhole) {
    std::set<std::string_view> names, titles;
    for (const MetricDefinition& metric : metricDefinitions()) {
        EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
        EXPECT_TRUE(titles.insert(metric.title).second) << metric.name;
        for (const std::string_view text :
             {metric.nsight, metric.unit, metric.formula, metric.source, metric.title, metric.view})
            EXPECT_FALSE(text.empty()) << metric.name;
        EXPECT_NE(metric.value, nullptr) << metric.name;
        EXPECT_EQ(findMetric(metric.name), &metric);
    }
    EXPECT_EQ(findMetric("total_speedup")->unit, "x"); // found elsewhere: it has a row, and metrics() does not tell it
    EXPECT_FALSE(names.contains("total_speedup"));
    EXPECT_EQ(findMetric("speed"), nullptr);
}

// Threads an instruction, of 32: a counter of 24 is an efficiency of 75 %.
TEST(MetricTable, saysHowCountersBecomeMetrics) {
    EXPECT_DOUBLE_EQ(24 * findMetric("warp_execution_efficiency")->counterScale, 75);
    EXPECT_EQ(findMetric("gld_requests")->counterScale, 1);
    EXPECT_EQ(findMetric("theoretical_occupancy")->counterScale, 0); // a rule: nothing to count
    EXPECT_TRUE(findMetric("duration_ns")->lowerIsBetter && findMetric("stall_sync")->lowerIsBetter);
    EXPECT_FALSE(findMetric("achieved_occupancy")->lowerIsBetter || findMetric("branch")->lowerIsBetter);
}

TEST(MetricsJson, hasEveryNameOfTheContract) {
    const auto json = metricsJson(metrics(oneLaunch(), 0));
    for (const char* name :
         {"branch_efficiency", "branch", "divergent_branch", "warp_execution_efficiency", "inst_per_warp",
          "achieved_occupancy", "theoretical_occupancy", "gld_efficiency", "gst_efficiency", "gld_transactions",
          "gst_transactions", "gld_throughput", "gst_throughput", "dram_read_throughput", "shared_bank_conflicts",
          "stall_sync", "duration_ns"}) {
        ASSERT_TRUE(json.contains(name)) << name;
        EXPECT_FALSE(json[name]["nsight"].get<std::string>().empty()) << name;
    }
    EXPECT_TRUE(metrics(oneLaunch(), 7).empty());
    EXPECT_FALSE(metric(oneLaunch(), 0, "speed"));
}
