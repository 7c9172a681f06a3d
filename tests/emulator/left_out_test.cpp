// SPDX-License-Identifier: GPL-3.0-or-later
// Hangs where somebody leaves out a step (data/left_out.cu, data/grid_barrier.cu): who, after how often, and what has a name.
// Lines, phases and counts are worked out by hand from those files.
#include "tests/emulator/hang_of.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

namespace warpglass::testing {
namespace {

const std::vector<float> floats(128);

Kernel leftOut(const char* name, Dim3 grid, std::uint32_t ofBlock, int rounds, int wrong, bool debug = false) {
    return {name,
            grid,
            {ofBlock},
            {buffer(floats), buffer(floats), value(rounds), value(wrong)},
            debug ? "left_out_debug.ptx" : "left_out.ptx"};
}
Recording attentionWith(int wrong, bool debug) {
    Kernel kernel = leftOut("attention", {1}, 96, 9, wrong, debug);
    kernel.plan.sharedBytes = 2 * 3 * 64 * 4 + 9 * 8;
    return kernel.run();
}
Recording placesWith(int wrong) {
    return Kernel("places", {8}, {32}, {buffer(std::vector<int>{2}), buffer(floats), value(wrong)}, "left_out.ptx")
        .run();
}

TEST(LeftOut, RightOnesEnd) {
    for (const bool debug : {false, true}) {
        const Recording attention = attentionWith(0, debug), scores = leftOut("scores", {1}, 128, 6, 0, debug).run(),
                        part = leftOut("part", {1}, 64, 5, 0, debug).run();
        EXPECT_FALSE(attention.fault || scores.fault || part.fault);
    }
    EXPECT_FALSE(placesWith(0).fault);
}

// Of six rounds warps 2 and 3 give back 0 to 3 (r + 2 < 6), and come to barrier 1 in round 4 and again in round 5; between
// two times at barrier 2 they came there once.
TEST(LeftOut, TellWhichMeetingWasLeftOut) {
    const Diagnostic d = hangIn(leftOut("scores", {1}, 128, 6, 1).run());
    expectIn(d.waits[0].what.text(), "barrier 2, to which 64 of 128 threads have come");
    expectIn(d.waits[0].why.text(), "2 warps (2-3) came there 4 times, last at line 55 of left_out.cu");
    expectIn(d.waits[0].why.text(), "and have since come 2 times to barrier 1, last at line 52 of left_out.cu");
    expectIn(d.waits[0].why.text(), "where it was 1 each time before");
}

// Tile 5 is the second in stage 2. Warp 1 goes on from the wait for its keys (phase 1), for tile 8 the producer waits for phase
// 1 of read[2]. Two arrays of 3 x 64 floats are 1,536 bytes; keys[2] is at 1,552, read[2] at 1,600.
TEST(LeftOut, TellAnArrivalBehindTheFirstOfTwoWaits) {
    const Diagnostic d = hangIn(attentionWith(1, false));
    expectIn(d.waits[0].what.text(), "phase 1 of the mbarrier byte 1600 of memory, to which 1 of 2 arrivals");
    expectIn(d.waits[0].why.text(), "1 warp (1) passed phase 1 of the mbarrier byte 1552 of memory at line 90");
    expectIn(d.waits[0].why.text(), "and has not arrived there since, as is always done behind it at line 98");
}

// Text with debug information does not say for whom a helper was inlined: line 18 is its own.
TEST(LeftOut, NameMembersOfWhatAPointerMeans) {
    const Diagnostic d = hangIn(attentionWith(1, true));
    expectIn(d.waits[0].what.text(), "phase 1 of the mbarrier s.ready.read[2], to which 1 of 2 arrivals");
    expectIn(d.waits[0].why.text(), "1 warp (1) passed phase 1 of the mbarrier s.ready.keys[2] at line 18");
}

// Round 2 is phase 2 of `empty`, for which warp 1 waits in round 3.
TEST(LeftOut, TellWhichThreadsOfAWarpDidNotArrive) {
    const Diagnostic d = hangIn(leftOut("part", {1}, 64, 5, 1).run());
    expectIn(d.waits[0].what.text(), "phase 2 of the mbarrier empty, to which 8 of 32 arrivals have not come");
    expectIn(d.waits[0].why.text(), "8 threads (24-31) ");
    expectIn(d.waits[0].why.text(), "not having arrived with the other threads of their warp at line 125");
}

// Warp 1 waits for the same and never gives anything back: it has not left out what warp 0 alone does. Round 3 is phase 3.
TEST(LeftOut, WhoNeverArrivesHasLeftOutNothing) {
    EXPECT_FALSE(leftOut("lead", {1}, 96, 6, 0).run().fault);
    const Diagnostic d = hangIn(leftOut("lead", {1}, 96, 6, 1).run());
    expectIn(d.waits[0].what.text(), "phase 3 of the mbarrier empty, to which 1 of 1 arrival has not come");
    expectIn(d.waits[0].why.text(), "1 warp (0) passed phase 3 of the mbarrier full at line 176");
    EXPECT_EQ(d.waits[0].why.text().find("(0-1) passed"), std::string::npos) << d.waits[0].why.text();
}

// Blocks 0, 2, ... give back what blocks 1 and 3 keep: then nothing is left of two.
TEST(LeftOut, TellWhoKeepsWhatOthersGiveBack) {
    const Diagnostic d = hangIn(placesWith(1));
    expectIn(d.waits[0].why.text(), "2 threads changed it at line 136 of left_out.cu");
    expectIn(d.waits[0].why.text(), "and have not done so since at line 143 of left_out.cu");
    expectIn(d.waits[0].why.text(), "as others do: block (1), thread (0); block (3), thread (0)");
}

TEST(LeftOut, TellOfALaunchThatCannotBegin) {
    const Diagnostic d = hangIn(Kernel("tellsItself", {1}, {1}, {buffer(std::vector<int>{0})}, "left_out.ptx").run());
    expectIn(d.waits[0].why.text(), "the launch of tells at line 153 of left_out.cu");
    expectIn(d.waits[0].why.text(), "begins only when this one has ended: it is in the tail launch stream");
}

// Block 3 comes twice, the others wait for it the third time.
TEST(LeftOut, TellWhichBlockTheGridWaitsFor) {
    const Diagnostic d =
        hangIn(Kernel("steps", {4}, {32}, {buffer(floats), value(5), value(2)}, "grid_barrier.ptx").run());
    expectIn(d.waits[0].what.text(), "the barrier of the grid, to which 3 of 4 blocks have come");
    expectIn(d.waits[0].why.text(), "1 block, (3), has ended, having come there 2 times before, last at line 12");
    EXPECT_EQ(d.waits[0].arrivalsMissing, 1u);
    EXPECT_EQ(d.waits[0].arrivalsExpected, 4u);
}

} // namespace
} // namespace warpglass::testing
