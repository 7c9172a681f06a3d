// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts that the source tells, held against the host's compiler, which lays out plain structs as the device does.
#include "gpu/launch/struct_layout.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace warpglass::cuda_text {

namespace {

// The text and the very same structs, so that the one can be held against the other.
#define BOTH(...)                                                                                                      \
    __VA_ARGS__                                                                                                        \
    const char* const textOfThem = #__VA_ARGS__;

BOTH(
    struct Pair { int a, b; }; struct Mixed {
        char c;
        double d;
        short s[3];
        const float *p, *q;
        bool on;
    };
    struct Outer {
        unsigned char first;
        Pair pairs[2];
        Mixed mixed;
        unsigned long long last;
        static constexpr int none = 3;
        int sum() const {
            return first + int(last);
        }
        Outer() : first{1}, pairs(), mixed(), last(0) {}
        int tail = 4;
    };)

StructLayout of(const std::string& type, const std::string& text) {
    StructLayouts all;
    addStructs(text, all);
    return layoutOf(type, all).value_or(StructLayout{});
}

std::vector<std::string> names(const StructLayout& layout) {
    std::vector<std::string> all;
    for (const StructField& f : layout.fields)
        all.push_back(f.name);
    return all;
}

} // namespace

TEST(StructLayout, IsTheHostCompilers) {
    const StructLayout mixed = of("const Mixed", textOfThem);
    ASSERT_EQ(mixed.bytes, sizeof(Mixed));
    EXPECT_EQ(mixed.alignment, alignof(Mixed));
    EXPECT_EQ(names(mixed), (std::vector<std::string>{"c", "d", "s", "p", "q", "on"}));
    EXPECT_EQ(mixed.fields[1].offset, offsetof(Mixed, d));
    EXPECT_EQ(mixed.fields[2].offset, offsetof(Mixed, s));
    EXPECT_EQ(mixed.fields[2].count, 3u);
    EXPECT_EQ(mixed.fields[3].offset, offsetof(Mixed, p));
    EXPECT_EQ(mixed.fields[4].offset, offsetof(Mixed, q));
    EXPECT_EQ(mixed.fields[4].element, ElementType::Ptr);
    EXPECT_EQ(mixed.fields[4].pointee, ElementType::F32);
    EXPECT_TRUE(mixed.fields[4].pointsToConst);
    EXPECT_EQ(mixed.fields[5].offset, offsetof(Mixed, on));

    const StructLayout outer = of("demo::Outer", textOfThem);
    ASSERT_EQ(outer.bytes, sizeof(Outer));
    ASSERT_EQ(outer.fields.size(), 13u); // first, two pairs of two, six of mixed, last, tail
    EXPECT_EQ(outer.fields[1].name, "pairs[0].a");
    EXPECT_EQ(outer.fields[4].name, "pairs[1].b");
    EXPECT_EQ(outer.fields[4].offset, offsetof(Outer, pairs) + sizeof(Pair) + offsetof(Pair, b));
    EXPECT_EQ(outer.fields[6].name, "mixed.d");
    EXPECT_EQ(outer.fields[6].offset, offsetof(Outer, mixed) + offsetof(Mixed, d));
    EXPECT_EQ(outer.fields[11].offset, offsetof(Outer, last));
    EXPECT_EQ(outer.fields[12].offset, offsetof(Outer, tail));
}

TEST(StructLayout, KnowsCudasVectorTypes) {
    // CUDA C++ Programming Guide, built-in vector types: size and alignment in bytes.
    const auto check = [](const char* name, std::uint64_t bytes, std::uint64_t alignment, ElementType element) {
        const StructLayout v = of(name, "");
        EXPECT_EQ(v.bytes, bytes) << name;
        EXPECT_EQ(v.alignment, alignment) << name;
        EXPECT_EQ(v.uniform(), element) << name;
    };
    check("float3", 12, 4, ElementType::F32);
    check("float4", 16, 16, ElementType::F32);
    check("double2", 16, 16, ElementType::F64);
    check("double3", 24, 8, ElementType::F64);
    check("uchar4", 4, 4, ElementType::U8);
    check("short2", 4, 4, ElementType::I16);
    check("dim3", 12, 4, ElementType::U32);
    // A float4 behind an int begins at 16.
    const StructLayout s = of("S", "struct S { int n; float4 v; };");
    EXPECT_EQ(s.bytes, 32u);
    EXPECT_EQ(s.fields[1].offset, 16u);
    EXPECT_FALSE(s.uniform());
}

TEST(StructLayout, FollowsOtherNames) {
    const std::string text = "typedef float real; using Index = unsigned short;\n"
                             "typedef struct { real x[2][3]; Index i; } Body;\n"
                             "struct __align__(16) Wide { std::int32_t a; };";
    const StructLayout body = of("Body", text);
    EXPECT_EQ(body.bytes, 28u); // 6 * 4 + 2, rounded up to 4
    EXPECT_EQ(body.fields[0].count, 6u);
    EXPECT_EQ(of("Wide", text).bytes, 16u);
}

