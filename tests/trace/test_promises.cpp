// SPDX-License-Identifier: GPL-3.0-or-later
// Each promise of trace.h, broken alone in a trace that keeps all: validate() says which. Views and metrics index by these
// numbers without looking again, so one that is not checked is a crash that a stranger's file can ask for.
#include "gpu/trace/trace.h"
#include "tests/trace/random_trace.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <ostream>
#include <string>

namespace warpglass {
namespace {

constexpr std::uint32_t beyond = 1'000'000;
constexpr std::int64_t beyondAllTimes = std::int64_t(1) << 62;

// The same events, but for what change(Event&) does to the one in this row.
template <typename Change>
void rebuild(Trace& t, std::uint64_t changed, Change change) {
    EventTable events;
    for (const Warp& w : std::as_const(t).warps)
        for (std::uint64_t row = w.firstEvent; row < w.firstEvent + w.eventCount; ++row) {
            Event e = t.events.get(row, w.start);
            if (row == changed)
                change(e);
            events.push((e.time - w.start).value, e.site, e.kind, e.active, e.taken);
        }
    t.events = events;
}

template <typename Rows, typename Wanted>
std::uint32_t firstOf(const Rows& rows, Wanted wanted) {
    for (std::uint32_t i = 0; i < rows.size(); ++i)
        if (wanted(rows[i]))
            return i;
    ADD_FAILURE() << "the trace has no such row";
    return 0;
}
// The second row that has some, by the number of the first of them.
template <typename Rows, typename First, typename Count>
std::uint32_t laterOf(const Rows& rows, First first, Count count) {
    return firstOf(rows, [&](const auto& row) { return row.*first > 0 && row.*count > 0; });
}
std::uint32_t longLaunch(const Trace& t) {
    return firstOf(t.launches, [](const Launch& l) { return l.blockCount > 1; });
}
std::uint32_t laterBlockOf(const Trace& t) { // of another launch than the first block's
    return firstOf(t.blocks, [&](const Block& b) { return b.launch != t.blocks[0].launch; });
}
std::uint32_t warpOfAnotherBlock(const Trace& t) {
    return firstOf(t.warps, [&](const Warp& w) { return w.block != t.warps[0].block; });
}
std::uint32_t warpWithStates(const Trace& t) {
    return firstOf(t.warps, [](const Warp& w) { return w.stateCount > 1; });
}
std::uint32_t warpWithEvents(const Trace& t) {
    return firstOf(t.warps, [](const Warp& w) { return w.eventCount > 1; });
}

// A sound trace in which two launches have blocks.
Trace someTrace() {
    for (unsigned seed = 1;; ++seed) {
        Trace t = randomTrace(seed, 40);
        if (std::count_if(t.launches.begin(), t.launches.end(), [](const Launch& l) { return l.blockCount > 0; }) > 1)
            return t;
    }
}

struct Break {
    const char *table, *sentence;
    void (*apply)(Trace&);
};
void PrintTo(const Break& broken, std::ostream* out) {
    *out << broken.table << ": " << broken.sentence;
}

class Promise : public testing::TestWithParam<Break> {};

TEST_P(Promise, ThatIsBrokenIsSaid) {
    Trace t = someTrace();
    ASSERT_TRUE(validate(t)) << validate(t).error().text();
    GetParam().apply(t);
    const auto ok = validate(t);
    ASSERT_FALSE(ok);
    EXPECT_TRUE(ok.error().message.starts_with(std::string("table ") + GetParam().table + ", row "))
        << ok.error().text();
    EXPECT_NE(ok.error().message.find(GetParam().sentence), std::string::npos) << ok.error().text();
}

const Break breaks[] = {
    {"trace", "its backend, mode, time unit or origin is unknown", [](Trace& t) { t.info.timeUnit = TimeUnit(200); }},
    {"launches", "its status or stream kind is unknown", [](Trace& t) { t.launches[0].status = LaunchStatus(200); }},
    {"launches", "site 1000000 does not exist", [](Trace& t) { t.launches[0].site = beyond; }},
    {"launches", "its blocks begin at 0, not at ",
     [](Trace& t) { t.launches[laterOf(t.launches, &Launch::firstBlock, &Launch::blockCount)].firstBlock = 0; }},
    {"blocks", "does not list it", [](Trace& t) { t.blocks[0].launch = t.blocks[laterBlockOf(t)].launch; }},
    {"blocks", "blocks are not in ascending order",
     [](Trace& t) {
         const std::uint32_t first = t.launches[longLaunch(t)].firstBlock;
         t.blocks[first + 1].index = t.blocks[first].index;
     }},
    {"blocks", "it ends before it starts", [](Trace& t) { t.blocks[0].end = t.blocks[0].start - Time{1}; }},
    {"blocks", "its warps begin at 0, not at ",
     [](Trace& t) { t.blocks[laterOf(t.blocks, &Block::firstWarp, &Block::warpCount)].firstWarp = 0; }},
    {"warps", "block 1000000 does not exist", [](Trace& t) { t.warps[0].block = beyond; }},
    {"warps", "does not list it", [](Trace& t) { t.warps[0].block = t.warps[warpOfAnotherBlock(t)].block; }},
    {"warps", "its states begin at 0, not at ",
     [](Trace& t) { t.warps[laterOf(t.warps, &Warp::firstState, &Warp::stateCount)].firstState = 0; }},
    {"events", "its kind is unknown",
     [](Trace& t) { rebuild(t, 0, [](Event& e) { e.kind = EventKind(15); }); }}, // the largest that has room
    {"events", "its time is beyond all times",
     [](Trace& t) {
         const Warp w = t.warps[warpWithEvents(t)];
         rebuild(t, w.firstEvent + w.eventCount - 1, [](Event& e) { e.time = Time{beyondAllTimes}; });
     }},
    {"states", "its state is unknown", [](Trace& t) { t.states[0].state = WarpState::Count_; }},
    {"states", "its time is beyond all times", [](Trace& t) { t.states[0].begin = Time{-beyondAllTimes}; }},
    {"states", "it overlaps the state before it",
     [](Trace& t) {
         const std::uint64_t row = t.warps[warpWithStates(t)].firstState;
         t.states[row + 1].begin = t.states[row].end - Time{1};
     }},
    {"accesses", "accesses are not in ascending order of their events",
     [](Trace& t) { t.accesses[1].event = t.accesses[0].event; }},
    {"accesses", "its space or kind is unknown", [](Trace& t) { t.accesses[0].kind = AccessKind(200); }},
    {"counts", "its space or access is unknown", [](Trace& t) { t.counts[0].space = MemorySpace(200); }},
    {"counts", "counts are not in ascending order of launch and line",
     [](Trace& t) {
         t.counts = {{0, 5}, {0, 4}};
     }},
    {"samples", "launch 1000000 does not exist", [](Trace& t) { t.samples[0].launch = beyond; }},
    {"machine_counts", "launch 1000000 does not exist", [](Trace& t) { t.machineCounts[0].launch = beyond; }},
    {"machine_counts", "site 1000000 does not exist", [](Trace& t) { t.machineCounts[0].site = beyond; }},
    {"samples", "site 1000000 does not exist", [](Trace& t) { t.samples[0].site = beyond; }},
    {"timings", "launch 1000000 does not exist", [](Trace& t) { t.timings[0].launch = beyond; }},
    {"counters", "its origin is unknown", [](Trace& t) { t.counters[0].origin = Origin(200); }},
    {"diagnostics", "its kind is unknown", [](Trace& t) { t.diagnostics[0].kind = DiagnosticKind(200); }},
    {"async_copies", "its warp or site does not exist", [](Trace& t) { t.copies[0].site = beyond; }},
    {"async_copies", "its warp or site does not exist", [](Trace& t) { t.copies[0].warp = noIndex; }},
    {"async_copies", "its kind or a space is unknown", [](Trace& t) { t.copies[0].to = MemorySpace(200); }},
    {"async_copies", "it is complete before it was asked for",
     [](Trace& t) { t.copies[0].complete = t.copies[0].issued - Time{1}; }},
    {"async_copies", "copies are not in the order of warps", [](Trace& t) { std::swap(t.copies[0], t.copies.back()); }},
    {"phase_events", "its block, warp or site does not exist", [](Trace& t) { t.phaseEvents[0].warp = beyond; }},
    {"phase_events", "its kind is unknown", [](Trace& t) { t.phaseEvents[0].kind = PhaseEventKind(200); }},
    {"phase_events", "events are not in the order of blocks and times",
     [](Trace& t) { std::swap(t.phaseEvents[0], t.phaseEvents.back()); }},
};

INSTANTIATE_TEST_SUITE_P(Trace, Promise, testing::ValuesIn(breaks));

} // namespace
} // namespace warpglass
