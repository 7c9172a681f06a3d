// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/results.h"

#include <gtest/gtest.h>

using namespace warpglass;

namespace {

ResultValue value(std::string name, std::string unit, Origin origin, double median) {
    return {.name = std::move(name),
            .unit = std::move(unit),
            .origin = origin,
            .median = median,
            .low = median,
            .high = median};
}

ResultRow launch(std::string kernel, double ns, Origin origin = Origin::Measured) {
    ResultRow row{.kernel = std::move(kernel), .grid = {64, 1, 1}, .block = {128, 1, 1}, .size = 8192};
    row.backend = origin == Origin::Measured ? "cuda" : "emulator";
    row.device = "NVIDIA H200";
    row.mode = "optimised";
    row.values.push_back(value("duration_ns", "ns", origin, ns));
    return row;
}

} // namespace

// The document's own table (D1): times in ms, speed-up of each step and in all as printed, to the last digit printed.
TEST(Results, speedUpsAreThoseOfTheDocumentsTable) {
    const double ms[] = {8.054, 3.456, 1.722, 0.965, 0.536, 0.381, 0.268};
    const double step[] = {0, 2.33, 2.01, 1.78, 1.80, 1.41, 1.42}, total[] = {1, 2.33, 4.68, 8.34, 15.01, 21.16, 30.04};
    ResultTable table;
    for (int i = 0; i < 7; ++i)
        table.rows.push_back(launch("reduce" + std::to_string(i), ms[i] * 1e6));
    ResultRow refused{.kernel = "reduce7", .error = "too many threads"};
    table.rows.insert(table.rows.begin() + 3, refused); // stands between, and is passed over
    addSpeedups(table);
    for (int i = 0, row = 0; i < 7; ++i, ++row) {
        row += row == 3;
        const ResultRow& r = table.rows[std::size_t(row)];
        ASSERT_TRUE(r.find("total_speedup")) << i;
        EXPECT_NEAR(*r.find("total_speedup")->median, total[i], 0.03) << i; // a time of 0.381 ms is known to 0.0005
        if (i == 0)
            EXPECT_EQ(r.find("step_speedup"), nullptr);
        else
            EXPECT_NEAR(*r.find("step_speedup")->median, step[i], 0.006) << i;
        EXPECT_EQ(r.find("total_speedup")->origin, Origin::Measured);
    }
    EXPECT_TRUE(table.rows[3].values.empty());
}

// Two kernels in two blocks each, as a heat map shows them: 400 and 200 ns, then 100 and 50. From the first kernel's last
// row to the second's first no step leads (it would be 2); in all the second's are 4 and 8 times as fast as the first row.
TEST(Results, aTableOfKernelsAndBlocksHasNoSteps) {
    ResultTable table;
    const double ns[] = {400, 200, 100, 50};
    for (int i = 0; i < 4; ++i) {
        table.rows.push_back(launch(i < 2 ? "neighbored" : "interleaved", ns[i]));
        table.rows.back().block = {i % 2 ? 64u : 32u, 1, 1};
    }
    addSpeedups(table);
    for (int i = 0; i < 4; ++i) {
        const ResultRow& row = table.rows[std::size_t(i)];
        EXPECT_EQ(row.find("step_speedup"), nullptr) << i;
        ASSERT_TRUE(row.find("total_speedup")) << i;
        EXPECT_DOUBLE_EQ(*row.find("total_speedup")->median, 400 / ns[i]) << i;
    }
}

TEST(Results, oneKernelInManyShapesHasNoSpeedUp) {
    ResultTable table;
    table.rows = {launch("sum", 100), launch("sum", 50)};
    addSpeedups(table);
    EXPECT_EQ(table.rows[1].find("total_speedup"), nullptr);
}

// Modelled 110, 80, 300 against measured 100, 100, 200: 10 %, 20 %, 50 % off. Ranks 2 1 3 against 1.5 1.5 3: Spearman
// sqrt(3)/2.
TEST(Results, theModelIsHeldAgainstTheSameLaunches) {
    ResultTable table;
    const double modelled[] = {110, 80, 300}, measured[] = {100, 100, 200};
    for (int i = 0; i < 3; ++i) {
        table.rows.push_back(launch("k" + std::to_string(i), modelled[i], Origin::Modelled));
        table.rows.push_back(launch("k" + std::to_string(i), measured[i]));
    }
    table.rows.push_back(launch("alone", 5, Origin::Modelled));
    ResultRow other = launch("k0", 7);
    other.block = {256, 1, 1}; // another launch
    table.rows.push_back(other);
    const auto pairs = modelPairs(table);
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_EQ(pairs[1].modelled, 2u);
    EXPECT_EQ(pairs[1].measured, 3u);
    EXPECT_DOUBLE_EQ(pairs[1].ratio, 0.8);
    const auto error = modelError(table, pairs);
    ASSERT_TRUE(error);
    EXPECT_NEAR(error->meanPercent, 80.0 / 3, 1e-9);
    ASSERT_TRUE(error->rankCorrelation);
    EXPECT_NEAR(*error->rankCorrelation, 0.8660254037844386, 1e-12);
    EXPECT_FALSE(modelError(table, {}));
}

