// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of what is reached through generic addresses, and of what a header's function does for its callers.
#include "gpu/emulator/lanes/summarise.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpglass::testing {
namespace {

Recording histogram(int factor, int threads = 1, bool timing = false) {
    Kernel k("hist", {2}, {128}, {buffer(std::vector<int>(64)), value(factor)}, "header_atomics.ptx");
    k.plan.sourceName = "hist.cu";
    k.options.threads = threads;
    k.options.timing = timing;
    k.options.detail.kind = Detail::Kind::All;
    k.options.detail.accesses = true;
    return k.run();
}

std::vector<InstructionCount> atomics(const Trace& trace) {
    std::vector<InstructionCount> found;
    for (const InstructionCount& c : trace.countsOf(0))
        if (c.isMemory && c.access == AccessKind::Atomic && c.requests > 0)
            found.push_back(c);
    return found;
}

// Thread t adds to word 32 t % 64 of shared memory: lanes take turns at words 0 and 32, 16 at each, both of bank 0: of each of
// 2 x 4 requests 2 passes for 1, and 16 turns. Then 2 of the 4 warps add 64 sums to 64 neighbours in global memory: of each
// of 2 x 2 requests 4 sectors, and nobody waits.
TEST(Spaces, AtomicsOfAHeaderAreCountedBySpaceAndByTheLineThatCalls) {
    for (const bool timing : {false, true})
        for (const int threads : {1, 3}) {
            const Recording r = histogram(32, threads, timing);
            ASSERT_FALSE(r.fault) << r.fault->text();
            EXPECT_EQ(values<int>(r, 0)[32], 128); // of 2 x 128
            const auto rows = atomics(*r.trace);
            ASSERT_EQ(rows.size(), 2u);
            const InstructionCount &shared = rows[0], &global = rows[1];
            EXPECT_EQ(shared.ptxLine, global.ptxLine);
            EXPECT_TRUE(isPartOf(shared, global));
            EXPECT_EQ(shared.space, MemorySpace::Shared);
            EXPECT_EQ(shared.callerLine, 7u);
            EXPECT_EQ(shared.requests, 8u);
            EXPECT_EQ(shared.executions, 8u);
            EXPECT_EQ(shared.lanes, 256u);
            EXPECT_EQ(shared.passes, 16u);
            EXPECT_EQ(shared.idealPasses, 8u);
            EXPECT_EQ(shared.sectors, 0u);
            EXPECT_EQ(shared.turns, 8u * 16);
            EXPECT_EQ(global.space, MemorySpace::Global);
            EXPECT_EQ(global.callerLine, 10u);
            EXPECT_EQ(global.requests, 4u);
            EXPECT_EQ(global.executions, 4u);
            EXPECT_EQ(global.lanes, 128u);
            EXPECT_EQ(global.sectors, 16u);
            EXPECT_EQ(global.passes, 0u);
            EXPECT_EQ(global.turns, 4u);
            EXPECT_EQ(sourceLineOf(r.trace->kernels[0], shared), 7u);
        }
}

// The site of each access names the line, too.
TEST(Spaces, AccessesOfAHeaderNameTheLineThatCalls) {
    const Recording r = histogram(32);
    std::map<std::pair<std::uint32_t, MemorySpace>, int> found;
    for (const AccessRow& a : r.trace->accesses)
        if (a.kind == AccessKind::Atomic)
            ++found[{sourceLineOf(r.trace->kernels[0], r.trace->sites[r.trace->events.site(a.event)]), a.space}];
    EXPECT_EQ(found, (decltype(found){{{7, MemorySpace::Shared}, 8}, {{10, MemorySpace::Global}, 4}}));
}

// Word 64 t % 64, the same for all lanes: one pass, as of a load, and all the same 32 turns.
TEST(Spaces, LanesThatShareAWordTakeTurnsWhereBanksAreNotInTheWay) {
    const Recording r = histogram(64);
    const auto rows = atomics(*r.trace);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].passes, 8u);
    EXPECT_EQ(rows[0].turns, 8u * 32);
}

// Of 4 warps two store 32 words to shared memory, one 32 words and one 8 to global memory.
TEST(Spaces, AnInstructionThatReachesTwoSpacesHasTwoRows) {
    Kernel k("both", {1}, {128}, {buffer(std::vector<int>(128))}, "header_atomics.ptx");
    const Recording r = k.run();
    ASSERT_FALSE(r.fault) << r.fault->text();
    std::vector<InstructionCount> rows;
    for (const InstructionCount& c : r.trace->countsOf(0))
        if (c.isMemory && c.access == AccessKind::Store)
            rows.push_back(c);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].space, MemorySpace::Global);
    EXPECT_EQ(rows[0].requests, 2u);
    EXPECT_EQ(rows[0].executions, 2u);
    EXPECT_EQ(rows[0].lanes, 40u);
    EXPECT_EQ(rows[0].sectors, 5u);
    EXPECT_EQ(rows[0].callerLine, 0u);
    EXPECT_EQ(rows[1].space, MemorySpace::Shared);
    EXPECT_EQ(rows[1].requests, 2u);
    EXPECT_EQ(rows[1].lanes, 64u);
    EXPECT_EQ(rows[1].passes, 2u);
    EXPECT_EQ(rows[1].sectors, 0u);
}

// Against a count by words, with addresses close together and far apart.
TEST(Spaces, TheMostWantedWordIsFound) {
    std::mt19937 random(7);
    for (int n = 0; n < 3000; ++n) {
        const std::uint64_t span = std::uint64_t(1) << (2 + n % 30);
        std::array<std::uint64_t, 32> addresses;
        for (auto& a : addresses)
            a = random() % span + (n % 3 == 0 ? random() % 2 * 2048 * 7 : 0);
        const std::uint32_t m = n % 5 == 0 ? ~0u : std::uint32_t(random()) | 1;
        std::map<std::uint64_t, std::uint32_t> lanes;
        std::uint32_t most = 0;
        for (std::size_t lane = 0; lane < 32; ++lane)
            if (m >> lane & 1)
                most = std::max(most, ++lanes[addresses[lane] / 4]);
        ASSERT_EQ(emulator::mostAtOneWord(m, addresses), most) << n;
    }
}

} // namespace
} // namespace warpglass::testing
