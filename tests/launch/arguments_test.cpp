// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/arguments.h"
#include "gpu/launch/half.h"
#include "tests/launch/contains.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace warpglass;

namespace {

template <typename T>
std::vector<T> contents(const Argument& argument) {
    std::vector<std::byte> bytes(argument.count * std::size_t(bytesOf(argument.type)));
    if (argument.fill)
        argument.fill(bytes);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

template <typename T>
std::vector<T> contents(std::string_view spec) {
    auto argument = parseArgument(spec);
    EXPECT_TRUE(argument) << spec;
    return argument ? contents<T>(*argument) : std::vector<T>{};
}

template <typename T>
T scalar(std::string_view spec) {
    auto argument = parseArgument(spec);
    EXPECT_TRUE(argument) << spec;
    T value{};
    if (argument && argument->scalar.size() == sizeof(T))
        std::memcpy(&value, argument->scalar.data(), sizeof(T));
    else
        ADD_FAILURE() << spec << ": wrong size";
    return value;
}

std::string refusal(std::string_view spec) {
    auto argument = parseArgument(spec);
    return argument ? "" : argument.error().text();
}

std::filesystem::path scratch(const char* file) {
    return std::filesystem::path(testing::TempDir()) / file;
}

} // namespace

TEST(Arguments, readValuesOfEveryWidth) {
    EXPECT_EQ(scalar<std::uint32_t>("n:u32=16777216"), 16777216u);
    EXPECT_EQ(scalar<float>("step:f32=0.5"), 0.5f);
    EXPECT_EQ(scalar<double>("x:f64=-1e-300"), -1e-300);
    EXPECT_EQ(scalar<std::int8_t>("a:i8=-128"), -128);
    EXPECT_EQ(scalar<std::int64_t>("a:i64=-9223372036854775808"), INT64_MIN);
    EXPECT_EQ(scalar<std::uint64_t>("a:u64=0xffffffffffffffff"), UINT64_MAX);
    EXPECT_EQ(scalar<std::uint16_t>("a:u16=0x1F"), 31);
}

// IEEE 754 binary16 and the upper half of a binary32, by hand: 1.0 is 0 01111 0000000000 and 0 01111111 0000000; 2^-24 is
// the least of the one, half of it a tie that goes to the even 0; 3.14159 is 0x40490fd0, of which the lower half is less
// than half a step. 1 + 2^-11 + 2^-30 lies above the middle of 1 and the next one: rounded to a float first, it would not.
// As in PTX and in C++.
TEST(Arguments, knowOtherNamesOfTypes) {
    for (const auto& [name, type] :
         {std::pair{"s8", ElementType::I8}, std::pair{"s64", ElementType::I64}, std::pair{"int", ElementType::I32},
          std::pair{"float", ElementType::F32}, std::pair{"double", ElementType::F64},
          std::pair{"half", ElementType::F16}, std::pair{"bool", ElementType::U8}, std::pair{"char", ElementType::I8},
          std::pair{"unsigned", ElementType::U32}, std::pair{"size_t", ElementType::U64},
          std::pair{"uint16_t", ElementType::U16}}) {
        const auto argument = parseArgument(std::string("n:") + name + "[4]=1");
        ASSERT_TRUE(argument) << name;
        EXPECT_EQ(argument->type, type) << name;
    }
    EXPECT_EQ(scalar<std::uint8_t>("b:bool=true"), 1);
    EXPECT_EQ(scalar<std::uint8_t>("b:bool=false"), 0);
    const auto nested = parseArgument("o:{in:{a:f32=1,b:i32=2},k:i16=3}");
    ASSERT_FALSE(nested);
    EXPECT_NE(nested.error().message.find("its fields stand among the others"), std::string::npos);
}

TEST(Arguments, readNumbersOfSixteenBits) {
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=1"), 0x3c00);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=-2.5"), 0xc100);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=5.9604644775390625e-08"), 0x0001);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=2.98023223876953125e-08"), 0x0000);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=65519"), 0x7bff);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=1e300"), 0x7c00);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=nan") & 0x7e00, 0x7e00);
    EXPECT_EQ(scalar<std::uint16_t>("h:f16=1.00048828218132257"), 0x3c01);
    EXPECT_EQ(scalar<std::uint16_t>("b:bf16=1"), 0x3f80);
    EXPECT_EQ(scalar<std::uint16_t>("b:bf16=3.14159"), 0x4049);
    EXPECT_EQ(scalar<std::uint16_t>("b:bf16=-3.4e38"), 0xff80);
    EXPECT_EQ(contents<std::uint16_t>("h:f16[4]=iota"), (std::vector<std::uint16_t>{0x0000, 0x3c00, 0x4000, 0x4200}));
    EXPECT_EQ(contents<std::uint16_t>("b:bf16[2]=0.5"), (std::vector<std::uint16_t>{0x3f00, 0x3f00}));
    EXPECT_EQ(contents<std::uint16_t>("h:f16[3]=1,-1"), (std::vector<std::uint16_t>{0x3c00, 0xbc00, 0x0000}));
    for (const std::uint16_t bits : contents<std::uint16_t>("h:f16[1000]=random(1,2,seed=9)"))
        EXPECT_TRUE(bits >= 0x3c00 && bits <= 0x4000) << bits;
    // Ends beyond the largest number: the upper third is infinite, and nothing is no number.
    for (const std::uint16_t bits : contents<std::uint16_t>("h:f16[1000]=random(0,100000,seed=9)"))
        EXPECT_LE(bits, 0x7c00);
    EXPECT_NE(refusal("h:f16=x").find("\"x\" is not a number"), std::string::npos);
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) // there and back
        for (const SmallFloat kind : {binary16, bfloat16})
            if (const double v = valueOf(std::uint16_t(bits), kind); !std::isnan(v)) {
                ASSERT_EQ(bitsOf(v, kind), bits);
            }
}