TEST(Results, aTableIsReadAsItWasWritten) {
    ResultTable table;
    ResultRow row = launch("sum<2, 1>", 1508128);
    row.label = "the \"best\" one";
    row.grid = {2048, 1024, 1};
    row.block = {8, 16, 1};
    row.values[0].low = 1500000;
    row.values[0].high = 1600000;
    row.values[0].repeats = 5;
    row.values.push_back(value("gld_efficiency", "%", Origin::Counted, 50));
    table.rows.push_back(row);
    ResultRow refused{.kernel = "sum", .block = {256, 8, 1}, .backend = "cuda", .check = "none"};
    refused.error = "a block of (256, 8) has 2048 threads,\nmore than 1024";
    table.rows.push_back(refused);
    table.title = "Sums, two ways";
    const std::string csv = resultsCsv(table);
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "kernel,grid,block,backend,device,duration_ns,gld_efficiency,label,size,mode,"
              "policy,check,error,repeats,units,origins,lows,highs,title");
    const auto read = readResults(csv, "t.csv");
    ASSERT_TRUE(read.ok()) << read.error().text();
    ASSERT_EQ(read->rows.size(), 2u);
    EXPECT_EQ(read->title, table.title);
    const ResultRow& first = read->rows[0];
    EXPECT_EQ(first.kernel, row.kernel);
    EXPECT_EQ(first.label, row.label);
    EXPECT_EQ(first.grid, row.grid);
    EXPECT_EQ(first.block, row.block);
    EXPECT_EQ(first.size, row.size);
    ASSERT_TRUE(first.find("duration_ns"));
    EXPECT_EQ(*first.find("duration_ns")->median, 1508128);
    EXPECT_EQ(first.find("duration_ns")->low, 1500000);
    EXPECT_EQ(first.find("duration_ns")->high, 1600000);
    EXPECT_EQ(first.find("duration_ns")->unit, "ns");
    EXPECT_EQ(first.find("duration_ns")->origin, Origin::Measured);
    EXPECT_EQ(first.find("gld_efficiency")->origin, Origin::Counted);
    EXPECT_FALSE(first.find("gld_efficiency")->spread());
    EXPECT_EQ(read->rows[1].error, refused.error);
    EXPECT_EQ(read->rows[1].block, refused.block);
    EXPECT_TRUE(read->rows[1].values.empty());
}

TEST(Results, aForeignTableIsRefusedWithItsLine) {
    for (const char* text : {"", "a,b\n1,2\n", "kernel,block\n", "kernel,block\nsum\n", "kernel,block\nsum,3y3\n"}) {
        const auto read = readResults(text, "t.csv");
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_EQ(read.error().file, "t.csv");
        EXPECT_GT(read.error().line, 0) << text;
    }
    // A spreadsheet's: byte-order mark, carriage returns, no units.
    const auto read =
        readResults("\xef\xbb\xbfkernel,block,backend,duration_ns,note\r\nsum,32x32,cuda,1500.5,fast\r\n");
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read->rows[0].find("duration_ns")->unit, "ns");
    EXPECT_EQ(read->rows[0].find("duration_ns")->origin, Origin::Measured);
    EXPECT_EQ(read->rows[0].find("note"), nullptr);
}

TEST(Results, medianAndSpreadOfRepeats) {
    const ResultRow runs[] = {launch("k", 30), launch("k", 10), launch("k", 20), launch("k", 70)};
    const ResultRow row = medianOf(runs);
    EXPECT_EQ(*row.find("duration_ns")->median, 25);
    EXPECT_EQ(row.find("duration_ns")->low, 10);
    EXPECT_EQ(row.find("duration_ns")->high, 70);
    EXPECT_EQ(row.find("duration_ns")->repeats, 4);
}

// Samples of a GPU and states of the model share names; shares add up to all of the time.
TEST(Results, statesOfBothBackendsHaveOneName) {
    auto trace = std::make_shared<Trace>();
    trace->kernels.push_back({.name = "k"});
    trace->launches.push_back({.grid = {1, 1, 1}, .block = {32, 1, 1}});
    trace->samples = {{.stall = "smsp__pcsamp_warps_issue_stalled_barrier", .count = 30},
                      {.stall = "smsp__pcsamp_warps_issue_stalled_not_selected", .count = 10},
                      {.stall = "smsp__pcsamp_warps_issue_stalled_imc_miss", .count = 40},
                      {.stall = "smsp__pcsamp_warps_issue_stalled_selected", .count = 20}};
    const ResultRow row = rowOf(trace);
    ASSERT_TRUE(row.find("share_stall_barrier"));
    EXPECT_EQ(*row.find("share_stall_barrier")->median, 30);
    EXPECT_EQ(*row.find("share_eligible")->median, 10);
    EXPECT_EQ(*row.find("share_selected")->median, 20);
    EXPECT_EQ(*row.find("share_stall_imc_miss")->median, 40);
    EXPECT_EQ(row.find("share_selected")->origin, Origin::Measured);
}

// 64 lanes add, 32 multiply and add (two each): 64 + 64. Address arithmetic and moves are none.
TEST(Results, arithmeticIsCountedFromThePtxThatRan) {
    auto trace = std::make_shared<Trace>();
    trace->kernels.push_back(
        {.name = "k",
         .ptx = ".visible .entry k()\n{\n\tadd.s32 %r1, %r1, 1;\n\t@%p1 fma.rn.f32 %f1, %f2, %f3, %f4;\n"
                "\tmul.wide.s32 %rd1, %r1, 4;\n\tadd.s64 %rd2, %rd2, %rd1;\n\tmov.u32 %r2, %r1;\n}\n"});
    trace->launches.push_back({.grid = {1, 1, 1}, .block = {64, 1, 1}});
    for (const auto& [line, lanes] : {std::pair{3u, 64u}, {4u, 32u}, {5u, 64u}, {6u, 64u}, {7u, 64u}})
        trace->counts.push_back({.ptxLine = line, .executions = 2, .lanes = lanes});
    const auto operations = arithmeticOperations(*trace, 0);
    ASSERT_TRUE(operations);
    EXPECT_EQ(*operations, 128);
    EXPECT_FALSE(arithmeticOperations(Trace{}, 0));
}
