// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpglass;
using namespace warpglass::program;

namespace {

std::uint32_t slowly(const std::vector<Allocation>& all, std::uint64_t address, std::uint32_t operation) {
    for (std::uint32_t n = 0; n < all.size(); ++n)
        if (address >= all[n].address && address - all[n].address < all[n].bytes && all[n].born <= operation &&
            operation < all[n].freed)
            return n;
    return noIndex;
}

} // namespace

// 0x100 lives three times, the second time longer, and 0x180 lies inside of what it is then; nothing is at 0x300.
TEST(AllocationIndex, knowsWhoHadAnAddressWhen) {
    const std::vector<Allocation> all{{0x100, 0x40, 0, 5}, {0x100, 0x100, 6, 9}, {0x180, 8, 10}, {0x100, 0x40, 11}};
    const AllocationIndex index(all);
    EXPECT_EQ(index.find(all, {0, 0x100}, 0), 0u);
    EXPECT_EQ(index.find(all, {0, 0x13f}, 4), 0u);
    EXPECT_EQ(index.find(all, {0, 0x140}, 4), noIndex);
    EXPECT_EQ(index.find(all, {0, 0x100}, 5), noIndex); // freed by operation 5
    EXPECT_EQ(index.find(all, {0, 0x1ff}, 8), 1u);
    EXPECT_EQ(index.find(all, {0, 0x184}, 8), 1u);
    EXPECT_EQ(index.find(all, {0, 0x184}, 12), 2u);
    EXPECT_EQ(index.find(all, {0, 0x100}, 12), 3u);
    EXPECT_EQ(index.find(all, {0, 0xff}, 12), noIndex);
    EXPECT_EQ(index.find(all, {0, 0x300}, 12), noIndex);
    EXPECT_EQ(AllocationIndex{}.find({}, {0, 0x100}, 0), noIndex);
}

// One address means two things to two processes at a time.
TEST(AllocationIndex, keepsProcessesApart) {
    const std::vector<Allocation> all{{0x100, 0x40, 0, noIndex, MemoryKind::Device, 1},
                                      {0x100, 8, 1, noIndex, MemoryKind::Device, 0}};
    const AllocationIndex index(all);
    EXPECT_EQ(index.find(all, {1, 0x120}, 2), 0u);
    EXPECT_EQ(index.find(all, {0, 0x120}, 2), noIndex);
    EXPECT_EQ(index.find(all, {0, 0x107}, 2), 1u);
    EXPECT_EQ(index.find(all, {2, 0x100}, 2), noIndex);
}

TEST(AllocationIndex, answersAsASearchThroughAllWould) {
    std::mt19937 random(7);
    const auto upTo = [&](std::uint32_t n) { return std::uint32_t(random()) % n; };
    std::vector<Allocation> all;
    for (std::uint32_t born = 0; born < 700; born += 1 + upTo(3))
        all.push_back({0x1000 + 16 * upTo(100), 1 + upTo(400), born, upTo(3) ? born + 1 + upTo(60) : noIndex});
    const AllocationIndex index(all);
    for (int n = 0; n < 20000; ++n) {
        const std::uint64_t address = 0xf00 + upTo(2600);
        const std::uint32_t operation = upTo(750);
        ASSERT_EQ(index.find(all, {0, address}, operation), slowly(all, address, operation))
            << address << " " << operation;
    }
}

// Each launch of a loop with its own short-lived allocation at one of two addresses: looking at all of them for each
// would be 4 * 10^10 steps.
TEST(AllocationIndex, listsALoopOfAllocationsAtOnce) {
    constexpr std::uint32_t count = 200'000;
    std::vector<Allocation> all;
    for (std::uint32_t n = 0; n < count; ++n)
        all.push_back({0x1000 + 0x1000 * std::uint64_t(n & 1), 64, 3 * n, 3 * n + 2});
    const AllocationIndex index(all);
    for (std::uint32_t n = 0; n < count; ++n)
        ASSERT_EQ(index.find(all, {0, 0x1010 + 0x1000 * std::uint64_t(n & 1)}, 3 * n + 1), n);
}
