// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of Nsight Compute. data/ holds columns of what ncu 2025.3 printed on an H200 of tests/profilers/data/three.cu: two
// transpositions of 1024 x 1024 floats and a sum. Sums of samples were taken of these files by another program, and are those
// that the raw page tells itself (smsp__pcsamp_warps_issue_stalled_...).
#include "gpu/metrics/metrics.h"
#include "gpu/profilers/beside.h"
#include "gpu/profilers/ncu_export.h"
#include "gpu/profilers/report.h"
#include "gpu/profilers/tables.h"

#include "gpu/base/read_file.h"
#include "gpu/trace/file.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace warpglass;
using namespace warpglass::profilers;

namespace {

const std::string pages = WARPGLASS_SOURCE_DIR "/tests/profilers/data/";

void addPage(NcuReport& report, const std::string& name) {
    const auto text = readFile(pages + name);
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_TRUE(isNcuCsv(text->substr(0, 1000)));
    const auto ok = addNcuCsv(report, *text, name);
    ASSERT_TRUE(ok) << ok.error().text();
}

NcuReport wholeReport() {
    NcuReport report;
    for (const char* page : {"raw.csv", "source.csv", "text.csv"})
        addPage(report, page);
    return report;
}

std::string errorOf(const std::string& csv) {
    NcuReport report;
    const auto ok = addNcuCsv(report, csv, "x.csv");
    return ok ? "" : ok.error().text();
}

std::uint64_t samplesOf(const Trace& trace, std::string_view stall) {
    std::uint64_t all = 0;
    for (const Sample& s : trace.samples)
        all += s.stall.ends_with(stall) ? s.count : 0;
    return all;
}

double valueOf(const Trace& trace, const char* name) {
    const auto found = metric(trace, 0, name);
    return found && found->value ? *found->value : -1;
}

} // namespace

