// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembled.h"
#include "app/session/assembler.h"
#include "app/session/session.h"
#include "gpu/ptx/parse.h"
#include "gpu/trace/register_origin.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::session;

namespace {

const std::string file = WARPGLASS_SOURCE_DIR "/tests/model/kernels/kept_aside.ptx";

ptx::Module module() {
    std::ifstream in(file);
    return *ptx::parse({std::istreambuf_iterator<char>(in), {}}, "kept_aside.ptx");
}

RunRequest request() {
    RunRequest r;
    r.kernel = file;
    r.entry = "gemm_registers";
    r.launch.grid = {{1}};
    r.launch.block = {{16, 16}};
    r.arguments = {"a:f32[4096]=1", "b:f32[4096]=1", "c:f32[4096]", "n:i32=64"};
    return r;
}

Recording run(const RunRequest& r) {
    Progress progress;
    auto recording = runRequest(r, progress);
    EXPECT_TRUE(recording) << recording.error().text();
    return std::move(*recording);
}

} // namespace

TEST(Assembler, IsReadForTheEntryThatWasAskedFor) {
    const std::string said = "ptxas info    : 0 bytes gmem\n"
                             "ptxas info    : Compiling entry function 'other' for 'sm_90'\n"
                             "ptxas info    : Used 99 registers, used 0 barriers\n"
                             "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
                             "ptxas info    : Function properties for k\n"
                             "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                             "ptxas info    : Used 12 registers, used 1 barriers, 1024 bytes smem\n";
    EXPECT_EQ(registersOfEntry(said, "k"), 12u);
    EXPECT_EQ(registersOfEntry(said, "other"), 99u);
    EXPECT_FALSE(registersOfEntry(said, "nobody"));
    EXPECT_FALSE(registersOfEntry("", "k"));
}

// Of the kernel's own lines, not of those of a function before it; a remark without a line is of all of it.
TEST(Assembler, SpillsAndRemarksAreReadFromWhatItSays) {
    const std::string said =
        "ptxas info    : Function properties for helper\n"
        "    16 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
        "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
        "ptxas in.ptx, line 12; warning : something of that line\n"
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "    264 bytes stack frame, 548 bytes spill stores, 556 bytes spill loads\n"
        "ptxas info    : Used 32 registers, used 0 barriers\n";
    const auto k = assembledOf(said, "k");
    ASSERT_TRUE(k);
    EXPECT_EQ(k->registers, 32u);
    EXPECT_EQ(k->stack, 264u);
    EXPECT_EQ(k->spillStores, 548u);
    EXPECT_EQ(k->spillLoads, 556u);
    ASSERT_EQ(k->remarks.size(), 2u);
    EXPECT_EQ(k->remarks[0].text.substr(0, 7), "(C7510)");
    EXPECT_EQ(k->remarks[1].ptxLine, 12);
    EXPECT_FALSE(assembledOf(said, "nobody"));
}

TEST(Assembler, TheOnlyLocalArrayOfAKernelHasAName) {
    const std::string k = "__global__ void k(float* x, int n) {\n  ";
    EXPECT_EQ(localArrayOf(k + "__shared__ float tile[8]; float q[8]; q[n] = x[n]; x[0] = q[1]; }", "k"), "q");
    EXPECT_EQ(localArrayOf(k + "float q[8], other[3]; }", "k"), ""); // which one, nobody knows
    EXPECT_EQ(localArrayOf(k + "return x[n]; }", "k"), "");
    EXPECT_EQ(localArrayOf(k + "float q[8]; }", "j"), "");
}

// An H200's driver tells 56 of this kernel.
TEST(Assembler, CountsWhatTheHardwareHas) {
    const std::string assembler = findAssembler();
    if (assembler.empty())
        GTEST_SKIP() << "no ptxas here";
    EXPECT_EQ(assembledRegisters(assembler, module(), "gemm_registers", 90), 56u);
    EXPECT_FALSE(assembledRegisters(assembler, module(), "gemm_registers", 70)); // older than the text
    EXPECT_FALSE(assembledRegisters(assembler, module(), "nobody", 90));
    ptx::Module broken = module();
    broken.text += "this is no PTX";
    EXPECT_FALSE(assembledRegisters(assembler, broken, "gemm_registers", 90));
    EXPECT_FALSE(assembledRegisters("/nowhere/ptxas", module(), "gemm_registers", 90));
    EXPECT_FALSE(assembledRegisters("/bin/false", module(), "gemm_registers", 90));

    const Recording counted = run(request());
    EXPECT_EQ(counted.trace->kernels[0].registers, 56u);
    EXPECT_FALSE(registersEstimated(*counted.trace, 0));
}

