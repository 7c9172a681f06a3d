// SPDX-License-Identifier: GPL-3.0-or-later
// The same trace and the same buffers for 1, 2 and 5 host threads.
#include "tests/emulator/run_kernel.h"

#include "gpu/kernels/catalogue.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

void expectSame(const Recording& a, const Recording& b) {
    EXPECT_EQ(a.buffers, b.buffers);
    EXPECT_EQ(a.warpInstructions, b.warpInstructions);
    const Trace &x = *a.trace, &y = *b.trace;
    EXPECT_EQ(x.blocks, y.blocks);
    EXPECT_EQ(x.events, y.events);
    EXPECT_EQ(x.accessAddresses, y.accessAddresses);
    EXPECT_EQ(x.accessValues, y.accessValues);
    EXPECT_EQ(x.output, y.output);
    ASSERT_EQ(x.launches.size(), y.launches.size());
    ASSERT_EQ(x.counts.size(), y.counts.size());
    for (std::size_t i = 0; i < x.counts.size(); ++i) {
        EXPECT_EQ(x.counts[i].executions, y.counts[i].executions);
        EXPECT_EQ(x.counts[i].lanes, y.counts[i].lanes);
        EXPECT_EQ(x.counts[i].sectors, y.counts[i].sectors);
        EXPECT_EQ(x.counts[i].divergent, y.counts[i].divergent);
    }
    ASSERT_EQ(x.diagnostics.size(), y.diagnostics.size());
    for (std::size_t i = 0; i < x.diagnostics.size(); ++i) {
        EXPECT_EQ(x.diagnostics[i].message, y.diagnostics[i].message);
        EXPECT_EQ(x.diagnostics[i].count, y.diagnostics[i].count);
    }
}

void expectSameForAnyThreads(Kernel k) {
    k.options.detail.accesses = true;
    k.options.threads = 1;
    const Recording one = k.run();
    for (const int threads : {2, 5}) {
        k.options.threads = threads;
        expectSame(one, k.run());
    }
    EXPECT_TRUE(validate(*one.trace).ok());
}

TEST(Determinism, IntegerAtomics) {
    expectSameForAnyThreads(
        Kernel("countAll", {300}, {96}, {buffer(std::vector<int>(1)), buffer(std::vector<int>(16))}));
}
TEST(Determinism, AtomicsWhoseOldValueIsUsed) {
    expectSameForAnyThreads(
        Kernel("ticket", {200}, {32}, {buffer(std::vector<int>(1)), buffer(std::vector<int>(200))}));
}
TEST(Determinism, FloatAtomics) {
    expectSameForAnyThreads(Kernel("floatSum", {100}, {64}, {buffer(std::vector<float>(1))}));
}
TEST(Determinism, Faults) {
    expectSameForAnyThreads(Kernel("outOfBounds", {50}, {32}, {buffer(std::vector<int>(1000)), value(5)}));
}

TEST(Determinism, DocumentsReduction) {
    const CatalogueEntry* entry = findKernel("reduceNeighbored");
    ASSERT_TRUE(entry);
    LaunchRequest request;
    request.size = 100000;
    request.block = Dim3{128};
    auto plan = makePlan(*entry, request);
    ASSERT_TRUE(plan.ok());
    Kernel k("partialWarp", {1}, {1}, {});
    k.plan = *plan;
    EXPECT_EQ(k.run().check.check, Check::Ok);
    expectSameForAnyThreads(k);
}

} // namespace
} // namespace warpglass::testing
