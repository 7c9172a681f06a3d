// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/pyramid.h"
#include "gpu/trace/warp_slots.h"
#include "tests/trace/random_trace.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

std::shared_ptr<const Pyramid> pyramidOf(const Trace& trace) {
    Progress progress;
    return buildPyramid(trace, progress);
}

TEST(Pyramid, ANodeHasSixteenItems) {
    EXPECT_EQ(nodesFor(0), 0u);
    EXPECT_EQ(nodesFor(1), 1u);
    EXPECT_EQ(nodesFor(16), 1u);
    EXPECT_EQ(nodesFor(17), 2u);
    EXPECT_EQ(nodesFor(10'000'000), 625'000u);
}

// One warp of 40 events, one every 10 units, event n with lane n % 32 alone; it ends at 1000. Events 3, 20 and 39 are
// arrivals at a barrier: two wait 10 units, the last one from 490 to the end of the warp.
Trace fortyEvents() {
    Trace t;
    t.blocks.push_back({});
    Warp w;
    w.slot = 3;
    w.start = {100};
    w.end = {1000};
    w.eventCount = 40;
    for (int n = 0; n < 40; ++n)
        t.events.push(n * 10, 0, n == 3 || n == 20 || n == 39 ? EventKind::BarrierArrive : EventKind::Branch,
                      LaneMask::of(n % 32), {});
    t.warps.push_back(w);
    return t;
}

TEST(Pyramid, SumsUpSixteenEventsANode) {
    const auto pyramid = pyramidOf(fortyEvents());
    ASSERT_EQ(pyramid->events.size(), 3u);
    EXPECT_EQ(pyramid->events[0], (EventNode{{100}, {260}, {10}, {0x0000ffff}, {0}}));
    EXPECT_EQ(pyramid->events[1], (EventNode{{260}, {420}, {10}, {0xffff0000}, {0}}));
    // The last event lasts until the warp ends: 510 units.
    EXPECT_EQ(pyramid->events[2], (EventNode{{420}, {1000}, {510}, {0x000000ff}, {0}}));
    EXPECT_EQ(pyramid->states.size(), 0u);
}

TEST(Pyramid, NoNodeCrossesAWarp) {
    Trace t = fortyEvents();
    Warp second = t.warps[0]; // 3 events from 2000 on, then a warp without any, then one with a single event
    second.start = {2000};
    second.end = {2100};
    second.firstEvent = 40;
    second.eventCount = 3;
    t.warps.push_back(second);
    second.firstEvent = 43;
    second.eventCount = 0;
    t.warps.push_back(second);
    second.eventCount = 1;
    t.warps.push_back(second);
    for (int n = 0; n < 3; ++n)
        t.events.push(n * 7, 0, EventKind::Branch, LaneMask::all(), {});
    t.events.push(5, 0, EventKind::Branch, LaneMask::firstLanes(4), {});
    EXPECT_EQ(firstEventNodes(t), (std::vector<std::uint64_t>{0, 3, 4, 4, 5}));
    const auto pyramid = pyramidOf(t);
    ASSERT_EQ(pyramid->events.size(), 5u);
    EXPECT_EQ(pyramid->events[3], (EventNode{{2000}, {2100}, {0}, LaneMask::all(), LaneMask::all()}));
    EXPECT_EQ(pyramid->events[4], (EventNode{{2005}, {2100}, {0}, {0xf}, {0xf}}));
    EXPECT_TRUE(validate(*pyramid, t));
}

// Every warp's nodes add up to the warp: all events, all masks, the whole time, all cycles by state.
class PyramidProperty : public testing::TestWithParam<unsigned> {};

TEST_P(PyramidProperty, TellsEveryWholeWarp) {
    const Trace t = randomTrace(GetParam(), 80, 60);
    const auto pyramid = pyramidOf(t);
    ASSERT_TRUE(validate(*pyramid, t)) << validate(*pyramid, t).error().text();
    const auto firstEvents = firstEventNodes(t), firstStates = firstStateNodes(t);
    for (std::size_t w = 0; w < t.warps.size(); ++w) {
        const Warp& warp = t.warps[w];
        LaneMask any = LaneMask::none(), all = LaneMask::all();
        std::int64_t waiting = 0, nodesWaiting = 0;
        for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
            const Event e = t.event(warp, n);
            any = any | e.active;
            all = all & e.active;
            const Time end = n + 1 < warp.eventCount ? t.event(warp, n + 1).time : std::max(e.time, warp.end);
            if (e.kind == EventKind::BarrierArrive)
                waiting += (end - e.time).value;
        }
        const auto nodes = pyramid->events.rows(firstEvents[w], firstEvents[w + 1] - firstEvents[w]);
        LaneMask nodesAny = LaneMask::none(), nodesAll = LaneMask::all();
        for (const EventNode& node : nodes) {
            nodesAny = nodesAny | node.any;
            nodesAll = nodesAll & node.all;
            nodesWaiting += node.waiting.value;
        }
        EXPECT_EQ(nodesAny, any);
        EXPECT_EQ(nodesAll, all);
        EXPECT_EQ(nodesWaiting, waiting);
        if (warp.eventCount > 0) {
            EXPECT_EQ(nodes.front().begin, t.event(warp, 0).time);
            EXPECT_EQ(nodes.back().end, std::max(warp.end, t.event(warp, warp.eventCount - 1).time));
        }
        std::array<std::uint64_t, std::size_t(WarpState::Count_)> cycles{}, nodesCycles{};
        for (const StateRow& s : t.statesOf(warp))
            cycles[std::size_t(s.state)] += std::uint64_t((s.end - s.begin).value);
        for (const StateNode& node : pyramid->states.rows(firstStates[w], firstStates[w + 1] - firstStates[w]))
            for (std::size_t i = 0; i < cycles.size(); ++i)
                nodesCycles[i] += node.cycles[i];
        EXPECT_EQ(nodesCycles, cycles);
    }
    EXPECT_EQ(firstEvents.back(), pyramid->events.size());
    EXPECT_EQ(firstStates.back(), pyramid->states.size());
}

