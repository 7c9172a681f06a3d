// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a trace, against the trace it was cut from: at every moment of the part both say the same.
#include "gpu/trace/cut.h"

#include "gpu/trace/file.h"
#include "tests/trace/random_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace warpglass;

namespace {

// A part in the thick of it: around the middle event of the warp that has most.
TimeRange busyPart(const Trace& trace, unsigned seed) {
    const auto warp = std::max_element(trace.warps.begin(), trace.warps.end(),
                                       [](const Warp& a, const Warp& b) { return a.eventCount < b.eventCount; });
    const Time middle = trace.event(*warp, warp->eventCount / 2).time;
    return {middle - Time{10 * seed}, middle + Time{100 * seed}};
}

// Row of the warp of `part` for each warp of `whole` that was kept. Launches that overlap the part are kept in their
// order, and those above them.
std::map<std::uint32_t, std::uint32_t> pairs(const Trace& whole, const Trace& part, TimeRange range) {
    std::vector<bool> kept(whole.launches.size());
    for (std::uint32_t l = 0; l < kept.size(); ++l)
        if (whole.launches[l].start < range.end && whole.launches[l].end > range.begin)
            for (std::uint32_t up = l; up != noIndex; up = whole.launches[up].parentLaunch)
                kept[up] = true;
    std::map<std::uint32_t, std::uint32_t> found;
    std::uint32_t next = 0;
    for (std::uint32_t l = 0; l < kept.size(); ++l) {
        if (!kept[l])
            continue;
        for (const Block& b : part.blocksOf(part.launches[next]))
            for (const Block& a : whole.blocksOf(whole.launches[l]))
                if (a.index == b.index)
                    for (std::uint32_t w = 0; w < b.warpCount; ++w)
                        found[a.firstWarp + w] = b.firstWarp + w;
        ++next;
    }
    EXPECT_EQ(next, part.launches.size());
    return found;
}

// One warp: entry, branch at 10, 16 lanes exit at 20, barrier at 40, leave at 60, exit at 90.
Trace oneWarp() {
    Trace trace;
    trace.kernels.push_back({.name = "k"});
    trace.sites.push_back({.kind = SiteKind::Entry, .ptxLine = 1});
    trace.launches.push_back({.grid = {1}, .block = {32}, .start = {0}, .end = {100}, .blockCount = 1});
    trace.blocks.push_back({.end = {100}, .warpCount = 1});
    const LaneMask low = LaneMask::firstLanes(16), high = ~low;
    trace.warps.push_back({.liveLanes = LaneMask::all(), .start = {0}, .end = {100}, .eventCount = 6});
    trace.events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
    trace.events.push(10, 0, EventKind::Branch, LaneMask::all(), low);
    trace.events.push(20, 0, EventKind::Exit, low, low);
    trace.events.push(40, 0, EventKind::BarrierArrive, high, {});
    trace.events.push(60, 0, EventKind::BarrierLeave, high, {});
    trace.events.push(90, 0, EventKind::Exit, high, LaneMask::all());
    trace.losses.push_back({0, 7});
    return trace;
}

} // namespace

TEST(Cut, keepsThePartAndHowTheWarpEnteredIt) {
    const Trace whole = oneWarp();
    ASSERT_TRUE(validate(whole).ok());
    const auto part = cut(whole, {{50}, {70}});
    ASSERT_TRUE(part.ok()) << part.error().text();
    const Trace& t = **part;
    // Arrived at 40 and still waiting at 50; left at 60. Before that the exit that says which lanes had ended.
    ASSERT_EQ(t.events.size(), 3u);
    EXPECT_EQ(t.event(t.warps[0], 0).time, Time{20});
    EXPECT_EQ(t.event(t.warps[0], 1).kind, EventKind::BarrierArrive);
    EXPECT_EQ(t.event(t.warps[0], 1).time, Time{40});
    EXPECT_EQ(t.event(t.warps[0], 2).time, Time{60});
    EXPECT_EQ(t.warps[0].end, Time{90}); // the span from 60 ends where the next event was
    EXPECT_EQ(t.range().begin, Time{50});
    EXPECT_EQ(t.range().end, Time{70});
    ASSERT_EQ(t.losses.size(), 1u);
    EXPECT_EQ(t.losses[0].events, 7u);
    EXPECT_EQ(t.lanesAt(t.warps[0], {55}).exited, LaneMask::firstLanes(16));
    EXPECT_EQ(t.lanesAt(t.warps[0], {55}).on, ~LaneMask::firstLanes(16));
}

TEST(Cut, partsOfRandomTracesSayWhatTheWholeSays) {
    std::size_t compared = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const Trace whole = randomTrace(seed, 30, 40, seed % 5 == 0);
        const TimeRange range = busyPart(whole, seed);
        const auto part = cut(whole, range);
        if (range.begin >= whole.range().end || range.end <= whole.range().begin) {
            EXPECT_FALSE(part.ok()); // its blocks belong to launches that were dropped
            continue;
        }
        ASSERT_TRUE(part.ok()) << "seed " << seed << ": " << part.error().text();
        EXPECT_LE((*part)->events.size(), whole.events.size());
        for (const auto& [a, b] : pairs(whole, **part, range)) {
            const Warp &from = whole.warps[a], &to = (*part)->warps[b];
            // Every event of the part is there, in order, with its time.
            std::vector<Event> expected, got;
            for (std::uint32_t n = 0; n < from.eventCount; ++n)
                if (const Event e = whole.event(from, n); e.time >= range.begin && e.time < range.end)
                    expected.push_back(e);
            for (std::uint32_t n = 0; n < to.eventCount; ++n)
                if (const Event e = (*part)->event(to, n); e.time >= range.begin && e.time < range.end)
                    got.push_back(e);
            compared += got.size();
            EXPECT_EQ(expected, got) << "seed " << seed << ", warp " << a;
        }
        for (std::size_t i = 0; i < (*part)->accesses.size(); ++i)
            EXPECT_NE((*part)->accessOfEvent((*part)->accesses[i].event), nullptr);
    }
    EXPECT_GT(compared, 1000u);
}

TEST(Cut, theWholeRangeKeepsEveryEvent) {
    const Trace whole = loopTrace(200, 50);
    const TimeRange all = whole.range();
    const auto part = cut(whole, {all.begin, all.end + Time{1}});
    ASSERT_TRUE(part.ok());
    EXPECT_EQ((*part)->events.size(), whole.events.size());
    EXPECT_EQ((*part)->warps.size(), whole.warps.size());
    EXPECT_EQ((*part)->counts.size(), whole.counts.size());
}

TEST(Cut, isRefusedWhereNothingRan) {
    const Trace whole = oneWarp();
    EXPECT_FALSE(cut(whole, {{50}, {50}}).ok());
    EXPECT_FALSE(cut(whole, {{200}, {300}}).ok());
    EXPECT_FALSE(cut(whole, {{-20}, {0}}).ok());
}
