// SPDX-License-Identifier: GPL-3.0-or-later
// Durations of launches: kept by journal and file, and what becomes of a program's times by them.
#include "gpu/program/journal.h"
#include "gpu/program/order.h"
#include "gpu/program/pace.h"
#include "gpu/program/placing.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/database.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <unistd.h>

namespace warpglass::program {
namespace {

namespace fs = std::filesystem;

struct PlacedFile {
    explicit PlacedFile(const std::string& name)
        : path(fs::path(::testing::TempDir()) / ("warpglass-placing-" + std::to_string(getpid()) + "-" + name)) {}
    ~PlacedFile() { fs::remove_all(path); }
    fs::path path;
};

Operation operationOf(OperationKind kind, std::int64_t start, std::int64_t end, std::uint32_t stream = 0) {
    Operation o;
    o.kind = kind;
    o.start = o.called = start, o.end = o.returned = end;
    o.stream = stream;
    return o;
}

Operation launchOf(std::int64_t duration, TimeOrigin timed, std::uint32_t stream = 0) {
    Operation o = operationOf(OperationKind::Launch, 1000, 9000, stream); // by the emulator's clock, which says nothing
    o.duration = duration;
    o.timed = timed;
    return o;
}

using Times = std::vector<std::pair<TimeOrigin, std::int64_t>>;
Times durationsIn(const ProgramTrace& p) {
    Times all;
    for (const Operation& o : p.operations)
        all.emplace_back(o.timed, o.duration);
    return all;
}

// An estimate goes with the short form of a launch, one of 5 s (more than 32 bits of ns hold) and what the timing model
// says with the long one.
TEST(Durations, AreKeptByJournalAndFile) {
    const PlacedFile journal("a.journal"), out("a.wgt");
    const Times wanted{{TimeOrigin::Estimated, 950},
                       {TimeOrigin::Estimated, 5'000'000'000},
                       {TimeOrigin::Modelled, 6000},
                       {TimeOrigin::None, 0}};
    {
        auto made = Journal::create(journal.path, {});
        ASSERT_TRUE(made);
        for (const auto& [timed, ns] : wanted)
            (*made)->add(launchOf(ns, timed));
    }
    const auto fromJournal = readJournal(journal.path);
    ASSERT_TRUE(fromJournal);
    EXPECT_EQ(durationsIn(*fromJournal), wanted);
    ASSERT_TRUE(writeProgram(*fromJournal, out.path));
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(durationsIn(*read), wanted);
    // A forged origin or duration is none.
    ProgramTrace forged;
    forged.operations = {launchOf(-7, TimeOrigin::Modelled), launchOf(5, TimeOrigin(9)),
                         launchOf(0, TimeOrigin::Estimated)};
    ASSERT_TRUE(writeProgram(forged, out.path));
    EXPECT_EQ(durationsIn(*readProgram(out.path)), Times(3, {TimeOrigin::None, 0}));
}

// Rows of format 2 end before the duration: 88 of 104 bytes, byte by byte in columns, so that the last 16 columns go.
TEST(Durations, AreNotInOlderFilesWhichAreReadAllTheSame) {
    const PlacedFile out("old.wgt");
    ProgramTrace p;
    p.operations = {operationOf(OperationKind::Allocate, 3, 5), operationOf(OperationKind::Launch, 10, 70)};
    ASSERT_TRUE(writeProgram(p, out.path));
    {
        auto db = Database::create(out.path);
        ASSERT_TRUE(db);
        std::vector<std::byte> plain(2 * sizeof(Operation));
        {
            auto select = db->prepare("SELECT data FROM chunks WHERE name = 'operations'");
            ASSERT_TRUE(select && select->step());
            const auto data = select->blob(0);
            ASSERT_EQ(ZSTD_decompress(plain.data(), plain.size(), data.data(), data.size()), plain.size());
        }
        std::vector<std::byte> packed(ZSTD_compressBound(176));
        packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), 176, 3));
        auto update = db->prepare("UPDATE chunks SET bytes = 176, data = ? WHERE name = 'operations'");
        ASSERT_TRUE(update);
        update->bind(0, std::span<const std::byte>(packed));
        ASSERT_TRUE(update->run());
        ASSERT_TRUE(db->run("PRAGMA user_version = 2"));
    }
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read) << read.error().text();
    const Operation& o = read->operations[1];
    EXPECT_EQ(std::tie(o.start, o.end, o.called, o.returned, o.duration), std::tuple(10, 70, 10, 70, 0));
    EXPECT_FALSE(durationsOf(*read).known());
}

