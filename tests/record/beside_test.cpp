// SPDX-License-Identifier: GPL-3.0-or-later
// `import`, `metrics --beside` and `export --format ncu`, on what Nsight Compute printed on an H200 (tests/profilers/data).
#include "program.h"

#include "gpu/trace/file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

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
    // Of a recording of several launches, too, the one of our kernel and shape is found.
    const std::string imported = besideFile("imported.wgt");
    ASSERT_EQ(record("import " + reports + "raw.csv -o " + imported).status, 0);
    const Answer found = record("metrics " + ours + " --beside " + imported + " --json");
    ASSERT_EQ(found.status, 0) << found.err;
    EXPECT_EQ(json::parse(found.out)["metrics"], table["metrics"]);
    const Answer lines = record("metrics " + ours + " --beside " + reports + "source.csv");
    EXPECT_EQ(lines.status, 2); // a page of code tells no launch
}

namespace {

using Shares = std::map<std::string, double>; // of all samples, or of the cycles of all warps: per cent

Shares perCent(Shares shares) {
    double all = 0;
    for (const auto& [key, share] : shares)
        all += share;
    for (auto& [key, share] : shares)
        share *= 100 / all;
    return shares;
}
// By line (1) or by what was waited for (2): data/waits.csv has the samples of three.cu's launches with clocks and caches as
// the program has them (ncu --clock-control none --cache-control none --warp-sampling-interval 0; an H200).
Shares cardsShares(const std::string& kernel, std::size_t field) {
    std::ifstream file(reports + "waits.csv");
    Shares shares;
    for (std::string line, word; std::getline(file, line);) {
        std::vector<std::string> f;
        for (std::istringstream in(line); std::getline(in, word, ',');)
            f.push_back(word);
        if (f.at(0) == kernel)
            shares[f.at(field)] += std::stod(f.at(3));
    }
    return perCent(std::move(shares));
}

struct ModelsShares {
    Shares lines, states;
};
ModelsShares modelsShares(const std::string& kernel, const std::string& launch) {
    const std::string file = besideFile(kernel + ".wgt");
    const Answer run = record("run " + reports + "three.ptx --kernel " + kernel + " " + launch +
                              " --arg in:f32[1048576]=iota --timing --warm-l2 --device h200 -o " + file +
                              (kernel == "sumBlocks" ? "" : " --arg n:i32=1024"));
    EXPECT_EQ(run.status, 0) << run.err;
    warpglass::Progress progress;
    const auto trace = warpglass::readTrace(file, progress);
    if (!trace) {
        ADD_FAILURE() << trace.error().text();
        return {};
    }
    ModelsShares shares;
    for (const warpglass::Warp& warp : (*trace)->warps)
        for (const warpglass::StateRow& s : (*trace)->statesOf(warp)) {
            const auto cycles = double((s.end - s.begin).value);
            shares.lines[std::to_string(sourceLineOf((*trace)->kernels[0], s.ptxLine))] += cycles;
            shares.states[std::string(name(s.state))] += cycles;
        }
    return {perCent(std::move(shares.lines)), perCent(std::move(shares.states))};
}

} // namespace

// A transposition by tiles waits for loads of shared memory that take 32 passes each, of which stores and further loads wait in
// the same queues, and, when a warp has given all of its stores away, for these: line 29 reads the tile and stores, line 30 is
// the end. Nothing of it is a queue of global memory that is full (4 %), which the model called half of it. Without a tile a warp
// waits for what it loads, which goes the way of the stores before it, and for its last stores. A quarter of the time may
// change places: so much do the card's own samples at base clock with empty caches (source.csv) and these differ.
TEST(Beside, WarpsWaitWhereTheCardSaysAndForWhatItSays) {
    constexpr double apart = 25;
    const std::string transposed = "--grid 32x32 --block 32x8 --arg out:f32[1048576]=0";
    const struct {
        const char *kernel, *launch;
        std::vector<const char*> lines;
        std::vector<std::pair<const char*, const char*>> states; // the card's word, the model's
    } cases[] = {
        {"transposeTiled",
         transposed.c_str(),
         {"25", "29", "30"},
         {{"short_sb", "stall_short_scoreboard"},
          {"drain", "stall_drain"},
          {"mio", "stall_mio_throttle"},
          {"lg", "stall_lg_throttle"},
          {"long_sb", "stall_long_scoreboard"},
          {"barrier", "stall_barrier"}}},
        {"transposeNaive",
         transposed.c_str(),
         {"18", "19"},
         {{"long_sb", "stall_long_scoreboard"}, {"drain", "stall_drain"}, {"lg", "stall_lg_throttle"}}},
        {"sumBlocks",
         "--grid 4096 --block 256 --arg out:f32[4096]=0",
         {"35", "37", "39", "42"},
         {{"short_sb", "stall_short_scoreboard"},
          {"barrier", "stall_barrier"},
          {"long_sb", "stall_long_scoreboard"},
          {"mio", "stall_mio_throttle"},
          {"wait", "stall_wait"}}},
    };
    for (const auto& c : cases) {
        ModelsShares model = modelsShares(c.kernel, c.launch);
        Shares lines = cardsShares(c.kernel, 1), stalls = cardsShares(c.kernel, 2);
        for (const char* line : c.lines)
            EXPECT_NEAR(model.lines[line], lines[line], apart) << c.kernel << " line " << line;
        for (const auto& [card, ours] : c.states)
            EXPECT_NEAR(model.states[ours], stalls[card], apart) << c.kernel << " " << card;
    }
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