TEST(Arguments, refuseValuesThatDoNotFitTheirType) {
    EXPECT_TRUE(contains(refusal("a:u8=256"), "0 to 255"));
    EXPECT_TRUE(contains(refusal("a:i8=-129"), "-128 to 127"));
    EXPECT_TRUE(contains(refusal("a:u32=-1"), "\"-1\" is not"));
    EXPECT_TRUE(contains(refusal("a:i32=1.5"), "\"1.5\" is not"));
    EXPECT_TRUE(contains(refusal("a:f32=fast"), "\"fast\" is not a number"));
    EXPECT_TRUE(contains(refusal("a:i32="), "needs = and a number"));
    EXPECT_TRUE(contains(refusal("a:f32[8]=zeros"), "random(LOW,HIGH,seed=N)")); // what could have been meant
    EXPECT_FALSE(contains(refusal("a:u8[8]=256"), "a buffer begins"));           // but a number is
}

TEST(Arguments, readTensorMaps) {
    const auto argument = parseArgument("m:tensormap={base=in+64,type=f32,dims=64;32,box=16;8,swizzle=64,fill=nan}");
    ASSERT_TRUE(argument) << argument.error().text();
    ASSERT_TRUE(argument->tensorMap);
    EXPECT_EQ(argument->scalar.size(), 128u);
    const TensorMap& map = *argument->tensorMap;
    EXPECT_EQ(map.buffer, "in");
    EXPECT_EQ(map.offset, 64u);
    EXPECT_EQ(map.rank, 2u);
    EXPECT_EQ(map.strides[0], 256u); // a row of 64 floats
    EXPECT_TRUE(map.fillNan);
    EXPECT_TRUE(contains(refusal("m:tensormap={base=in,dims=64;32,box=3;8}"), "a row of the box has 12 bytes"));
    EXPECT_TRUE(
        contains(refusal("m:tensormap={base=in,dims=64;32,box=16;8,swizzle=32}"), "more than the swizzle's 32"));
    EXPECT_TRUE(contains(refusal("m:tensormap={base=in,dims=6;32,box=4;8}"), "a multiple of 16"));
    EXPECT_TRUE(contains(refusal("m:tensormap={dims=64,box=4}"), "needs a base"));
    EXPECT_TRUE(contains(refusal("m:tensormap={base=in,dims=64,box=16,swizzle=64,atom=32}"), "moved together"));
}

