// SPDX-License-Identifier: GPL-3.0-or-later
// What a timed run finds out once: a launch on a device that lacks a limit takes as long with it as without, and runs less.
#include "gpu/device/limit.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>

namespace warpglass::testing {
namespace {

using Ints = std::vector<int>;
using Bytes = std::shared_ptr<const std::vector<std::byte>>;

struct TimedRun {
    double ns = 0;
    std::uint64_t instructions = 0;
    Bytes findings;
};
TimedRun timedWith(Kernel k, LimitSet without, bool keep, Bytes findings) {
    k.options.timing = true;
    k.options.threads = 2;
    k.options.without = without;
    k.options.keepFindings = keep;
    k.options.findings = std::move(findings);
    const Recording r = k.run();
    EXPECT_FALSE(r.fault);
    EXPECT_EQ(r.trace->timings.size(), 1u);
    return {r.trace->timings.at(0).durationNs, r.warpInstructions, r.findings};
}

// 1000 blocks of two warps that compute and store: of 132 SMs one is timed, with 8 of them.
Kernel storesOwn() {
    const int n = 1000;
    return {"isDealtOut", {1000}, {64}, {buffer(std::vector<float>(std::size_t(n) * 64)), value(n)}, "turns.ptx"};
}

TEST(Findings, spareALaterRunTheBlocksWithoutTime) {
    const TimedRun first = timedWith(storesOwn(), {}, true, nullptr);
    ASSERT_TRUE(first.findings);
    EXPECT_FALSE(timedWith(storesOwn(), {}, false, nullptr).findings);
    for (const Limit limit : allOf<Limit>) {
        const LimitSet without = LimitSet().with(limit);
        const TimedRun whole = timedWith(storesOwn(), without, false, nullptr);
        const TimedRun again = timedWith(storesOwn(), without, true, first.findings);
        EXPECT_EQ(again.ns, whole.ns) << name(limit);
        EXPECT_LE(again.instructions, whole.instructions) << name(limit);
        if (limit == Limit::Latency || limit == Limit::Issue) { // as many blocks lie on an SM as before
            EXPECT_EQ(again.instructions, whole.instructions * 8 / 1000) << name(limit);
        }
    }
}

// Whose order matters all run, but the run that finds that out is not made again.
TEST(Findings, keepTheOrderOfBlocksThatMeet) {
    const auto meets = [] { return Kernel("setsByFunctions", {1000}, {64}, {buffer(Ints{7}, "out")}, "turns.ptx"); };
    const TimedRun first = timedWith(meets(), {}, true, nullptr);
    ASSERT_TRUE(first.findings);
    const TimedRun again = timedWith(meets(), LimitSet().with(Limit::Latency), false, first.findings);
    const TimedRun whole = timedWith(meets(), LimitSet().with(Limit::Latency), false, nullptr);
    EXPECT_EQ(again.ns, whole.ns);
    EXPECT_EQ(again.instructions, whole.instructions);
}

// They may come from anybody: what is none, or another launch's, is as if there were none.
TEST(Findings, areHeldAgainstTheLaunch) {
    const TimedRun first = timedWith(storesOwn(), {}, true, nullptr);
    ASSERT_TRUE(first.findings);
    const std::span<const std::byte> all = *first.findings;
    std::vector<std::vector<std::byte>> others{{}, {all.begin(), all.begin() + 20}, {all.begin(), all.end() - 1}};
    others.emplace_back(all.begin(), all.end()).front() = std::byte(7); // blocks of the grid
    for (const std::size_t at :
         {40u, 72u, 80u, 96u}) { // blocks of an SM that are timed; the table's room, the most of it, its cells
        others.emplace_back(all.begin(), all.end());
        std::fill_n(others.back().begin() + std::ptrdiff_t(at), 8, std::byte(0xff));
    }
    for (const auto& bytes : others) {
        const TimedRun run = timedWith(storesOwn(), {}, false, std::make_shared<const std::vector<std::byte>>(bytes));
        EXPECT_EQ(run.ns, first.ns);
        EXPECT_EQ(run.instructions, first.instructions);
    }
}

} // namespace
} // namespace warpglass::testing
