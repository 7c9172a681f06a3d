// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/join.h"
#include "gpu/program/program.h"

#include <gtest/gtest.h>

using namespace warpglass;
using namespace warpglass::program;

namespace {

// A rank that reduces twice: its kernels run `late` ns after 100 and after 1,000, for 50 and 80 ns.
ProgramTrace reducingRank(std::uint32_t rank, std::int64_t began, std::int64_t late) {
    ProgramTrace p;
    p.info.rank = rank;
    p.info.began = began;
    p.streams.push_back({.name = "default"});
    p.kernels.push_back({.name = "ncclDevKernel", .entry = "ncclDevKernel"});
    const std::int64_t starts[] = {100, 1'000}, lengths[] = {50, 80};
    for (std::uint32_t n = 0; n < 2; ++n) {
        Operation o;
        o.kernel = 0;
        o.start = o.called = starts[n] + late;
        o.end = o.returned = o.start + lengths[n];
        p.operations.push_back(o);
        p.collectives.push_back({.called = o.called,
                                 .communicator = 77,
                                 .count = 1'000,
                                 .sequence = n,
                                 .rank = rank,
                                 .ranks = 2,
                                 .type = CollectiveType::F32,
                                 .op = CollectiveOp::Sum});
        p.collectiveSteps.push_back({n, n});
    }
    return p;
}

} // namespace

// Rank 1's clock began 30 ns after rank 0's and its kernels come 10 ns late: 40 ns behind. The first call runs 100 to 150 and
// 140 to 190, the second 1,000 to 1,080 and 1,040 to 1,120.
TEST(Collectives, ofAllRanksStandTogetherAndTheLastToComeIsLast) {
    std::vector<ProgramTrace> ranks;
    ranks.push_back(reducingRank(0, 5'000, 0));
    ranks.push_back(reducingRank(1, 5'030, 10));
    const ProgramTrace all = join(std::move(ranks));
    const auto groups = collectiveGroups(all);
    ASSERT_EQ(groups.size(), 2u);
    for (const CollectiveGroup& g : groups) {
        ASSERT_EQ(g.ranks.size(), 2u);
        EXPECT_EQ(all.collectives[g.ranks[0].collective].rank, 0u);
        EXPECT_EQ(all.collectives[g.ranks[1].collective].rank, 1u);
        EXPECT_EQ(g.waited(), 40);
    }
    EXPECT_EQ(groups[0].lastStart(), 140);
    EXPECT_EQ(groups[0].end(), 190);
    EXPECT_EQ(groups[1].end(), 1'120);
    EXPECT_EQ(all.collectives[groups[1].ranks[1].collective].called, 1'040);
    // Operations in the order of their calls: 100, 140, 1,000, 1,040.
    EXPECT_EQ(groups[1].ranks[0].operations, (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(groups[1].ranks[1].operations, (std::vector<std::uint32_t>{3}));
}

// A send and the receive behind it share their places with nobody.
TEST(Collectives, sendsAndReceivesStandAlone) {
    std::vector<ProgramTrace> ranks;
    for (std::uint32_t r = 0; r < 2; ++r) {
        ranks.push_back(reducingRank(r, 0, 0));
        for (Collective& c : ranks.back().collectives)
            c.kind = r == 0 ? CollectiveKind::Send : CollectiveKind::Receive;
    }
    EXPECT_EQ(collectiveGroups(join(std::move(ranks))).size(), 4u);
}

// int8 1, bfloat16 2, float 4, double 8 bytes.
TEST(Collectives, elementsHaveTheirBytes) {
    EXPECT_EQ(bytesOf(CollectiveType::I8), 1u);
    EXPECT_EQ(bytesOf(CollectiveType::BF16), 2u);
    EXPECT_EQ(bytesOf(CollectiveType::F32), 4u);
    EXPECT_EQ(bytesOf(CollectiveType::F64), 8u);
    EXPECT_EQ(bytesOf(CollectiveType::Unknown), 0u);
}
