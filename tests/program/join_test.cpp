// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/join.h"
#include "gpu/program/order.h"
#include "gpu/program/placing.h"

#include <gtest/gtest.h>

using namespace warpglass;
using namespace warpglass::program;

namespace {

Operation joinedAt(OperationKind kind, std::int64_t time, std::uint64_t to = 0) {
    Operation o;
    o.kind = kind;
    o.start = o.called = time;
    o.end = o.returned = time + 10;
    o.to = to;
    return o;
}

// A rank that allocates 64 bytes at 0x100, launches a kernel with a pointer to it and waits for the device: at 0, 100 and
// 300 of its own clock.
ProgramTrace rankOf(std::int64_t rank, std::int64_t began, std::uint64_t bytes, const char* kernel) {
    ProgramTrace p;
    p.info.rank = rank;
    p.info.began = began;
    p.info.exitStatus = 0;
    p.streams.push_back({.name = "default"});
    p.kernels.push_back({.name = kernel, .entry = kernel, .parameters = {{"u64", 0, 8}}});
    p.operations = {joinedAt(OperationKind::Allocate, 0, 0x100), joinedAt(OperationKind::Launch, 100),
                    joinedAt(OperationKind::Wait, 300)};
    p.operations[0].bytes = bytes;
    p.operations[1].kernel = 0;
    p.operations[1].recording = 0;
    p.operations[2].from = waitsForDevice;
    p.arguments = {std::byte(0x08), std::byte(0x01), {}, {}, {}, {}, {}, {}}; // 0x108
    p.recordings.push_back({1, std::string(kernel) + ".wgt"});
    p.messages.push_back({.operation = 2, .text = kernel});
    listAllocations(p);
    return p;
}

} // namespace

// Rank 1 began 1,000,050 ns into the year, rank 0 50 ns earlier: on one clock 50 and 0. So the calls stand at 0 (rank 0's),
// 50, 100, 150, 300 and 350.
TEST(Join, putsRanksOnOneClock) {
    std::vector<ProgramTrace> ranks;
    ranks.push_back(rankOf(1, 1'000'050, 64, "b"));
    ranks.push_back(rankOf(0, 1'000'000, 16, "a"));
    const ProgramTrace all = join(std::move(ranks));
    ASSERT_EQ(all.info.processes.size(), 2u);
    EXPECT_EQ(all.info.processes[0].name(), "rank 0");
    EXPECT_EQ(all.info.processes[1].name(), "rank 1");
    std::vector<std::int64_t> called;
    std::vector<std::uint32_t> process;
    for (const Operation& o : all.operations) {
        called.push_back(o.called);
        process.push_back(all.processOf(o));
        EXPECT_EQ(o.end, o.start + 10);
    }
    EXPECT_EQ(called, (std::vector<std::int64_t>{0, 50, 100, 150, 300, 350}));
    EXPECT_EQ(process, (std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(all.kernels.at(all.operations[2].kernel).name, "a");
    EXPECT_EQ(all.kernels.at(all.operations[3].kernel).name, "b");
    EXPECT_EQ(all.recordings.at(all.operations[3].recording).file, "b.wgt");
    EXPECT_EQ(all.recordings.at(all.operations[3].recording).operation, 3u);
    EXPECT_EQ(all.messages.at(0).operation, 4u); // rank 0's wait
    EXPECT_EQ(all.messages.at(1).operation, 5u);
    // 0x108 lies in 16 bytes of rank 0 and in 64 of rank 1.
    EXPECT_EQ(argumentWords(all, 2).at(0).allocation->bytes, 16u);
    EXPECT_EQ(argumentWords(all, 3).at(0).allocation->bytes, 64u);
}

// Each rank's wait is for its own launch alone, though both are of device 0 and its default stream.
TEST(Join, ordersEachProcessByItself) {
    std::vector<ProgramTrace> ranks;
    ranks.push_back(rankOf(0, 1'000'000, 64, "k"));
    ranks.push_back(rankOf(1, 1'000'050, 64, "k"));
    const ProgramTrace all = join(std::move(ranks));
    EXPECT_EQ(all.kernels.size(), 1u); // the same
    Order order(all.streams);
    std::vector<std::vector<std::uint32_t>> behind;
    for (std::uint32_t n = 0; n < all.operations.size(); ++n) {
        behind.emplace_back();
        for (const Dependency& d : order.next(all.operations[n], n))
            behind.back().push_back(d.operation);
    }
    EXPECT_EQ(behind[3], std::vector<std::uint32_t>()); // rank 1's launch is not behind rank 0's
    EXPECT_EQ(behind[4], std::vector<std::uint32_t>{2});
    EXPECT_EQ(behind[5], std::vector<std::uint32_t>{3});
}

// Modelled: each launch takes 1,000 ns, and the ranks' hosts wait side by side, not one after the other.
TEST(Join, placesProcessesSideBySide) {
    std::vector<ProgramTrace> ranks;
    for (int rank = 0; rank < 2; ++rank) {
        ranks.push_back(rankOf(rank, 1'000'000, 64, "k"));
        ranks.back().operations[1].duration = 1000;
        ranks.back().operations[1].timed = TimeOrigin::Modelled;
    }
    ProgramTrace all = join(std::move(ranks));
    place(all, {});
    for (const Operation& o : all.operations)
        if (o.kind != OperationKind::Allocate) {
            EXPECT_EQ(o.end, 1000);
        }
}

// A file that names a process which it does not have: its stream is the first one's.
TEST(Join, bearsADamagedProcess) {
    ProgramTrace p = rankOf(0, 0, 64, "k");
    p.streams[0].process = 4'000'000'000;
    listAllocations(p);
    EXPECT_EQ(p.processOf(p.operations[0]), 0u);
    EXPECT_EQ(p.allocations.size(), 1u);
}
