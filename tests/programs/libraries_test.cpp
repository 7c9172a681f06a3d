// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that call cuBLAS, cuFFT and cuRAND: each checks its own results against the host's and says "passed". Skipped without
// nvcc, and where the toolkit has no such libraries.
#include "run_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace {

struct LibraryCase {
    const char* program;
    std::map<std::string, int> calls; // as the source has them; -1: as many as it takes
};
std::ostream& operator<<(std::ostream& out, const LibraryCase& c) {
    return out << c.program;
}

std::filesystem::path linked(const std::string& program) {
    return built("../libraries/" + program + ".cu", "-lcublas -lcufft -lcurand");
}

bool hasLibraries() {
    return hasCompiler() && std::system("nvcc=$(readlink -f \"$(command -v nvcc || echo $CUDA_HOME/bin/nvcc)\"); "
                                        "test -e \"${nvcc%/bin/nvcc}/lib64/libcublas.so\"") == 0;
}

class Libraries : public testing::TestWithParam<LibraryCase> {
protected:
    void SetUp() override {
        if (!hasLibraries())
            GTEST_SKIP() << "no nvcc here, or no cuBLAS";
    }
};
class LibraryCalls : public testing::Test {
protected:
    void SetUp() override {
        if (!hasLibraries())
            GTEST_SKIP() << "no nvcc here, or no cuBLAS";
    }
};

std::vector<std::string> textsOf(const nlohmann::json& list) {
    std::vector<std::string> texts;
    for (const auto& m : list["messages"])
        texts.push_back(m["text"]);
    return texts;
}

} // namespace

