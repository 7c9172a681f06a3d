// SPDX-License-Identifier: GPL-3.0-or-later
// mbarriers, bulk copies, fences and clusters in the timing model against an H200: the same texts (programs/copy_text.h,
// programs/cluster_text.h), and the clock that the kernel itself reads.
#include "tests/timing/programs/cluster_text.h"
#include "tests/timing/programs/copy_text.h"
#include "tests/timing/text_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

struct On {
    std::uint32_t warps = 1, blocks = 1, cluster = 1, sharedBytes = 1024;
    bool first = false; // only the first block counts
    std::uint64_t bytes = 65536;
};

// Cycles of a copy of the operation, from a block's first warp's beginning to its last one's end, in the mean of all blocks.
double cyclesOf(const Text& text, const On& on) {
    LaunchPlan plan;
    plan.grid = {on.blocks, 1, 1};
    plan.block = {on.warps * 32, 1, 1};
    plan.cluster = Dim3{on.cluster, 1, 1};
    plan.sharedBytes = on.sharedBytes;
    const auto clocks = clocksOf(text, plan, on.bytes, true);
    double sum = 0;
    const std::uint32_t counted = on.first ? 1 : on.blocks;
    for (std::size_t block = 0; block < counted && !clocks.empty(); ++block)
        sum += cyclesOfBlock(clocks, block, on.warps);
    return sum / counted / text.copies / text.rounds;
}

class Operations : public ::testing::Test {
protected:
    void holds(const std::string& row, const Text& text, const On& on, double tolerance) {
        const double cycles = cyclesOf(text, on), there = card.at(row);
        if (std::getenv("WARPGLASS_SHOW_ROWS"))
            fmt::print("{:60} {:8.1f} {:8.1f} {:6.2f}\n", row, there, cycles, cycles / there);
        EXPECT_NEAR(cycles / there, 1, tolerance) << row << ": " << cycles << ", " << there << " on the card";
    }
    const std::map<std::string, double> card = measuredCases();
};

} // namespace

TEST_F(Operations, AtMbarriers) {
    holds("mbarrier/arrive", atBarrier("@first mbarrier.arrive.shared::cta.b64 _, [x10];\n"), {}, 0.15);
    holds("mbarrier/arrive_state",
          atBarrier(
              "@first mbarrier.arrive.shared::cta.b64 y5, [x10];\n@first cvt.u32.u64 x6, y5;\n@first and.b32 x6, x6, "
              "0;\n@first add.u32 x10, x10, x6;\n"),
          {}, 0.15);
    holds("mbarrier/expect_tx", atBarrier("@first mbarrier.arrive.expect_tx.shared::cta.b64 _, [x10], 0;\n"), {}, 0.15);
    const std::string test =
        "mbarrier.test_wait.parity.shared::cta.b64 p0, [x10], 1;\nselp.u32 x6, 0, 1, p0;\nadd.u32 x10, x10, x6;\n";
    holds("mbarrier/test_done", atBarrier(test), {}, 0.15);
    holds("mbarrier/try_done", atBarrier(all(test, "test_wait", "try_wait")), {}, 0.15);
    for (const std::uint32_t warps : {1u, 4u, 8u}) {
        holds(fmt::format("mbarrier/test_done/warps:{}", warps), atBarrier(test), {.warps = warps}, 0.15);
        holds(fmt::format("mbarrier/arrive_all/warps:{}", warps),
              atBarrier("mbarrier.arrive.shared::cta.b64 _, [x10];\n"), {.warps = warps}, 0.3);
    }
    holds("mbarrier/there_and_back/try", thereAndBack(true), {.warps = 2}, 0.15);
    holds("mbarrier/there_and_back/test", thereAndBack(false), {.warps = 2}, 0.3);
}

TEST_F(Operations, OfBulkCopies) {
    for (const int bytes : {16, 1024, 4096, 16384})
        for (const int flying : {1, 2, 4, 8})
            holds(fmt::format("bulk/from:l2/bytes:{}/flying:{}/sms:1", bytes, flying),
                  bulkLoads(bytes, flying, From::L2, 256 / flying), {.sharedBytes = barrierAt + 1024, .bytes = 131072},
                  0.15);
}

// The first block of four fetches four times 16 KB for those whose bits are set, 64 KB in 669 cycles at 98 bytes a cycle: for
// all of them no more often than for itself.
TEST_F(Operations, OfCopiesForAClusterFetchOnce) {
    const auto text = [](int mask) {
        Text t;
        t.cluster = true;
        t.rounds = 16;
        t.declare = ".reg .b16 h0;\n.reg .pred root, member;\n";
        t.before =
            initialised(4) + say("mov.u16 h0, %d;\nsetp.eq.u32 root, rank, 0;\nshr.u32 x1, %d, rank;\nand.b32 x1, x1, "
                                 "1;\nsetp.ne.u32 member, x1, 0;\n",
                                 mask, mask);
        t.each = "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n@!first bra AFTER;\n@!member bra AFTER;\n";
        for (int k = 0; k < 4; ++k)
            t.each += say("mbarrier.arrive.expect_tx.shared::cta.b64 _, [x10+%d], 16384;\n", 8 * k);
        t.each += "@!root bra ASKED;\n";
        for (int k = 0; k < 4; ++k)
            t.each += say("add.u32 x25, sm, %d;\nadd.u64 y2, data, %d;\n"
                          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [x25], "
                          "[y2], 16384, [x10+%d], h0;\n",
                          16384 * k, 16384 * k, 8 * k);
        t.each += "ASKED:\nand.b32 x24, round, 1;\n";
        for (int k = 0; k < 4; ++k)
            t.each += waitFor(say("M%d", k), say("x10+%d", 8 * k), "x24");
        t.each += "AFTER:\n";
        return t;
    };
    const On on{.blocks = 4, .cluster = 4, .sharedBytes = barrierAt + 1024, .first = true, .bytes = 65536};
    const double alone = cyclesOf(text(1), on), all = cyclesOf(text(15), on);
    EXPECT_GT(alone, 669);
    EXPECT_NEAR(all / alone, 1, 0.1) << alone << ", " << all;
}

