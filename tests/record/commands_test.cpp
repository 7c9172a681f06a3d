// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace {

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        all.push_back(line);
    return all;
}

std::vector<std::string> cells(const std::string& line) { // no quoted cells in what is read here
    std::vector<std::string> all(1);
    for (char c : line)
        if (c == ',')
            all.emplace_back();
        else
            all.back() += c;
    return all;
}

} // namespace

TEST(List, namesEveryKernelWithItsDocumentModesAndParameters) {
    const auto json = record("list --json").json();
    ASSERT_TRUE(json["kernels"].is_array());
    std::set<std::string> names;
    for (const auto& kernel : json["kernels"]) {
        EXPECT_TRUE(names.insert(kernel["name"]).second) << kernel["name"];
        EXPECT_EQ(kernel["modes"], nlohmann::json({"optimised", "as-written"})) << kernel["name"];
        const bool ours = kernel["family"] == "pipelines"; // in no document
        EXPECT_EQ(kernel["document"].get<std::string>().empty(), ours) << kernel["name"];
        EXPECT_EQ(kernel["section"].get<std::string>().empty(), ours) << kernel["name"];
        EXPECT_FALSE(kernel["story"]["zh_CN"].get<std::string>().empty()) << kernel["name"];
        EXPECT_TRUE(kernel["parameters"].is_array()) << kernel["name"];
    }
    for (const char* name : {"warmup", "mathKernel1", "mathKernel2", "mathKernel3", "divergent_kernel", "vectorAdd",
                             "reduceNeighbored", "reduceNeighboredLess", "reduceInterleaved"})
        EXPECT_TRUE(names.count(name)) << name;
}

// 32 x 32 floats written by rows and read by columns: 32 passes and 32 * 32; with Swizzle<5,0,5>, which loses nothing, 32 each.
TEST(Swizzle, ranksWhatRemovesTheConflicts) {
    const auto json = record("swizzle --tile 32x32 --type f32 --write row --read column --json").json();
    EXPECT_EQ(json["least_read_passes"], 32);
    EXPECT_EQ(json["layouts"][0]["layout"], "plain");
    EXPECT_EQ(json["layouts"][0]["read_passes"], 1024);
    EXPECT_EQ(json["layouts"][1]["name"], "Swizzle<5,0,5>");
    EXPECT_EQ(json["layouts"][1]["read_passes"], 32);
    EXPECT_EQ(json["layouts"][1]["bytes_lost"], 0);
    EXPECT_EQ(json["layouts"][1]["swizzle_of_bytes"]["base"], 2);
    EXPECT_NE(record("swizzle").out.find("rows 4 bytes longer"), std::string::npos);
    EXPECT_EQ(record("swizzle --tile 32").status, 2);
    EXPECT_EQ(record("swizzle --type quux").status, 2);
    EXPECT_EQ(record("swizzle --read diagonal").status, 2);
    EXPECT_EQ(record("swizzle --read row:3").status, 2);
}

TEST(Devices, areListedAndQueriedAsInTheDocuments) {
    const auto json = record("devices --json").json();
    std::set<std::string> keys;
    for (const auto& device : json["devices"])
        keys.insert(device["key"]);
    for (const char* key : {"h200", "h100", "a100", "v100", "rtx4070", "rtx3090", "gtx1060", "k20x", "m2070"})
        EXPECT_TRUE(keys.count(key)) << key;
    const std::string query = record("devices --device rtx4070").out;
    for (const char* part : {"NVIDIA GeForce RTX 4070", "46", "64.00 KB", "48.00 KB", "65536", "1536"})
        EXPECT_NE(query.find(part), std::string::npos) << part;
    EXPECT_EQ(record("devices --device abacus").status, 2);
}

// 40 registers, 256 threads, 8 KB on 9.0: 6 blocks, 48 of 64 warps, held back by registers (NVIDIA's calculator).
TEST(Commands, thatAreNoneAreNamed) {
    const Answer answer = record("bogus --json");
    EXPECT_EQ(answer.status, 2);
    EXPECT_TRUE(answer.out.empty());
    EXPECT_NE(answer.err.find("\"bogus\""), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("occupancy"), std::string::npos) << answer.err; // which there are
}