// 64 elements of four bits have 32 bytes, and travel by sixteens.
TEST(Arguments, readTensorMapsOfHalfBytes) {
    const auto argument = parseArgument("m:tensormap={base=in,type=b4x16,dims=64;8,box=32;4}");
    ASSERT_TRUE(argument) << argument.error().text();
    EXPECT_EQ(argument->tensorMap->strides[0], 32u);
    EXPECT_TRUE(contains(refusal("m:tensormap={base=in,type=b4x16,dims=64;8,box=40;4}"), "they travel by 16"));
    const auto sixBits =
        parseArgument("m:tensormap={base=in,type=b6x16p32,dims=64;8,box=32;4}"); // 64 of 6 bits: 48 bytes
    ASSERT_TRUE(sixBits) << sixBits.error().text();
    EXPECT_EQ(sixBits->tensorMap->strides[0], 48u);
}

TEST(Arguments, readTensorMapsForIm2col) {
    const auto argument =
        parseArgument("m:tensormap={base=in,type=f16,dims=64;9;7;3,lower=-1;-2,upper=0;-1,channels=8,pixels=64}");
    ASSERT_TRUE(argument) << argument.error().text();
    const TensorMap& map = *argument->tensorMap;
    ASSERT_TRUE(map.im2col);
    EXPECT_EQ(map.im2col->lower, (std::array<std::int32_t, 3>{-1, -2, 0}));
    EXPECT_EQ(map.im2col->upper, (std::array<std::int32_t, 3>{0, -1, 0}));
    EXPECT_EQ(map.im2col->channels, 8u);
    EXPECT_EQ(map.im2col->pixels, 64u);
    const std::string begin = "m:tensormap={base=in,type=f16,dims=";
    EXPECT_TRUE(contains(refusal(begin + "64;9,channels=8,pixels=64}"), "3 to 5 dimensions"));
    EXPECT_TRUE(contains(refusal(begin + "64;9;7;3,channels=8,pixels=2048}"), "1 to 1024"));
    EXPECT_TRUE(contains(refusal(begin + "64;9;7;3,lower=-129;0,channels=8,pixels=64}"), "-128 to 127"));
    EXPECT_TRUE(contains(refusal(begin + "64;9;7;3,channels=5,pixels=64}"), "a multiple of 16"));
    EXPECT_TRUE(contains(refusal(begin + "64;9;7;3,lower=a,channels=8,pixels=64}"), "\"a\" is no number"));
}

TEST(Arguments, readBuffersOfAConstantAListAndACount) {
    EXPECT_EQ(contents<std::int32_t>("out:i32[4]=0"), (std::vector<std::int32_t>{0, 0, 0, 0}));
    EXPECT_EQ(contents<std::int16_t>("a:i16[3]=-7"), (std::vector<std::int16_t>{-7, -7, -7}));
    EXPECT_EQ(contents<std::int32_t>("a:i32[8]=3,1,7,0,4,1,6,3"), (std::vector<std::int32_t>{3, 1, 7, 0, 4, 1, 6, 3}));
    EXPECT_EQ(contents<float>("a:f32[4]=1.5,-2"), (std::vector<float>{1.5f, -2.0f, 0.0f, 0.0f}));
    EXPECT_EQ(contents<float>("a:f32[4]=iota"), (std::vector<float>{0, 1, 2, 3}));
    EXPECT_EQ(contents<std::uint8_t>("a:u8[258]=iota")[257], 1); // 257 modulo 256
}

// std::mt19937 of seed 1 starts 1791095845, 4282876139, 3093770124 (the same numbers as in other libraries that have
// this generator); modulo 256 these are 37, 235, 140.
TEST(Arguments, drawRandomIntegersThatAnotherProgramCanDrawToo) {
    EXPECT_EQ(contents<std::int32_t>("in:i32[3]=random(0,255,seed=1)"), (std::vector<std::int32_t>{37, 235, 140}));
    EXPECT_EQ(contents<std::int32_t>("in:i32[3]=random(0,255)"), (std::vector<std::int32_t>{37, 235, 140}));
    EXPECT_EQ(contents<std::int32_t>("in:i32[3]=random(-100,155)"), (std::vector<std::int32_t>{-63, 135, 40}));
    EXPECT_EQ(contents<std::uint32_t>("in:u32[2]=random(0,0xffffffff)"),
              (std::vector<std::uint32_t>{1791095845u, 4282876139u}));
    EXPECT_EQ(contents<std::uint64_t>("in:u64[1]=random(0,0xffffffffffffffff)"),
              (std::vector<std::uint64_t>{4282876139ull << 32 | 1791095845ull}));
    // 1791095845 / 2^32 = 0.41702..., scaled to 2 .. 4
    EXPECT_NEAR(contents<float>("x:f32[1]=random(2,4)")[0], 2 + 2 * 0.4170220, 1e-6);
    for (float value : contents<float>("x:f32[1000]=random(-1,1,seed=9)"))
        EXPECT_TRUE(value >= -1 && value <= 1);
}

