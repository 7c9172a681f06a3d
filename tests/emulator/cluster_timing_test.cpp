// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a cluster in time: on SMs of their own, side by side, and all at once.
#include "gpu/emulator/emulator.h"
#include "gpu/trace/trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace warpglass::testing {
namespace {

// Each block multiplies so many times, rank 0 as many more, and all of them may meet at the cluster's barrier.
Recording run(std::uint32_t blocks, std::uint32_t cluster, std::uint32_t sharedBytes, int rounds, int more = 0,
              bool meet = false) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.moduleName = "k.ptx";
    plan.ptx = fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 room[];\n"
        ".visible .entry k(.param .u64 out)\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<6>;\n"
        "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %cluster_ctarank;\nmov.u32 %r3, {};\n"
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 add.u32 %r3, %r3, {};\nmov.u32 %r4, 1;\nmov.u32 %r5, 0;\n"
        "AGAIN:\nmul.lo.u32 %r4, %r4, 3;\nadd.u32 %r5, %r5, 1;\nsetp.lo.u32 %p2, %r5, %r3;\n@%p2 bra AGAIN;\n"
        "{}"
        "mov.u32 %r6, %smid;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
        "st.global.u32 [%rd3], %r6;\nsetp.eq.u32 %p3, %r4, 0;\n@%p3 st.global.u32 [%rd3], %r4;\nret;\n}}\n",
        rounds, more, meet ? "barrier.cluster.arrive;\nbarrier.cluster.wait;\n" : "");
    plan.grid = {blocks, 1, 1};
    plan.block = {128, 1, 1};
    plan.sharedBytes = sharedBytes;
    if (cluster > 1)
        plan.cluster = Dim3{cluster, 1, 1};
    Argument out;
    out.name = "out";
    out.type = ElementType::U32;
    out.count = blocks;
    out.isBuffer = true;
    plan.arguments = {out};
    RunOptions options;
    options.timing = true;
    options.device = "h200";
    options.detail.kind = Detail::Kind::All;
    Progress progress;
    auto recording = makeEmulator()->run(plan, options, progress);
    EXPECT_TRUE(recording) << (recording ? "" : recording.error().text());
    EXPECT_FALSE(recording && recording->fault) << recording->fault->text();
    return recording ? std::move(*recording) : Recording{};
}
double nsOf(const Recording& r) {
    return r.trace->timings.at(0).durationNs;
}

} // namespace

// 200 KB leave room for one block on an SM. An H200 takes 90.0 us for 128 such blocks without clusters, and 90.2 for clusters
// of two; on one SM they would take turns.
TEST(ClusterTiming, BlocksHaveSmsOfTheirOwn) {
    const double alone = nsOf(run(128, 1, 200000, 1000));
    for (const std::uint32_t cluster : {2u, 8u})
        EXPECT_NEAR(nsOf(run(128, cluster, 200000, 1000)) / alone, 1, 0.03) << cluster;
}

// Three waves: each cluster on two SMs that are neighbours, in both from the same time on.
TEST(ClusterTiming, ClustersBeginOnAllTheirSmsAtOnce) {
    const Recording r = run(3 * 132, 2, 200000, 300, 200);
    std::vector<std::uint32_t> sms(3 * 132);
    std::memcpy(sms.data(), r.buffers.at(0).data(), sms.size() * 4);
    std::vector<Time> starts(sms.size());
    for (const Block& b : r.trace->blocks)
        starts.at(b.index) = b.start;
    std::set<std::int64_t> times;
    for (std::size_t first = 0; first < sms.size(); first += 2) {
        EXPECT_EQ(sms[first] % 2, 0U) << first;
        EXPECT_EQ(sms[first + 1], sms[first] + 1) << first;
        if (sms[first] != 0)
            continue; // the others are not timed
        EXPECT_EQ(starts[first].value, starts[first + 1].value) << first;
        times.insert(starts[first].value);
    }
    EXPECT_EQ(times.size(), 3U);
}

// Rank 0 does as much again as the others, which wait for it: all take as long as it does, and no longer, since they are at
// work at the same time.
TEST(ClusterTiming, BlocksMeetAtTheirBarrier) {
    const Recording longest = run(1, 1, 0, 2000), met = run(2, 2, 0, 1000, 1000, true),
                    apart = run(2, 2, 0, 1000, 1000);
    EXPECT_NEAR(nsOf(met) / nsOf(longest), 1, 0.02);
    const auto length = [](const Recording& r, std::size_t block) {
        return double((r.trace->blocks.at(block).end - r.trace->blocks.at(block).start).value);
    };
    EXPECT_NEAR(length(met, 1) / length(met, 0), 1, 0.02);
    EXPECT_NEAR(length(apart, 1) / length(apart, 0), 0.5, 0.1);
}

// The budget ends in the middle (25,000 instructions of each SM, of which a block has 66,000): the functional core brings all of
// them to their end, and they take as long as at the rate that they have had.
TEST(ClusterTiming, GoesOnWhereTheBudgetEnds) {
    const Recording cut = run(8, 4, 0, 4000, 100, true), whole = run(1, 1, 0, 4100);
    EXPECT_EQ(whole.trace->timings.at(0).timedBlocks, 1U);
    EXPECT_EQ(cut.trace->timings.at(0).timedBlocks, 0U);
    EXPECT_NEAR(nsOf(cut) / nsOf(whole), 1, 0.1);
}

} // namespace warpglass::testing