// One sentence that names the program, the word and what was expected, and where it is explained.
TEST(Commands, areToldWhichWordIsWrong) {
    const auto told = [](const char* arguments) {
        const Answer answer = record(arguments);
        EXPECT_EQ(answer.status, 2) << arguments;
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        return answer.err;
    };
    EXPECT_EQ(told("occupancy --threads -1"), "warpglass-record: --threads: \"-1\" is not a whole number, 0 or more. "
                                              "\"warpglass-record occupancy --help\" shows what it takes.\n");
    EXPECT_NE(told("run reduceNeighbored --size x").find("--size: \"x\" is not a whole number."), std::string::npos);
    EXPECT_NE(told("run reduceNeighbored --grid").find("--grid needs a value after it."), std::string::npos);
    EXPECT_NE(told("run reduceNeighbored --frob 3").find("\"--frob\" means nothing here."), std::string::npos);
    EXPECT_NE(told("run").find("KERNEL is required."), std::string::npos);
}

TEST(Occupancy, answersInTheWordsOfTheContract) {
    const Answer answer = record("occupancy --cc 9.0 --threads 256 --registers 40 --shared 8192 --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = answer.json();
    EXPECT_EQ(json["blocks_per_sm"], 6);
    EXPECT_EQ(json["active_warps"], 48);
    EXPECT_EQ(json["max_warps"], 64);
    EXPECT_EQ(json["occupancy_pct"], 75.0);
    EXPECT_EQ(json["limits"],
              nlohmann::json({{"warps", 8}, {"registers", 6}, {"shared", 25}, {"blocks", 32}, {"barriers", 64}}));
    EXPECT_EQ(json["limited_by"], nlohmann::json({"registers"}));
    const auto turing = record("occupancy --cc 7.5 --threads 256 --registers 40 --shared 8192 --json").json();
    EXPECT_TRUE(turing["limits"]["barriers"].is_null());
    EXPECT_EQ(record("occupancy --cc 4.2").status, 2);
    EXPECT_EQ(record("occupancy --threads 0").status, 2);
    EXPECT_EQ(record("occupancy --shared-limit some").status, 2);
}

// The document's six shapes: 12.5 12.5 25 25 25 50 %; the seventh has 2048 threads and is refused, and the sweep goes
// on.
TEST(Sweep, writesARowForEachShape) {
    const auto file = scratch("sweep.csv");
    const Answer answer = record(
        "sweep sumMatrix2D --size 512 --block 32x32,32x16,16x32,16x16,16x8,256x8,8x16 --csv '" + file.string() + "'");
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.err.find("256x8"), std::string::npos);
    const auto rows = lines(readFile(file));
    ASSERT_EQ(rows.size(), 8u);
    const auto header = cells(rows[0]);
    EXPECT_EQ((std::vector<std::string>(header.begin(), header.begin() + 5)),
              (std::vector<std::string>{"kernel", "grid", "block", "backend", "device"}));
    const auto column = [&](const std::string& name) {
        return std::size_t(std::find(header.begin(), header.end(), name) - header.begin());
    };
    const char* const shapes[] = {"32x32", "32x16", "16x32", "16x16", "16x8", "256x8", "8x16"};
    const char* const efficiencies[] = {"12.5", "12.5", "25", "25", "25", "", "50"};
    for (std::size_t i = 0; i < 7; ++i) {
        const auto row = cells(rows[i + 1]);
        ASSERT_GT(row.size(), column("gld_efficiency")) << rows[i + 1];
        EXPECT_EQ(row[2], shapes[i]);
        EXPECT_EQ(row[column("gld_efficiency")], efficiencies[i]) << shapes[i];
    }
    EXPECT_EQ(record("sweep sumMatrix2D --block 32y32").status, 2);
    EXPECT_EQ(record("sweep sumMatrix2D --block 256x8").status, 2); // nothing of it can run
}

TEST(Sweep, combinesKernelsModesAndSizes) {
    const auto json =
        record(
            "sweep reduceNeighbored,reduceInterleaved --mode optimised,as-written --size 4096,8192 --block 128 --json")
            .json();
    ASSERT_EQ(json["rows"].size(), 8u);
    for (const auto& row : json["rows"])
        EXPECT_EQ(row["check"], "ok");
    EXPECT_EQ(json["rows"][0]["size"], 4096);
    EXPECT_EQ(json["rows"][1]["size"], 4096);
    EXPECT_EQ(json["rows"][1]["mode"], "as-written");
}