TEST(Arguments, giveTheSameBytesEachTimeTheyFill) {
    const auto argument = parseArgument("in:i32[100]=random(0,9,seed=3)");
    ASSERT_TRUE(argument);
    EXPECT_EQ(contents<std::int32_t>(*argument), contents<std::int32_t>(*argument));
}

TEST(Arguments, leaveABufferWithoutInitialUndefined) {
    const auto argument = parseArgument("out:f32[8]");
    ASSERT_TRUE(argument);
    EXPECT_TRUE(argument->isBuffer);
    EXPECT_TRUE(argument->uninitialised);
    EXPECT_FALSE(parseArgument("out:f32[8]=0")->uninitialised);
}

TEST(Arguments, takeBytesAsTheyLieInMemory) {
    EXPECT_EQ(contents<std::uint16_t>("a:u16[3]=hex:0100FFff"), (std::vector<std::uint16_t>{1, 0xffff, 0}));
    EXPECT_EQ(contents<float>("a:f32[1]=hex:0000803f"), (std::vector<float>{1}));               // 0x3f800000
    EXPECT_EQ(contents<std::uint8_t>("a:u8[2]=hex:010203"), (std::vector<std::uint8_t>{1, 2})); // as of a longer file
    EXPECT_EQ(contents<std::uint8_t>("a:u8[2]=hex:"), (std::vector<std::uint8_t>{0, 0}));
    EXPECT_TRUE(contains(refusal("a:u8[4]=hex:00112"), "\"2\" is at byte 2"));
    EXPECT_TRUE(contains(refusal("a:u8[4]=hex:0011+2"), "\"+2\" is at byte 2"));
}

TEST(Arguments, readAFileAndRefuseAShortOne) {
    const auto path = scratch("wg_arguments.bin");
    std::ofstream(path, std::ios::binary).write("\x01\x00\x02\x00\x03\x00", 6);
    EXPECT_EQ(contents<std::uint16_t>("a:u16[3]=file:" + path.string()), (std::vector<std::uint16_t>{1, 2, 3}));
    EXPECT_TRUE(contains(refusal("a:u32[2]=file:" + path.string()), "holds 6 bytes, the buffer 8"));
    EXPECT_TRUE(contains(refusal("a:u32[2]=file:/nowhere/at/all"), "cannot be read"));
    std::filesystem::remove(path);
}

TEST(Arguments, sayWhatIsWrongInAMisspeltSpec) {
    EXPECT_TRUE(contains(refusal("n=4"), "name and a colon"));
    EXPECT_TRUE(contains(refusal("n:integer=4"), "\"integer\" is not a type"));
    EXPECT_TRUE(contains(refusal("n:i32[0]=4"), "at least 1"));
    EXPECT_TRUE(contains(refusal("n:i32[4=4"), "at least 1"));
    EXPECT_TRUE(contains(refusal("n:i32[2]=1,2,3"), "3 initial values for 2 elements"));
    EXPECT_TRUE(contains(refusal("n:i32[2]=random(5)"), "random takes"));
    EXPECT_TRUE(contains(refusal("n:i32[2]=random(5,4)"), "above its high end"));
    EXPECT_TRUE(contains(refusal("n:i32[2]=random(0,4,seed=x)"), "seed \"x\""));
    EXPECT_TRUE(contains(refusal("n:u8[18446744073709551615]=0"), "more than any device"));
    EXPECT_TRUE(contains(refusal("n:u64[4611686018427387904]=0"), "more than any device")); // 2^62 * 8 wraps to 0
    const auto twice = parseArguments(std::vector<std::string>{"n:i32=1", "n:i32=2"});
    ASSERT_FALSE(twice);
    EXPECT_TRUE(contains(twice.error().text(), "used twice"));
}

