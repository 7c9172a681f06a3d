// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/kernel_kind.h"
#include "gpu/metrics/model_accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace warpglass {
namespace {

Trace launchOf(const std::string& ptx, const std::string& device = "NVIDIA H200") {
    Trace trace;
    trace.info.deviceName = device;
    trace.kernels.resize(1);
    trace.kernels[0].ptx = ptx;
    trace.launches.resize(1);
    return trace;
}

TEST(KernelKind, IsWhatItsInstructionsSay) {
    const std::pair<const char*, KernelKind> cases[] = {
        {"\tld.global.f32 %f1, [%rd1];\n\tst.global.f32 [%rd2], %f1;\n\tret;", KernelKind::GlobalMemory},
        {"\tst.shared.f32 [%r1], %f1;\n\tbar.sync 0;", KernelKind::SharedMemory},
        {"\t@%p1 ex2.approx.f32 %f1, %f2;", KernelKind::SpecialFunctions},
        {"\tfma.rn.f64 %fd1, %fd2, %fd3, %fd4;\n\tsqrt.rn.f64 %fd1, %fd1;", KernelKind::Doubles},
        {"\tbar.sync 0;\n\tred.global.add.u32 [%rd1], 1;", KernelKind::Atomics},
        {"\tshfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;\n\tatom.global.add.u32 %r1, [%rd1], 1;", KernelKind::WarpSums},
        {"\tshfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;\n\trsqrt.approx.f32 %f1, %f2;", KernelKind::Norms},
        {"\tshfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;\n\tex2.approx.ftz.f32 %f1, %f2;", KernelKind::ExponentialSums},
        {"\tmatch.any.sync.b32 %r1, %r2, -1;", KernelKind::Matching},
        {"\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2];",
         KernelKind::BulkCopies},
        {"\tcp.async.cg.shared.global [%r1], [%rd1], 16;\n\tbar.sync 0;", KernelKind::SharedMemory},
        {"\tmapa.shared::cluster.u32 %r1, %r2, 1;", KernelKind::Clusters},
        {"\ttex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];", KernelKind::Textures},
        {"\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};", KernelKind::ProductsMma},
        {"\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};\n\tex2.approx.f32 %f1, %f2;",
         KernelKind::AttentionMma},
        {"\twmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f1};", KernelKind::ProductsWmma},
        {"\twgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
         "\tcp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1], [%r2];",
         KernelKind::ProductsWgmma},
    };
    for (const auto& [ptx, kind] : cases)
        EXPECT_EQ(std::string(name(kindOf(launchOf(ptx)))), name(kind)) << ptx;
}

// Of a text that has both, what ran decides.
TEST(KernelKind, GoesByTheLinesThatRan) {
    Trace trace =
        launchOf("\tbar.sync 0;\n\tmma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1};\n");
    EXPECT_EQ(kindOf(trace), KernelKind::ProductsMma);
    trace.counts.resize(1);
    trace.counts[0].ptxLine = 1;
    trace.counts[0].executions = 5;
    EXPECT_EQ(kindOf(trace), KernelKind::SharedMemory);
}

TEST(KernelKind, OneThatLaunchesOthersIsOfThese) {
    Trace trace = launchOf("\tret;\n");
    trace.launches.resize(2);
    trace.launches[1].parentLaunch = 0;
    EXPECT_EQ(kindOf(trace, 0), KernelKind::DeviceLaunches);
    EXPECT_EQ(kindOf(trace, 1), KernelKind::GlobalMemory);
}

// The words are made of the launches' table alone: of its rows, those of the kind that were kept aside.
TEST(KernelKind, QuotesTheErrorOfItsKind) {
    int launches = 0;
    double sum = 0;
    for (const ModelLaunch& l : modelLaunches())
        if (l.role == quotedRole && l.kind == KernelKind::SharedMemory) { // resources/model/today.csv has none of these
            ++launches;
            sum += std::abs(l.ratio() - 1);
        }
    ASSERT_GE(launches, 3);
    const Trace tiles = launchOf("\tbar.sync 0;\n");
    const std::string percent = std::to_string(int(std::lround(100 * sum / launches))) + " %";
    EXPECT_EQ(kindError(tiles).text(), std::to_string(launches) + " launches like this one: " + percent);
    EXPECT_NE(kindErrorSentence(tiles).text().find("shared memory with barriers"), std::string::npos);
    const Trace copies = launchOf("\tcp.async.bulk.commit_group;\n");
    EXPECT_EQ(kindError(copies).text(), "no measurement of such kernels");
    EXPECT_FALSE(expectedError(copies)); // and not that of other kinds in its place
    EXPECT_NEAR(*expectedError(tiles), sum / launches, 1e-12);
    const Trace elsewhere = launchOf("\tadd.f64 %fd1, %fd2, %fd3;\n", "Tesla V100");
    EXPECT_TRUE(kindError(elsewhere).empty());
    EXPECT_FALSE(expectedError(elsewhere));
    EXPECT_NE(kindErrorSentence(elsewhere).text().find("Nothing was measured on this device"), std::string::npos);
    Trace written = launchOf("\tbar.sync 0;\n"); // compiled as written, it is like other such launches
    written.info.mode = CompileMode::AsWritten;
    EXPECT_NEAR(*expectedError(written), modelAccuracy("as-written").meanError, 1e-12);
    EXPECT_FALSE(kindError(launchOf("\twgmma.fence.sync.aligned;\n", "NVIDIA H100 80GB HBM3")).empty());
    EXPECT_GE(modelAccuracy(KernelKind::ProductsWgmma).launches, 20);
}

} // namespace
} // namespace warpglass