// Streams: 0 the default one, 1 and 2 that wait for it, 3 that does not.
//   a 100 ns on 1, b 50 on 2: side by side from 0 on; c 10 on the default stream: behind both, at 100; d 5 on 3: at 0;
//   a copy on 1 behind c, at 110, without length; the host waits until all is done, at 110; e 20 on 2 begins there.
// Beside their durations nothing takes time: the host asks for all at 0, and for e and what follows at 110.
TEST(Placing, FollowsStreamsAndTheHostsWaits) {
    ProgramTrace p;
    p.streams = {{"default"}, {"stream 1"}, {"stream 2"}, {"stream 3", 0, 0}};
    p.operations = {operationOf(OperationKind::Allocate, 7, 8), launchOf(100, TimeOrigin::Modelled, 1),
                    launchOf(50, TimeOrigin::Estimated, 2),     launchOf(10, TimeOrigin::Estimated, 0),
                    launchOf(5, TimeOrigin::Estimated, 3),      operationOf(OperationKind::Copy, 500, 900, 1),
                    operationOf(OperationKind::Wait, 900, 950), launchOf(20, TimeOrigin::Estimated, 2),
                    operationOf(OperationKind::Free, 960, 970)};
    place(p, {});
    const std::vector<std::pair<std::int64_t, std::int64_t>> wanted{
        {0, 0}, {0, 100}, {0, 50}, {100, 110}, {0, 5}, {110, 110}, {0, 110}, {110, 130}, {110, 110}};
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        const Operation& o = p.operations[n];
        EXPECT_EQ(std::pair(o.start, o.end), wanted[n]) << n;
        EXPECT_EQ(o.called, n < 7 ? 0 : 110) << n;
        EXPECT_EQ(o.returned, n < 6 ? 0 : 110) << n;
    }
    const Durations durations = durationsOf(p);
    EXPECT_EQ(durations.estimated, 4u);
    EXPECT_EQ(durations.modelled, 1u);
    EXPECT_EQ(durations.origin(), TimeOrigin::Estimated);
}