TEST(Metrics, ofAFileAreThoseOfTheRun) {
    const auto file = scratch("run.wgt");
    const auto run = record("run reduceNeighbored --size 16384 --block 256 --json -o '" + file.string() + "'").json();
    const Answer answer = record("metrics '" + file.string() + "' --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = answer.json();
    EXPECT_EQ(json["metrics"], run["metrics"]);
    EXPECT_EQ(json["launch"], run["launch"]);
    EXPECT_EQ(json["warp_instructions"], run["warp_instructions"]);
    EXPECT_EQ(json["kernel"], "reduceNeighbored");
}

TEST(Export, writesWhatWasAskedForAndRefusesTheRest) {
    const auto file = scratch("export.wgt");
    ASSERT_EQ(record("run mathKernel1 --mode as-written -o '" + file.string() + "'").status, 0);
    const std::string from = "export '" + file.string() + "' ";
    const auto folder = scratch("tables"), json = scratch("export.json"), perfetto = scratch("export.pftrace"),
               one = scratch("warps.csv");
    EXPECT_EQ(record(from + "--format csv -o '" + folder.string() + "'").status, 0);
    EXPECT_EQ(record(from + "--format json -o '" + json.string() + "'").status, 0);
    EXPECT_EQ(record(from + "--format perfetto -o '" + perfetto.string() + "'").status, 0);
    EXPECT_EQ(record(from + "--format csv --table warps -o '" + one.string() + "'").status, 0);
    EXPECT_EQ(lines(readFile(one)).size(), 3u); // header and two warps
    EXPECT_EQ(readFile(one), readFile(folder / "warps.csv"));
    EXPECT_FALSE(nlohmann::json::parse(readFile(json), nullptr, false).is_discarded());
    EXPECT_GT(readFile(perfetto).size(), 100u);
    EXPECT_EQ(record(from + "--format xls -o x").status, 2);
    EXPECT_EQ(record(from + "--format csv --table colours -o '" + one.string() + "'").status, 2);
    EXPECT_EQ(record("export nowhere.wgt --format csv -o x").status, 2);
}

TEST(Files, thatAreNoTracesGiveASentence) {
    const auto file = scratch("foreign.wgt");
    writeFile(file, "this is no trace");
    const Answer answer = record("metrics '" + file.string() + "' --json");
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_NE(answer.err.find("foreign.wgt"), std::string::npos) << answer.err;
    EXPECT_EQ(readFile(file), "this is no trace");
}

TEST(Check, judgesEveryClaimFromMeasurements) {
    const Answer answer = record("check --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = answer.json();
    ASSERT_GE(json["claims"].size(), 120u);
    const std::set<std::string> verdicts{"holds", "holds_with_difference", "other_hardware", "wrong", "not_measured"};
    std::map<std::string, nlohmann::json> byId;
    for (const auto& claim : json["claims"]) {
        EXPECT_TRUE(verdicts.count(claim["verdict"])) << claim;
        byId[claim["id"]] = claim;
        const bool measured =
            claim["measured"].is_number() || claim["emulated"].is_number() || claim["verdict"] == "wrong";
        EXPECT_EQ(claim["verdict"] == "not_measured" && claim["measured"].is_number(), false) << claim;
        EXPECT_TRUE(measured || claim["verdict"] == "not_measured") << claim;
    }
    EXPECT_EQ(byId["d4-branch-efficiency-mathKernel1"]["verdict"], "holds");
    EXPECT_EQ(byId["d4-branch-efficiency-mathKernel1"]["emulated"], 80);
    EXPECT_EQ(byId["d3-occ-warps"]["verdict"], "wrong");
    EXPECT_EQ(byId["d3-occ-warps"]["emulated"], 48);
    EXPECT_EQ(byId["d3-mm-opt-rate"]["verdict"], "wrong");
    EXPECT_EQ(byId["d1-stride4-use"]["emulated"], 25);
    EXPECT_EQ(byId["d0-gld-8x16"]["verdict"], "holds");
    EXPECT_NE(byId["d4-nested-wrong"]["why"].get<std::string>().find("2048"), std::string::npos);
}
