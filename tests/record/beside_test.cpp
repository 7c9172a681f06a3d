// SPDX-License-Identifier: GPL-3.0-or-later
// `import`, `metrics --beside` and `export --format ncu`, on what Nsight Compute printed on an H200 (tests/profilers/data).
#include "program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace {

using nlohmann::json;

const std::string reports = WARPGLASS_SOURCE_DIR "/tests/profilers/data/";

std::string besideFile(const std::string& name) {
    return testing::TempDir() + "beside-" + name;
}

} // namespace

TEST(Beside, ImportsAReport) {
    const std::string file = besideFile("report.wgt");
    const Answer made =
        record("import " + reports + "raw.csv " + reports + "source.csv " + reports + "text.csv -o " + file);
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_NE(made.err.find("3 launches of 3 kernels"), std::string::npos) << made.err;
    const Answer launches = record("launches " + file + " --json");
    ASSERT_EQ(launches.status, 0) << launches.err;
    const json program = json::parse(launches.out);
    EXPECT_EQ(program["backend"], "cuda");
    EXPECT_EQ(program["operations"][1]["duration_ns"], 9120); // "9.120000" us
    const Answer metrics = record("metrics " + file + " --launch 1 --json");
    ASSERT_EQ(metrics.status, 0) << metrics.err;
    EXPECT_EQ(json::parse(metrics.out)["metrics"]["shared_bank_conflicts"]["value"], 1015808);
}

// A transposition by tiles of 1024 x 1024 floats: 1,048,576 floats read and written, 8 of them a sector of 32 bytes: 131,072
// sectors each way, which the card counted, too. A warp reads a column of tile[32][32], whose words all lie in one bank: 32
// passes, 31 of them too many, for each of its 32,768 warps' reads: 1,015,808 conflicts.
TEST(Beside, CountsAreTheCards) {
    const std::string ours = besideFile("ours.wgt");
    const Answer run = record("run " + reports +
                              "three.ptx --kernel transposeTiled --grid 32x32 --block 32x8 --arg "
                              "out:f32[1048576]=0 --arg in:f32[1048576]=iota --arg n:i32=1024 --timing -o " +
                              ours);
    ASSERT_EQ(run.status, 0) << run.err;
    const Answer both = record("metrics " + ours + " --beside " + reports + "raw.csv --json");
    ASSERT_EQ(both.status, 0) << both.err;
    const json table = json::parse(both.out);
    EXPECT_EQ(table["card"], "NVIDIA H200");
    std::map<std::string, double> card;
    for (const json& row : table["metrics"]) {
        card[row["name"]] = row["card"];
        if (row["origin"] == "counted" && row["name"] != "inst_executed") { // of the PTX here, of machine code there
            EXPECT_EQ(row["apart"], false) << row;
        }
    }
    EXPECT_EQ(card["gld_transactions"], 131072);
    EXPECT_EQ(card["gst_transactions"], 131072);
    EXPECT_EQ(card["shared_bank_conflicts"], 1015808);
    const Answer lines = record("metrics " + ours + " --beside " + reports + "source.csv");
    EXPECT_EQ(lines.status, 2); // a page of code tells no launch
}

TEST(Beside, NamesLaunchesThatAReportHas) {
    const std::string ours = besideFile("other.wgt");
    ASSERT_EQ(record("run transpose_naive --size 64 -o " + ours).status, 0);
    Answer both = record("metrics " + ours + " --beside " + reports + "raw.csv");
    EXPECT_EQ(both.status, 2);
    EXPECT_NE(both.err.find("it has no launch of transpose_naive in this shape"), std::string::npos) << both.err;
    EXPECT_NE(both.err.find("sumBlocks, transposeNaive, transposeTiled"), std::string::npos) << both.err;
    both = record("metrics " + ours + " --beside " + reports + "raw.csv --beside-launch 1 --json");
    ASSERT_EQ(both.status, 0) << both.err;
    both = record("metrics " + ours + " --beside " + reports + "raw.csv --beside-launch 3");
    EXPECT_NE(both.err.find("the report has 3 launches"), std::string::npos) << both.err;
    EXPECT_EQ(record("metrics " + ours + " --beside " + reports + "three.cu").status, 2);
}

TEST(Beside, ExportsNsightsShape) {
    const std::string trace = besideFile("shape.wgt"), csv = besideFile("shape.csv");
    ASSERT_EQ(record("run reduceNeighbored --size 4096 -o " + trace).status, 0);
    const Answer made = record("export " + trace + " --format ncu -o " + csv);
    ASSERT_EQ(made.status, 0) << made.err;
    const Answer refused = record("metrics " + trace + " --beside " + csv);
    EXPECT_EQ(refused.status, 2); // the emulator's own numbers are no measurement
    EXPECT_NE(refused.err.find("nothing was measured in it by a GPU"), std::string::npos) << refused.err;
}
