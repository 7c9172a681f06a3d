// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/compare.h"
#include "gpu/trace/trace.h"
#include "tests/trace/random_trace.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

constexpr LaneMask even{0x55555555u}, odd{0xaaaaaaaau};

// One block of 40 threads, so two warps, the second of 8 lanes. Warp 0 starts at 100, diverges at 110 (even lanes
// jump), runs the odd side from 110 and the even side from 120, joins at 130, lanes 0 to 15 exit at 140, the rest at
// 150.
Trace divergentTrace() {
    Trace t;
    t.kernels.push_back({});
    for (const SiteKind kind : {SiteKind::Entry, SiteKind::Branch, SiteKind::Path, SiteKind::Access, SiteKind::Exit})
        t.sites.push_back({0, kind, 1, {}, ""});
    Launch launch;
    launch.block = {40, 1, 1};
    launch.start = {90};
    launch.end = {200};
    launch.blockCount = 1;
    t.launches.push_back(launch);
    Block block;
    block.start = {100};
    block.end = {160};
    block.warpCount = 2;
    t.blocks.push_back(block);

    Warp w;
    w.liveLanes = LaneMask::all();
    w.start = {100};
    w.end = {150};
    t.events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
    t.events.push(10, 1, EventKind::Branch, LaneMask::all(), even);
    t.events.push(10, 2, EventKind::Path, odd, {});
    t.events.push(15, 3, EventKind::Access, LaneMask::of(1), {});
    t.events.push(20, 2, EventKind::Path, even, {});
    t.events.push(30, 2, EventKind::Path, LaneMask::all(), {});
    t.events.push(40, 4, EventKind::Exit, LaneMask::firstLanes(16), LaneMask::firstLanes(16));
    t.events.push(50, 4, EventKind::Exit, ~LaneMask::firstLanes(16), LaneMask::all());
    w.eventCount = 8;
    t.warps.push_back(w);

    Warp second;
    second.warpInBlock = 1;
    second.liveLanes = LaneMask::firstLanes(8);
    second.start = {105};
    second.end = {160};
    second.firstEvent = 8;
    second.eventCount = 2;
    t.events.push(0, 0, EventKind::Entry, second.liveLanes, {});
    t.events.push(55, 4, EventKind::Exit, second.liveLanes, second.liveLanes);
    t.warps.push_back(second);

    t.accesses.push_back({3, MemorySpace::Global, AccessKind::Load, 4, 2, false, false, 0, 0});
    t.accessAddresses = {0x1000};
    t.accessValues = {7, 8};
    return t;
}

TEST(Trace, AHandMadeTraceKeepsItsPromises) {
    const auto ok = validate(divergentTrace());
    EXPECT_TRUE(ok) << (ok ? "" : ok.error().text());
}

TEST(Trace, LanesFollowBranchSidesAndExits) {
    const Trace t = divergentTrace();
    const Warp& w = t.warps[0];
    EXPECT_FALSE(t.lanesAt(w, {99}).started);
    EXPECT_EQ(t.lanesAt(w, {100}).on, LaneMask::all());
    EXPECT_EQ(t.lanesAt(w, {109}).on, LaneMask::all());
    EXPECT_EQ(t.lanesAt(w, {110}).on, odd);
    EXPECT_EQ(t.lanesAt(w, {116}).on, odd) << "a guarded access by one lane does not switch the others off";
    EXPECT_EQ(t.lanesAt(w, {129}).on, even);
    EXPECT_EQ(t.lanesAt(w, {130}).on, LaneMask::all());
    EXPECT_TRUE(t.lanesAt(w, {130}).exited.empty());
    EXPECT_EQ(t.lanesAt(w, {140}).on, ~LaneMask::firstLanes(16));
    EXPECT_EQ(t.lanesAt(w, {140}).exited, LaneMask::firstLanes(16));
    EXPECT_FALSE(t.lanesAt(w, {149}).ended);
    EXPECT_TRUE(t.lanesAt(w, {150}).ended);
    EXPECT_TRUE(t.lanesAt(w, {150}).on.empty());
}

