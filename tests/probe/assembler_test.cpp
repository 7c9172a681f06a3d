// SPDX-License-Identifier: GPL-3.0-or-later
// Where a toolkit is there: ptxas takes every probed module of the catalogue, and probes stay within what keeps an SM
// full.
#include "gpu/probe/probe.h"
#include "gpu/ptx/parse.h"
#include "tests/ptx_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <unistd.h>

namespace warpglass::probe {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

fs::path ptxas() {
    std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');)
        if (access((fs::path(folder) / "ptxas").c_str(), X_OK) == 0)
            return fs::path(folder) / "ptxas";
    return {};
}

struct Used {
    int registers = 0;   // a thread
    int sharedBytes = 0; // a block
};

// What each kernel uses, from ptxas -v; an empty map and a failed expectation if it refuses the text.
std::map<std::string, Used> assemble(const std::string& text, bool debug) {
    const fs::path base = fs::path(testing::TempDir()) / fmt::format("probe_{}", getpid());
    const std::string source = base.string() + ".ptx", log = base.string() + ".log", cubin = base.string() + ".cubin";
    std::ofstream(source) << text;
    const char* arch = text.find(".target sm_90a") != std::string::npos ? "sm_90a" : "sm_90";
    const int status = std::system(fmt::format("'{}' -v -arch={} -c {} '{}' -o '{}' > '{}' 2>&1", ptxas().string(),
                                               arch, debug ? "-g" : "", source, cubin, log)
                                       .c_str());
    const std::string said = readFile(log);
    EXPECT_EQ(status, 0) << said.substr(0, 2000);
    std::map<std::string, Used> used;
    static const std::regex pattern(
        "Compiling entry function '([^']+)'|Used ([0-9]+) registers(?:[^\\n]* ([0-9]+) bytes smem)?");
    std::string kernel;
    for (std::sregex_iterator it(said.begin(), said.end(), pattern), end; it != end; ++it) {
        if ((*it)[1].matched)
            kernel = (*it)[1];
        else
            used[kernel] = {std::stoi((*it)[2]), (*it)[3].matched ? std::stoi((*it)[3]) : 0};
    }
    for (const std::string& file : {source, log, cubin})
        fs::remove(file);
    return used;
}

std::vector<fs::path> modules() {
    std::vector<fs::path> found;
    for (const char* mode : {"optimised", "as-written"})
        for (const auto& file : fs::directory_iterator(fs::path(WARPGLASS_SOURCE_DIR) / "resources/ptx" / mode))
            if (file.path().extension() == ".ptx")
                found.push_back(file.path());
    std::sort(found.begin(), found.end());
    return found;
}

bool isDebug(const fs::path& path) {
    return path.parent_path().filename() == "as-written";
}

class Assembler : public testing::TestWithParam<fs::path> {
protected:
    void SetUp() override {
        if (ptxas().empty())
            GTEST_SKIP() << "no ptxas here";
    }
    std::string probed(const ProbeOptions& options) const {
        const Result<ptx::Module> module = ptx::parse(readFile(GetParam()), GetParam().filename().string());
        EXPECT_TRUE(module.ok());
        const Result<ProbedModule> with = insertProbes(*module, options);
        EXPECT_TRUE(with.ok()) << with.error().text();
        return with->ptx;
    }
};

TEST_P(Assembler, TakesDefaultProbes) {
    ProbeOptions options;
    options.oneDimensional = true;
    const auto clean = assemble(readFile(GetParam()), isDebug(GetParam())),
               with = assemble(probed(options), isDebug(GetParam()));
    ASSERT_EQ(clean.size(), with.size());
    for (const auto& [kernel, used] : with) {
        // A function's arrays are there once, though it has a copy with probes.
        EXPECT_EQ(used.sharedBytes, clean.at(kernel).sharedBytes) << kernel;
        // 64 warps an SM need at most 32 registers a thread: what fits without probes should fit with them.
        std::printf("%s: %d registers, with probes %d\n", kernel.c_str(), clean.at(kernel).registers, used.registers);
        if (!isDebug(GetParam()) && clean.at(kernel).registers <= 16 && GetParam().stem() != "nested") {
            EXPECT_LE(used.registers, 32) << kernel;
        }
    }
}

TEST_P(Assembler, TakesGeneralProbesWithAccessesAndAllEnds) {
    ProbeOptions options;
    options.accesses = true;
    options.allEnds = true;
    EXPECT_FALSE(assemble(probed(options), isDebug(GetParam())).empty());
}

// Forms that no kernel of the catalogue has: what the writer makes of them is PTX, with probes at each access and call.
class RareForms : public testing::TestWithParam<const char*> {};

TEST_P(RareForms, AreStillPtxWithProbes) {
    if (ptxas().empty())
        GTEST_SKIP() << "no ptxas here";
    const fs::path file = tests::ptxFile(GetParam());
    const Result<ptx::Module> module = ptx::parse(readFile(file), file.filename().string());
    ASSERT_TRUE(module.ok()) << module.error().text();
    ProbeOptions options;
    options.accesses = true;
    options.allEnds = true;
    const Result<ProbedModule> with = insertProbes(*module, options);
    ASSERT_TRUE(with.ok()) << with.error().text();
    EXPECT_FALSE(assemble(with->ptx, false).empty());
}

// Halves in registers of their own type, bytes in registers of a byte, and a pointer to a function that takes registers:
// what other compilers than NVIDIA's write.
TEST(RareRegisters, AreStillPtxWithProbes) {
    if (ptxas().empty())
        GTEST_SKIP() << "no ptxas here";
    const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.func (.reg .f32 sum) add(.reg .f32 x, .reg .f32 y)
{
    add.f32 sum, x, y;
    ret;
}
.visible .entry k(.param .u64 data)
{
    .reg .u64 at, f;
    .reg .f16 half;
    .reg .s16 brain;
    .reg .u8 byte;
    .reg .v2 .f16 pair;
    ld.param.u64 at, [data];
    ld.b16 half, [at];
    min.f16 half, half, half;
    st.global.b16 [at+2], half;
    ld.global.b16 brain, [at+4];
    st.b16 [at+6], brain;
    ld.global.u8 byte, [at+8];
    st.global.u8 [at+9], byte;
    ld.global.v2.b16 pair, [at+12];
    st.global.v2.b16 [at+16], pair;
    mov.u64 f, add;
    st.u64 [at+24], f;
    ret;
}
)";
    ASSERT_FALSE(assemble(text, false).empty());
    const Result<ptx::Module> module = ptx::parse(text, "rare.ptx");
    ASSERT_TRUE(module.ok()) << module.error().text();
    ProbeOptions options;
    options.accesses = true;
    const Result<ProbedModule> with = insertProbes(*module, options);
    ASSERT_TRUE(with.ok()) << with.error().text();
    EXPECT_FALSE(assemble(with->ptx, false).empty()) << with->ptx;
}

INSTANTIATE_TEST_SUITE_P(Files, RareForms,
                         testing::Values("wide/ld.global.b128", "wide/ld.shared.b128", "wide/ld.local.b128",
                                         "wide/atom.cas.b128.equal", "wide/ld.v4.b32.vector", "wide/mov.b64.vector",
                                         "video/vmad.s32.s32.s32.sat_minusa", "video/vset4.u32.u32.eq.add",
                                         "functions/reg.one", "functions/sum.u64", "functions/alloca.function",
                                         "rare/lop3.and.b32.sink", "rare/createpolicy.range", "rare/mad.f32.sm_10",
                                         "control/brx.idx.scopes", "functions/call.targets.scopes",
                                         "functions/call.parameter_address", "wide/ld.st.part_of_b128"));

INSTANTIATE_TEST_SUITE_P(Modules, Assembler, testing::ValuesIn(modules()), [](const auto& test) {
    std::string name = test.param.parent_path().filename().string() + "_" + test.param.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
});

} // namespace
} // namespace warpglass::probe
