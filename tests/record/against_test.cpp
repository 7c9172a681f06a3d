// SPDX-License-Identifier: GPL-3.0-or-later
// `run --against`: where a launch first does something else than a recorded one.
#include "program.h"

#include <gtest/gtest.h>

namespace {

const std::filesystem::path scaleText = WARPGLASS_SOURCE_DIR "/tests/record/scale.ptx";

// out[i] = in[i] * step, in[i] = i, 64 elements by two blocks of 32.
std::string scaling(const std::filesystem::path& kernel, const std::string& step) {
    return "run " + quoted(kernel) +
           "--grid 2 --block 32 --arg 'in:i32[64]=iota' --arg 'out:f32[64]=0' --arg n:i32=64 --arg step:f32=" + step +
           " --accesses ";
}
std::filesystem::path changed(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = readFile(scaleText);
    text.replace(text.find(from), from.size(), to);
    writeFile(scratch(file), text);
    return scratch(file);
}

} // namespace

TEST(Against, theSameLaunchIsTheSame) {
    const auto reference = scratch("against.wgt");
    ASSERT_EQ(record(scaling(scaleText, "0.5") + "-o " + quoted(reference)).status, 0);
    const Answer same = record(scaling(scaleText, "0.5") + "--against " + quoted(reference));
    EXPECT_EQ(same.status, 0) << same.err;
    // 64 loads and 64 stores.
    EXPECT_NE(same.out.find("against against.wgt: all 128 values agree"), std::string::npos) << same.out;
}

// Numbers from 40 on are scaled twice: i = 40 is thread 8 of block 1, and stores 10 where the reference has 20. All blocks
// run from step 0 on, so that nobody comes before it. 24 of the 64 elements differ.
TEST(Against, anotherVersionFirstDiffersWhereItStores) {
    const auto reference = scratch("against.wgt");
    ASSERT_EQ(record(scaling(scaleText, "0.5") + "-o " + quoted(reference)).status, 0);
    const auto other = changed("twice.ptx", "mul.f32 %f3, %f2, %f1;\n",
                               "mul.f32 %f3, %f2, %f1;\n\tsetp.ge.u32 %p1, %r5, 40;\n\t@%p1 mul.f32 %f3, %f3, %f1;\n");
    const Answer text = record(scaling(other, "0.5") + "--against " + quoted(reference));
    EXPECT_EQ(text.status, 1);
    EXPECT_NE(text.out.find("24 of 64 values differ, first block (1), thread (8)"), std::string::npos) << text.out;
    const auto json = record(scaling(other, "0.5") + "--json --against " + quoted(reference)).json()["against"];
    EXPECT_EQ(json["same_code"], false);
    EXPECT_EQ(json["differing"], 24);
    EXPECT_EQ(json["first"]["access"], "store");
    EXPECT_EQ(json["first"]["element"], 40);
    EXPECT_EQ(json["first"]["value"], 10);
    EXPECT_EQ(json["first"]["reference"], 20);
    // A tolerance of a half lets that pass.
    EXPECT_EQ(record(scaling(other, "0.5") + "--tolerance 0.5 --against " + quoted(reference)).status, 0);
    EXPECT_EQ(record(scaling(other, "0.5") + "--tolerance much --against " + quoted(reference)).status, 2);
}

// The same in double precision: out has 64 doubles; 0.1f is not 0.1, by 1.5e-9 of it.
TEST(Against, doublePrecisionIsTheSameElements) {
    const auto wide =
        changed("wide.ptx", "mul.f32 %f3, %f2, %f1;\n\tst.global.f32 [%rd7], %f3;",
                "mul.wide.u32 %rd5, %r5, 8;\n\tadd.s64 %rd7, %rd4, %rd5;\n\tcvt.f64.f32 %d1, %f1;\n\tcvt.rn.f64.s32 "
                "%d2, %r6;\n\tmul.f64 %d3, %d2, %d1;\n\tst.global.f64 [%rd7], %d3;");
    std::string text = readFile(wide);
    text.replace(text.find(".reg .f32"), 0, ".reg .f64 %d<4>;\n\t");
    writeFile(wide, text);
    const auto reference = scratch("wide.wgt");
    ASSERT_EQ(record("run " + quoted(wide) +
                     "--grid 2 --block 32 --arg 'in:i32[64]=iota' --arg 'out:f64[64]=0' --arg n:i32=64 "
                     "--arg step:f32=0.1 --accesses -o " +
                     quoted(reference))
                  .status,
              0);
    const Answer close = record(scaling(scaleText, "0.1") + "--against " + quoted(reference));
    EXPECT_NE(close.out.find("all 64 values agree"), std::string::npos) << close.out << close.err;
    EXPECT_EQ(record(scaling(scaleText, "0.1") + "--tolerance 0 --against " + quoted(reference)).status, 1);
}