TEST(Trace, APartialWarpStartsWithItsLiveLanes) {
    const Trace t = divergentTrace();
    EXPECT_EQ(t.lanesAt(t.warps[1], {110}).on, LaneMask::firstLanes(8));
    EXPECT_TRUE(t.lanesAt(t.warps[1], {160}).ended);
}

TEST(Trace, EventAtFindsTheLastOfSeveralAtOneTime) {
    const Trace t = divergentTrace();
    EXPECT_EQ(t.eventAt(t.warps[0], {99}), -1);
    EXPECT_EQ(t.eventAt(t.warps[0], {100}), 0);
    EXPECT_EQ(t.eventAt(t.warps[0], {110}), 2);
    EXPECT_EQ(t.eventAt(t.warps[0], {1000}), 7);
}

TEST(Trace, RowsFindEachOther) {
    const Trace t = divergentTrace();
    EXPECT_EQ(t.warpOfEvent(0), 0u);
    EXPECT_EQ(t.warpOfEvent(7), 0u);
    EXPECT_EQ(t.warpOfEvent(8), 1u);
    EXPECT_EQ(t.accessOfEvent(2), nullptr);
    const AccessRow* a = t.accessOfEvent(3);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(t.addresses(*a).size(), 1u);
    ASSERT_EQ(t.values(*a).size(), 2u); // one lane, two elements
    EXPECT_EQ(t.values(*a)[1], 8u);
    EXPECT_EQ(t.range(), (TimeRange{{90}, {200}}));
}

// What validate() refuses, and what may all the same be in a file that was opened and not read: 1 lane, 255 values.
TEST(Trace, AForgedAccessReadsZeros) {
    Trace t = divergentTrace();
    t.accesses[0].firstLane = ~0ull;
    t.accesses[0].elements = 255;
    const AccessRow& a = std::as_const(t).accesses[0];
    ASSERT_EQ(t.addresses(a).size(), 1u);
    EXPECT_EQ(t.addresses(a)[0], 0u);
    ASSERT_EQ(t.values(a).size(), 255u);
    EXPECT_EQ(t.values(a)[254], 0u);
}

TEST(Trace, WarpsWithoutEventsDoNotHideTheirNeighbours) {
    Trace t = randomTrace(3, 60, 2);
    ASSERT_TRUE(validate(t));
    for (std::uint32_t w = 0; w < t.warps.size(); ++w)
        for (std::uint32_t n = 0; n < t.warps[w].eventCount; ++n)
            ASSERT_EQ(t.warpOfEvent(t.warps[w].firstEvent + n), w);
}

TEST(Trace, LongLivedWarpsWidenTheTimesOfAllEvents) {
    EventTable narrow, wide;
    narrow.push(0xffffffff, 1, EventKind::Branch, LaneMask::all(), {});
    wide.push(5, 2, EventKind::Exit, even, odd);
    wide.push(0x100000000, 3, EventKind::Path, odd, {});
    EventTable both = narrow;
    both.append(wide);
    both.append(narrow);
    ASSERT_EQ(both.size(), 4u);
    EXPECT_EQ(both.get(0, {10}), (Event{{0xffffffff + 10ll}, 1, EventKind::Branch, LaneMask::all(), {}}));
    EXPECT_EQ(both.time(1, {0}), (Time{5}));
    EXPECT_EQ(both.time(2, {-1}), (Time{0xffffffff}));
    EXPECT_EQ(both.time(3, {0}), (Time{0xffffffff}));
}

