// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace {

using namespace warpglass;
using namespace warpglass::testing;

// partialWarp with one block of four warps, which take slots 0 to 3 of their SM.
std::vector<int> schedulers(const std::string& device, bool timing) {
    warpglass::testing::Kernel k("partialWarp", Dim3{1}, Dim3{128}, {buffer(std::vector<unsigned>(128))});
    k.options.device = device;
    k.options.timing = timing;
    std::vector<int> found;
    const Recording r = k.run();
    for (const Warp& w : r.trace->warps) {
        EXPECT_EQ(w.slot, w.warpInBlock);
        found.push_back(w.scheduler);
    }
    return found;
}

} // namespace

TEST(Timing, WarpSlotsAreDealtToTheDevicesSchedulersInTurn) {
    for (const bool timing : {true, false}) {
        EXPECT_EQ(schedulers("h200", timing), (std::vector<int>{0, 1, 2, 3}));
        EXPECT_EQ(schedulers("m2070", timing), (std::vector<int>{0, 1, 0, 1})); // it has two
    }
}
