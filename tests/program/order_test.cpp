// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for what, worked out by hand.
#include "gpu/program/order.h"
#include "gpu/program/placing.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace warpglass::program {
namespace {

constexpr std::uint64_t eventE = 0x1000, eventF = 0x2000;

struct Written {
    ProgramTrace program;

    Written() {
        program.streams = {{"default"}, {"a", 0, 0}, {"b", 0, 0}, {"c"}};
    } // a and b do not wait for the default
    std::uint32_t add(OperationKind kind, std::uint32_t stream, std::int64_t ns = 0, std::uint64_t from = 0) {
        Operation o;
        o.kind = kind;
        o.stream = stream;
        o.from = from;
        o.duration = ns;
        o.timed = ns > 0 ? TimeOrigin::Modelled : TimeOrigin::None;
        program.operations.push_back(o);
        return std::uint32_t(program.operations.size() - 1);
    }
    std::uint32_t launch(std::uint32_t stream, std::int64_t ns) { return add(OperationKind::Launch, stream, ns); }
    std::int64_t startOf(std::uint32_t n) const { return program.operations[n].start; }
};

using Row = std::tuple<std::uint32_t, std::uint32_t, WaitReason, std::int64_t>;
std::vector<Row> rowsOf(const ProgramTrace& p) {
    std::vector<Row> rows;
    for (const Waited& w : waitsOf(p))
        rows.emplace_back(w.operation, w.behind, w.reason, w.ns);
    return rows;
}

// a: x 100 long, records E. b: y 30, waits for E, z 10: it could begin at 30 and does at 100, 70 later, for x. Then b
// records F at 110, a (done at 100) waits for it: its next, u, begins at 110, 10 later than it could, for z.
TEST(Order, PassesOnWhatAnEventWaitsFor) {
    Written w;
    const auto x = w.launch(1, 100);
    w.add(OperationKind::Record, 1, 0, eventE);
    w.launch(2, 30);
    w.add(OperationKind::StreamWait, 2, 0, eventE);
    const auto z = w.launch(2, 10);
    w.add(OperationKind::Record, 2, 0, eventF);
    w.add(OperationKind::StreamWait, 1, 0, eventF);
    const auto u = w.launch(1, 5);
    place(w.program, {});
    EXPECT_EQ(w.startOf(z), 100);
    EXPECT_EQ(w.startOf(u), 110);
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{z, x, WaitReason::Event, 70}, {u, z, WaitReason::Event, 10}}));
}

// An event that was recorded again means its latest recording when it is waited for; one that nobody recorded nothing.
TEST(Order, TakesTheLatestRecordingOfAnEvent) {
    Written w;
    w.launch(1, 10);
    w.add(OperationKind::Record, 1, 0, eventE);
    const auto x = w.launch(1, 50);
    w.add(OperationKind::Record, 1, 0, eventE);
    w.launch(1, 500);
    w.add(OperationKind::StreamWait, 2, 0, eventE);
    w.add(OperationKind::StreamWait, 2, 0, eventF);
    const auto y = w.launch(2, 1);
    place(w.program, {});
    EXPECT_EQ(w.startOf(y), 60);
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{y, x, WaitReason::Event, 60}}));
}

// c waits for the default stream, a does not. d0 40 on the default stream; c1 10 at 40, 40 later for d0; a1 5 at 0; d2 at
// 50, 10 later than behind d0, for c1; c3 at 70 behind d2 of 20.
TEST(Order, KnowsTheDefaultStream) {
    Written w;
    const auto d0 = w.launch(0, 40), c1 = w.launch(3, 10), a1 = w.launch(1, 5), d2 = w.launch(0, 20),
               c3 = w.launch(3, 1);
    place(w.program, {});
    EXPECT_EQ(w.startOf(a1), 0);
    EXPECT_EQ(w.startOf(d2), 50);
    EXPECT_EQ(w.startOf(c3), 70);
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{c1, d0, WaitReason::DefaultStream, 40},
                                                   {d2, c1, WaitReason::DefaultStream, 10},
                                                   {c3, d2, WaitReason::DefaultStream, 20}}));
}

