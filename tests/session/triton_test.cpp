// SPDX-License-Identifier: GPL-3.0-or-later
// A Python file of Triton's through a stand-in for Triton (triton/), which gives what the real one made of it: so what is
// asked for, and what becomes of the answer, is tested without it.
#include "app/session/triton.h"
#include "gpu/ttgir/encodings.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <cstring>

namespace warpglass::session {
namespace {

class TritonFile : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("python3 -c '' 2> /dev/null") != 0)
            GTEST_SKIP() << "no Python here";
        setenv("PYTHONPATH", WARPGLASS_SOURCE_DIR "/tests/session/triton", 1);
        setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    }
    void TearDown() override { unsetenv("PYTHONPATH"); }
    static RunRequest add() {
        RunRequest request;
        request.kernel = WARPGLASS_SOURCE_DIR "/tests/session/triton/add.py";
        request.arguments = {"n:i32=3000", "x_ptr:f32[3000]=iota", "y_ptr:f32[3000]=0.5", "out_ptr:f32[3000]"};
        request.launch.grid = Dim3{3};
        request.options.device = "h200";
        return request;
    }
};

// 3,000 = 16 * 187.5 is no multiple of 16, pointers always are. BLOCK and the warps are those of the first tuning.
TEST_F(TritonFile, AsksAndRuns) {
    ASSERT_TRUE(isTritonFile(add().kernel));
    auto request = compiledByTriton(add());
    ASSERT_TRUE(request) << request.error().text();
    const std::string asked = request->text->substr(0, request->text->find('\n'));
    EXPECT_EQ(asked, "// {'x_ptr': '*fp32', 'y_ptr': '*fp32', 'out_ptr': '*fp32', 'n': 'i32', 'BLOCK': 'constexpr'} "
                     "{'BLOCK': 1024} {(0,): [['tt.divisibility', 16]], (1,): [['tt.divisibility', 16]], (2,): "
                     "[['tt.divisibility', 16]]} 90 {'num_warps': 4, 'num_stages': 3}");
    EXPECT_EQ(request->entry, "add_kernel");
    EXPECT_EQ(request->sourceName, "add.py");
    EXPECT_EQ(request->launch.block->x, 128u);
    ASSERT_EQ(request->arguments.size(), 6u); // Triton adds two
    EXPECT_EQ(request->arguments[0], "x_ptr:f32[3000]=iota");
    EXPECT_EQ(request->arguments[3], "n:i32=3000");
    Progress progress;
    const auto recording = runRequest(*request, progress);
    ASSERT_TRUE(recording) << recording.error().text();
    const std::vector<std::byte>& out = recording->buffers.at(2);
    ASSERT_EQ(out.size(), 12000u);
    for (int i = 0; i < 3000; ++i) {
        float value = 0;
        std::memcpy(&value, out.data() + std::size_t(i) * 4, 4);
        ASSERT_EQ(value, float(i) + 0.5F) << i;
    }
    const Kernel& kernel = recording->trace->kernels.at(0);
    EXPECT_EQ(kernel.sourceName, "add.py");
    EXPECT_NE(kernel.source.find("def add_kernel"), std::string::npos);
}

// The PTX that Triton made of BLOCK = 1024 and four warps, run: x[i] = i and y = 0.5, so that what a lane stores says which
// elements it holds. The layout is the one that Triton gives loads of 16 bytes a lane.
TEST_F(TritonFile, LanesStoreWhatTheLayoutSays) {
    RunRequest asked = add();
    asked.options.detail = {.kind = Detail::Kind::All, .accesses = true};
    auto request = compiledByTriton(asked);
    ASSERT_TRUE(request) << request.error().text();
    Progress progress;
    const auto recording = runRequest(*request, progress);
    ASSERT_TRUE(recording) << recording.error().text();
    const auto layout = ttgir::tileLayout(
        "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>", {1024}, {});
    ASSERT_TRUE(layout);
    const Trace& trace = *recording->trace;
    std::size_t stores = 0;
    std::vector<std::uint32_t> ofWarp(4, 0); // values that a lane of it has stored
    for (const AccessRow& access : trace.accesses) {
        const Warp& warp = trace.warps[trace.warpOfEvent(access.event)];
        if (access.kind != AccessKind::Store || trace.blockOf(warp).index != 0)
            continue;
        ASSERT_EQ(access.elements, 4u);
        const auto values = trace.values(access);
        ASSERT_EQ(values.size(), 128u);
        std::uint32_t& first = ofWarp.at(warp.warpInBlock);
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            for (std::uint32_t e = 0; e < 4; ++e) {
                const auto stored = std::bit_cast<float>(std::uint32_t(values[lane * 4 + e]));
                EXPECT_EQ(layout->element(warp.warpInBlock, lane, first + e).at(0), std::uint32_t(stored - 0.5F));
            }
        first += 4;
        ++stores;
    }
    EXPECT_EQ(stores, 8u); // two a warp
}

