// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces on the command line.
#include "program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

// out[x] of the surface = image(x, 1) + 100, by an object and by a reference of the file.
const char* const module = R"(.version 7.0
.target sm_75
.address_size 64
.global .texref image;
.visible .entry add(.param .u64 texture, .param .u64 surface)
{
    .reg .b32 %r<4>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [surface];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, 0f3FC00000}];
    tex.1d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [image, {%r1}];
    add.f32 %f2, %f2, %f5;
    mov.b32 %r2, %f2;
    shl.b32 %r3, %r1, 2;
    sust.b.1d.b32.trap [%rd2, {%r3}], {%r2};
    ret;
}
)";

std::string command(const std::string& rest) {
    writeFile(scratch("add.ptx"), module);
    return "run '" + scratch("add.ptx").string() + "' --block 4 --arg texture:ptr=img --arg surface:ptr=out " + rest;
}

} // namespace

TEST(Textures, AreGivenToParametersAndReferences) {
    const Answer answer = record(command("--texture img=2d:4x2:f32:clamp:iota --surface out=1d:4:f32 "
                                         "--texture image=linear:4:f32:point:100 --dump out='" +
                                         scratch("out.bin").string() + "'"));
    ASSERT_EQ(answer.status, 0) << answer.err;
    const std::string bytes = readFile(scratch("out.bin"));
    ASSERT_EQ(bytes.size(), 16u);
    std::vector<float> values(4);
    std::memcpy(values.data(), bytes.data(), 16);
    EXPECT_EQ(values, (std::vector<float>{104, 105, 106, 107})); // the second row of the image is 4 5 6 7
}

TEST(Textures, AreRefusedInSentences) {
    const Answer unbound = record(command("--texture img=2d:4x2:f32 --surface out=1d:4:f32"));
    EXPECT_NE(unbound.status, 0);
    EXPECT_NE(unbound.err.find("texture reference \"image\""), std::string::npos) << unbound.err;
    const Answer missing = record(command("--surface out=1d:4:f32 --texture image=linear:4:f32"));
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.err.find("points to \"img\""), std::string::npos) << missing.err;
    const Answer unused = record(command("--texture img=2d:4x2:f32 --texture other=1d:4:f32 --surface out=1d:4:f32 "
                                         "--texture image=linear:4:f32"));
    EXPECT_EQ(unused.status, 2);
    EXPECT_NE(unused.err.find("nothing of this launch leads to \"other\""), std::string::npos) << unused.err;
    const Answer wrong = record(command("--texture img=2d:4x2:f99"));
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("\"f99\" is no format"), std::string::npos) << wrong.err;
    const Answer beyond =
        record(command("--texture img=2d:4x2:f32 --surface out=1d:3:f32 --texture image=linear:4:f32"));
    EXPECT_EQ(beyond.status, 1);
    EXPECT_NE(beyond.err.find("Lane 3 writes 4 bytes at x = 12 bytes"), std::string::npos) << beyond.err;
}