TEST(Assembler, IsNotNeededForAnEstimateThatIsToldAsOne) {
    RunRequest r = request();
    r.countRegisters = false;
    const Recording estimated = run(r);
    EXPECT_TRUE(registersEstimated(*estimated.trace, 0));
    EXPECT_NEAR(estimated.trace->kernels[0].registers, 56, 10);
    EXPECT_FALSE(registersEstimated(*estimated.trace, 1)); // there is no such launch
}

namespace {

// An assembler that does as the lines say, found by CUDA_HOME as long as this lives.
class FakeAssembler {
public:
    explicit FakeAssembler(const std::string& lines) {
        std::filesystem::create_directories(m_home / "bin");
        for (const char* name : {"nvcc", "ptxas"}) {
            std::ofstream(m_home / "bin" / name) << "#!/bin/sh\n" << lines << "\n";
            std::filesystem::permissions(m_home / "bin" / name, std::filesystem::perms::owner_all);
        }
        setenv("CUDA_HOME", m_home.c_str(), 1);
    }
    ~FakeAssembler() {
        if (m_before)
            setenv("CUDA_HOME", m_before->c_str(), 1);
        else
            unsetenv("CUDA_HOME");
        std::filesystem::remove_all(m_home);
    }
    FakeAssembler(const FakeAssembler&) = delete;
    FakeAssembler& operator=(const FakeAssembler&) = delete;

private:
    const std::filesystem::path m_home = testing::TempDir() + "assembler" + std::to_string(getpid());
    const std::optional<std::string> m_before =
        std::getenv("CUDA_HOME") ? std::optional<std::string>(std::getenv("CUDA_HOME")) : std::nullopt;
};

std::string whyNotCounted(const RunRequest& r) {
    const auto plan = planOf(r);
    EXPECT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->registers, 0u);
    return plan->notCounted;
}

} // namespace

TEST(Assembler, EndsAtItsLimitsAndThatIsSaid) {
    {
        const FakeAssembler endless("kill -XCPU $$"); // as the system does when its time is over
        EXPECT_NE(whyNotCounted(request()).find("did not come to an end in 4 s"), std::string::npos);
    }
    {
        const FakeAssembler greedy("echo 'ptxas fatal   : Memory allocation failure' >&2; exit 255");
        EXPECT_NE(whyNotCounted(request()).find("wanted more than 1.5 GB of memory"), std::string::npos);
    }
    const FakeAssembler cannot("echo 'ptxas fatal   : Unresolved extern function' >&2; exit 255");
    EXPECT_EQ(whyNotCounted(request()), "");
}

TEST(Assembler, IsNotStartedForWhatItTakesSecondsFor) {
    const auto marked =
        std::filesystem::path(testing::TempDir()) / ("assembler-was-started" + std::to_string(getpid()));
    std::filesystem::remove(marked);
    const FakeAssembler marks("touch '" + marked.string() + "'");
    RunRequest r;
    r.kernel = "long.ptx";
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.func f()\n{\n.reg .b32 %r<2>;\n";
    for (std::size_t n = 0; n < mostAssembled; ++n)
        text += "add.s32 %r1, %r1, 1;\n";
    text += "ret;\n}\n.visible .entry k() { call f; ret; }\n.visible .entry other() { ret; }\n";
    r.text = text;
    r.entry = "k"; // its call and its end, and of f all additions and the end
    EXPECT_NE(whyNotCounted(r).find("k has 16387 instructions, and ptxas is asked about 16384 at most"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(marked));
    r.entry = "other"; // which calls nothing
    EXPECT_EQ(whyNotCounted(r), "");
    EXPECT_TRUE(std::filesystem::exists(marked));
}
