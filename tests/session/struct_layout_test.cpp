// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts that the source tells, held against the host's compiler, which lays out plain structs as the device does.
#include "app/session/struct_layout.h"

#include "app/session/kernel_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>

namespace warpglass::session {

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

// Through the compiler, which says how large the parameter is; skipped without nvcc.
TEST(KernelFile, FieldsOfStructsAreFoundInTheSourceAndItsHeaders) {
    if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
        GTEST_SKIP() << "nvcc is not on PATH";
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "warpglass-struct-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "vec.h") << "struct Box { float3 low, high; char tag; };\n";
    RunRequest request;
    request.kernel = (folder / "k.cu").string();
    request.text = "#include \"vec.h\"\n"
                   "struct Matrix { float* data; int width, height; };\n"
                   "namespace demo { __constant__ float inside[2]; } __device__ int counter, unused[3];\n"
                   "__global__ void k(Matrix m, Box b, float4* v)\n"
                   "{ m.data[counter] = b.high.z + v->w + demo::inside[1]; }\n"
                   "extern \"C\" __global__ void plain(const double* in, unsigned char flag, Matrix m)\n"
                   "{ m.data[0] = in[0] + flag; }\n";
    const auto file = lookInto(request);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 2u);
    std::vector<std::string> globals; // demo::inside goes by a name that the declaration alone does not tell
    for (const StructField& g : file->globals)
        globals.push_back(g.name + " " + std::to_string(g.count));
    EXPECT_EQ(globals, (std::vector<std::string>{"counter 1", "unused 3"}));
    for (const FileKernel& k : file->kernels) {
        const KernelParameter& m = k.entry == "plain" ? k.parameters[2] : k.parameters[0];
        ASSERT_EQ(m.fields.size(), 3u) << k.entry;
        EXPECT_EQ(m.fields[2].name, "height");
        EXPECT_EQ(m.fields[2].offset, 12u);
        if (k.entry == "plain") {
            EXPECT_EQ(k.parameters[0].element, ElementType::F64);
            EXPECT_TRUE(k.parameters[0].isPointer && k.parameters[0].isConst);
            EXPECT_EQ(k.parameters[1].element, ElementType::U8);
        } else {
            ASSERT_EQ(k.parameters[1].fields.size(), 7u);
            EXPECT_EQ(k.parameters[1].fields[5].name, "high.z");
            EXPECT_EQ(k.parameters[2].element, ElementType::F32);
            EXPECT_EQ(k.parameters[2].elementsEach, 4u);
        }
    }
}

} // namespace warpglass::session
