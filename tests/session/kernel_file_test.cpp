// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_file.h"

#include <gtest/gtest.h>

#include <map>

namespace warpglass::session {

namespace {
using Names = std::vector<std::string>;
} // namespace

TEST(KernelFile, NamesOfParametersComeFromTheSource) {
    const SourceFacts facts = factsOfSource(R"(// __global__ void commented(int a);
#define KERNEL __global__ void macro(int no)
namespace demo {
/* __global__ void neither(int b) */
template <typename T, int N>
__global__ void __launch_bounds__(256, 2) scale(T* __restrict__ out, const T *in, int n = 3)
{ if (n) { __global__ ; } }
}
extern "C" __global__ void plain(float *x, unsigned long long count, float3 v, int table[4], void (*f)(int)) {}
static const char* text = "__global__ void quoted(int c) {}";
__global__ void nothing() {}
)");
    ASSERT_EQ(facts.kernels.size(), 3u);
    EXPECT_EQ(facts.kernels[0].name, "scale");
    EXPECT_EQ(facts.kernels[0].line, 6);
    EXPECT_EQ(facts.kernels[0].templateParameters, "T, N");
    EXPECT_EQ(facts.kernels[0].parameters, (Names{"out", "in", "n"}));
    EXPECT_EQ(facts.kernels[1].name, "plain");
    EXPECT_EQ(facts.kernels[1].line, 9);
    EXPECT_EQ((Names{facts.kernels[1].parameters.begin(), facts.kernels[1].parameters.begin() + 4}),
              (Names{"x", "count", "v", "table"}));
    EXPECT_TRUE(facts.kernels[1].templateParameters.empty());
    EXPECT_EQ(facts.kernels[2].name, "nothing");
    EXPECT_TRUE(facts.kernels[2].parameters.empty());
    EXPECT_FALSE(facts.hasMain);
}

TEST(KernelFile, ADeclarationAndItsDefinitionAreOneKernel) {
    const SourceFacts facts = factsOfSource("__global__ void k(int a);\nint main() { k<<<1, 1>>>(2); }\n"
                                            "__global__ void k(int again) {}\n");
    ASSERT_EQ(facts.kernels.size(), 1u);
    EXPECT_EQ(facts.kernels[0].parameters, Names{"again"});
    EXPECT_EQ(facts.kernels[0].line, 3);
    EXPECT_TRUE(facts.hasMain);
}

TEST(KernelFile, UnendedTextIsReadToItsEnd) {
    for (const char* text : {"__global__", "__global__ void k(", "__global__ void k(int", "template <", "/* ", "\"",
                             "'", "namespace {", "__global__ void __launch_bounds__(", "#define x \\"})
        EXPECT_LE(factsOfSource(text).kernels.size(), 1u) << text;
}

// In rows, by what the code reads: the kernel itself, or a function that it may call.
TEST(KernelFile, ThreadsInRowsAreToldByWhatIsRead) {
    RunRequest request;
    request.kernel = "k.ptx";
    const auto dimensions = [&](const std::string& inKernel, const std::string& inFunction) {
        request.text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                       ".func f()\n{\n.reg .b32 %r<3>;\n" +
                       inFunction + "ret;\n}\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n" + inKernel + "ret;\n}\n";
        const auto file = lookInto(request);
        return file && !file->kernels.empty() ? file->kernels.front().dimensions : 0;
    };
    EXPECT_EQ(dimensions("mov.u32 %r1, %tid.x;\n", ""), 1);
    EXPECT_EQ(dimensions("mov.u32 %r1, %ntid.y;\nmov.u32 %r2, %ctaid.z;\n", ""), 1); // of the block, no thread
    EXPECT_EQ(dimensions("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\n", ""), 2);
    EXPECT_EQ(dimensions("", "mov.u32 %r1, %tid.z;\n"), 3);
}

// A module's shared variable is of those kernels that name it, themselves, in what they call, or through a variable that
// holds its address or that of a function which names it.
TEST(KernelFile, SharedVariablesOfOtherKernelsTakeNoRoom) {
    RunRequest request;
    request.kernel = "nowhere/own.ptx";
    request.text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 room[];
.shared .align 4 .b8 big[32768];
.func (.param .b32 r) reads() { .reg .b32 %r<2>; ld.shared.u32 %r1, [big]; st.param.b32 [r], %r1; ret; }
.global .align 8 .u64 table[1] = {reads};
.visible .entry direct() { .reg .b32 %r<2>; ld.shared.u32 %r1, [big+4]; ret; }
.visible .entry called() { .reg .b32 %r<2>; { .param .b32 a; call (a), reads; ld.param.b32 %r1, [a]; } ret; }
.visible .entry pointed() { .reg .b64 %d<2>; mov.u64 %d1, table; ret; }
.visible .entry own() { .shared .align 4 .b8 few[12]; .reg .b32 %r<2>; mov.u32 %r1, few; mov.u32 %r1, room; ret; }
.visible .entry none() { .reg .b32 %r<2>; mov.u32 %r1, room; ret; }
)";
    const auto file = lookInto(request);
    ASSERT_TRUE(file) << file.error().text();
    std::map<std::string, std::uint32_t> bytes;
    for (const FileKernel& k : file->kernels)
        bytes[k.entry] = k.sharedBytes;
    EXPECT_EQ(bytes,
              (decltype(bytes){{"direct", 32768}, {"called", 32768}, {"pointed", 32768}, {"own", 12}, {"none", 0}}));
}

