// SPDX-License-Identifier: GPL-3.0-or-later
// Variables that a driver binds, and what stands in the address of a texture's instruction.
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <gtest/gtest.h>

namespace warpglass::ptx {
namespace {

const char* const opaque = R"(.version 7.5
.target sm_75, texmode_independent
.address_size 64
.global .texref image;
.global .samplerref how = { addr_mode_0 = wrap, filter_mode = linear, force_unnormalized_coords = 1 };
.visible .global .surfref board;
.visible .entry k(.param .texref given)
{
    .reg .f32 %f<5>;
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [image, how, {%f1, 0f3F000000}], {1, -1};
    tex.1d.v4.f32.f32 {%f1, _, %f3, _}, [given, how, {%f1}];
    suld.b.1d.b32.trap {%r1}, [board, {%r1}];
    ret;
}
)";

TEST(Opaque, VariablesAndAddressesAreReadAndWritten) {
    auto module = parse(opaque, "opaque.ptx");
    ASSERT_TRUE(module) << module.error().text();
    for (int time = 0; time < 2; ++time) { // as read, and as written and read again
        EXPECT_EQ(module->findVariable("image")->opaque, Opaque::Texref);
        EXPECT_EQ(module->findVariable("board")->opaque, Opaque::Surfref);
        const Variable* how = module->findVariable("how");
        EXPECT_EQ(how->opaque, Opaque::Samplerref);
        ASSERT_EQ(how->settings.size(), 3u);
        EXPECT_EQ(how->settings[1], (std::pair<std::string, std::string>("filter_mode", "linear")));
        const Function& k = module->functions[0];
        EXPECT_EQ(k.params[0].opaque, Opaque::Texref);
        EXPECT_EQ(k.params[0].sizeBytes(), 8u);
        const Instruction& fetch = k.body[0];
        ASSERT_EQ(fetch.operands.size(), 3u);
        EXPECT_EQ(fetch.operands[0].kind, Operand::Kind::Pair);
        EXPECT_EQ(fetch.operands[0].elements[0].elements.size(), 4u);
        ASSERT_EQ(fetch.operands[1].elements.size(), 2u); // sampler, coordinates
        EXPECT_EQ(fetch.operands[1].elements[0].name, "how");
        EXPECT_EQ(fetch.operands[1].elements[1].elements.size(), 2u);
        EXPECT_EQ(k.body[1].operands[0].elements[1].kind, Operand::Kind::Sink);
        EXPECT_EQ(k.body[2].operands[1].name, "board");
        auto again = parse(write(*module), "again.ptx");
        ASSERT_TRUE(again) << again.error().text();
        module = std::move(again);
    }
}

TEST(Opaque, FormsThatTheTableHasAndThoseItLeavesOut) {
    const auto kind = [](const std::string& line) {
        auto module = parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 t)\n{\n"
                            ".reg .f32 %f<5>;\n.reg .b32 %r<5>;\n.reg .b64 %rd<3>;\n" +
                                line + "\nret;\n}\n",
                            "form.ptx");
        EXPECT_TRUE(module) << line;
        return module ? support(module->functions[0].body[0]).kind : Support::Kind::Unknown;
    };
    using Kind = Support::Kind;
    EXPECT_EQ(kind("tex.level.a2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%r1, %f1, %f2, %f2}], %f1;"), Kind::Runs);
    EXPECT_EQ(kind("tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];"), Kind::Runs);
    EXPECT_EQ(kind("sured.b.min.2d.u64.clamp [%rd1, {%r1, %r2}], %rd2;"), Kind::Runs);
    EXPECT_EQ(kind("txq.num_samples.b32 %r1, [%rd1];"), Kind::NotEmulated);
    EXPECT_EQ(kind("tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r3}];"), Kind::NotEmulated);
    EXPECT_NE(kind("suld.p.2d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%rd1, {%r1, %r2}];"), Kind::Runs);
    EXPECT_NE(kind("sured.b.add.2d.s64.trap [%rd1, {%r1, %r2}], %rd2;"), Kind::Runs);
}

} // namespace
} // namespace warpglass::ptx