// a 100, b 30. The host waits for b until 30; what it asks for then, b2 5, runs from 30. It waits for the device until 100
// (70 more, for a), and a2 begins there, behind a and not held up by anything but the host.
TEST(Order, TellsForWhichTheHostWaits) {
    Written w;
    const auto a = w.launch(1, 100), b = w.launch(2, 30);
    const auto first = w.add(OperationKind::Wait, 2, 0, waitsForStream);
    const auto b2 = w.launch(2, 5);
    const auto second = w.add(OperationKind::Wait, 0, 0, waitsForDevice);
    const auto a2 = w.launch(1, 5);
    w.add(OperationKind::Record, 1, 0, eventE);
    w.launch(1, 50);
    const auto third = w.add(OperationKind::Wait, 0, 0, eventE);
    place(w.program, {});
    EXPECT_EQ(w.startOf(b2), 30);
    EXPECT_EQ(w.startOf(a2), 100);
    EXPECT_EQ(w.program.operations[second].end, 100);
    EXPECT_EQ(w.program.operations[third].end, 105); // not 155
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{first, b, WaitReason::Host, 30},
                                                   {second, a, WaitReason::Host, 65}, // b2 was done at 35
                                                   {third, a2, WaitReason::Host, 5}}));
}

// What was done before holds nothing up: z could begin at 200 anyway. Two events: the later counts, from where the
// earlier ends.
TEST(Order, CountsOnlyWhatHoldsUp) {
    Written w;
    const auto x = w.launch(1, 100);
    w.add(OperationKind::Record, 1, 0, eventE);
    w.launch(2, 200);
    w.add(OperationKind::StreamWait, 2, 0, eventE);
    const auto z = w.launch(2, 10);
    w.add(OperationKind::Record, 2, 0, eventF);
    w.add(OperationKind::StreamWait, 3, 0, eventE);
    w.add(OperationKind::StreamWait, 3, 0, eventF);
    const auto y = w.launch(3, 1); // behind x at 100 and z at 210
    place(w.program, {});
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{z, x, WaitReason::Event, 0}, {y, z, WaitReason::Event, 110}}));
}

// By two ways behind the same: the host waits for the device, on which x ends at 100; b had been told to wait for x, too.
TEST(Order, CountsTheSameOnce) {
    Written w;
    const auto x = w.launch(1, 100);
    w.add(OperationKind::Record, 1, 0, eventE);
    w.add(OperationKind::StreamWait, 2, 0, eventE);
    const auto wait = w.add(OperationKind::Wait, 0, 0, waitsForDevice);
    place(w.program, {});
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{wait, x, WaitReason::Host, 100}}));
}

// By the emulator's own clock nothing is known of when the device works: there is the order alone.
TEST(Order, SaysNoTimesThatNobodyKnows) {
    Written w;
    const auto x = w.add(OperationKind::Launch, 1);
    w.program.operations[x].end = 90;
    w.add(OperationKind::Record, 1, 0, eventE);
    w.add(OperationKind::StreamWait, 2, 0, eventE);
    const auto y = w.add(OperationKind::Launch, 2);
    EXPECT_EQ(rowsOf(w.program), (std::vector<Row>{{y, x, WaitReason::Event, 0}}));
}

// Rows that a damaged file names may be any.
TEST(Order, BearsAnyStreamAndNumber) {
    ProgramTrace p;
    Operation o;
    o.stream = 77;
    o.kind = OperationKind::StreamWait;
    o.from = ~0ULL;
    p.operations = {o, o};
    o.kind = OperationKind::Wait;
    p.operations.push_back(o);
    EXPECT_TRUE(waitsOf(p).empty());
}

} // namespace
} // namespace warpglass::program
