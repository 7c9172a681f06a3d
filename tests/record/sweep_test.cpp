// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/results.h"
#include "program.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace warpglass;

namespace {

ResultTable tableIn(const std::filesystem::path& file) {
    auto table = readResults(readFile(file), file.string());
    EXPECT_TRUE(table.ok()) << (table ? "" : table.error().text());
    return table ? std::move(*table) : ResultTable{};
}

} // namespace

// Load efficiency of the document's table (D0): 12.5 12.5 25 25 25 50 %, and 12.5 % for all shapes of 64 and wider.
TEST(SweepPreset, makesTheDocumentsBlockTableAnew) {
    const auto file = scratch("d0.csv");
    const Answer answer = record("sweep --preset d0-blocks --size 512 --csv '" + file.string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const ResultTable table = tableIn(file);
    ASSERT_EQ(table.rows.size(), 15u);
    const double efficiency[] = {12.5, 12.5, 25, 25, 25, 50};
    for (std::size_t i = 0; i < 14; ++i) {
        const ResultRow& row = table.rows[i];
        EXPECT_EQ(row.kernel, "sumMatrix2D");
        EXPECT_EQ(row.check, "ok");
        ASSERT_TRUE(row.find("gld_efficiency")) << i;
        EXPECT_EQ(*row.find("gld_efficiency")->median, i < 6 ? efficiency[i] : 12.5) << row.block.text();
        EXPECT_EQ(row.find("gld_efficiency")->origin, Origin::Counted);
        ASSERT_TRUE(row.find("duration_ns")) << i; // a preset is about time
        EXPECT_EQ(row.find("duration_ns")->origin, Origin::Modelled);
        EXPECT_EQ(row.find("duration_ns")->unit, "ns");
        EXPECT_EQ(row.policy, "gto");
    }
    EXPECT_EQ(table.rows[14].block, (Dim3{256, 8, 1})); // the one that no device launches
    EXPECT_TRUE(table.rows[14].values.empty());
    EXPECT_NE(table.rows[14].error.find("1024"), std::string::npos) << table.rows[14].error;
}

// Bandwidth is the input over the time, the document's definition: 4 bytes of each of 2^16 numbers.
TEST(SweepPreset, sevenReductionsHaveBandwidthAndSpeedUps) {
    const auto file = scratch("d1.csv");
    const Answer answer = record("sweep --preset d1-reductions --size 65536 --csv '" + file.string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const ResultTable table = tableIn(file);
    ASSERT_EQ(table.rows.size(), 7u);
    double first = 0, before = 0;
    for (const ResultRow& row : table.rows) {
        ASSERT_TRUE(row.find("duration_ns") && row.find("effective_bandwidth") && row.find("total_speedup"))
            << row.kernel;
        const double ns = *row.find("duration_ns")->median;
        EXPECT_NEAR(*row.find("effective_bandwidth")->median, 65536 * 4 / (ns * 1e-9), 1e3) << row.kernel;
        first = first == 0 ? ns : first;
        EXPECT_NEAR(*row.find("total_speedup")->median, first / ns, 1e-6);
        if (before > 0) {
            EXPECT_NEAR(*row.find("step_speedup")->median, before / ns, 1e-6);
        }
        before = ns;
    }
}

TEST(SweepPreset, thatIsUnknownNamesTheOthers) {
    const Answer answer = record("sweep --preset d9-blocks");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("d1-reductions"), std::string::npos) << answer.err;
    EXPECT_EQ(record("sweep").status, 2);
}

TEST(SweepOptions, varyPoliciesDevicesAndGrids) {
    const auto policies = record("sweep reduceNeighbored --size 16384 --block 256 --policy lrr,gto,gty --json").json();
    ASSERT_EQ(policies["rows"].size(), 3u);
    EXPECT_EQ(policies["rows"][1]["policy"], "gto");
    EXPECT_TRUE(policies["rows"][1]["metrics"]["duration_ns"]["value"].is_number()); // policies show in the model only
    const auto devices = record("sweep vectorAdd --size 4096 --device h200,gtx1060 --json").json();
    ASSERT_EQ(devices["rows"].size(), 2u);
    EXPECT_EQ(devices["rows"][1]["device"], "NVIDIA GeForce GTX 1060 6GB");
    const auto grids = record("sweep reduce6 --size 16384 --block 128 --grid 8,16,32 --kernels reduce6 --json").json();
    ASSERT_EQ(grids["rows"].size(), 6u);
    EXPECT_EQ(grids["rows"][1]["grid"], nlohmann::json({16, 1, 1}));
}

// A recording from a GPU and the same launch on the emulator are a pair: measured beside modelled.
TEST(SweepLike, runsARecordingsLaunchOnTheEmulator) {
    const auto file = scratch("like.csv");
    const Answer answer =
        record("sweep --like '" WARPGLASS_SOURCE_DIR "/resources/recordings/reduce0-optimised.wgt' --csv '" +
               file.string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const ResultTable table = tableIn(file);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0].grid, table.rows[1].grid);
    EXPECT_EQ(table.rows[1].check, "ok");
    const auto pairs = modelPairs(table);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(table.rows[pairs[0].measured].backend, "cuda");
    EXPECT_TRUE(modelError(table, pairs));
    EXPECT_EQ(record("sweep --like nowhere.wgt").status, 2);
}

TEST(SweepKeep, writesATraceForEachLaunch) {
    const auto folder = scratch("kept");
    const Answer answer = record("sweep mathKernel1,mathKernel2 --mode as-written --keep '" + folder.string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto file = folder / "02-mathKernel2-64-emulated.wgt";
    ASSERT_TRUE(std::filesystem::exists(file));
    EXPECT_EQ(record("metrics '" + file.string() + "' --json").json()["kernel"], "mathKernel2");
}

// Two blocks and two sizes: four launches, each a cell.
TEST(SweepCross, twoListsAreATableInTheTerminal) {
    const Answer answer = record("sweep reduceNeighbored --block 64,128 --size 1024,2048 --timing");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const std::size_t at = answer.out.find("duration_ns, size down, block across");
    ASSERT_NE(at, std::string::npos) << answer.out;
    std::istringstream lines(answer.out.substr(at));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    EXPECT_LT(line.find("64"), line.find("128"));
    // The numbers are those of the lines above, size by size: 64 then 128 threads.
    std::vector<double> above;
    std::istringstream all(answer.out);
    std::getline(all, line); // the head
    for (int row = 0; row < 4; ++row) {
        std::getline(all, line);
        std::istringstream words(line);
        std::string kernel, grid, block, word;
        words >> kernel >> grid >> block;
        while (words >> word && (word.find_first_not_of("0123456789.e+") != std::string::npos || word.size() < 3)) {
        }
        above.push_back(std::stod(word));
    }
    for (int size = 0; size < 2; ++size) {
        std::getline(lines, line);
        std::istringstream words(line);
        double name = 0, first = 0, second = 0;
        words >> name >> first >> second;
        EXPECT_EQ(name, size == 0 ? 1024 : 2048);
        EXPECT_EQ(first, above[std::size_t(2 * size)]);
        EXPECT_EQ(second, above[std::size_t(2 * size + 1)]);
    }
}

TEST(SweepCross, oneListIsNoTable) {
    const Answer answer = record("sweep reduceNeighbored --block 64,128 --size 1024 --timing");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.out.find(" across"), std::string::npos);
}
