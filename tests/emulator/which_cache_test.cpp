// SPDX-License-Identifier: GPL-3.0-or-later
// What the caches have: L2 of what it had when a launch began, while the launch reads on; the first one for constants.
#include "gpu/emulator/timing/memory_path.h"

#include <cmath>
#include <gtest/gtest.h>

namespace warpglass::emulator {
namespace {

constexpr std::uint64_t megabyte = 1024 * 1024;

// The share that is found in L2 by one of 132 SMs that together read so many MB once, of which L2 had this share.
double found(double megabytes, double warm) {
    MemoryPath::Surroundings around;
    around.activeSms = 132;
    around.l2Bytes = 50 * megabyte;
    around.warm = warm;
    MemoryPath path(timingOf(*findDevice("h200")), around);
    AccessSummary access;
    access.kind = AccessKind::Load;
    access.space = MemorySpace::Global;
    access.active = LaneMask(~0u);
    access.bytes = 4;
    access.bytesDistinct = 128;
    const auto lines = std::uint64_t(megabytes * double(megabyte) / 128 / 132);
    std::array<std::uint64_t, 32> addresses{};
    for (std::uint64_t n = 0; n < lines; ++n) {
        for (std::uint64_t lane = 0; lane < 32; ++lane)
            addresses[lane] = (n * 132 * 32 + lane) * 4;
        path.global(std::int64_t(n) * 1000, access, addresses, 0, 0, false, {}, {});
    }
    return 1 - double(path.totals().dramSectors) / double(4 * lines);
}

} // namespace

// A chain of few loads finds all that is there (0.46 of 64 MB on an H200). Who reads all of it again puts lines into L2 that
// take the place of others, read already or not. Of what is left, a share h is found, and h falls by h (1 - h) M / C for
// each part of the M MB, C being those that find room: in the mean, ln((1 + o) / (1 + o e^(-M/C))) C / M with
// o = h / (1 - h) at the beginning.
TEST(WarmL2, LosesWhatItHadToWhatIsRead) {
    const auto expected = [](double megabytes, double h) {
        const double room = megabytes / 32.5, odds = h / (1 - h);
        return std::log((1 + odds) / (1 + odds * std::exp(-room))) / room;
    };
    EXPECT_NEAR(found(1, 0.46), 0.46, 0.02);
    EXPECT_NEAR(found(64, 0.46), expected(64, 0.46), 0.03);
    EXPECT_NEAR(found(256, 0.12), expected(256, 0.12), 0.02);
    EXPECT_EQ(found(16, 1), 1); // nothing comes, nothing goes
    EXPECT_EQ(found(64, 0), 0);
}

namespace {

// A chain of loads of constant memory, as h200-micro.csv has it (constant_set_chain, less what the loop itself takes, and
// chase_constant): 34 cycles a load within 2 KB, 70 more for each further line of 64 bytes, however much memory it is.
// Cycles a load of one warp whose lanes share a word, which goes on by `step` bytes through so many.
double load(std::uint64_t bytes, std::uint64_t step) {
    MemoryPath path(timingOf(*findDevice("h200")), {});
    AccessSummary access;
    access.space = MemorySpace::Constant;
    access.active = LaneMask(~0u);
    access.bytes = 4;
    std::array<std::uint64_t, 32> addresses{};
    std::int64_t now = 0, from = 0;
    const std::uint64_t loads = bytes / step; // of one turn
    for (std::uint64_t n = 0; n < 3 * loads; ++n) {
        if (n == loads)
            from = now; // all lines have been met
        addresses.fill(n % loads * step);
        now = path.constant(now, access, addresses, {});
    }
    return double(now - from) / double(2 * loads);
}

} // namespace

TEST(ConstantCache, HoldsTwoKilobytes) {
    for (const std::uint64_t bytes : {1024u, 2048u})
        for (const std::uint64_t step : {4u, 64u})
            EXPECT_NEAR(load(bytes, step), 34, 1) << bytes << " bytes by " << step;
    for (const std::uint64_t bytes : {4096u, 16384u, 65536u}) {
        EXPECT_NEAR(load(bytes, 64), 104.5, 3) << bytes;
        EXPECT_NEAR(load(bytes, 256), 106, 5) << bytes;
        EXPECT_NEAR(load(bytes, 4), 34 + 4.4, 1) << bytes;
    }
}

} // namespace warpglass::emulator