// Calls of the host, copy engines, the way to the device. In brackets: when the host asked and when the call returned.
//    0 memory of the device [0, 10]; 1 pinned memory [10, 20]
//    2 400 bytes to the device on 1 [20, 22]: from 22 + 20 on, for 100 + 400/2
//    3 100 bytes on 2 [22, 24]: the engine is free at 342, and it takes 100 + 100/2
//    4 a kernel of 50 on 1 [24, 27]: 11 behind the copy, which another engine does, at 353
//    5 40 bytes back on 1 [27, 29], by the other engine: 11 behind the kernel, at 414, for 90 + 40/4
//    6 an event on 1 [29, 30] and 7 the wait of stream 2 for it [30, 31]: where that ends, at 514
//    8 a kernel of 8 on 2 [31, 34]: at 525; 9 the host waits for the device from 34 on, and goes on 6 behind 533
//   10 30 bytes of pageable memory on 1 [539, ...]: from 539 + 2 + 20 on, for 100 + 30/1; the call returns 6 behind that, at 697
//   11 100 bytes within the device, a launch, for which the host waits: from 697 + 3 + 20 on, for 50 + 100/10; it returns at 786
//   12 200 bytes filled [786, 788]: from 808 on, for 30 + 200/20, until 848
//   13 9 bytes to pageable memory on 1 [788, ...]: the host waits for 848, goes on 6 and asks 2 behind that; from 876 on, for
//      100 + 9/0.5; the call returns at 1000
//   14 the host waits for stream 2, which was done long ago [1000, 1004]; 15 memory goes back [1004, 1014]
TEST(Placing, HasCallsCopyEnginesAndTheWayToTheDevice) {
    constexpr Pace pace{.launchCall = 3,
                        .copyCall = 2,
                        .fillCall = 2,
                        .recordCall = 1,
                        .behindCall = 1,
                        .memoryCall = 10,
                        .waitIdle = 4,
                        .waitReturn = 6,
                        .start = 20,
                        .between = 7,
                        .otherEngine = 11,
                        .pinnedTo = {100, 2},
                        .pinnedFrom = {90, 4},
                        .pageableTo = {100, 1},
                        .pageableFrom = {100, 0.5},
                        .within = {50, 10},
                        .fill = {30, 20}};
    ProgramTrace p;
    p.streams = {{"default"}, {"stream 1", 0, 0}, {"stream 2", 0, 0}};
    const auto add = [&](OperationKind kind, std::uint32_t stream, std::uint64_t bytes = 0, std::uint64_t to = 0,
                         std::uint64_t from = 0, Direction direction = Direction::None) -> Operation& {
        Operation o = operationOf(kind, 5, 5, stream);
        o.bytes = bytes, o.to = to, o.from = from, o.direction = direction;
        p.operations.push_back(o);
        return p.operations.back();
    };
    constexpr std::uint64_t device = 0x1000, pinned = 0x5000, pageable = 0x9000, event = 77;
    add(OperationKind::Allocate, 0, 1000, device);
    add(OperationKind::Allocate, 0, 1000, pinned).memory = MemoryKind::Host;
    add(OperationKind::Copy, 1, 400, device, pinned, Direction::HostToDevice);
    add(OperationKind::Copy, 2, 100, device, pinned, Direction::HostToDevice);
    p.operations.push_back(launchOf(50, TimeOrigin::Modelled, 1));
    add(OperationKind::Copy, 1, 40, pinned, device, Direction::DeviceToHost);
    add(OperationKind::Record, 1, 0, 0, event);
    add(OperationKind::StreamWait, 2, 0, 0, event);
    p.operations.push_back(launchOf(8, TimeOrigin::Estimated, 2));
    add(OperationKind::Wait, 0, 0, 0, waitsForDevice);
    add(OperationKind::Copy, 1, 30, device, pageable, Direction::HostToDevice);
    add(OperationKind::Copy, 1, 100, device, device, Direction::DeviceToDevice).memory = waitedFor;
    add(OperationKind::Fill, 1, 200, device);
    add(OperationKind::Copy, 1, 9, pageable, device, Direction::DeviceToHost);
    add(OperationKind::Wait, 2, 0, 0, waitsForStream);
    add(OperationKind::Free, 0, 0, device);
    listAllocations(p);
    place(p, pace);
    using PlacedTimes = std::array<std::int64_t, 4>; // called, returned, start, end
    const std::vector<PlacedTimes> wanted{
        {0, 10, 0, 10},       {10, 20, 10, 20},      {20, 22, 42, 342},        {22, 24, 342, 492},
        {24, 27, 353, 403},   {27, 29, 414, 514},    {29, 30, 514, 514},       {30, 31, 514, 514},
        {31, 34, 525, 533},   {34, 539, 34, 539},    {539, 697, 561, 691},     {697, 786, 720, 780},
        {786, 788, 808, 848}, {788, 1000, 876, 994}, {1000, 1004, 1000, 1004}, {1004, 1014, 1004, 1014}};
    ASSERT_EQ(p.operations.size(), wanted.size());
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        const Operation& o = p.operations[n];
        EXPECT_EQ((PlacedTimes{o.called, o.returned, o.start, o.end}), wanted[n]) << n;
    }
    EXPECT_EQ(p.operations[2].timed, TimeOrigin::Estimated); // and no launch
    EXPECT_EQ(durationsOf(p).estimated, 1u);
    // Who waited for whom: stream 2's kernel for stream 1's copy; the host for that kernel.
    const std::vector<Waited> waits = waitsOf(p);
    const auto of = [&](std::uint32_t n) {
        return std::find_if(waits.begin(), waits.end(), [&](const Waited& w) { return w.operation == n; });
    };
    ASSERT_NE(of(8), waits.end());
    EXPECT_EQ(of(8)->behind, 5u);
    EXPECT_EQ(of(8)->ns, 22); // from 492, when its own stream was done, to 514
    ASSERT_NE(of(9), waits.end());
    EXPECT_EQ(of(9)->behind, 8u);
    EXPECT_EQ(of(9)->ns, 19); // from 514, when stream 1 was done, to 533
}

// Two devices of one process, with memory of each. Calls of copies take the host 2, of launches 3, and the way to the device 20.
//   0, 1 memory; 2 a kernel of 50 on device 0 [0, 3]: from 23 to 73; 3 put on device 1 by device 0's stream [3, 5]: 11 behind
//     it, at 84, for 100 + 400/4, until 284; 4 an event [5, 5], 5 for which device 1's stream waits: 30 behind 284; 6 a kernel of 8
//     there [5, 8], 11 behind that for the copy's engine: 325 to 333
//   7 the same bytes got by device 1's stream [8, 10]: behind 333 by 11, 344, and the link from 0 to 1 is free at 284; for
//     150 + 400/4, until 594
//   8 400 bytes the other way from device 0's other stream, a link of its own [10, 12]: from 32, got, for 150 + 100, until 282
//   9 and through the host [12, 14], behind it on that link and stream, as an engine behind another: 293, for 300 + 400/1, until 993
TEST(Placing, HasLinksBetweenDevices) {
    constexpr Pace pace{.launchCall = 3,
                        .copyCall = 2,
                        .start = 20,
                        .between = 7,
                        .otherEngine = 11,
                        .otherDevice = 30,
                        .within = {50, 10},
                        .linkPut = {100, 4},
                        .linkGet = {150, 4},
                        .linkThroughHost = {300, 1}};
    ProgramTrace p;
    p.streams = {{"stream 1", 0, 0}, {.name = "stream 1", .blocking = 0, .device = 1}, {"stream 2", 0, 0}};
    const auto add = [&](OperationKind kind, std::uint32_t stream, std::uint64_t bytes = 0, std::uint64_t to = 0,
                         std::uint64_t from = 0, Direction direction = Direction::None) -> Operation& {
        Operation& o = p.operations.emplace_back(operationOf(kind, 5, 5, stream));
        o.bytes = bytes, o.to = to, o.from = from, o.direction = direction;
        return o;
    };
    constexpr std::uint64_t zero = 0x1000, one = 0x5000, event = 77;
    add(OperationKind::Allocate, 0, 1000, zero);
    add(OperationKind::Allocate, 1, 1000, one);
    p.operations.push_back(launchOf(50, TimeOrigin::Modelled, 0));
    add(OperationKind::Copy, 0, 400, one, zero, Direction::DeviceToDevice);
    add(OperationKind::Record, 0, 0, 0, event);
    add(OperationKind::StreamWait, 1, 0, 0, event);
    p.operations.push_back(launchOf(8, TimeOrigin::Estimated, 1));
    add(OperationKind::Copy, 1, 400, one, zero, Direction::DeviceToDevice);
    add(OperationKind::Copy, 2, 400, zero, one, Direction::DeviceToDevice);
    add(OperationKind::Copy, 2, 400, zero, one, Direction::DeviceToDevice).memory = throughHost;
    listAllocations(p);
    place(p, pace);
    const std::vector<std::pair<std::int64_t, std::int64_t>> wanted{
        {0, 0}, {0, 0}, {23, 73}, {84, 284}, {284, 284}, {314, 314}, {325, 333}, {344, 594}, {32, 282}, {293, 993}};
    ASSERT_EQ(p.operations.size(), wanted.size());
    for (std::size_t n = 0; n < wanted.size(); ++n)
        EXPECT_EQ(std::pair(p.operations[n].start, p.operations[n].end), wanted[n]) << n;
}

