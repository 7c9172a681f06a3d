// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the source, asked of the command.
#include "program.h"

#include <gtest/gtest.h>

namespace {

// in[j] = j, n = 100: thread 1's parts are 4 to 7, and its sum takes 0, 8, 18, 118, 130, 230, 244 (tests/emulator/variables_test.cpp).
const std::string ofSums =
    "who '" WARPGLASS_SOURCE_DIR "/tests/emulator/data/variables.ptx' --kernel sums --grid 1 --block 4 "
    "--arg 'in:i32[16]=iota' --arg 'out:i32[4]=0' --arg n:i32=100 ";

} // namespace

TEST(Who, tellsTheValuesOfAVariable) {
    const Answer text = record(ofSums + "--word 'sum of block 0 thread 1'");
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_NE(text.out.find("sum of block 0 thread 1: 7 values; the last first"), std::string::npos) << text.out;
    const Answer answer = record(ofSums + "--word 'sum of block 0 thread 1' --json");
    const auto json = answer.json();
    ASSERT_EQ(json["uses"].size(), 7u);
    EXPECT_EQ(json["uses"][0]["variable"], "sum");
    EXPECT_EQ(json["uses"][0]["does"], "sets");
    EXPECT_EQ(json["uses"][0]["value"], "244");
    EXPECT_EQ(json["uses"][0]["line"], 20);
    EXPECT_EQ(json["uses"][0]["number"], 7);
    EXPECT_GT(json["uses"][0]["step"], json["uses"][6]["step"]);
    EXPECT_LE(json["scope"]["known"], json["scope"]["instructions"]);
}

TEST(Who, tellsAVariableAtALineAndItsParts) {
    const auto held = record(ofSums + "--word 'sum at line 22 of thread 1' --json").json();
    ASSERT_EQ(held["uses"].size(), 4u);
    EXPECT_EQ(held["uses"][3]["does"], "has");
    EXPECT_EQ(held["uses"][3]["value"], "8");
    const auto part = record(ofSums + "--word 'parts[2] of thread 1' --json").json();
    ASSERT_EQ(part["uses"].size(), 1u);
    EXPECT_EQ(part["uses"][0]["variable"], "parts[2]");
    EXPECT_EQ(part["uses"][0]["value"], "6");
}

// A buffer is meant by its name as before: out[1] is 244 / 2 for each of two turns, and parts[1] and parts[2].
TEST(Who, takesNamesOfMemoryAsBeforeAndSaysWhatThereIs) {
    const auto out = record(ofSums + "--word 'out[1]' --json").json();
    ASSERT_FALSE(out["uses"].empty());
    EXPECT_EQ(out["uses"][0]["value"], std::to_string(122 + 122 + 5 + 6));
    EXPECT_FALSE(out.contains("scope"));
    const Answer none = record(ofSums + "--word 'nothing of thread 1'");
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("no function of this launch has a variable nothing"), std::string::npos) << none.err;
    EXPECT_NE(none.err.find("half"), std::string::npos) << none.err; // which it has
    EXPECT_EQ(record(ofSums + "--word 'sum at line'").status, 2);
}