TEST_F(TritonFile, TakesDefinitionsAndAnArchitecture) {
    RunRequest request = add();
    request.arguments[0] = "n:i32=1"; // Triton makes a constant of 1
    request.compile.defines = {"BLOCK=256", "num_warps=8"};
    request.compile.arch = "sm_80";
    const auto made = compiledByTriton(request);
    ASSERT_TRUE(made) << made.error().text();
    const std::string asked = made->text->substr(0, made->text->find('\n'));
    EXPECT_NE(asked.find("'n': 'constexpr'"), std::string::npos);
    EXPECT_NE(asked.find("{'n': 1, 'BLOCK': 256}"), std::string::npos);
    EXPECT_NE(asked.find("80 {'num_warps': 8, 'num_stages': 3}"), std::string::npos) << asked;
}

// Of the text alone: x_ptr, y_ptr and out_ptr begin addresses that are loaded from and stored to; the file's launch gives n;
// BLOCK and the warps are the tuning's. A tile is BLOCK elements, and each program of the grid has its own.
TEST_F(TritonFile, IsReadWithoutTriton) {
    unsetenv("PYTHONPATH");
    const auto file = lookInto(add());
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 1u);
    const FileKernel& kernel = file->kernels[0];
    EXPECT_EQ(kernel.entry, "add_kernel");
    EXPECT_EQ(kernel.line, 5);
    ASSERT_EQ(kernel.parameters.size(), 6u);
    for (int n = 0; n < 3; ++n) {
        EXPECT_TRUE(kernel.parameters[n].isPointer && kernel.parameters[n].isUntyped && kernel.parameters[n].scales)
            << n;
        EXPECT_EQ(kernel.parameters[n].type, "f32*");
        EXPECT_EQ(kernel.parameters[n].usual, "1024");
    }
    EXPECT_EQ(kernel.parameters[3].name, "n");
    EXPECT_EQ(kernel.parameters[3].type, "i32");
    EXPECT_EQ(kernel.parameters[3].usual, "10000");
    EXPECT_TRUE(kernel.parameters[4].isConstexpr);
    EXPECT_EQ(kernel.parameters[4].usual, "1024");
    EXPECT_EQ(kernel.parameters[5].name, "num_warps");
    EXPECT_EQ(kernel.parameters[5].usual, "4");
}

// What is being written counts, not what is on the disk; a mistake has its line.
TEST_F(TritonFile, IsReadAsItIsBeingWritten) {
    RunRequest request = add();
    request.text =
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef twice(x_ptr, n, SIZE: tl.constexpr):\n"
        "    at = tl.arange(0, SIZE)\n    half = tl.load(x_ptr + at).to(tl.float16)\n"
        "    tl.store(x_ptr + at, half.to(tl.float16), mask=at < n)\n";
    const auto file = lookInto(request);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 1u);
    EXPECT_EQ(file->kernels[0].parameters[0].type, "f16*");  // as it is stored
    EXPECT_EQ(file->kernels[0].parameters[2].usual, "1024"); // nobody says: a usual one
    request.arguments = {"x_ptr:f16[64]", "n:i32=64"};
    request.compile.defines = {"SIZE=64"};
    const auto made = compiledByTriton(request);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->entry, "twice");
    EXPECT_EQ(made->source, *request.text);
    EXPECT_FALSE(made->ttgir.empty());
    request.text = "import triton\n@triton.jit\ndef twice(x_ptr:\n";
    const auto broken = lookInto(request);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().line, 3);
    request.text = "import numpy\n";
    const auto none = lookInto(request);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().text().find("@triton.jit"), std::string::npos);
}