INSTANTIATE_TEST_SUITE_P(Seeds, PyramidProperty, testing::Range(20u, 26u));

TEST(Pyramid, CostsAboutAFifteenthOfTheEvents) {
    const Trace t = loopTrace(2112, 500); // one block or less for every place
    EXPECT_LT(double(pyramidOf(t)->events.size()), double(t.events.size()) / 14);
}

// Each entry changes one node into one that no events make.
struct Forged {
    const char* what;
    void (*apply)(std::vector<EventNode>&);
};

void PrintTo(const Forged& forged, std::ostream* out) {
    *out << forged.what;
}

class ForgedPyramid : public testing::TestWithParam<Forged> {};

TEST_P(ForgedPyramid, IsRefused) {
    const Trace t = fortyEvents();
    const auto built = pyramidOf(t);
    std::vector<EventNode> nodes(built->events.begin(), built->events.end());
    GetParam().apply(nodes);
    const auto ok = validate(Pyramid{LargeTable<EventNode>(nodes), {}}, t);
    ASSERT_FALSE(ok);
    EXPECT_NE(ok.error().message.find("event_nodes"), std::string::npos) << ok.error().text();
    EXPECT_NE(ok.error().message.find(GetParam().what), std::string::npos) << ok.error().text();
}

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = -(least + 1);
const Forged forged[] = {
    {"not as many", [](std::vector<EventNode>& n) { n.pop_back(); }},
    {"not as many", [](std::vector<EventNode>& n) { n.push_back(n.back()); }},
    {"does not follow", [](std::vector<EventNode>& n) { n[0].begin = {99}; }},
    {"does not follow", [](std::vector<EventNode>& n) { n[0].begin = {least}; }},
    {"does not follow", [](std::vector<EventNode>& n) { n[0].end = {most}; }},
    {"does not follow", [](std::vector<EventNode>& n) { n[1].begin = {261}; }},
    {"does not follow", [](std::vector<EventNode>& n) { n[2].end = {419}; }},
    {"waits longer", [](std::vector<EventNode>& n) { n[1].waiting = {161}; }},
    {"waits longer", [](std::vector<EventNode>& n) { n[1].waiting = {-1}; }},
    {"waits longer", [](std::vector<EventNode>& n) { n[1].waiting = {most}; }},
    {"on in none", [](std::vector<EventNode>& n) { n[0].all = LaneMask::all(); }},
};
INSTANTIATE_TEST_SUITE_P(Pyramid, ForgedPyramid, testing::ValuesIn(forged));

TEST(WarpSlots, HoldTheWarpsThatLivedThereByStart) {
    const Trace t = randomTrace(8, 80, 20);
    std::size_t warps = 0;
    for (const WarpSlot& slot : warpSlots(t)) {
        Time last{least};
        for (const std::uint32_t row : slot.warps) {
            EXPECT_EQ(t.warps[row].slot, slot.slot);
            EXPECT_EQ(t.blockOf(t.warps[row]).sm, slot.sm);
            EXPECT_GE(t.warps[row].start, last);
            last = t.warps[row].start;
        }
        warps += slot.warps.size();
    }
    EXPECT_EQ(warps, t.warps.size());
}

} // namespace
} // namespace warpglass
