// SPDX-License-Identifier: GPL-3.0-or-later
// The launches of tests/model/kernels run without a fault and compute what the host does: each kernel's first, or all.
#include "tests/model/unseen.h"
#include "tests/model/unseen_checks.h"

#include <gtest/gtest.h>

#include <set>

namespace warpglass::testing {
namespace {

HostChecks allChecks() {
    HostChecks all = matrixChecks();
    all.merge(neighbourChecks());
    all.merge(orderChecks());
    all.merge(arithmeticChecks());
    all.merge(laterChecks());
    return all;
}

void expectRight(const std::string& role) {
    const HostChecks checks = allChecks();
    std::set<std::string> kernels;
    for (const UnseenLaunch& l : unseenLaunches()) {
        if (l.role != role || (!kernels.insert(l.kernel()).second && !allAreAsked()))
            continue;
        SCOPED_TRACE(l.name);
        auto request = requestOfFileLaunch(l.launch);
        ASSERT_TRUE(request) << request.error().text();
        request->options.detail.kind = Detail::Kind::None;
        const auto plan = session::planOf(*request);
        ASSERT_TRUE(plan) << plan.error().text();
        Progress progress;
        auto run = session::runPlan(*request, *plan, progress);
        ASSERT_TRUE(run) << run.error().text();
        ASSERT_FALSE(run->fault) << run->fault->text();
        ASSERT_TRUE(run->trace->diagnostics.empty()) << run->trace->diagnostics[0].message;
        ASSERT_TRUE(checks.contains(l.kernel()));
        checks.at(l.kernel())({*plan, std::move(run->buffers)});
    }
    EXPECT_GE(kernels.size(), 20u);
}

TEST(Unseen, KernelsThatMayBeLookedAtComputeWhatTheHostDoes) {
    expectRight("unseen-fit");
}
TEST(Unseen, KernelsThatAreKeptAsideComputeWhatTheHostDoes) {
    expectRight("unseen-test");
}

TEST(Unseen, EveryLaunchHasANameOfItsOwnAndOneOfTwoRoles) {
    std::set<std::string> names;
    for (const UnseenLaunch& l : unseenLaunches()) {
        EXPECT_TRUE(names.insert(l.name).second) << l.name;
        EXPECT_TRUE(l.role == "unseen-fit" || l.role == "unseen-test") << l.name;
        EXPECT_TRUE(isFileLaunch(l.launch)) << l.name;
    }
    EXPECT_GE(names.size(), 60u);
}

} // namespace
} // namespace warpglass::testing