// 4 bytes for its time and 2 for its word; the words of a chunk (12 bytes each) are few beside its events.
TEST(Trace, EventsTakeSixBytesAndTheirWords) {
    EventTable t;
    for (int i = 0; i < 100'000; ++i)
        t.push(i, std::uint32_t(i % 7), EventKind::Branch, LaneMask::all(), {});
    EXPECT_GE(t.bytes(), 600'000u);
    EXPECT_LE(t.bytes(), 700'000u);
}

// Each entry breaks one promise; the check must name the table that broke it.
struct Damage {
    const char* table;
    void (*apply)(Trace&);
};

void PrintTo(const Damage& damage, std::ostream* out) {
    *out << damage.table;
}

class BrokenPromise : public testing::TestWithParam<Damage> {};

TEST_P(BrokenPromise, IsNamed) {
    Trace t = divergentTrace();
    GetParam().apply(t);
    const auto ok = validate(t);
    ASSERT_FALSE(ok);
    EXPECT_NE(ok.error().message.find(std::string("table ") + GetParam().table), std::string::npos)
        << ok.error().text();
}

const Damage damages[] = {
    Damage{"sites", [](Trace& t) { t.sites[1].kernel = 1; }},
    Damage{"sites",
           [](Trace& t) {
               t.sites[1].where.push_back({0, 1, 1});
           }},
    Damage{"sites", [](Trace& t) { t.sites[1].kind = SiteKind(200); }},
    Damage{"kernels",
           [](Trace& t) {
               t.kernels[0].lines = {{5, {}, 0}, {4, {}, 0}};
           }},
    Damage{"launches", [](Trace& t) { t.launches[0].kernel = 9; }},
    Damage{"launches", [](Trace& t) { t.launches[0].parentLaunch = 1; }},
    Damage{"launches", [](Trace& t) { t.launches[0].blockCount = 2; }},
    Damage{"launches", [](Trace& t) { t.launches[0].end = {0}; }},
    Damage{"blocks", [](Trace& t) { t.launches[0].blockCount = 0; }},
    Damage{"blocks", [](Trace& t) { t.blocks[0].index = 1; }},
    Damage{"blocks", [](Trace& t) { t.blocks[0].launch = 3; }},
    Damage{"blocks", [](Trace& t) { t.blocks[0].warpCount = 3; }},
    Damage{"warps", [](Trace& t) { t.blocks[0].warpCount = 1; }},
    Damage{"warps", [](Trace& t) { t.warps[1].firstEvent = 7; }},
    Damage{"warps", [](Trace& t) { t.warps[1].eventCount = 3; }},
    Damage{"warps", [](Trace& t) { t.warps[1].end = {0}; }},
    Damage{"warps", [](Trace& t) { t.warps[1].stateCount = 1; }},
    Damage{"events", [](Trace& t) { t.warps[1].eventCount = 1; }},
    Damage{"events", [](Trace& t) { t.sites.pop_back(); }},
    Damage{"states", [](Trace& t) { t.states.push_back({}); }},
    Damage{"accesses", [](Trace& t) { t.accesses[0].event = 10; }},
    Damage{"accesses", [](Trace& t) { t.accesses[0].elements = 4; }},
    Damage{"accesses", [](Trace& t) { t.accesses[0].firstLane = ~0ull; }},
    Damage{"counts", [](Trace& t) { t.counts.push_back({5}); }},
    Damage{"counters", [](Trace& t) { t.counters.push_back({5, "", "", 0, "", Origin::Measured}); }},
    Damage{
        "losses",
        [](Trace& t) {
            t.losses.push_back({2, 1});
        }},
    Damage{"diagnostics", [](Trace& t) {
               t.diagnostics.push_back({});
               t.diagnostics[0].launch = 1;
           }}};

INSTANTIATE_TEST_SUITE_P(Trace, BrokenPromise, testing::ValuesIn(damages));

TEST(Trace, EventsOutOfOrderAreNamed) {
    Trace t = divergentTrace();
    EventTable backwards;
    backwards.push(5, 0, EventKind::Entry, LaneMask::all(), {});
    backwards.push(4, 0, EventKind::Exit, LaneMask::all(), {});
    t.events = backwards;
    t.accesses.clear();
    t.warps[0].eventCount = 2;
    t.warps[1].firstEvent = 2;
    t.warps[1].eventCount = 0;
    const auto ok = validate(t);
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().message, "table events, row 1: it is earlier than the event before it");
}

TEST(Trace, CountsAreFoundByLaunch) {
    Trace t = divergentTrace();
    t.launches.push_back(t.launches[0]);
    t.launches[1].blockCount = 0;
    t.counts = {{0, 3}, {0, 4}, {1, 3}};
    EXPECT_EQ(t.countsOf(0).size(), 2u);
    EXPECT_EQ(t.countsOf(1).size(), 1u);
    EXPECT_TRUE(t.countsOf(2).empty());
}

TEST(Trace, LostEventsAreThoseOfAllWarps) {
    Trace t;
    EXPECT_EQ(t.lostEvents(), 0u);
    t.losses = {{0, 5}, {7, 3'000'000'000}, {0, 1}};
    EXPECT_EQ(t.lostEvents(), 3'000'000'006u);
}

TEST(Trace, PtxLinesKnowTheirSourceLines) {
    Kernel kernel; // PTX line 10 is line 4 of the kernel's own file; 12 was inlined from line 70 of another, by line 5
    kernel.lines = {{10, {0, 4, 1}, 4}, {12, {1, 70, 3}, 5}, {15, {1, 71, 3}, 0}};
    EXPECT_EQ(sourceLineOf(kernel, 10), 4u);
    EXPECT_EQ(sourceLineOf(kernel, 12), 5u);
    EXPECT_EQ(lineLinkOf(kernel, 12)->source.line, 70u);
    EXPECT_EQ(sourceLineOf(kernel, 15), 0u); // no line of its own file
    for (const std::uint32_t none : {0u, 9u, 11u, 16u}) {
        EXPECT_EQ(sourceLineOf(kernel, none), 0u) << none;
        EXPECT_EQ(lineLinkOf(kernel, none), nullptr) << none;
    }
}

// A function of the kernel's own file was inlined: the body's line 3 is what runs, line 9 called it. What comes from a
// header is at the line that called it.
TEST(Trace, InlinedCodeIsAtTheLineOfItsBody) {
    Kernel kernel;
    kernel.sourceName = "tile.cu";
    kernel.files = {"/home/somebody/tile.cu", "/usr/include/math.h"};
    kernel.lines = {{10, {0, 3, 1}, 9}, {11, {1, 70, 3}, 9}, {12, {0, 8, 1}, 8}};
    EXPECT_EQ(sourceLineOf(kernel, 10), 3u);
    EXPECT_EQ(sourceLineOf(kernel, 11), 9u);
    EXPECT_EQ(sourceLineOf(kernel, 12), 8u);
}

TEST(Trace, ComparisonNamesTheFirstDifference) {
    const Trace a = randomTrace(11);
    Trace b = a;
    EXPECT_FALSE(firstDifference(a, b));
    b.info.when = "later";
    EXPECT_FALSE(firstDifference(a, b)) << "when it was recorded is no difference";
    b.blocks[2].sm = 200;
    b.blocks[3].sm = 201;
    EXPECT_EQ(*firstDifference(a, b), "table blocks, row 2, column sm: " + std::to_string(a.blocks[2].sm) + " and 200");
    b = a;
    b.sites[4].text = "ret;";
    EXPECT_EQ(*firstDifference(a, b), "table sites, row 4, column instruction: \"bra $L;\" and \"ret;\"");
    b = a;
    b.accessValues.pop_back();
    EXPECT_NE(firstDifference(a, b)->find("access_values"), std::string::npos);
    b = a;
    b.events.append(a.events);
    EXPECT_NE(firstDifference(a, b)->find("table events"), std::string::npos);
}

TEST(Trace, EveryWordIsDifferent) {
    EXPECT_STREQ(name(TimeUnit::Nanoseconds), "ns");
    EXPECT_STREQ(name(CompileMode::AsWritten), "as-written");
    EXPECT_STREQ(name(WarpState::StallBarrier), "stall_barrier");
    EXPECT_STREQ(name(WarpState::StallDispatch), "stall_dispatch");
    EXPECT_STREQ(name(DiagnosticKind::Other), "other");
    EXPECT_STREQ(name(EventKind::Path), "path");
    EXPECT_STREQ(name(SiteKind::Path), "path");
    EXPECT_STREQ(name(EventKind(200)), "unknown");
}

} // namespace
} // namespace warpglass
