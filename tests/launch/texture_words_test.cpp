// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/arguments.h"
#include "gpu/launch/half.h"
#include "gpu/launch/texture_words.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace warpglass {
namespace {

std::vector<std::byte> contents(const TexelArray& array) {
    std::vector<std::byte> bytes(array.bytes());
    if (array.fill)
        array.fill(bytes);
    return bytes;
}

TEST(TextureWords, ReadAWholeSpec) {
    LaunchPlan plan;
    const auto ok = addTexture(plan, "img=2d:64x32:u8x4:linear,clamp/wrap,normalized,float,srgb,border=1;0.5:7");
    ASSERT_TRUE(ok) << ok.error().text();
    ASSERT_EQ(plan.textures.size(), 1u);
    const TexelArray& a = plan.arrays[0];
    EXPECT_EQ(a.shape, ArrayShape::D2);
    EXPECT_EQ(a.extent.width, 64u);
    EXPECT_EQ(a.extent.height, 32u);
    EXPECT_EQ(a.type, ChannelType::U8);
    EXPECT_EQ(a.channels, 4u);
    EXPECT_EQ(contents(a)[8191], std::byte(7)); // 64 * 32 * 4 bytes
    const Sampler& s = plan.textures[0].sampler;
    EXPECT_TRUE(s.linear && s.normalized && s.asFloat && s.srgb);
    EXPECT_EQ(s.address, (std::array{AddressMode::Clamp, AddressMode::Wrap, AddressMode::Wrap}));
    EXPECT_EQ(s.border, (std::array<float, 4>{1, 0.5f, 0, 0}));
}

TEST(TextureWords, ReadEveryShape) {
    struct Row {
        const char* spec;
        std::uint64_t texels;
    };
    for (const Row& row :
         {Row{"1d:9:f32", 9}, Row{"linear:100:f32", 100}, Row{"2d:5x4:f32", 20}, Row{"pitch:5x4:f32", 20},
          Row{"3d:5x4x3:f32", 60}, Row{"1dlayered:5x3:f32", 15}, Row{"2dlayered:5x4x3:f32", 60},
          Row{"cube:4x4:f32", 96}, Row{"cubelayered:4x4x2:f32", 192}}) {
        LaunchPlan plan;
        const auto ok = addTexture(plan, std::string("t=") + row.spec + ":point:iota");
        ASSERT_TRUE(ok) << row.spec << ": " << ok.error().text();
        EXPECT_EQ(plan.arrays[0].bytes(), row.texels * 4) << row.spec;
        float last = 0;
        const auto bytes = contents(plan.arrays[0]);
        std::memcpy(&last, bytes.data() + bytes.size() - 4, 4);
        EXPECT_EQ(last, float(row.texels - 1)) << row.spec;
    }
}

TEST(TextureWords, HoldTheLevelsOfAMipmap) {
    LaunchPlan plan;
    ASSERT_TRUE(addTexture(plan, "m=2d:8x4:f32:normalized,levels=4,mip=linear,bias=0.5,lod=1..2:iota"));
    // 8x4, 4x2, 2x1, 1x1
    EXPECT_EQ(plan.arrays[0].bytes(), (32u + 8 + 2 + 1) * 4);
    EXPECT_EQ(plan.textures[0].sampler.minLevel, 1);
    EXPECT_EQ(plan.textures[0].sampler.maxLevel, 2);
    LaunchPlan whole;
    ASSERT_TRUE(addTexture(whole, "m=2d:8x4:f32:normalized,levels=4"));
    EXPECT_EQ(whole.textures[0].sampler.maxLevel, 3);
}

TEST(TextureWords, LetASurfaceShareATexturesArray) {
    LaunchPlan plan;
    ASSERT_TRUE(addTexture(plan, "in=2d:8x4:f32:linear:iota"));
    ASSERT_TRUE(addSurface(plan, "out=@in"));
    EXPECT_EQ(plan.arrays.size(), 1u);
    EXPECT_EQ(plan.surfaces[0].array, 0u);
}

// 1 = 0x3c00, -2.5 = -1.25 * 2 = 0xc100, 65504 the largest, 65520 rounds to infinity, 2^-24 the smallest, half of it to
// even: 0; 2049 lies between 2048 and 2050 and goes to the even mantissa.
TEST(TextureWords, RoundToHalves) {
    EXPECT_EQ(bitsOf(0.0f, binary16), 0x0000);
    EXPECT_EQ(bitsOf(-0.0f, binary16), 0x8000);
    EXPECT_EQ(bitsOf(1.0f, binary16), 0x3c00);
    EXPECT_EQ(bitsOf(-2.5f, binary16), 0xc100);
    EXPECT_EQ(bitsOf(65504.0f, binary16), 0x7bff);
    EXPECT_EQ(bitsOf(65519.0f, binary16), 0x7bff);
    EXPECT_EQ(bitsOf(65520.0f, binary16), 0x7c00);
    EXPECT_EQ(bitsOf(0x1p-24f, binary16), 0x0001);
    EXPECT_EQ(bitsOf(0x1p-25f, binary16), 0x0000);
    EXPECT_EQ(bitsOf(0x1p-14f, binary16), 0x0400);
    EXPECT_EQ(bitsOf(2049.0f, binary16), 0x6800);
    EXPECT_EQ(bitsOf(std::numeric_limits<float>::infinity(), binary16), 0x7c00);
    LaunchPlan plan;
    ASSERT_TRUE(addTexture(plan, "h=1d:3:f16:point:1,-2.5,0.5"));
    std::array<std::uint16_t, 3> halves{};
    std::memcpy(halves.data(), contents(plan.arrays[0]).data(), 6);
    EXPECT_EQ(halves, (std::array<std::uint16_t, 3>{0x3c00, 0xc100, 0x3800}));
}

TEST(TextureWords, SayWhatIsWrong) {
    struct Row {
        const char *spec, *says;
    };
    for (const Row& row :
         {Row{"img", "starts with its name"}, Row{"img=4d:8:f32", "shape of a texture"},
          Row{"img=2d:8:f32", "has 2 sizes, not 1"}, Row{"img=2d:8x0:f32", "is no size"},
          Row{"img=2d:8x8:f33", "is no format"}, Row{"img=2d:8x8:f32x3", "1, 2 or 4"},
          Row{"img=2d:8x8:f32:linear,blurred", "is no option"}, Row{"img=2d:8x8:u8:linear", "no linear filter"},
          Row{"img=2d:8x8:u8:normalized,levels=2,mip=linear", "no linear filter"},
          Row{"img=2d:8x8:u32:float", "not read as a normalised float"}, Row{"img=2d:8x8:f32:srgb", "sRGB is for u8"},
          Row{"img=linear:8:f32:linear", "without a filter"},
          Row{"img=2d:8x8:f32:levels=9,normalized", "can have 1 to 4"},
          Row{"img=2d:8x8:f32:levels=2", "normalised coordinates"}, Row{"img=2d:8x8:f32:point:1,x", "\"x\" is not"},
          Row{"img=2d:2x2:f32:point:1,2,3,4,5", "5 initial values for 4"},
          Row{"img=@other", "no texture or surface \"other\""}, Row{"img=cube:8x4:f32", "squares"},
          Row{"img=2d:70000x2:f32", "larger than any device"}}) {
        LaunchPlan plan;
        const auto ok = addTexture(plan, row.spec);
        ASSERT_FALSE(ok) << row.spec;
        EXPECT_NE(ok.error().message.find(row.says), std::string::npos) << row.spec << ": " << ok.error().message;
        EXPECT_EQ(ok.error().file, std::string("--texture ") + row.spec);
        EXPECT_TRUE(plan.textures.empty());
    }
    LaunchPlan plan;
    ASSERT_TRUE(addTexture(plan, "a=1d:4:f32"));
    EXPECT_FALSE(addSurface(plan, "a=1d:4:f32")) << "a name used twice";
    EXPECT_FALSE(addSurface(plan, "b=linear:4:f32")) << "a surface needs an array";
}

TEST(TextureWords, ArgumentsPointToThem) {
    LaunchPlan plan;
    plan.arguments.push_back(*parseArgument("t:ptr=img"));
    EXPECT_FALSE(checkPointers(plan));
    ASSERT_TRUE(addTexture(plan, "img=2d:8x8:f32"));
    EXPECT_TRUE(checkPointers(plan));
}

} // namespace
} // namespace warpglass
