// SPDX-License-Identifier: GPL-3.0-or-later
// What the seat takes down of calls of NCCL. Driver and library are stand-ins (driver/).
#include "tests/seat/seat_run.h"

#include <cstring>
#include <span>

namespace warpglass::testing {

namespace {

// Fowler, Noll and Vo's hash (1a, 64 bits), by their constants.
std::uint64_t fnv(std::span<const unsigned char> bytes, std::uint64_t hash = 14695981039346656037ull) {
    for (const unsigned char b : bytes) {
        hash ^= b;
        hash *= 1099511628211ull;
    }
    return hash;
}

class SeatNccl : public SeatRun {};

} // namespace

// What nccl_caller.cpp does. Launches 0 (AllReduce's), 1 (its own), 2 (its own), 3 (the group's: Send and Recv), 4 (AllGather's).
TEST_F(SeatNccl, TakesDownCollectivesAndWhoseWorkAKernelIs) {
    for (const char* way : {"linked", "dlsym"}) {
        SCOPED_TRACE(way);
        const Answer answer = recorded(way, "--detail none", SEAT_NCCL_CALLER);
        EXPECT_EQ(answer.out, "passed\n") << answer.err;
        const program::ProgramTrace p = opened();
        const std::vector<std::uint32_t> launches = program::launchRows(p);
        ASSERT_EQ(launches.size(), 5u);
        ASSERT_EQ(p.collectives.size(), 4u);
        using namespace program;
        const Collective &reduce = p.collectives[0], &send = p.collectives[1], &receive = p.collectives[2],
                         &gather = p.collectives[3];
        EXPECT_EQ(reduce.kind, CollectiveKind::AllReduce);
        EXPECT_EQ(reduce.count, 1024u);
        EXPECT_EQ(reduce.bytes(), 4096u);
        EXPECT_EQ(reduce.op, CollectiveOp::Max);
        EXPECT_EQ(reduce.rank, 1u);
        EXPECT_EQ(reduce.ranks, 4u);
        EXPECT_EQ(reduce.peer, noIndex);
        EXPECT_EQ(send.kind, CollectiveKind::Send);
        EXPECT_EQ(send.type, CollectiveType::F16);
        EXPECT_EQ(send.peer, 2u);
        EXPECT_EQ(send.sequence, 1u);
        EXPECT_EQ(receive.kind, CollectiveKind::Receive);
        EXPECT_EQ(receive.peer, 3u);
        EXPECT_EQ(receive.sequence, 2u);
        EXPECT_EQ(gather.kind, CollectiveKind::AllGather);
        EXPECT_EQ(gather.bytes(), 20u); // 10 of two bytes
        EXPECT_EQ(gather.ranks, 2u);
        EXPECT_EQ(gather.sequence, 0u); // of its own communicator
        // 128 times 'x'; then how many splits came before, and the colour.
        unsigned char id[128];
        std::memset(id, 'x', sizeof id);
        const std::uint64_t number = fnv(id);
        EXPECT_EQ(reduce.communicator, number);
        const unsigned char before[4] = {}, colour[4] = {5};
        EXPECT_EQ(gather.communicator, fnv(colour, fnv(before, number)));
        EXPECT_EQ(collectivesOf(p, launches[0]), (std::vector<std::uint32_t>{0}));
        EXPECT_TRUE(collectivesOf(p, launches[1]).empty());
        EXPECT_TRUE(collectivesOf(p, launches[2]).empty()); // the program's, though within the group
        EXPECT_EQ(collectivesOf(p, launches[3]), (std::vector<std::uint32_t>{1, 2}));
        EXPECT_EQ(collectivesOf(p, launches[4]), (std::vector<std::uint32_t>{3}));
    }
}

} // namespace warpglass::testing