// Behind a store only those that wait for it: of the others the card's own stores decide.
TEST_F(Operations, OfFences) {
    const auto hold = [&](const char* fence, bool stored) {
        for (const std::uint32_t warps : {4u, 8u})
            holds(fmt::format("fence/{}/{}/warps:{}", fence, stored ? "stored" : "alone", warps),
                  fenceText(fence, stored), {.warps = warps},
                  std::string(fence).find("mbarrier_init") != std::string::npos ? 0.2 : 0.15); // 7 cycles
    };
    for (const char* fence :
         {"fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster", "fence.acq_rel.cta", "fence.sc.cta"})
        hold(fence, false);
    for (const char* fence : {"fence.proxy.async", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.acq_rel.sys",
                              "fence.sc.cluster", "fence.sc.gpu"})
        for (const bool stored : {false, true})
            hold(fence, stored);
}

// A fence behind a warp's stores to eight lines each, in pages of both halves of L2: what it takes beside the same stores alone,
// which conversions keep as far from each other as the card's loop does (40 cycles).
TEST_F(Operations, OfFencesBehindStoresToManyLines) {
    for (const std::uint32_t warps : {1u, 4u})
        for (const int stores : {1, 2, 4, 8, 16}) {
            Text text{.before = "shr.u32 x1, lane, 2;\nshl.b32 x1, x1, 12;\nand.b32 x2, lane, 3;\nshl.b32 x2, x2, 3;\n"
                                "add.u32 x1, x1, x2;\nshl.b32 x2, warp, 16;\nadd.u32 x1, x1, x2;\ncvt.u64.u32 y1, x1;\n"
                                "add.u64 y1, y1, data;\n",
                      .rounds = 1};
            const std::string apart = "cvt.rn.f32.u32 x3, x2;\ncvt.rzi.u32.f32 x2, x3;\n";
            for (int k = 0; k < stores; ++k)
                text.each += apart + apart + fmt::format("st.volatile.global.v2.u32 [y1+{}], {{x2, x3}};\n", 32 * k);
            const On on{.warps = warps, .bytes = warps * 65536};
            const double issued = cyclesOf(text, on);
            text.each += "fence.acq_rel.gpu;\n";
            const std::string row =
                fmt::format("fence_behind/blocks:1/warps:{}/lines:8/stores:{}/fence", warps, stores);
            const double cycles = cyclesOf(text, on) - issued;
            EXPECT_NEAR(cycles / card.at(row), 1, 0.15) << row << ": " << cycles << ", " << card.at(row);
        }
}

// match.any of so many values, each of which waits for the one before.
TEST_F(Operations, OfMatches) {
    for (const std::uint32_t warps : {1u, 4u, 8u, 16u})
        for (const int values : {1, 4, 16, 32}) {
            const Text text{
                .before = fmt::format("rem.u32 x1, lane, {};\n", values),
                .each = "match.any.sync.b32 x2, x1, 0xffffffff;\nsetp.eq.u32 p0, x2, 0;\n@p0 add.u32 x1, x1, 1;\n",
                .keep = "@lead st.global.u32 [data], x1;"};
            holds(fmt::format("match/warps:{}/values:{}/behind", warps, values), text, {.warps = warps}, 0.2);
        }
}

TEST_F(Operations, OfClusters) {
    for (const std::uint32_t size : {2u, 4u, 8u}) {
        for (int distance = 0; distance < int(size); distance = distance ? distance * 2 : 1) {
            const On on{.blocks = size, .cluster = size, .sharedBytes = 65536, .first = true};
            const std::string where = fmt::format("/size:{}/distance:{}", size, distance);
            holds("cluster/load_chase" + where, ofFirstBlock(reaching(int(size), distance), loadChase), on, 0.15);
            holds("cluster/atomic_chase" + where, ofFirstBlock(reaching(int(size), distance), atomicChase), on, 0.15);
        }
    }
    for (const std::uint32_t size : {1u, 2u, 4u, 8u})
        for (const std::uint32_t warps : {1u, 4u, 8u, 16u})
            for (const bool relaxed : {false, true})
                holds(fmt::format("cluster/barrier{}/size:{}/warps:{}", relaxed ? "_relaxed" : "", size, warps),
                      clusterBarrier(relaxed), {.warps = warps, .blocks = size, .cluster = size},
                      !relaxed && warps == 16 ? 0.25 : 0.15); // 16 warps that fence at once take 80 cycles more
}

} // namespace warpglass::testing
