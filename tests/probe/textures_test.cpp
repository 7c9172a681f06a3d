// SPDX-License-Identifier: GPL-3.0-or-later
// Modules with textures and surfaces: probes leave their instructions as they are, and the probed kernel sees the same.
#include "gpu/launch/texture_words.h"
#include "gpu/ptx/parse.h"
#include "tests/probe/run.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::probe {
namespace {

const char* const text = R"(.version 7.0
.target sm_75
.address_size 64
.global .texref image;
.visible .entry k(.param .u64 out, .param .u64 table, .param .u64 board)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd4, [table];
    ld.param.u64 %rd5, [board];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    setp.gt.u32 %p1, %r1, 11;
    @%p1 bra REST;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r1}];
    cvt.rn.f32.u32 %f5, %r1;
    tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}|%p2, [%rd4, {%f5, %f5}];
    add.f32 %f1, %f1, %f5;
    st.global.f32 [%rd3], %f1;
    shl.b32 %r2, %r1, 2;
    sust.b.1d.b32.trap [%rd5, {%r2}], {%r1};
REST:
    ret;
}
)";

TEST(ProbedTextures, SeeTheSame) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "textures.ptx";
    plan.ptx = text;
    plan.grid = {2};
    plan.block = {32};
    plan.arguments.push_back({.name = "out", .isBuffer = true, .type = ElementType::F32, .count = 32});
    for (const char* name : {"table", "board"}) {
        Argument a{.name = name, .type = ElementType::Ptr};
        a.scalar.resize(8);
        a.pointers.push_back({.offset = 0, .buffer = name});
        plan.arguments.push_back(a);
    }
    ASSERT_TRUE(addTexture(plan, "image=linear:32:f32:point:iota"));
    ASSERT_TRUE(addTexture(plan, "table=2d:4x4:f32:linear,clamp:iota"));
    ASSERT_TRUE(addSurface(plan, "board=1d:32:u32"));
    test::Setup setup;
    setup.detail.kind = Detail::Kind::All;
    setup.options.accesses = setup.detail.accesses = true;
    const auto pair = test::runBoth(plan, setup);
    ASSERT_TRUE(pair) << pair.error().text();
    EXPECT_EQ(test::eventDifference(*pair->clean, pair->decoded, true), "");
    EXPECT_NE(pair->module.ptx.find(".global .texref image"), std::string::npos);
    // Thread 9: the reference's texel 9, and the last texel of a 4x4 table, 15, beyond whose end coordinates stay.
    float nine = 0;
    std::memcpy(&nine, pair->probedRun.buffers[0].data() + 4 * 9, 4);
    EXPECT_EQ(nine, 9 + 15.0f);
    std::uint32_t eleven = 0;
    std::memcpy(&eleven, pair->probedRun.buffers.back().data() + 4 * 11, 4);
    EXPECT_EQ(eleven, 11u);
}

} // namespace
} // namespace warpglass::probe
