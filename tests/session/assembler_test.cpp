// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembler.h"
#include "app/session/session.h"
#include "gpu/ptx/parse.h"
#include "gpu/trace/register_origin.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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