TEST(Ncu, ReadsTheRawPage) {
    NcuReport report;
    addPage(report, "raw.csv");
    ASSERT_EQ(report.launches.size(), 3u);
    const NcuLaunch& tiled = report.launches[1];
    EXPECT_EQ(tiled.kernel, "transposeTiled(float *, const float *, int)");
    EXPECT_EQ(tiled.grid, (Dim3{32, 32, 1}));
    EXPECT_EQ(tiled.block, (Dim3{32, 8, 1}));
    EXPECT_EQ(tiled.ccMajor, 9);
    EXPECT_EQ(tiled.deviceName, "NVIDIA H200");
    // "9.120000" of "us", "4.096000" of "Kbyte/block", "460.238596" of "Gbyte/s", and "1,015,808".
    EXPECT_DOUBLE_EQ(tiled.find("gpu__time_duration.sum")->value, 9120);
    EXPECT_EQ(tiled.find("gpu__time_duration.sum")->unit, "ns");
    EXPECT_DOUBLE_EQ(tiled.find("launch__shared_mem_per_block_static")->value, 4096);
    EXPECT_DOUBLE_EQ(tiled.find("dram__bytes_read.sum.per_second")->value, 460238596000.0);
    EXPECT_EQ(tiled.find("dram__bytes_read.sum.per_second")->unit, "B/s");
    EXPECT_DOUBLE_EQ(tiled.find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")->value, 1015808);
    EXPECT_EQ(tiled.find("launch__func_cache_config"), nullptr); // a word
    EXPECT_EQ(tiled.find("SM_B.TriageCompute.l1tex__t_sectors.sum"), nullptr);
}

TEST(Ncu, ReadsMetricsRowByRow) {
    NcuReport report;
    const auto ok = addNcuCsv(
        report,
        "==PROF== Connected to process 931\npassed\n==PROF== Disconnected\n"
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Grid Size\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"931\",\"k(int)\",\"(4, 1, 1)\",\"gpu__time_duration.sum\",\"ns\",\"19,776\"\n"
        "\"0\",\"931\",\"k(int)\",\"(4, 1, 1)\",\"smsp__inst_executed.sum\",\"inst\",\"12\"\n"
        "\"1\",\"931\",\"k(int)\",\"(4, 1, 1)\",\"smsp__inst_executed.sum\",\"inst\",\"13\"\n",
        "live.csv");
    ASSERT_TRUE(ok) << ok.error().text();
    ASSERT_EQ(report.launches.size(), 2u);
    EXPECT_DOUBLE_EQ(report.launches[0].find("gpu__time_duration.sum")->value, 19776);
    EXPECT_DOUBLE_EQ(report.launches[1].find("smsp__inst_executed.sum")->value, 13);
}

// transposeTiled: 225 samples of long_scoreboard, all of them at line 25, whose stores wait for its own loads; 670 in all.
TEST(Ncu, ReadsSamplesWithTheirLines) {
    const Report report = reportOf(wholeReport());
    ASSERT_EQ(report.traces.size(), 3u);
    const Trace& tiled = report.traces[1];
    EXPECT_EQ(samplesOf(tiled, "long_scoreboard"), 225u);
    EXPECT_EQ(samplesOf(tiled, "mio_throttle"), 208u);
    EXPECT_EQ(samplesOf(tiled, "dispatch_stall"), 3u);
    EXPECT_EQ(samplesOf(tiled, ""), 670u);
    for (const Sample& s : tiled.samples)
        if (s.stall.ends_with("long_scoreboard")) {
            EXPECT_EQ(tiled.sites[s.site].where.at(0).line, 25u) << tiled.sites[s.site].text;
        }
    EXPECT_EQ(tiled.sites[0].text, "LDC R1, c[0x0][0x28]");
    EXPECT_EQ(tiled.kernels[0].sourceName, "three.cu");
    EXPECT_NE(tiled.kernels[0].source.find("\n        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];\n"),
              std::string::npos);
    EXPECT_NE(tiled.kernels[0].source.find(R"(            std::printf("%s: %s\n", #call, cudaGetErrorString(e));)"),
              std::string::npos); // its quotes stand in the page as they are
    EXPECT_TRUE(validate(tiled)) << validate(tiled).error().text();
}

TEST(Ncu, BecomesAProgramOfMeasuredLaunches) {
    const Report report = reportOf(wholeReport());
    const program::ProgramTrace& p = report.program;
    ASSERT_EQ(p.operations.size(), 3u);
    EXPECT_EQ(p.kernels[p.operations[2].kernel].name, "sumBlocks");
    EXPECT_EQ(p.streams.at(0).name, "default");
    // 19,232 and 9,120 ns, one behind the other.
    EXPECT_EQ(p.operations[1].start, 19232);
    EXPECT_EQ(p.operations[1].end, 19232 + 9120);
    const Trace& sum = report.traces[2];
    EXPECT_EQ(sum.launches[0].grid.x, 4096u);
    EXPECT_EQ(sum.kernels[0].registers, 16u);
    EXPECT_EQ(sum.kernels[0].sharedBytes, 1024u);
    // "31.70" threads an instruction of 32: 99.0625 %.
    EXPECT_DOUBLE_EQ(valueOf(sum, "warp_execution_efficiency"), 31.70 * 100 / 32);
    EXPECT_DOUBLE_EQ(valueOf(sum, "gld_transactions"), 131072);
    EXPECT_EQ(metric(sum, 0, "gld_transactions")->origin, Origin::Measured);
    EXPECT_DOUBLE_EQ(valueOf(sum, "duration_ns"), 8480);
}

TEST(Ncu, NamesKernelsWithoutResultAndParameters) {
    EXPECT_EQ(nameOf("k(int)"), "k");
    EXPECT_EQ(nameOf("void ns::scale<float, (int)4>(float *, const ns::P<int (*)(int)> &)"),
              "ns::scale<float, (int)4>");
    EXPECT_EQ(nameOf("triton_poi_fused_0"), "triton_poi_fused_0");
    EXPECT_EQ(nameOf("(int)"), "(int)");
    EXPECT_EQ(nameOf(")"), ")");
    EXPECT_EQ(nameOf(""), "");
}

// The same launch as counted here: sectors equal; bank conflicts 3 % apart, which no rounding explains.
TEST(Ncu, StandsBesideCountsOfOurOwn) {
    const Report report = reportOf(wholeReport());
    Trace ours;
    ours.info.ccMajor = 9;
    ours.kernels.push_back({.name = "transposeTiled", .entry = "t", .source = "x\n"});
    ours.kernels[0].lines.push_back({.ptxLine = 7, .source = {0, 25, 1}, .callLine = 25});
    ours.kernels[0].files.push_back("three.cu");
    ours.kernels[0].sourceName = "three.cu";
    ours.launches.push_back({.kernel = 0, .grid = {32, 32, 1}, .block = {32, 8, 1}});
    ours.counts.push_back({.launch = 0,
                           .ptxLine = 7,
                           .executions = 100,
                           .lanes = 3200,
                           .isMemory = true,
                           .space = MemorySpace::Global,
                           .access = AccessKind::Load,
                           .sectors = 131072});
    ours.counts.push_back({.launch = 0,
                           .ptxLine = 8,
                           .executions = 100,
                           .lanes = 3200,
                           .isMemory = true,
                           .space = MemorySpace::Shared,
                           .access = AccessKind::Load,
                           .passes = 1048576,
                           .idealPasses = 8});
    const Beside both = beside(ours, report.traces[1]);
    const auto row = [&](std::string_view name) {
        return std::ranges::find_if(both.metrics, [&](const BesideMetric& m) { return m.ours.name == name; });
    };
    ASSERT_NE(row("gld_transactions"), both.metrics.end());
    EXPECT_DOUBLE_EQ(*row("gld_transactions")->differencePct, 0);
    EXPECT_FALSE(row("gld_transactions")->apart);
    // 1,048,568 conflicts against 1,015,808: 3.2 %
    EXPECT_NEAR(*row("shared_bank_conflicts")->differencePct, 3.22, 0.01);
    EXPECT_TRUE(row("shared_bank_conflicts")->apart);
    EXPECT_EQ(both.samples, 670u);
    ASSERT_FALSE(both.lines.empty());
    EXPECT_EQ(both.lines[0].line, 25u);
    EXPECT_NEAR(both.lines[0].cardPct, 100.0 * 392 / 670, 1e-9);
    EXPECT_EQ(both.lines[0].reason, "long_scoreboard");
    EXPECT_NEAR(both.lines[0].reasonPct, 100.0 * 225 / 670, 1e-9);
    EXPECT_FALSE(both.lines[0].oursPct); // nothing was modelled
    EXPECT_EQ(both.code, CodeMatch::Unknown);
}

// A cycle in four waits at line 25 for a long scoreboard, of a block with one warp of 8 cycles: 2 of 8.
TEST(Ncu, StandsBesideModelledWaits) {
    const Report report = reportOf(wholeReport());
    Trace ours;
    ours.info.timing = true;
    ours.kernels.push_back({.name = "transposeTiled", .entry = "t", .source = "x\n", .sourceName = "three.cu"});
    ours.kernels[0].files.push_back("three.cu");
    ours.kernels[0].lines.push_back({.ptxLine = 7, .source = {0, 25, 1}, .callLine = 25});
    ours.launches.push_back({.kernel = 0, .grid = {1, 1, 1}, .block = {32, 1, 1}, .firstBlock = 0, .blockCount = 1});
    ours.blocks.push_back({.firstWarp = 0, .warpCount = 1});
    ours.warps.push_back({.stateCount = 2});
    ours.states.push_back({Time{0}, Time{6}, WarpState::Selected, 9});
    ours.states.push_back({Time{6}, Time{8}, WarpState::StallLongScoreboard, 7});
    const Beside both = beside(ours, report.traces[1]);
    ASSERT_FALSE(both.lines.empty());
    ASSERT_TRUE(both.lines[0].oursPct);
    EXPECT_DOUBLE_EQ(*both.lines[0].oursPct, 25);
    const auto selected = std::ranges::find(both.stalls, "selected", &BesideStall::reason);
    ASSERT_NE(selected, both.stalls.end());
    EXPECT_DOUBLE_EQ(*selected->oursPct, 75);
    EXPECT_NEAR(selected->cardPct, 100.0 / 670, 1e-9);
}

TEST(Ncu, ComesBackFromItsOwnShape) {
    Trace ours;
    ours.info.ccMajor = 9;
    ours.info.deviceName = "NVIDIA H200";
    ours.kernels.push_back({.name = "k\"q\"", .entry = "k"});
    ours.launches.push_back({.kernel = 0, .grid = {4, 1, 1}, .block = {64, 1, 1}});
    ours.counts.push_back({.launch = 0, .ptxLine = 7, .executions = 16, .lanes = 256}); // half the lanes
    NcuReport back;
    const auto ok = addNcuCsv(back, ncuCsv(ours), "back.csv");
    ASSERT_TRUE(ok) << ok.error().text();
    ASSERT_EQ(back.launches.size(), 1u);
    EXPECT_EQ(back.launches[0].kernel, "k\"q\"");
    EXPECT_EQ(back.launches[0].block, (Dim3{64, 1, 1}));
    EXPECT_DOUBLE_EQ(back.launches[0].find("smsp__inst_executed.sum")->value, 16);
    EXPECT_DOUBLE_EQ(back.launches[0].find("smsp__thread_inst_executed_per_inst_executed.ratio")->value, 16);
    const Report report = reportOf(back);
    EXPECT_DOUBLE_EQ(valueOf(report.traces[0], "warp_execution_efficiency"), 50);
    EXPECT_EQ(metric(report.traces[0], 0, "inst_executed")->origin, Origin::Modelled); // nobody measured it
}

TEST(Ncu, SaysWhatIsWrongWithAFile) {
    EXPECT_NE(errorOf("").find("nothing in it is a page of Nsight Compute"), std::string::npos);
    EXPECT_NE(errorOf("kernel,grid\na,1\n").find("nothing in it is a page"), std::string::npos);
    EXPECT_NE(errorOf("\"ID\",\"Metric Name\",\"Rule Name\"\n").find("details page"), std::string::npos);
    const std::string heading = "\"ID\",\"Process ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n";
    EXPECT_NE(errorOf(heading + "\"\",\"\",\"\",\"us\"\n\"0\",\"1\"\n")
                  .find("x.csv:3: the row has 2 fields, and its heading 4"),
              std::string::npos)
        << errorOf(heading + "\"\",\"\",\"\",\"us\"\n\"0\",\"1\"\n");
    // Numbers that are none, places without a page, quotes that never end.
    for (const char* odd : {"\"0\",\"-1\",\"k\",\"1e999\"\n", "\"0\",\"1\",\"k\",\"nan\"\n", "\"0\",\"1\",\"k\",\"\n"})
        EXPECT_EQ(errorOf(heading + odd).find("nothing"), std::string::npos);
    EXPECT_EQ(
        errorOf("\"Kernel Name\",\"k\"\n\"Address\",\"Source\",\"stall_wait\"\n\"0xffffffffffffffff\",\"NOP\",\"3\"\n"
                "\"0xzz\",\"NOP\",\"3\"\n"),
        "");
}

// A recording of a GPU beside itself: it keeps the code that was sampled, whose LDS of line 27 (tile[x][y], a column of the
// tile) gives what the STG of that line waits for.
TEST(Ncu, FollowsWaitsThroughTheCodeThatWasSampled) {
    Progress progress;
    const auto trace = openTrace(WARPGLASS_SOURCE_DIR "/resources/recordings/transpose_smem-optimised.wgt", progress);
    ASSERT_TRUE(trace) << trace.error().text();
    const Beside both = beside(**trace, **trace);
    EXPECT_EQ(both.code, CodeMatch::Same);
    const auto column = std::ranges::find(both.lines, 27u, &BesideLine::line);
    ASSERT_NE(column, both.lines.end());
    EXPECT_EQ(column->reason, "short_scoreboard");
    EXPECT_EQ(column->awaited, std::vector<std::uint32_t>{27});
    const auto barrier = std::ranges::find(both.lines, "barrier", &BesideLine::reason);
    ASSERT_NE(barrier, both.lines.end());
    EXPECT_TRUE(barrier->awaited.empty());
}
