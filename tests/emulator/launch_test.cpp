// SPDX-License-Identifier: GPL-3.0-or-later
// Device-side launches: tree, order, limits.
#include "tests/emulator/run_kernel.h"

#include "gpu/kernels/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpglass::testing {
namespace {

Recording runCatalogue(const char* name, LaunchRequest request, std::uint32_t pending = 2048) {
    const CatalogueEntry* entry = findKernel(name);
    if (!entry)
        throw std::runtime_error(name);
    auto plan = makePlan(*entry, request);
    if (!plan)
        throw std::runtime_error(plan.error().text());
    plan->pendingLaunchLimit = pending;
    Progress progress;
    auto r = makeEmulator()->run(*plan, {}, progress);
    if (!r)
        throw std::runtime_error(r.error().text());
    return std::move(*r);
}

long dropped(const Recording& r) {
    return std::count_if(r.trace->launches.begin(), r.trace->launches.end(),
                         [](const Launch& l) { return l.status == LaunchStatus::Dropped; });
}

LaunchRequest blocksOf512(std::uint32_t blocks) {
    LaunchRequest request;
    request.size = std::int64_t(blocks) * 512;
    request.block = Dim3{512};
    return request;
}

// Measured on an H200 with the default limit: 1024 blocks are right, 2048 lose 2 results, 4096 lose 2050 (grid - 2046),
// without an error on the host; with a limit of 65536 all are right.
TEST(DeviceLaunch, LaunchesOverThePendingLimitAreLostAsOnTheHardware) {
    EXPECT_EQ(dropped(runCatalogue("gpuRecursiveReduceNosync", blocksOf512(1024))), 0);
    const auto lost = runCatalogue("gpuRecursiveReduceNosync", blocksOf512(2048));
    EXPECT_EQ(dropped(lost), 2);
    EXPECT_EQ(lost.check.check, Check::Wrong);
    EXPECT_FALSE(lost.fault);
    EXPECT_TRUE(find(lost, DiagnosticKind::LaunchDropped));
    EXPECT_EQ(dropped(runCatalogue("gpuRecursiveReduceNosync", blocksOf512(4096))), 2050);
    const auto raised = runCatalogue("gpuRecursiveReduceNosync", blocksOf512(4096), 65536);
    EXPECT_EQ(dropped(raised), 0);
    EXPECT_EQ(raised.check.check, Check::Ok) << raised.check.why;
}

// nestedHelloWorld launches itself with half the threads: a kernel compiled for blocks of 8 refuses its first child.
TEST(DeviceLaunch, ChildrenAreHeldToTheKernelsBounds) {
    auto plan = makePlan(*findKernel("nestedHelloWorld"), {.block = Dim3{8}});
    ASSERT_TRUE(plan) << plan.error().text();
    const std::size_t entry = plan->ptx.find(".entry nestedHelloWorld(");
    ASSERT_NE(entry, std::string::npos);
    plan->ptx.insert(plan->ptx.find("{", entry), ".reqntid 8, 1, 1\n");
    Progress progress;
    const auto r = makeEmulator()->run(*plan, {}, progress);
    ASSERT_TRUE(r) << r.error().text();
    ASSERT_EQ(r->trace->launches.size(), 2u);
    EXPECT_EQ(r->trace->launches[0].status, LaunchStatus::Ran);
    EXPECT_EQ(r->trace->launches[1].status, LaunchStatus::Dropped);
    ASSERT_TRUE(find(*r, DiagnosticKind::LaunchDropped));
    EXPECT_NE(find(*r, DiagnosticKind::LaunchDropped)->message.find(".reqntid"), std::string::npos);
}

TEST(DeviceLaunch, ChildrenLieInsideTheirParentAndTailsAfterIt) {
    for (const char* name : {"nestedHelloWorld", "gpuRecursiveReduce"}) {
        const auto r = runCatalogue(name, {});
        ASSERT_GT(r.trace->launches.size(), 1u) << name;
        EXPECT_TRUE(validate(*r.trace).ok()) << validate(*r.trace).error().text();
        for (const Launch& l : r.trace->launches) {
            if (l.parentLaunch == noIndex)
                continue;
            const Launch& parent = r.trace->launches[l.parentLaunch];
            EXPECT_EQ(l.depth, parent.depth + 1);
            if (l.stream == StreamKind::Tail)
                EXPECT_GE(l.start, parent.end);
            else
                EXPECT_LE(l.end, parent.end);
            ASSERT_NE(l.site, noIndex);
            EXPECT_EQ(r.trace->sites[l.site].kind, SiteKind::Launch);
        }
    }
}

} // namespace
} // namespace warpglass::testing