// A graph of a kernel of 50, a fill of 200 bytes and a kernel of 8, launched twice on stream 1, then a launch of 5. A launch
// keeps the host 3, a fill would 2: the host asks at 0, 3 and 6, and is free at 9.
//    first: from 3 + 20 on, until 73; 7 behind that at 80 the fill, for 30 + 200/20, until 120; at 127, until 135
//    second, asked for long before: at 142, until 192; 199, until 239; 246, until 254; the launch: at 261, until 266
// The host waits from 9 on and goes on 6 behind 266.
TEST(Placing, AsksForAGraphOnce) {
    constexpr Pace pace{
        .launchCall = 3, .fillCall = 2, .waitIdle = 4, .waitReturn = 6, .start = 20, .between = 7, .fill = {30, 20}};
    ProgramTrace p;
    p.streams = {{"default"}, {"stream 1", 0, 0}};
    p.graphs.resize(1);
    p.graphs[0].nodes.resize(3);
    for (std::uint32_t launch = 0; launch < 2; ++launch) {
        p.graphLaunches.push_back({500, 0, 1});
        for (std::uint32_t node = 0; node < 3; ++node)
            p.graphSteps.push_back({launch * 3 + node, launch, node});
        p.operations.push_back(launchOf(50, TimeOrigin::Estimated, 1));
        p.operations.push_back(operationOf(OperationKind::Fill, 5, 5, 1));
        p.operations.back().bytes = 200;
        p.operations.push_back(launchOf(8, TimeOrigin::Estimated, 1));
    }
    p.operations.push_back(launchOf(5, TimeOrigin::Estimated, 1));
    p.operations.push_back(operationOf(OperationKind::Wait, 5, 5, 1));
    p.operations.back().from = waitsForStream;
    place(p, pace);
    using PlacedTimes = std::array<std::int64_t, 4>; // called, returned, start, end
    const std::vector<PlacedTimes> wanted{{0, 3, 23, 73},   {0, 3, 80, 120},  {0, 3, 127, 135}, {3, 6, 142, 192},
                                          {3, 6, 199, 239}, {3, 6, 246, 254}, {6, 9, 261, 266}, {9, 272, 9, 272}};
    ASSERT_EQ(p.operations.size(), wanted.size());
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        const Operation& o = p.operations[n];
        EXPECT_EQ((PlacedTimes{o.called, o.returned, o.start, o.end}), wanted[n]) << n;
    }
    EXPECT_EQ(p.graphLaunches[1].called, 3);
}

TEST(Placing, LeavesAloneWhatIsMeasuredOrNotKnown) {
    ProgramTrace p;
    p.operations = {operationOf(OperationKind::Launch, 10, 70)};
    place(p, measuredPace());
    EXPECT_EQ(p.operations[0].start, 10);
    p.info.backend = BackendKind::Cuda;
    p.operations[0].duration = 3;
    p.operations[0].timed = TimeOrigin::Estimated;
    place(p, measuredPace());
    EXPECT_EQ(p.operations[0].end, 70);
    EXPECT_TRUE(durationsOf(p).measured);
}

} // namespace
} // namespace warpglass::program