TEST(Dump, writesTheNamedBufferRaw) {
    const auto arguments = parseArguments(std::vector<std::string>{"n:i32=1", "out:u16[2]=0"});
    ASSERT_TRUE(arguments);
    const Buffers buffers{{}, {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}};
    const auto path = scratch("wg_dump.bin");
    const auto request = parseDump("out=" + path.string());
    ASSERT_TRUE(request);
    ASSERT_TRUE(dump(*request, *arguments, buffers));
    std::ifstream in(path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), std::string("\x01\x02\x03\x04", 4));
    std::filesystem::remove(path);
}

TEST(Dump, saysWhichBuffersThereAreWhenTheNameIsWrong) {
    const auto arguments = parseArguments(std::vector<std::string>{"n:i32=1", "out:u16[2]=0"});
    const auto result = dump({"n", scratch("wg_never.bin")}, *arguments, Buffers{{}, {}});
    ASSERT_FALSE(result);
    EXPECT_TRUE(contains(result.error().text(), "no buffer \"n\""));
    EXPECT_TRUE(contains(result.error().text(), "Its buffers are out"));
    EXPECT_FALSE(parseDump("out"));
    EXPECT_FALSE(dump({"out", "/nowhere/at/all.bin"}, *arguments, Buffers{{}, {}}));
}

// C++ lays {float, double, char, int} out at 0, 8, 16 and 20, 24 bytes in all.
TEST(Arguments, layAStructOutAsCppDoes) {
    struct Layout {
        float a;
        double b;
        signed char c;
        int d;
    };
    const auto argument = parseArgument("s:{a:f32=1.5,b:f64=-2,c:i8=-3,d:i32=7}");
    ASSERT_TRUE(argument) << argument.error().text();
    ASSERT_EQ(argument->scalar.size(), sizeof(Layout));
    Layout s{};
    std::memcpy(&s, argument->scalar.data(), sizeof s);
    EXPECT_EQ(s.a, 1.5f);
    EXPECT_EQ(s.b, -2.0);
    EXPECT_EQ(s.c, -3);
    EXPECT_EQ(s.d, 7);
}

TEST(Arguments, readArraysAndAddressesInAStruct) {
    const auto argument = parseArgument("s:{n:i16=5,data:ptr=in+16,w:f32[3]=1;2,f32=9}");
    ASSERT_TRUE(argument) << argument.error().text();
    ASSERT_EQ(argument->scalar.size(), 32u); // 2, gap to 8, 8, 12, 4
    float w[4];
    std::memcpy(w, argument->scalar.data() + 16, sizeof w);
    EXPECT_EQ(w[0], 1);
    EXPECT_EQ(w[1], 2);
    EXPECT_EQ(w[2], 0); // left out
    EXPECT_EQ(w[3], 9);
    ASSERT_EQ(argument->pointers.size(), 1u);
    EXPECT_EQ(argument->pointers[0].offset, 8u);
    EXPECT_EQ(argument->pointers[0].buffer, "in");
    EXPECT_EQ(argument->pointers[0].addend, 16u);
}

TEST(Arguments, readABufferOfAddresses) {
    const auto argument = parseArgument("rows:ptr[3]=a,0,b+8");
    ASSERT_TRUE(argument) << argument.error().text();
    EXPECT_TRUE(argument->isBuffer);
    ASSERT_EQ(argument->pointers.size(), 2u); // the second is a null pointer
    EXPECT_EQ(argument->pointers[0].buffer, "a");
    EXPECT_EQ(argument->pointers[1].offset, 16u);
    EXPECT_EQ(argument->pointers[1].addend, 8u);
}

TEST(Arguments, sayWhatIsWrongInAStruct) {
    EXPECT_TRUE(contains(refusal("s:{a:f32=1"), "ends with }"));
    EXPECT_TRUE(contains(refusal("s:{a:real=1}"), "is no field"));
    EXPECT_TRUE(contains(refusal("s:{a:i8=300}"), "a whole number from -128 to 127"));
    EXPECT_TRUE(contains(refusal("s:{a:i32[2]=1;2;3}"), "3 values for 2 elements"));
    EXPECT_TRUE(contains(refusal("p:ptr[1]=a,b"), "2 addresses for 1 element"));
}

TEST(Arguments, refuseAnAddressOfNoBuffer) {
    LaunchPlan plan;
    plan.arguments.push_back(*parseArgument("p:ptr=in"));
    EXPECT_FALSE(checkPointers(plan));
    plan.globalBuffers.push_back(*parseArgument("in:i32[4]=0"));
    EXPECT_TRUE(checkPointers(plan));
}
