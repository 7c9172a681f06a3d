// SPDX-License-Identifier: GPL-3.0-or-later
// `layouts` of a TTGIR (tests/ttgir/data): what it says of lanes, elements and bytes.
#include "tests/record/program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

const std::string rowsum = "layouts '" WARPGLASS_SOURCE_DIR "/tests/ttgir/data/rowsum.ttgir' ";

} // namespace

// Lanes of four columns, eight lanes a row, four rows a warp, four warps: 16 x 32 a round; 32 x 64 take two right, then two down.
// Lane 10 of warp 1 is the third of its second row: row 4 + 1 = 5, columns 8 to 11; then 40 to 43, and rows 21.
TEST(Layouts, sayWhatALaneHolds) {
    const Answer answer = record(rowsum + "--line 13 --warp 1 --lane 10");
    ASSERT_EQ(answer.status, 0) << answer.err;
    for (const char* line :
         {"rows.py:13\n  tt.load\n    32x64 *f32 #blocked = #ttg.blocked<{sizePerThread = [1, 4]",
          "      16 values a lane (64 bytes)\n      warp 1, lane 10:\n"
          "        [5, 8..11] as values 0 to 3, 16 bytes\n        [5, 40..43] as values 4 to 7, 16 bytes\n"
          "        [21, 8..11] as values 8 to 11, 16 bytes\n        [21, 40..43] as values 12 to 15, 16 bytes\n"})
        EXPECT_NE(answer.out.find(line), std::string::npos) << line << "\n" << answer.out;
    EXPECT_EQ(answer.out.find("rows.py:14"), std::string::npos);
}

// Row 21 = 16 + 5, column 43 = 32 + 11: that lane's value 15. In shared memory (halves, groups of eight, two rows a phase of
// four): phase 21 / 2 % 4 = 2, group 5 ^ 2 = 7: (21 * 64 + 7 * 8 + 3) * 2 = 2806 bytes.
TEST(Layouts, sayWhoHoldsAnElementAndWhereItLies) {
    const Answer answer = record(rowsum + "--line 13 --element 21,43 --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["kernel"], "rowsum");
    const auto& operations = json["lines"][0]["operations"];
    ASSERT_EQ(operations.size(), 3u); // load, truncf, local_alloc
    const auto& holders = operations[0]["tensors"][0]["holders"];
    ASSERT_EQ(holders.size(), 1u);
    EXPECT_EQ(holders[0], nlohmann::json({{"warp", 1}, {"lane", 10}, {"value", 15}}));
    const auto& shared = operations[2]["tensors"][1];
    EXPECT_EQ(shared["shared"], true);
    EXPECT_EQ(shared["byte"], 2806);
}

// The sum's own operations stand in Triton's file; the line that calls it has them, too.
TEST(Layouts, aLineHasWhatItCalls) {
    const Answer answer = record(rowsum + "--line 14");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_NE(answer.out.find("tt.reduce"), std::string::npos);
    EXPECT_NE(answer.out.find("#ttg.slice<{dim = 1, parent = #blocked}>"), std::string::npos);
}

// What lies beside the PTX, as in Triton's cache, comes along; without it the recording has none.
TEST(Layouts, ofARecordingComeFromBesideItsPtx) {
    const std::filesystem::path cache = scratch("layouts-cache"), ptx = cache / "scale.ptx",
                                file = scratch("layouts.wgt");
    std::filesystem::create_directories(cache);
    std::filesystem::remove(cache / "scale.ttgir"); // of a run before
    writeFile(ptx, readFile(WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx"));
    const std::string run = "run " + quoted(ptx) +
                            "--grid 1 --block 32 --arg in:i32[32]=iota --arg out:i32[32] --arg n:i32=32 "
                            "--arg step:f32=2 -o " +
                            quoted(file);
    ASSERT_EQ(record(run).status, 0);
    const Answer none = record("layouts " + quoted(file));
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("has no TTGIR of its kernel"), std::string::npos) << none.err;
    writeFile(cache / "scale.ttgir", readFile(WARPGLASS_SOURCE_DIR "/tests/ttgir/data/rowsum.ttgir"));
    ASSERT_EQ(record(run).status, 0);
    const Answer found = record("layouts " + quoted(file) + "--line 13");
    EXPECT_EQ(found.status, 0) << found.err;
    EXPECT_NE(found.out.find("rows.py:13"), std::string::npos);
}

TEST(Layouts, refuseWhatIsNotThere) {
    EXPECT_EQ(record(rowsum + "--line 99").status, 2);
    EXPECT_EQ(record(rowsum + "--warp 4").status, 2);
    EXPECT_EQ(record(rowsum + "--element 5,x").status, 2);
    EXPECT_EQ(record("layouts /no/such.ttgir").status, 2);
    EXPECT_EQ(record("layouts '" WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx'").status, 2);
}