TEST(KernelFile, PtxTellsSizesAndItsOwnNames) {
    RunRequest request;
    request.kernel = "nowhere/own.ptx";
    request.text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 room[];
.shared .align 4 .b8 table[64];
.visible .entry k(.param .u64 a, .param .f32 b, .param .align 4 .b8 c[12]) .reqntid 32, 2, 1
{ .reg .b32 %r<2>; mov.u32 %r1, table; ret; }
)";
    const auto file = lookInto(request);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 1u);
    const FileKernel& k = file->kernels[0];
    EXPECT_EQ(k.entry, "k");
    EXPECT_EQ(k.sharedBytes, 64u);
    EXPECT_TRUE(k.takesDynamicShared);
    EXPECT_EQ(k.requiredBlock, (Dim3{32, 2, 1}));
    ASSERT_EQ(k.parameters.size(), 3u);
    EXPECT_EQ(k.parameters[0].type, ".u64");
    EXPECT_FALSE(k.parameters[0].isPointer); // PTX does not tell
    EXPECT_EQ(k.parameters[1].element, ElementType::F32);
    EXPECT_TRUE(k.parameters[2].isStruct);
    EXPECT_EQ(k.parameters[2].bytes, 12u);
    ASSERT_TRUE(file->compiled);
    EXPECT_EQ(file->compiled->ptx, *request.text);
}

TEST(KernelFile, NumbersOfSixteenBitsAreKnownByTheirNames) {
    RunRequest request;
    request.kernel = "nowhere/halves.ptx";
    request.text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z1kPK6__halfP13__nv_bfloat16P7__half2P8halfEdge(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
{ ret; }
)";
    const auto file = lookInto(request);
    ASSERT_TRUE(file) << file.error().text();
    const auto& parameters = file->kernels.at(0).parameters;
    ASSERT_EQ(parameters.size(), 4u);
    EXPECT_EQ(parameters[0].element, ElementType::F16);
    EXPECT_TRUE(parameters[0].isConst);
    EXPECT_EQ(parameters[1].element, ElementType::BF16);
    EXPECT_EQ(parameters[2].element, ElementType::F16);
    EXPECT_EQ(parameters[2].elementsEach, 2u);
    EXPECT_NE(parameters[3].element, ElementType::F16); // somebody's struct
}

TEST(KernelFile, AFileWithoutKernelsSaysSo) {
    RunRequest request;
    request.kernel = "own.ptx";
    request.text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    const auto file = lookInto(request);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().text().find("no kernel"), std::string::npos);
    request.text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { add.u32 ; \n";
    const auto broken = lookInto(request);
    ASSERT_FALSE(broken);
    EXPECT_GE(broken.error().line, 4);
}

// Through the compiler; skipped without nvcc.
TEST(KernelFile, CudaIsCompiledOnceForLookingAndRunning) {
    if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
        GTEST_SKIP() << "nvcc is not on PATH";
    RunRequest request;
    request.kernel = "pad.cu"; // nowhere on the disk
    request.text =
        "struct Pair { int a, b; };\n"
        "__global__ void add(const float* x, double* out, unsigned n, Pair p) { out[threadIdx.x] = x[0] + n + p.b; }\n"
        "__global__ void add(int* y) { *y = 1; }\n"
        "template <class T> __global__ void half(T* z) { *z /= 2; }\n";
    auto file = lookInto(request);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 2u);
    EXPECT_EQ(file->templates, Names{"half<T>"});
    for (const FileKernel& k : file->kernels) {
        EXPECT_TRUE(k.entry.starts_with("_Z3add")) << k.entry; // two of one name
        if (k.parameters.size() != 4)
            continue;
        EXPECT_EQ(k.parameters[0].element, ElementType::F32);
        EXPECT_TRUE(k.parameters[0].isConst && k.parameters[0].isPointer);
        EXPECT_EQ(k.parameters[1].element, ElementType::F64);
        EXPECT_FALSE(k.parameters[1].isConst);
        EXPECT_EQ(k.parameters[2].element, ElementType::U32);
        EXPECT_TRUE(k.parameters[3].isStruct);
        EXPECT_EQ(k.parameters[3].bytes, 8u);
    }
    // The same text runs from what was compiled: PTX that no compiler would have made of it shows that.
    auto other = std::make_shared<CompiledText>(*file->compiled);
    other->ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry instead() { ret; }\n";
    request.compiled = other;
    request.launch.grid = request.launch.block = Dim3{1};
    const auto plan = planOf(request);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->entry, "instead");
    request.text = *request.text + "\n"; // but not another one
    EXPECT_FALSE(planOf(request));
    request.text->pop_back();
    request.launch.mode = CompileMode::AsWritten;
    EXPECT_FALSE(planOf(request));
}

} // namespace warpglass::session
