// SPDX-License-Identifier: GPL-3.0-or-later
// Probes leave asynchronous copies, mbarriers and clusters as they are: the kernels do the same with them, and what the
// probes tell is what the emulator sees.
#include "tests/emulator/run_kernel.h"
#include "tests/probe/run.h"

#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

using testing::buffer;
using testing::value;
using Ints = std::vector<int>;

Ints numbers(std::size_t n) {
    Ints v(n);
    for (std::size_t i = 0; i < n; ++i)
        v[i] = int(i * 37 % 1013);
    return v;
}

LaunchPlan planOf(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments) {
    for (std::size_t n = 0; n < arguments.size(); ++n)
        arguments[n].name = "argument" + std::to_string(n);
    return testing::Kernel(entry, grid, block, std::move(arguments), "async.ptx").plan;
}

test::Setup everything() {
    test::Setup setup;
    setup.detail.kind = Detail::Kind::All;
    return setup;
}

// Whoever polls may do so another number of times with probes in between: these kernels do not.
TEST(AsyncKernels, HaveTheSameEventsWithProbes) {
    LaunchPlan sums = planOf("clusterSum", {4}, {64}, {buffer(Ints(4)), buffer(numbers(4 * 64))});
    sums.cluster = Dim3{2};
    for (const LaunchPlan& plan :
         {planOf("doubleBuffered", {1}, {64}, {buffer(Ints(64)), buffer(numbers(5 * 64)), value(5)}),
          planOf("clusterHistogram", {4}, {64}, {buffer(Ints(64)), buffer(numbers(500)), value(500)}), sums}) {
        const auto pair = test::runBoth(plan, everything());
        ASSERT_TRUE(pair.ok()) << plan.entry << ": " << pair.error().text();
        ASSERT_FALSE(pair->probedRun.fault) << plan.entry << ": " << pair->probedRun.fault->text();
        EXPECT_EQ(test::eventDifference(*pair->clean, pair->decoded), "") << plan.entry;
    }
}

TEST(AsyncKernels, GiveTheSameResultsWithProbes) {
    const Ints in = numbers(4 * 64);
    Ints more = in;
    for (int& v : more)
        ++v;
    for (const auto& [plan, expected] :
         {std::pair{planOf("bulkBothWays", {4}, {64}, {buffer(Ints(in.size())), buffer(in)}), more},
          std::pair{planOf("sendAround", {4}, {32}, {buffer(Ints(4))}), Ints{103, 100, 101, 102}}}) {
        const auto pair = test::runBoth(plan, everything());
        ASSERT_TRUE(pair.ok()) << plan.entry << ": " << pair.error().text();
        ASSERT_FALSE(pair->probedRun.fault) << plan.entry << ": " << pair->probedRun.fault->text();
        EXPECT_EQ(testing::values<int>(pair->probedRun, 0), expected) << plan.entry;
    }
}

} // namespace
} // namespace warpglass::probe
