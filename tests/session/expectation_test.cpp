// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/expectation.h"

#include "app/session/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace warpglass;
using namespace warpglass::session;

namespace {

Recording recordingOf(const char* kernel, std::uint32_t block, std::int64_t size) {
    RunRequest request;
    request.kernel = kernel;
    request.launch.size = size;
    request.launch.block = Dim3{block};
    request.launch.mode = CompileMode::AsWritten;
    request.options.detail.accesses = true;
    Progress progress;
    auto recording = runRequest(request, progress);
    EXPECT_TRUE(recording.ok()) << (recording ? "" : recording.error().text());
    return std::move(*recording);
}

Judgement judged(const std::string& text, const Recording& recording, const Recording* other = nullptr) {
    Observed beside, observed{.trace = recording.trace.get(), .check = recording.check};
    if (other) {
        beside = {.trace = other->trace.get(), .check = other->check};
        observed.other = &beside;
    }
    const auto expectation = parseExpectation(text);
    EXPECT_TRUE(expectation.ok()) << text << ": " << (expectation ? "" : expectation.error().text());
    return expectation ? judge(*expectation, observed) : Judgement{};
}

} // namespace

// mathKernel1 on 64 threads in a block of 64: two warps; line 24 is `if (tid % 2 == 0)`, which the even lanes enter: 0x5...5.
// It stores 32 floats of 4 bytes a warp: 128 bytes, 4 sectors.
TEST(Expectations, WhatIsTrueHoldsAndWhatIsFalseDoesNot) {
    const Recording run = recordingOf("mathKernel1", 64, 64);
    for (const char* text : {"warps = 2",
                             "warps_per_block * 32 = 64",
                             "threads = 64 = threads_per_block",
                             "blocks = 1",
                             "idle_lanes = 0",
                             "divergent[line 24] = 2",
                             "entering[line 24, warp 1] = 0x55555555",
                             "lanes_entering[line 24] = 16",
                             "active[line 24] = 0xffffffff",
                             "times[line 24, warp 0] = 1",
                             "sectors_per_request[line 29, store] = 4",
                             "access_sectors[line 29, store, warp 1] = 4",
                             "gst_efficiency = 100",
                             "check = ok",
                             "fault = no",
                             "diagnostics = 0",
                             "1 < warps <= 2",
                             "waves = 1",
                             "sms = 132",
                             "launches = 1",
                             "depth = 0",
                             "dropped = 0",
                             "ceil(7 / 2) = 4 = floor(9 / 2) = max(1, min(9, 4))",
                             "-(1 - 3) * 2 = 4",
                             "10 / 4 = 2.5",
                             "2 / 3 = 0.67"})
        EXPECT_TRUE(judged(text, run).holds) << text << ": " << judged(text, run).found;
    for (const char* text : {"warps = 3",
                             "divergent[line 24] = 1",
                             "entering[line 24] = 0xaaaaaaaa",
                             "check = wrong",
                             "check != ok",
                             "warps < 2",
                             "warps > 2",
                             "warps != 2",
                             "1 = 1 = 2",
                             "2 / 3 = 0.66",
                             "2 / 3 = 1",
                             "fault = yes",
                             "check = 1",
                             "sectors_per_request[line 29, load] = 4",
                             "divergent[line 2] = 0",
                             "warps = 1 / 0",
                             "warps[other] = 2",
                             "entering[line 24, nth 2] = 0x55555555",
                             "live_lanes[warp 7] = 0",
                             "blocks[launch 9] = 1",
                             "tree_steps = 0"})
        EXPECT_FALSE(judged(text, run).holds) << text;
}