TEST(StructLayout, IsNotGuessed) {
    for (const char* text :
         {"struct S { int a : 3; };", "struct S { union { int a; float b; }; };", "struct S : Base { int a; };",
          "struct S { virtual void f(); int a; };", "template <class T> struct S { T a; };", "struct S { Other o; };",
          "struct S { int a[N]; };", "struct S { int a; }; namespace b { struct S { float x; }; }", "struct S { };",
          "struct S { void (*f)(int); int a[", "struct S {", "struct", "struct S { int a = f(1), ; };"})
        EXPECT_FALSE([&] {
            StructLayouts all;
            addStructs(text, all);
            return layoutOf("S", all).has_value();
        }()) << text;
}

TEST(StructLayout, VariablesOfTheDeviceAreTold) {
    const auto globals = globalsIn("__device__ int counter;\n"
                                   "__device__ static float table[2][8] = {{1}};\n"
                                   "static __constant__ const double w = f(3), other;\n"
                                   "__device__ __constant__ unsigned char key[16];\n"
                                   "__device__ float helper(float x) { return x; }\n"
                                   "__device__ Unknown u; __device__ int sized[N]; __device__ float* pointer;\n"
                                   "__host__ __device__ inline int both() { return 1; }\n"
                                   "int host; __shared__ int s[4];\n",
                                   {});
    std::vector<std::string> told;
    for (const StructField& g : globals)
        told.push_back(g.type + " " + g.name + " " + std::to_string(g.count));
    EXPECT_EQ(told, (std::vector<std::string>{"__device__ int counter 1", "__device__ float table 16",
                                              "__constant__ const double w 1", "__constant__ unsigned char key 16"}));
    EXPECT_EQ(globals[2].element, ElementType::F64);
}

// Offsets by hand: 4 x 8 bytes each of full and empty, then the tile from the next multiple of 128 on, 2 x 6 rows of 40 bytes.
TEST(StructLayout, SharedStructsWithSizesThatAreWorkedOut) {
    const std::string text =
        "#define ROWS 2\nconstexpr int stages = 2 * ROWS, width = 20;\n"
        "struct Ring { uint64_t full[stages], empty[stages];\n"
        "  alignas(128) __half tile[ROWS][(stages + 2)][width]; };\n"
        "__global__ void a() { extern __shared__ char bytes[];\n"
        "  Ring& ring = *reinterpret_cast<Ring*>(bytes); }\n"
        "__global__ void b() { __shared__ Ring own; auto* other = (Ring*)own; }\n"
        "__global__ void c() { __shared__ __align__(16) struct { float x[2][3]; int n; } store; }\n"
        "__constant__ Ring first = {}; static __constant__ Ring second;\n";
    StructLayouts layouts;
    addStructs(text, layouts);
    const auto found = sharedStructsIn(text, layouts);
    ASSERT_EQ(found.size(), 6u);
    EXPECT_EQ(found[4].name + " " + found[5].name, "first second");
    EXPECT_EQ(found[0].name + " " + found[0].bytes, "ring bytes");
    EXPECT_EQ(found[1].name + " " + found[1].bytes, "own ");
    EXPECT_EQ(found[2].name + " " + found[2].bytes, "other own");
    EXPECT_EQ(found[3].name + " " + found[3].bytes, "store ");
    const StructLayout& ring = found[0].layout;
    EXPECT_EQ(ring.bytes, 640u); // 128 + 480 = 608, and up to the next multiple of 128
    EXPECT_EQ(ring.alignment, 128u);
    EXPECT_EQ(memberAt(ring, 24, 8), "full[3]");
    EXPECT_EQ(memberAt(ring, 32, 8), "empty[0]");
    EXPECT_EQ(memberAt(ring, 128 + 240 + 40 + 6, 2), "tile[1][1][3]");
    EXPECT_FALSE(memberAt(ring, 64, 8));  // between the two
    EXPECT_FALSE(memberAt(ring, 28, 8));  // across two of them
    EXPECT_FALSE(memberAt(ring, 128, 4)); // two halves
    EXPECT_EQ(memberAt(found[3].layout, 20, 4), "x[1][2]");
    EXPECT_EQ(memberAt(found[3].layout, 24, 4), "n");
}

TEST(StructLayout, SizesThatAreNoSuchNumbersAreNotGuessed) {
    for (const char* text :
         {"constexpr int n = 4; void f() { const int n = 5; } struct S { int a[n]; };", "struct S { int a[4 - 1]; };",
          "struct S { int a[sizeof(int)]; };", "struct S { int a[2 * N]; };", "struct S { alignas(48) int a; };",
          "struct S { int a[((((]; };", "struct S { int a[1 + ]; };"}) {
        StructLayouts all;
        addStructs(text, all);
        EXPECT_FALSE(layoutOf("S", all).has_value()) << text;
    }
}

} // namespace warpglass::cuda_text