TEST_P(Libraries, programsPassInTheOrderOfTheirCallsAndInAnother) {
    const LibraryCase& c = GetParam();
    const std::string program = linked(c.program).string();
    for (const char* schedule : {"", "--schedule adverse "}) {
        const std::string name = std::string("library-") + c.program + (*schedule ? "-adverse" : "");
        const ProgramAnswer answer =
            recorder(std::string("program ") + schedule + "-o '" + at(name).string() + "' -- '" + program + "'");
        ASSERT_EQ(answer.status, 0) << answer.out << answer.err;
        EXPECT_EQ(answer.out, "passed\n");
        const nlohmann::json list = listing(name);
        std::map<std::string, int> calls;
        for (const auto& o : list["operations"])
            if (o["kind"] == "library")
                ++calls[o["kernel"]];
        for (const auto& [function, count] : c.calls)
            EXPECT_TRUE(count < 0 ? calls[function] > 0 : calls[function] == count) << function << calls[function];
        for (const auto& k : list["kernels"]) {
            EXPECT_EQ(k["calls"], calls[k["name"]]) << k;
        }
        for (const std::string& text : textsOf(list)) // nothing else is wrong
            EXPECT_NE(text.find("are answered on the host by"), std::string::npos) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Libraries,
    testing::Values(
        LibraryCase{"matrix_product", {{"cublasSgemm", 1}, {"cublasDgemm", 1}}},
        LibraryCase{"batched",
                    {{"cublasSgemmStridedBatched", 1},
                     {"cublasSgemmBatched", 1},
                     {"cublasGemmStridedBatchedEx", 1},
                     {"cublasHgemm", 1},
                     {"cublasGemmEx", 2}}},
        LibraryCase{"power_iteration",
                    {{"cublasDnrm2", 600}, {"cublasDscal", 600}, {"cublasDgemv", 600}, {"cublasDdot", 600}}},
        LibraryCase{"conjugate_gradient", {{"cublasDaxpy", -1}, {"cublasDcopy", 1}}},
        LibraryCase{"jacobi", {{"cublasDcopy", -1}, {"cublasDnrm2", -1}, {"cublasIsamax", 2}, {"cublasSasum", 1}}},
        LibraryCase{"systems",
                    {{"cublasDgetrfBatched", 1},
                     {"cublasDgetrsBatched", 2},
                     {"cublasDgetriBatched", 1},
                     {"cublasDmatinvBatched", 1},
                     {"cublasZgetrfBatched", 1},
                     {"cublasZgetrsBatched", 1}}},
        LibraryCase{"triangles", {{"cublasDtrsm", 2}, {"cublasDtrsv", 2}, {"cublasZdotc", 1}}},
        LibraryCase{"bands", {{"cublasZtbsv", 12}, {"cublasZhpr2", 2}, {"cublasDsbmv", 2}, {"cublasZgbmv", 6}}},
        LibraryCase{"hermitian",
                    {{"cublasZherk", 4}, {"cublasZtrsmBatched", 4}, {"cublasZhemm", 2}, {"cublasCherkEx", 1}}},
        LibraryCase{"types",
                    {{"cublasAxpyEx", 6},
                     {"cublasDotEx", 3},
                     {"cublasNrm2Ex", 1},
                     {"cublasRotEx", 1},
                     {"cublasDgemmGroupedBatched", 1},
                     {"cublasGemmGroupedBatchedEx", 1}}},
        LibraryCase{"convolution", {{"cufftExecC2C", 3}}},
        LibraryCase{"poisson", {{"cufftExecD2Z", 2}, {"cufftExecZ2D", 2}}},
        LibraryCase{"many_transforms", {{"cufftExecZ2Z", 3}, {"cufftExecR2C", 1}, {"cufftExecC2R", 1}}},
        LibraryCase{"pi", {{"curandGenerateUniform", 4}}},
        LibraryCase{"generators", {{"curandGenerateNormalDouble", 1}, {"curandGenerateLogNormalDouble", 1}}},
        LibraryCase{"quasirandom", {{"curandGenerateLongLong", 1}, {"curandGenerateNormalDouble", 1}}}),
    [](const auto& one) { return std::string(one.param.program); });

// The same numbers where there is no OpenBLAS, by loops; and a plain word where there is no FFTW.
TEST_F(LibraryCalls, sayWhichLibraryOfTheHostIsMissing) {
    setenv("WARPGLASS_BLAS", "none", 1);
    for (const char* program : {"matrix_product", "batched", "triangles", "hermitian"}) {
        const ProgramAnswer answer =
            recorder("program -o '" + at("loops").string() + "' -- '" + linked(program).string() + "'");
        EXPECT_EQ(answer.out, "passed\n") << answer.err;
        EXPECT_NE(answer.err.find("OpenBLAS (libopenblas.so.0) was not found"), std::string::npos) << answer.err;
    }
    unsetenv("WARPGLASS_BLAS");
    setenv("WARPGLASS_FFTWF", "none", 1);
    const ProgramAnswer answer =
        recorder("program -o '" + at("without").string() + "' -- '" + linked("convolution").string() + "'");
    unsetenv("WARPGLASS_FFTWF");
    EXPECT_EQ(answer.status, 1);
    EXPECT_NE(answer.err.find("cufftExecC2C was not run: it needs FFTW, and libfftw3f.so.3 was not found"),
              std::string::npos)
        << answer.err;
}

// By their numbers in the source: 0 and 1 allocate, 2 fills half of y's 256 bytes, 3 waits, 4 is the kernel, 5 cublasSaxpy, 6 waits,
// 7 cublasSgemm: of B, 8 by 9, there is room for 8 by 8. Built from its source: the linker's libraries are found.
TEST_F(LibraryCalls, areWatchedLikeKernels) {
    const ProgramAnswer answer = runSources("../libraries/mistaken.cu", "library-mistaken");
    EXPECT_EQ(answer.status, 1) << answer.err; // for the race
    EXPECT_NE(answer.err.find("the program calls cublasDgelsBatched, which the virtual device does not have"),
              std::string::npos)
        << answer.err;
    const std::vector<std::string> texts = textsOf(listing("library-mistaken"));
    const auto told = [&](const std::string& part) {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const auto& t) { return t.find(part) != std::string::npos; });
    };
    EXPECT_TRUE(
        told("operation 5 (cublasSaxpy, line 26 of mistaken.cu) reads 256 bytes, the first of them byte 0 of the 256 "
             "bytes that "
             "operation 0 (line 19) allocated, that operation 4 (fill, line 23) writes, and nothing orders the two"));
    EXPECT_TRUE(
        told("cublasSaxpy reads 128 bytes that nobody wrote: the first is byte 128 of the 256 bytes that operation 1 "
             "(line 20 of mistaken.cu) allocated"));
    EXPECT_TRUE(told("cublasSgemm reads 288 bytes at 0x")); // 9 columns of 8 floats
    EXPECT_TRUE(told(": 32 bytes past the end of"));
}