// What Triton's compiler finds wrong is told in its own words, at the line of the file in which it is: of what a kernel calls, there; of
// inline assembly, by the PTX above it. Triton's exceptions carry the source around their words, and some of them no words at all.
TEST_F(TritonFile, TellsWhatTritonFindsWrongAtItsLine) {
    const std::string text =
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef helper(x):\n    y = x + 1\n"
        "    return y + mistake(\"arange's range must be a power of 2\")\n\n\n"                        // line 8
        "@triton.jit\ndef outer(x_ptr):\n    a = tl.load(x_ptr)\n    tl.store(x_ptr, helper(a))\n\n\n" // 14
        "@triton.jit\ndef name(x_ptr):\n    mistake(\"NameError('factor is not defined')\")\n\n\n"     // 19
        "@triton.jit\ndef own(x_ptr):\n    a = 1\n    fails()\n\n\n"                                   // 25
        "@triton.jit\ndef inline(x_ptr):\n    assembly(\"Not a name of any known instruction: 'nonsense'\")\n"; // 30
    const auto told = [&](const char* kernel) {
        RunRequest request = add();
        request.text = text;
        request.entry = kernel;
        request.arguments = {"x_ptr:f32[64]"};
        return compiledByTriton(request).error();
    };
    const Error outer = told("outer"), name = told("name"), own = told("own"), inlined = told("inline");
    EXPECT_EQ(outer.message, "arange's range must be a power of 2 (called in line 14)");
    EXPECT_EQ(outer.line, 8);
    EXPECT_EQ(name.message, "factor is not defined");
    EXPECT_EQ(name.line, 19);
    EXPECT_EQ(own.message, "Triton needs that acc == wanted");
    EXPECT_EQ(own.line, 25);
    EXPECT_EQ(inlined.message, "ptxas: Not a name of any known instruction: 'nonsense'");
    EXPECT_EQ(inlined.line, 30);
}

// Three programs of 384 bytes each; nothing where the kernel asks for none (AsksAndRuns).
TEST_F(TritonFile, GivesScratchMemoryToEachProgram) {
    RunRequest request = add();
    request.text = "import triton\n\n\n@triton.jit\ndef described(x_ptr, y_ptr, out_ptr, n):\n    pass\n";
    const auto made = compiledByTriton(request);
    ASSERT_TRUE(made) << made.error().text();
    ASSERT_EQ(made->arguments.size(), 6u);
    EXPECT_EQ(made->arguments[4], "scratch0:u8[1152]");
    EXPECT_EQ(made->arguments[5], "scratch1:u64=0");
}

TEST_F(TritonFile, SaysWhatIsMissing) {
    RunRequest request = add();
    request.arguments.pop_back();
    const auto fewer = compiledByTriton(request);
    ASSERT_FALSE(fewer);
    EXPECT_EQ(fewer.error().message, "parameter out_ptr has no value: give --arg out_ptr:TYPE...");
    request = add();
    request.arguments.emplace_back("other:f32[4]");
    EXPECT_EQ(compiledByTriton(request).error().message, "the kernel has no parameter other");
    request = add();
    request.compile.defines = {"num_wraps=4"};
    EXPECT_EQ(compiledByTriton(request).error().message, "neither the kernel nor Triton has num_wraps");
    request = add();
    request.entry = "sub_kernel";
    EXPECT_EQ(compiledByTriton(request).error().message, "--kernel names one of the file's Triton kernels: add_kernel");
    setenv("WARPGLASS_PYTHON", "no-python-of-that-name", 1);
    const auto without = compiledByTriton(add());
    unsetenv("WARPGLASS_PYTHON");
    ASSERT_FALSE(without);
    EXPECT_TRUE(without.error().message.starts_with("a .py file is compiled by the Triton of python3"))
        << without.error().text();
    unsetenv("PYTHONPATH");
    const auto nothing = compiledByTriton(add());
    if (!nothing) { // where there is none
        EXPECT_NE(nothing.error().text().find("Triton"), std::string::npos);
    }
}

} // namespace
} // namespace warpglass::session
