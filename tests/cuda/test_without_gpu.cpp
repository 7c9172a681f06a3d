// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cubin_counts.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/worker_process.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;

bool pluginBuilt() {
    return fs::exists(cuda::workerProgram());
}

TEST(CudaBackend, SaysInASentenceWhyItCannotRun) {
    const auto backend = loadCudaBackend();
    ASSERT_NE(backend, nullptr);
    EXPECT_EQ(backend->name(), "cuda");
    const auto ok = backend->available();
    if (ok)
        GTEST_SKIP() << "this machine has a GPU";
    EXPECT_FALSE(ok.error().remedy.empty());
    EXPECT_GT(ok.error().message.size(), 20u);
    if (pluginBuilt()) {
        EXPECT_TRUE(ok.error().message.find("no NVIDIA driver") != std::string::npos ||
                    ok.error().message.find("no GPU") != std::string::npos ||
                    ok.error().message.find("too old") != std::string::npos)
            << ok.error().text();
    }
    RunOptions options;
    Progress progress;
    EXPECT_FALSE(backend->run({}, options, progress)) << "and a run fails with the same sentence, not with a crash";
}

TEST(Nvrtc, CompilesAKernelWithoutAGpu) {
    const std::string source = "#include <cstdio>\nextern \"C\" __global__ void twice(int* x) {\n"
                               "    if (threadIdx.x % 2 == 0) x[threadIdx.x] *= 2; else printf(\"odd\\n\");\n}\n";
    const auto ptx = compileCuda(source, "twice.cu", CompileMode::Optimised);
    if (!ptx && ptx.error().message.find("was not found") != std::string::npos)
        GTEST_SKIP() << ptx.error().text();
    ASSERT_TRUE(ptx) << ptx.error().text();
    EXPECT_NE(ptx->find(".visible .entry twice("), std::string::npos);
    EXPECT_NE(ptx->find(".loc"), std::string::npos) << "source lines are kept";
    const auto asWritten = compileCuda(source, "twice.cu", CompileMode::AsWritten);
    ASSERT_TRUE(asWritten) << asWritten.error().text();
    EXPECT_NE(asWritten->find(", debug"), std::string::npos);
}

TEST(Nvrtc, TellsTheLineOfAnError) {
    const auto ptx = compileCuda("__global__ void f() {\n    int a = b;\n}\n", "f.cu", CompileMode::Optimised);
    ASSERT_FALSE(ptx);
    if (ptx.error().message.find("was not found") != std::string::npos)
        GTEST_SKIP() << ptx.error().text();
    EXPECT_EQ(ptx.error().file, "f.cu");
    EXPECT_EQ(ptx.error().line, 2);
    EXPECT_NE(ptx.error().message.find("\"b\" is undefined"), std::string::npos) << ptx.error().text();
}

TEST(Nvrtc, TakesFoldersArchitectureAndOptionsAndTellsAllErrors) {
    const fs::path folder = fs::temp_directory_path() / "warpglass nvrtc test";
    fs::create_directories(folder);
    std::ofstream(folder / "n.h") << "#define N 5\n";
    const auto compile = [&](const char* text, const char* arch, std::vector<std::string> options) {
        options.push_back("-I" + folder.string());
        return compileCuda(text, "k.cu", CompileMode::Optimised, arch, options);
    };
    const auto ptx = compile("#include \"n.h\"\n__global__ void k(int* a) { *a = N + M; }\n", "compute_80", {"-DM=37"});
    const auto wrong = compile("#line 7 \"/x/k.cu\"\n__global__ void k(int* a) { *a = b; }\nint c = d;\n", "", {});
    const auto option = compile("__global__ void k() {}\n", "compute_80", {"--no-such-option"});
    fs::remove_all(folder);
    if (!ptx && ptx.error().message.find("was not found") != std::string::npos)
        GTEST_SKIP() << ptx.error().text();
    ASSERT_TRUE(ptx) << ptx.error().text();
    EXPECT_NE(ptx->find(".target sm_80"), std::string::npos);
    EXPECT_NE(ptx->find(", 42;"), std::string::npos) << "5 + 37";
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().file, "/x/k.cu");
    EXPECT_EQ(wrong.error().line, 7);
    EXPECT_NE(wrong.error().message.find("/x/k.cu:8: "), std::string::npos) << wrong.error().message;
    ASSERT_FALSE(option);
    EXPECT_NE(option.error().message.find("no-such-option"), std::string::npos) << option.error().message;
}

TEST(CubinCounts, RefusesWhatIsNoCubin) {
    const std::vector<std::byte> nothing, noise(1000, std::byte(0x5a));
    EXPECT_FALSE(cuda::countCubin(nothing, "f"));
    EXPECT_FALSE(cuda::countCubin(noise, "f"));
}

// The H200's driver and ptxas 13.0 give the neighbored and the interleaved reduction 3 conditional branches each, in 64
// and 48 slots of 16 bytes of which the last ones are padding: read with cuobjdump.
TEST(CubinCounts, CountsConditionalBranchesOfTheReductions) {
    const fs::path cubin = fs::temp_directory_path() / ("warpglass_" + std::to_string(getpid()) + ".cubin");
    const std::string ptxas =
        std::system("ptxas --version >/dev/null 2>&1") == 0 ? "ptxas" : "/usr/local/cuda/bin/ptxas";
    const std::string command = ptxas + " -arch=sm_90 -o " + cubin.string() +
                                " " WARPGLASS_SOURCE_DIR "/resources/ptx/optimised/reduce_global.ptx >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0)
        GTEST_SKIP() << "no ptxas here";
    std::ifstream in(cubin, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    fs::remove(cubin);
    const std::span<const std::byte> code(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    for (const auto& [entry, slots] : {std::pair("reduceNeighbored", 64u), std::pair("reduceInterleaved", 48u)}) {
        const auto read = cuda::countCubin(code, entry);
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->conditionalBranches, 3u) << entry;
        EXPECT_EQ(read->barriers, 1u) << entry;
        EXPECT_LE(read->instructions, slots);
        EXPECT_GT(read->instructions, slots / 2);
    }
    EXPECT_FALSE(cuda::countCubin(code, "reduceNothing"));
    for (std::size_t size = 0; size < bytes.size(); size += 97) // cut off anywhere: an answer or an error, no crash
        (void)cuda::countCubin(code.first(size), "reduceNeighbored");
}

} // namespace
} // namespace warpglass
