// SPDX-License-Identifier: GPL-3.0-or-later
// Who meets whom, worked out by hand; and ranges of bytes.
#include "gpu/program/meetings.h"

#include <gtest/gtest.h>

namespace warpglass::program {
namespace {

// Streams: 0 the default one; 1 and 2 do not wait for it; 3 does.
struct Met {
    Meetings meetings;
    std::uint32_t row = 0;

    Met() {
        for (const ProgramStream& s : {ProgramStream{"default"}, {"a", 0, 0}, {"b", 0, 0}, {"c"}})
            meetings.add(s);
    }
    std::optional<Meetings::Found> add(OperationKind kind, std::uint32_t stream, Touched touched = {},
                                       std::uint64_t from = 0) {
        Operation o;
        o.kind = kind;
        o.stream = stream;
        o.from = from;
        return meetings.next(o, row++, std::move(touched));
    }
    std::optional<Meetings::Found> reads(std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
        return add(OperationKind::Launch, stream, {.reads = {{begin, end}}});
    }
    std::optional<Meetings::Found> writes(std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
        return add(OperationKind::Launch, stream, {.writes = {{begin, end}}});
    }
    void record(std::uint32_t stream, std::uint64_t event) { add(OperationKind::Record, stream, {}, event); }
    void behind(std::uint32_t stream, std::uint64_t event) { add(OperationKind::StreamWait, stream, {}, event); }
    void waitFor(std::uint64_t what, std::uint32_t stream = 0) { add(OperationKind::Wait, stream, {}, what); }
};
constexpr std::uint64_t metE = 0x1000, metF = 0x2000;

// Bytes 100 to 199 and 150 to 249 have 50 in common, from 150 on.
TEST(Meetings, TellWhatTwoStreamsHaveInCommon) {
    Met m;
    EXPECT_FALSE(m.writes(1, 100, 200));
    const auto found = m.reads(2, 150, 250);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->earlier, 0u);
    EXPECT_EQ(found->meeting.first, 150u);
    EXPECT_EQ(found->meeting.bytes, 50u);
    EXPECT_TRUE(found->meeting.earlierWrites);
    EXPECT_FALSE(found->meeting.laterWrites);
    EXPECT_FALSE(m.reads(1, 0, 1000)); // of b's only a read
    EXPECT_TRUE(m.writes(1, 249, 250));
    const auto last = m.writes(2, 200, 249); // which a has read (row 2); what b itself did is before it
    ASSERT_TRUE(last);
    EXPECT_EQ(last->earlier, 2u);
    EXPECT_FALSE(last->meeting.earlierWrites);
}

TEST(Meetings, AreNoneBehindAnEventEvenOverAThirdStream) {
    Met m;
    m.writes(1, 0, 8);
    m.record(1, metE);
    m.behind(3, metE);
    m.record(3, metF);
    m.behind(2, metF); // a before c before b
    EXPECT_FALSE(m.writes(2, 0, 8));
    EXPECT_TRUE(m.writes(1, 0, 8)); // and nothing puts a behind b
}

// The event was recorded before the work: it does not say that it is done.
TEST(Meetings, KnowWhatAnEventCameBefore) {
    Met m;
    m.record(1, metE);
    m.writes(1, 0, 8);
    m.behind(2, metE);
    EXPECT_TRUE(m.reads(2, 0, 8));
}

TEST(Meetings, FollowTheDefaultStreamAsItsStreamsDo) {
    Met m;
    m.writes(0, 0, 8);
    EXPECT_FALSE(m.reads(3, 0, 8)); // waits for it
    EXPECT_TRUE(m.reads(1, 0, 8));  // does not
    m.waitFor(waitsForDevice);
    m.writes(3, 0, 8);
    EXPECT_FALSE(m.reads(0, 0, 8)); // and it for them
}

TEST(Meetings, EndWhereTheHostHasWaited) {
    Met m;
    m.writes(1, 0, 8);
    EXPECT_TRUE(m.meetings.isPending(0));
    m.waitFor(waitsForStream, 1);
    EXPECT_FALSE(m.meetings.isPending(0));
    EXPECT_FALSE(m.reads(2, 0, 8));
    m.writes(2, 0, 8);
    m.meetings.hostKnowsStream(2); // a query that says so
    EXPECT_FALSE(m.writes(1, 0, 8));
    m.meetings.forget(0, 8); // freed: others lie there now
    EXPECT_FALSE(m.writes(2, 0, 8));
}

TEST(Meetings, LeaveStrongAccessesAndFlagsAlone) {
    Met m;
    m.add(OperationKind::Launch, 1, {.strongWrites = {{0, 4}}});
    EXPECT_FALSE(m.add(OperationKind::Launch, 2, {.strongWrites = {{0, 4}}})); // two atomics
    EXPECT_TRUE(m.reads(2, 0, 4));                                             // a plain read of one
    // Data at 64 and a flag at 0: whoever reads the flag by a strong access may have waited.
    m.add(OperationKind::Launch, 1, {.writes = {{64, 128}}, .strongWrites = {{32, 36}}});
    EXPECT_FALSE(m.add(OperationKind::Launch, 2, {.reads = {{64, 128}}, .strongReads = {{32, 36}}}));
}

// Work 1 writes 0 to 99, 2 writes 50 to 149, 3 reads 0 to 9 and raises a flag at 200; 60 is 2's, 20 is still 1's.
TEST(TouchIndex, KnowsWhoWasLastAtEachByte) {
    TouchIndex index;
    index.add({.writes = {{0, 100}}}, 1);
    index.add({.writes = {{50, 150}}}, 2);
    index.add({.reads = {{0, 10}}, .strongWrites = {{200, 204}}}, 3);
    EXPECT_EQ(index.size(), 5u); // 0 to 9, 10 to 49, 50 to 99, 100 to 149, 200 to 203
    EXPECT_EQ(index.last({.reads = {{20, 30}}}).meets, 1u);
    EXPECT_EQ(index.last({.reads = {{20, 61}}}).meets, 2u);
    EXPECT_EQ(index.last({.reads = {{0, 10}}}).meets, 1u); // two that read do not meet
    EXPECT_EQ(index.last({.writes = {{9, 10}}}).meets, 3u);
    EXPECT_EQ(index.last({.reads = {{150, 200}}}).meets, 0u);
    const TouchIndex::Last flag = index.last({.reads = {{0, 150}}, .strongReads = {{200, 204}}});
    EXPECT_EQ(flag.meets, 2u);
    EXPECT_EQ(flag.handsOn, 3u);          // and so what came before it
    index.add({.writes = {{0, 100}}}, 4); // over two pieces
    EXPECT_EQ(index.last({.reads = {{99, 101}}}).meets, 4u);
    EXPECT_EQ(index.size(), 5u);
}

// The flag is raised by work behind that which wrote the data: whoever asks for it is behind both.
TEST(Meetings, HandOnWhatCameBeforeAFlag) {
    Met m;
    m.writes(1, 64, 128);
    m.add(OperationKind::Launch, 1, {.strongWrites = {{0, 4}}});
    EXPECT_FALSE(m.add(OperationKind::Launch, 2, {.reads = {{64, 128}}, .strongReads = {{0, 4}}}));
    EXPECT_FALSE(m.writes(2, 64, 128)); // in its stream
    m.writes(1, 300, 304);
    EXPECT_TRUE(m.reads(2, 300, 304)); // behind the flag
}

// What a stream allocates and frees is its work.
TEST(Meetings, TakeMemoryOfAStreamAsItsWork) {
    Met m;
    m.add(OperationKind::Allocate, 1, {.writes = {{0, 64}}}, inStreamsOrder);
    EXPECT_TRUE(m.reads(2, 0, 4));
    EXPECT_TRUE(m.add(OperationKind::Free, 1, {.writes = {{0, 64}}}, inStreamsOrder)); // b still reads it
}

// Nodes 10 and 11 have no edge between them, 12 comes behind 10 alone, 13 behind all. In the stream before: row 0.
TEST(Meetings, OfNodesFollowTheEdgesOfTheirGraph) {
    Met m;
    m.writes(1, 0, 100); // row 0
    m.meetings.beginGraph(1);
    m.meetings.beginNode(10, {});
    EXPECT_FALSE(m.writes(1, 0, 50)); // 1: behind row 0, in its stream
    m.meetings.beginNode(11, {});
    EXPECT_FALSE(m.reads(1, 50, 100)); // 2: of row 0 alone
    m.meetings.beginNode(12, {10});
    EXPECT_FALSE(m.reads(1, 0, 50));        // 3
    const auto found = m.writes(1, 60, 70); // 4, still node 12: 11 reads there
    ASSERT_TRUE(found);
    EXPECT_EQ(found->earlier, 2u);
    EXPECT_TRUE(m.meetings.isOfGraph(found->earlier));
    EXPECT_FALSE(m.meetings.isOfGraph(0));
    m.meetings.beginNode(13, {11, 12});
    EXPECT_FALSE(m.writes(1, 0, 100)); // 5
    m.meetings.endGraph();
    EXPECT_FALSE(m.writes(1, 0, 100)); // 6: what follows in the stream is behind all nodes
    const auto other = m.reads(2, 0, 10);
    ASSERT_TRUE(other); // another stream is not
    EXPECT_EQ(other->earlier, 6u);
}

// Of two graphs in one stream the second one comes behind both branches of the first.
TEST(Meetings, OfAGraphEndBehindIt) {
    Met m;
    for (int n = 0; n < 2; ++n) {
        m.meetings.beginGraph(1);
        m.meetings.beginNode(20, {});
        EXPECT_FALSE(m.writes(1, 0, 10));
        m.meetings.beginNode(21, {});
        EXPECT_FALSE(m.writes(1, 10, 20));
        m.meetings.endGraph();
    }
    m.record(1, metE);
    m.behind(2, metE);
    EXPECT_FALSE(m.writes(2, 0, 20)); // an event behind a graph is behind all of it
}

// Stream 3 waits for the default one: so do all nodes of its graph, also those without edges.
TEST(Meetings, OfAGraphComeBehindTheDefaultStream) {
    Met m;
    m.writes(0, 0, 10);
    m.meetings.beginGraph(3);
    m.meetings.beginNode(1, {});
    EXPECT_FALSE(m.writes(3, 0, 5));
    m.meetings.beginNode(2, {});
    EXPECT_FALSE(m.reads(3, 5, 10));
    m.meetings.endGraph();
    EXPECT_FALSE(m.writes(0, 0, 10)); // and the default stream for them
}

TEST(Ranges, GrowTogetherAndComeApart) {
    ByteRanges r;
    addRange(r, 10, 20);
    addRange(r, 30, 40);
    addRange(r, 20, 25); // beside the first
    ASSERT_EQ(r.size(), 2u);
    EXPECT_EQ(r[0].end, 25u);
    addRange(r, 24, 31); // between them
    ASSERT_EQ(r.size(), 1u);
    EXPECT_EQ(r[0].begin, 10u);
    EXPECT_EQ(r[0].end, 40u);
    dropRange(r, 15, 20);
    ASSERT_EQ(r.size(), 2u);
    EXPECT_EQ(r[0].end, 15u);
    EXPECT_EQ(r[1].begin, 20u);
    dropRange(r, 0, 100);
    EXPECT_TRUE(r.empty());
}

} // namespace
} // namespace warpglass::program
