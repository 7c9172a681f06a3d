// SPDX-License-Identifier: GPL-3.0-or-later
// Durations of launches: kept by journal and file, and what becomes of a program's times by them.
#include "gpu/program/journal.h"
#include "gpu/program/placing.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/database.h"

#include <gtest/gtest.h>
#include <zstd.h>

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

// Rows of format 2 end before the duration: 88 of 96 bytes, byte by byte in columns, so that the last 8 columns go.
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
TEST(Placing, FollowsStreamsAndTheHostsWaits) {
    ProgramTrace p;
    p.streams = {{"default"}, {"stream 1"}, {"stream 2"}, {"stream 3", 0, 0}};
    p.operations = {operationOf(OperationKind::Allocate, 7, 8), launchOf(100, TimeOrigin::Modelled, 1),
                    launchOf(50, TimeOrigin::Estimated, 2),     launchOf(10, TimeOrigin::Estimated, 0),
                    launchOf(5, TimeOrigin::Estimated, 3),      operationOf(OperationKind::Copy, 500, 900, 1),
                    operationOf(OperationKind::Wait, 900, 950), launchOf(20, TimeOrigin::Estimated, 2),
                    operationOf(OperationKind::Free, 960, 970)};
    place(p);
    const std::vector<std::pair<std::int64_t, std::int64_t>> wanted{
        {0, 0}, {0, 100}, {0, 50}, {100, 110}, {0, 5}, {110, 110}, {0, 110}, {110, 130}, {110, 110}};
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        const Operation& o = p.operations[n];
        EXPECT_EQ(std::pair(o.start, o.end), wanted[n]) << n;
        EXPECT_EQ(std::pair(o.called, o.returned), wanted[n]) << n;
    }
    const Durations durations = durationsOf(p);
    EXPECT_EQ(durations.estimated, 4u);
    EXPECT_EQ(durations.modelled, 1u);
    EXPECT_EQ(durations.origin(), TimeOrigin::Estimated);
}

TEST(Placing, LeavesAloneWhatIsMeasuredOrNotKnown) {
    ProgramTrace p;
    p.operations = {operationOf(OperationKind::Launch, 10, 70)};
    place(p);
    EXPECT_EQ(p.operations[0].start, 10);
    p.info.backend = BackendKind::Cuda;
    p.operations[0].duration = 3;
    p.operations[0].timed = TimeOrigin::Estimated;
    place(p);
    EXPECT_EQ(p.operations[0].end, 70);
    EXPECT_TRUE(durationsOf(p).measured);
}

} // namespace
} // namespace warpglass::program
