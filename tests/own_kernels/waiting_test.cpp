// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of own_waiting.cu: locks and look-back.
#include "launches.h"

#include <numeric>
#include <set>

namespace warpglass::own_kernels {
namespace {

TEST(OwnKernels, Locks) {
    constexpr int n = 200;
    const auto keys = randoms<unsigned>(n, 0, 1000, 17);
    std::vector<std::set<int>> expected(16);
    for (int i = 0; i < n; ++i)
        expected[keys[std::size_t(i)] % 16].insert(i);
    everywhere(
        {.entry = "lockedLists",
         .grid = {4},
         .block = {64},
         .arguments = {in("keys", keys), value(n), out<int>("lock", 16), in("head", Ints(16, -1)), out<int>("next", n)},
         .file = "own_waiting"},
        [&](const Recording& r) {
            const Ints head = result<int>(r, 3), next = result<int>(r, 4);
            for (std::size_t list = 0; list < 16; ++list) {
                std::set<int> found;
                for (int i = head[list]; i >= 0 && found.insert(i).second;)
                    i = next.at(std::size_t(i));
                EXPECT_EQ(found, expected[list]) << list;
            }
            EXPECT_EQ(result<int>(r, 2), Ints(16)) << "all locks are open again";
        });
    std::vector<unsigned> log;
    for (unsigned ticket = 0; ticket < 9; ++ticket)
        for (unsigned t = 0; t < 48; ++t)
            log.push_back(ticket * 1000 + t);
    equals({.entry = "ticketLock",
            .grid = {9},
            .block = {48},
            .arguments = {out<unsigned>("tickets", 1), out<unsigned>("serving", 1), out<unsigned>("length", 1),
                          out<unsigned>("log", log.size())},
            .file = "own_waiting"},
           3, log);
}

TEST(OwnKernels, LookBackScan) {
    // 45 tiles: from the 34th on, a look back can take two windows.
    const Ints data = randoms<int>(45 * 256 - 77, -500, 500, 23);
    Ints sums(data.size());
    std::partial_sum(data.begin(), data.end(), sums.begin());
    equals({.entry = "lookBackScan",
            .grid = {45},
            .block = {256},
            .arguments = {in("in", data), out<int>("out", data.size()), value(int(data.size())),
                          out<unsigned>("tiles", 1), out<std::uint64_t>("words", 45)},
            .file = "own_waiting"},
           1, sums);
}

} // namespace
} // namespace warpglass::own_kernels
