// SPDX-License-Identifier: GPL-3.0-or-later
// A recording in the place of a kernel: its launch once more, or why it takes its time.
#include "program.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace {

const std::string scale =
    "'" WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx' --grid 2 --block 32 --arg 'in:i32[64]=iota' "
    "--arg 'out:f32[64]=0' --arg n:u32=64 --arg step:f32=0.25";

} // namespace

TEST(Repeat, aRecordingIsAskedWhyAsItsKernelIs) {
    const auto file = scratch("why.wgt");
    ASSERT_EQ(record("run " + scale + " -o " + quoted(file)).status, 0);
    const Answer kernel = record("why --json " + scale);
    ASSERT_EQ(kernel.status, 0) << kernel.err;
    const Answer recording = record("why --json " + quoted(file));
    ASSERT_EQ(recording.status, 0) << recording.err;
    EXPECT_EQ(recording.json(), kernel.json());
    const Answer elsewhere = record("why --json --device gtx1060 " + quoted(file));
    ASSERT_EQ(elsewhere.status, 0) << elsewhere.err;
    EXPECT_NE(elsewhere.json()["device"], kernel.json()["device"]);
}

// out[63] = 63 / 4 = 15.75, which is 0x417c0000.
TEST(Repeat, aRecordingIsRunAgainAndOtherwise) {
    const auto file = scratch("again.wgt"), out = scratch("again.bin");
    ASSERT_EQ(record("run " + scale + " -o " + quoted(file)).status, 0);
    const Answer again = record("run " + quoted(file) + " --timing --json --dump out=" + quoted(out));
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(again.json()["launch"]["block"][0], 32);
    EXPECT_TRUE(again.json()["metrics"]["duration_ns"]["value"].is_number());
    const std::string bytes = readFile(out);
    ASSERT_EQ(bytes.size(), 256u);
    EXPECT_EQ(bytes.substr(252), std::string("\x00\x00\x7c\x41", 4));
    const Answer wider = record("run " + quoted(file) + " --grid 1 --block 64 --json");
    ASSERT_EQ(wider.status, 0) << wider.err;
    EXPECT_EQ(wider.json()["launch"]["block"][0], 64);
    const Answer other = record("run " + quoted(file) + " --arg in:i32[64]=0");
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("--arg"), std::string::npos) << other.err;
}

// out[63] is written once, by the last thread of the second block: 63 / 4; in[63] read by the same one. Both of the kernel's
// file and of a recording of it.
TEST(Repeat, whoUsedAWordIsToldWithItsValue) {
    const auto file = scratch("who.wgt");
    ASSERT_EQ(record("run " + scale + " -o " + quoted(file)).status, 0);
    for (const std::string& launch : {scale, quoted(file)}) {
        const Answer who = record("who " + launch + " --word 'out[63]' --json");
        ASSERT_EQ(who.status, 0) << who.err;
        const auto json = who.json();
        EXPECT_EQ(json["writes"], 1);
        EXPECT_EQ(json["reads"], 0);
        ASSERT_EQ(json["uses"].size(), 1u);
        const auto& use = json["uses"][0];
        EXPECT_EQ(use["number"], 1);
        EXPECT_EQ(use["does"], "writes");
        EXPECT_EQ(use["value"], "15.75");
        EXPECT_EQ(use["block"], "(1)");
        EXPECT_EQ(use["thread"], "(31)");
        const Answer text = record("who " + launch + " --word 'in[63]'");
        EXPECT_NE(text.out.find("in[63]: 0 writes, 1 read; the last first"), std::string::npos) << text.out;
        EXPECT_NE(text.out.find("reads   63  block (1), thread (31)"), std::string::npos) << text.out;
    }
    const Answer none = record("who " + scale + " --word 'other[0]'");
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("It has in, out"), std::string::npos) << none.err;
    EXPECT_EQ(record("who " + scale + " --word 'out['").status, 2);
}

TEST(Repeat, whatHoldsNoLaunchSaysSo) {
    const auto part = scratch("empty.wgt");
    writeFile(part, "no recording");
    const Answer answer = record("why " + quoted(part));
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("not a Warpglass recording"), std::string::npos) << answer.err;
    EXPECT_EQ(record("why " + quoted(scratch("nowhere.wgt"))).status, 2);
}
