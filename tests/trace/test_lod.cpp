// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/lod.h"
#include "tests/trace/random_trace.h"

#include <gtest/gtest.h>
#include <map>

namespace warpglass {
namespace {

TEST(Lod, LevelsFollowPowersOfSixteen) {
    EXPECT_EQ(lodLevels(0), 0);
    EXPECT_EQ(lodLevels(1), 1);
    EXPECT_EQ(lodLevels(16), 1);
    EXPECT_EQ(lodLevels(17), 2);
    EXPECT_EQ(lodLevels(256), 2);
    EXPECT_EQ(lodLevels(257), 3);
    EXPECT_EQ(lodLevels(10'000'000), 6); // 16^6 is 16.8 million
}

// One warp of 40 events, one every 10 units, event n with lane n % 32 alone; it ends at 1000.
TEST(Lod, SumsUpSixteenEventsANode) {
    Trace t;
    t.blocks.push_back({});
    Warp w;
    w.slot = 3;
    w.start = {100};
    w.end = {1000};
    w.eventCount = 40;
    for (int n = 0; n < 40; ++n)
        t.events.push(n * 10, 0, EventKind::Branch, LaneMask::of(n % 32), {});
    t.warps.push_back(w);

    const Lod lod = buildLod(t);
    ASSERT_EQ(lod.lanes.size(), 1u);
    EXPECT_EQ(lod.lanes[0].slot, 3);
    const auto fine = lod.level(lod.lanes[0], 0);
    ASSERT_EQ(fine.size(), 3u);
    EXPECT_EQ(fine[0], (LodNode{{100}, {260}, 16, {0x0000ffff}, {0}}));
    EXPECT_EQ(fine[1], (LodNode{{260}, {420}, 16, {0xffff0000}, {0}}));
    EXPECT_EQ(fine[2], (LodNode{{420}, {1000}, 8, {0x000000ff}, {0}})); // the last event lasts until the warp ends
    const auto coarse = lod.level(lod.lanes[0], 1);
    ASSERT_EQ(coarse.size(), 1u);
    EXPECT_EQ(coarse[0], (LodNode{{100}, {1000}, 40, {0xffffffff}, {0}}));
    EXPECT_TRUE(lod.level(lod.lanes[0], 2).empty());
    EXPECT_TRUE(lod.level(lod.lanes[0], -1).empty());
}

// Every level of every lane adds up to the same: all events, all masks, the whole time, all cycles by state.
class LodProperty : public testing::TestWithParam<unsigned> {};

TEST_P(LodProperty, EveryLevelTellsTheWholeLane) {
    const Trace t = randomTrace(GetParam(), 80, 60);
    const Lod lod = buildLod(t);
    std::uint64_t events = 0, states = 0;
    std::size_t warps = 0;
    for (const LodLane& lane : lod.lanes) {
        std::uint64_t laneEvents = 0, laneStates = 0;
        LaneMask any = LaneMask::none(), all = LaneMask::all();
        std::array<std::uint64_t, std::size_t(WarpState::Count_)> cycles{};
        Time last{INT64_MIN};
        for (std::uint32_t i = 0; i < lane.warps; ++i) {
            const Warp& w = t.warps[lod.warps[lane.firstWarp + i]];
            EXPECT_EQ(w.slot, lane.slot);
            EXPECT_EQ(t.blocks[w.block].sm, lane.sm);
            EXPECT_GE(w.start, last);
            last = w.start;
            laneEvents += w.eventCount;
            laneStates += w.stateCount;
            for (std::uint32_t n = 0; n < w.eventCount; ++n) {
                any = any | t.event(w, n).active;
                all = all & t.event(w, n).active;
            }
            for (const StateRow& s : t.statesOf(w))
                cycles[std::size_t(s.state)] += std::uint64_t((s.end - s.begin).value);
        }
        EXPECT_EQ(lane.events, laneEvents);
        EXPECT_EQ(lane.states, laneStates);
        for (int level = 0; level < lodLevels(lane.events); ++level) {
            std::uint64_t count = 0;
            LaneMask levelAny = LaneMask::none(), levelAll = LaneMask::all();
            for (const LodNode& node : lod.level(lane, level)) {
                count += node.count;
                levelAny = levelAny | node.any;
                levelAll = levelAll & node.all;
                EXPECT_LE(node.begin, node.end);
            }
            EXPECT_EQ(count, laneEvents);
            EXPECT_EQ(levelAny, any);
            EXPECT_EQ(levelAll, all);
        }
        for (int level = 0; level < lodLevels(lane.states); ++level) {
            std::array<std::uint64_t, std::size_t(WarpState::Count_)> levelCycles{};
            for (const LodStates& node : lod.stateLevel(lane, level))
                for (std::size_t i = 0; i < cycles.size(); ++i)
                    levelCycles[i] += node.cycles[i];
            EXPECT_EQ(levelCycles, cycles);
        }
        if (lane.events > 0) {
            EXPECT_EQ(lod.level(lane, lodLevels(lane.events) - 1).size(), 1u);
        }
        events += lane.events;
        states += lane.states;
        warps += lane.warps;
    }
    EXPECT_EQ(events, t.events.size());
    EXPECT_EQ(states, t.states.size());
    EXPECT_EQ(warps, t.warps.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, LodProperty, testing::Range(20u, 26u));

TEST(Lod, CostsAboutAFifteenthOfTheEvents) {
    const Trace t = loopTrace(2112, 500); // one block or less for every place
    const Lod lod = buildLod(t);
    EXPECT_LT(double(lod.nodes.size()), double(t.events.size()) / 14);
}

} // namespace
} // namespace warpglass