// The mask of the even lanes is told as a mask, whatever it was held against; a count is told as a number.
TEST(Expectations, AMaskIsToldAsOne) {
    const Recording run = recordingOf("mathKernel1", 64, 64);
    EXPECT_EQ(judged("entering[line 24] = 16", run).found, "entering[line 24] is 0x55555555");
    EXPECT_EQ(judged("active[line 24] = 32", run).found, "active[line 24] is 0xffffffff");
    EXPECT_EQ(judged("live_lanes[warp 1] = 32", run).found, "live_lanes[warp 1] is 0xffffffff");
    EXPECT_EQ(judged("access_lanes[line 29, store] = 32", run).found, "access_lanes[line 29, store] is 0xffffffff");
    EXPECT_EQ(judged("lanes_entering[line 24] = 17", run).found, "lanes_entering[line 24] is 16");
}

TEST(Expectations, TheTraceBesideIsAskedByName) {
    const Recording one = recordingOf("mathKernel1", 64, 64), two = recordingOf("mathKernel2", 64, 64);
    EXPECT_TRUE(judged("divergent[other] = 0 < divergent", one, &two).holds);
    EXPECT_TRUE(judged("divergent < divergent[other]", two, &one).holds);
}

// The documents' block of eight: 3 1 7 0 4 1 6 3 gives 4 7 5 9, then 11 14, then 25.
TEST(Expectations, AReductionTreeTellsItsSums) {
    RunRequest request;
    request.kernel = "reduceNeighbored";
    request.launch = {.size = 8, .block = Dim3{8}, .set = {{"data", 1}}};
    request.options.detail.accesses = true;
    Progress progress;
    const auto run = runRequest(request, progress);
    ASSERT_TRUE(run.ok());
    for (const char* text : {"tree_steps = 3", "tree_additions = 7", "tree_value[step 1, nth 4] = 9", "tree_sum = 25",
                             "tree_right = 1", "tree_threads[step 2] = 2", "tree_stride[step 3] = 4"})
        EXPECT_TRUE(judged(text, *run).holds) << text << ": " << judged(text, *run).found;
}

TEST(Expectations, WhatWasFoundIsTold) {
    const Recording run = recordingOf("mathKernel1", 64, 64);
    EXPECT_EQ(judged("divergent[line 24] = 3", run).found, "divergent[line 24] is 2");
    EXPECT_EQ(judged("entering[line 24] = 0x1", run).found, "entering[line 24] is 0x55555555");
    EXPECT_NE(judged("sectors[line 2] = 3", run).found.find("line 2"), std::string::npos);
}

TEST(Expectations, WhatIsNotUnderstoodIsToldInOneSentence) {
    const std::pair<const char*, const char*> wrong[] = {{"", "missing"},
                                                         {"warps", "nothing is said"},
                                                         {"warps = ", "missing at the end"},
                                                         {"warps == 2", "missing"},
                                                         {"wraps = 2", "wraps"},
                                                         {"warps[lien 2] = 2", "lien"},
                                                         {"warps[line 2] = 2", "line"},
                                                         {"divergent[line] = 2", "line"},
                                                         {"warps = 2 3", "3"},
                                                         {"(warps = 2", ")"},
                                                         {"divergent[line 2 = 2", "]"},
                                                         {"ok[line 2] = 2", "brackets"},
                                                         {"min(1) = 1", "takes 2 values"},
                                                         {"warps = 0b", "0b"}};
    for (const auto& [text, part] : wrong) {
        const auto expectation = parseExpectation(text);
        ASSERT_FALSE(expectation.ok()) << text;
        EXPECT_NE(expectation.error().message.find(part), std::string::npos) << expectation.error().message;
    }
    EXPECT_FALSE(parseExpectation(std::string(5000, '(')).ok());
}

// A teacher finds all facts in the guide.
TEST(Expectations, EveryFactStandsInTheGuide) {
    std::ifstream file(WARPGLASS_SOURCE_DIR "/docs/lessons.md");
    std::ostringstream text;
    text << file.rdbuf();
    for (const Fact& fact : facts())
        EXPECT_NE(text.str().find("`" + std::string(fact.name) + "`"), std::string::npos) << fact.name;
}
