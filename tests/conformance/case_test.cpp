// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of files of tests/ptx itself: what it makes of a right head, what it says of a wrong one.
#include "tests/conformance/case.h"
#include "tests/conformance/header.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpglass::conformance {
namespace {

const std::string kernel = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a, .param .u64 d)\n{\nret;\n}\n";

Result<Case> read(const std::string& head, const std::string& body = kernel) {
    return readCase(head + body, "x/y", "y.ptx");
}
std::string said(const std::string& head, const std::string& body = kernel) {
    const auto c = read(head, body);
    return c ? "" : c.error().text();
}
template <class T>
std::vector<T> elements(const std::string& text, const char* type) {
    const auto bytes = readElements(text, elementKind(type));
    EXPECT_TRUE(bytes.ok()) << text;
    std::vector<T> values(bytes ? bytes->size() / sizeof(T) : 0);
    if (!values.empty())
        std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

TEST(ConformanceFile, SaysHowToLaunch) {
    const auto c = read("// SPDX-License-Identifier: GPL-3.0-or-later\n// form: add.s32\n// Words for people.\n"
                        "// grid: 2,3,1\n// block: 64\n// shared: 256\n// within: 2^-20 relative\n"
                        "// in a s32: 1 2 \\\n//   3\n// inout d u8: 0*4 -> 7*4\n// source: by hand: seven\n");
    ASSERT_TRUE(c) << c.error().text();
    const LaunchPlan plan = planOf(*c);
    EXPECT_EQ(plan.grid, (Dim3{2, 3, 1}));
    EXPECT_EQ(plan.block, (Dim3{64, 1, 1}));
    EXPECT_EQ(plan.sharedBytes, 256u);
    EXPECT_EQ(c->within.size, 1.0 / (1 << 20));
    ASSERT_EQ(plan.arguments.size(), 2u);
    EXPECT_EQ(plan.arguments[0].count, 3u);
    EXPECT_EQ(plan.arguments[1].count, 4u);
    EXPECT_EQ(plan.entry, "k");
}

TEST(ConformanceFile, NamesFileAndLineOfAFault) {
    const std::string right = "// form: f\n// in a s32: 1\n// out d s32: 2\n// source: by hand\n";
    EXPECT_EQ(said(right), "");
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(said("// form: f\n// inn a s32: 1\n"), "y.ptx:2: the head of a file has no \"inn a s32:\"");
    has(said("// form: f\n// in a s33: 1\n"), "y.ptx:2: there is no type s33");
    has(said("// form: f\n// in a s8: 1 128\n"), "y.ptx:2: 128 is no value of this type");
    has(said("// form: f\n// in a s8:\n"), "y.ptx:2: a has no values");
    has(said("// form: f\n// inout a s8: 1\n"), "y.ptx:2: inout has values before and after ->");
    has(said("// form: f\n// inout a s8: 1 -> 1 2\n"), "y.ptx:2: a has 1 values before and 2 after");
    has(said("// form: f\n// block: 32,0\n"), "y.ptx:2: block is up to three numbers");
    has(said("// form: f\n// within: nearly\n"), "y.ptx:2: within is a number and");
    has(said("// form: f\n// form: g\n"), "y.ptx:2: form stands here twice");
    has(said("// in a s32: 1\n// out d s32: 2\n// source: x\n"), "no \"form:\"");
    has(said("// form: f\n// in a s32: 1\n// out d s32: 2\n"), "no \"source:\"");
    has(said("// form: f\n// in a s32: 1\n// in d s32: 2\n// source: x\n"), "nothing that comes out");
    has(said("// form: f\n// out d s32: 2\n// source: x\n"), "the head names 1 parameters, the kernel has 2");
    has(said("// form: f\n// value a s32: 2\n// out d s32: 2\n// source: x\n"), "y.ptx:2: a does not fit");
}

TEST(ConformanceFile, ReadsNumbers) {
    EXPECT_EQ(elements<int>("2147483647 0x80000000 -5*2 3..1", "s32"),
              (std::vector<int>{2147483647, -2147483647 - 1, -5, -5, 3, 2, 1}));
    EXPECT_EQ(elements<signed char>("-2..1", "s8"), (std::vector<signed char>{-2, -1, 0, 1}));
    EXPECT_EQ(elements<unsigned>("0.5 -0 0f7FC00001 inf", "f32").size(), 4u);
    EXPECT_EQ(elements<unsigned>("0.5 -0 0f7FC00001 inf", "f32"),
              (std::vector<unsigned>{0x3f000000, 0x80000000, 0x7fc00001, 0x7f800000}));
    EXPECT_EQ(elements<double>("1e-3 0d3FF0000000000000", "f64"), (std::vector<double>{1e-3, 1}));
    for (const char* wrong : {"-1", "256", "0x100", "1.5", "x", "1*0", "*3", "1..", "0..9999999"})
        EXPECT_FALSE(readElements(wrong, elementKind("u8")).ok()) << wrong;
}

// SplitMix64 of the seed 0 begins with e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f (the published test vector).
TEST(ConformanceFile, ReadsDrawnNumbers) {
    EXPECT_EQ(elements<unsigned>("random(0) ?*3", "b32"), (std::vector<unsigned>{0x7b1dcdaf, 0xa1b965f4, 0x8009454f}));
    EXPECT_EQ(elements<unsigned>("random(0) 1 ?", "b32"), (std::vector<unsigned>{1, 0xa1b965f4})); // by their places
    // Of all 64 bits: e220... leaves 1, 6e78... 0, 06c4... 1 divided by two.
    EXPECT_EQ(elements<int>("random(0,-5,7) !*3", "s32"), (std::vector<int>{7, -5, 7}));
    for (const char* wrong : {"?", "random(0) !", "random() ?", "random(0", "random(-1) ?", "random(0,300) !"})
        EXPECT_FALSE(readElements(wrong, elementKind("u8")).ok()) << wrong;
}

// FNV-1a of one zero is af63bd4c8601b7df.
TEST(ConformanceFile, HoldsManyValuesByTheirHash) {
    const std::string head = "// form: f\n// in a s32: 1\n// source: by hand: no\n// out d s32: ";
    const auto c = read(head + "5 6 +1#af63bd4c8601b7df\n");
    ASSERT_TRUE(c) << c.error().text();
    EXPECT_EQ(planOf(*c).arguments[1].count, 3u);
    const auto told = [&](std::vector<int> got) {
        Buffers buffers(2);
        buffers[1].resize(4 * got.size());
        std::memcpy(buffers[1].data(), got.data(), buffers[1].size());
        return firstDifference(*c, buffers).text();
    };
    EXPECT_EQ(told({5, 6, 0}), "");
    EXPECT_EQ(told({5, 7, 0}), "d[1]: expected 6, got 7");
    EXPECT_EQ(told({5, 6, 1}), "d[2]: expected 1 values with hash af63bd4c8601b7df, got af63bc4c8601b62c");
    EXPECT_EQ(told({5, 6}), "d[2]: expected 1 values with hash af63bd4c8601b7df, got nothing");
    for (const char* wrong :
         {"5 +0#af63bd4c8601b7df", "5 +1#af63bd4c8601b7d", "5 +1#af63bd4c8601b7dx", "5 +1", "5 + 1"})
        EXPECT_FALSE(read(head + wrong + "\n")) << wrong;
}

TEST(ConformanceFile, WritesWhatItReads) {
    for (const auto& [text, type] : {std::pair{"1*3 2 255", "u8"}, std::pair{"-7 0*31", "s64"},
                                     std::pair{"0f3F800000*2 0f80000000", "f32"}, std::pair{"0x00ff*4", "b16"}}) {
        const auto bytes = readElements(text, elementKind(type));
        ASSERT_TRUE(bytes) << text;
        EXPECT_EQ(writeElements(*bytes, elementKind(type)), text);
    }
}

TEST(ConformanceFile, ComparesByTheRulesOfFloats) {
    const auto equal = [](const char* got, const char* expected, Tolerance within = {}) {
        const ElementKind kind = elementKind("f32");
        return equalElements(readElements(got, kind)->data(), readElements(expected, kind)->data(), kind, within);
    };
    using Unit = Tolerance::Unit;
    EXPECT_TRUE(equal("nan", "0fFFC00001"));
    EXPECT_FALSE(equal("nan", "inf"));
    EXPECT_FALSE(equal("0", "-0"));
    EXPECT_TRUE(equal("0f3F800002", "1", {Unit::Ulp, 2}));
    EXPECT_FALSE(equal("0f3F800003", "1", {Unit::Ulp, 2}));
    EXPECT_TRUE(equal("0f00000001", "0f80000001", {Unit::Ulp, 2})); // across both zeros
    EXPECT_TRUE(equal("1.5", "1", {Unit::Absolute, 0.5}));
    EXPECT_FALSE(equal("1.5", "1", {Unit::Relative, 0.25}));
    EXPECT_FALSE(equal("inf", "0f7F7FFFFF", {Unit::Ulp, 2}));
}

TEST(ConformanceFile, TellsTheFirstDifferenceAndTakesAnswers) {
    const auto c = read("// form: f\n// in a s32: 1\n// out d s32: 5 6 \\\n//   7 8\n// source: by hand: no\n");
    ASSERT_TRUE(c) << c.error().text();
    const std::vector<int> got{5, 6, 9, 8};
    Buffers buffers(2);
    buffers[1].resize(16);
    std::memcpy(buffers[1].data(), got.data(), 16);
    EXPECT_EQ(firstDifference(*c, buffers).text(), "d[2]: expected 7, got 9");
    const auto blessed = read(withAnswers(*c, buffers, "H200"), "");
    ASSERT_TRUE(blessed) << blessed.error().text();
    EXPECT_EQ(firstDifference(*blessed, buffers).text(), "");
    EXPECT_EQ(blessed->source, "H200");
}

// Specs of surfaces are words without a blank, of any length.
TEST(ConformanceFile, WrapsWordsThatAreLongerThanALine) {
    const std::string longWord(300, 'x');
    EXPECT_EQ(wrapped("// a " + longWord + " b"), "// a \\\n//   " + longWord + " \\\n//   b\n");
    EXPECT_EQ(wrapped("// " + longWord), "// " + longWord + "\n");
}

} // namespace
} // namespace warpglass::conformance
