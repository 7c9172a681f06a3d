// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/utf8.h"
#include "gpu/trace/compare.h"
#include "gpu/trace/database.h"
#include "gpu/trace/event_chunks.h"
#include "gpu/trace/file_layout.h"
#include "gpu/trace/pyramid.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/trace_file.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace warpglass {
namespace {

TEST_F(TraceFile, GivesBackWhatWasWritten) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const Trace trace = randomTrace(seed, seed % 7 * 9, seed % 5 * 20, seed % 4 == 1);
        ASSERT_TRUE(validate(trace)) << validate(trace).error().text();
        Progress progress;
        const auto back = readTrace(written(trace), progress);
        ASSERT_TRUE(back) << seed << ": " << back.error().text();
        const auto difference = firstDifference(trace, **back);
        EXPECT_FALSE(difference) << seed << ": " << *difference;
        EXPECT_EQ((*back)->info.when, trace.info.when);
        EXPECT_TRUE((*back)->events == trace.events);
    }
}

TEST_F(TraceFile, GivesBackAnEmptyTrace) {
    const Trace trace;
    Progress progress;
    const auto back = readTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_FALSE(firstDifference(trace, **back));
}

TEST_F(TraceFile, GivesBackSeveralChunks) {
    const Trace trace = loopTrace(3000, 70); // 210,000 events: thirteen chunks, warps across their borders
    Progress progress;
    const auto back = readTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    const auto difference = firstDifference(trace, **back);
    EXPECT_FALSE(difference) << *difference;
    EXPECT_EQ(progress.fraction(), 1.0);
}

TEST_F(TraceFile, GivesBackNumbersThatAreNone) {
    Trace trace = randomTrace(5);
    trace.counters[0].value = std::nan("");
    trace.smClocks[0].offset = -INFINITY;
    Progress progress;
    const auto back = readTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_TRUE(std::isnan((*back)->counters[0].value));
    EXPECT_EQ((*back)->smClocks[0].offset, -INFINITY);
}

TEST_F(TraceFile, IsTheSameByteForByteForTheSameTrace) {
    const Trace trace = loopTrace(2000, 50);
    EXPECT_EQ(bytesOf(written(trace, "a.wgt")), bytesOf(written(trace, "b.wgt")));
    Progress progress; // also written from what was opened and never read
    const auto opened = openTrace(path("a.wgt"), progress);
    ASSERT_TRUE(opened);
    EXPECT_EQ(bytesOf(written(**opened, "c.wgt")), bytesOf(path("a.wgt")));
}

TEST_F(TraceFile, ReplacesAnOlderFileAndLeavesNothingElse) {
    put(path("a.wgt"), "something old");
    written(randomTrace(1));
    Progress progress;
    EXPECT_TRUE(readTrace(path("a.wgt"), progress));
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
}

TEST_F(TraceFile, KeepsThePyramid) {
    const Trace trace = randomTrace(8);
    Progress progress;
    const auto back = openTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    const auto built = buildPyramid(trace, progress);
    ASSERT_TRUE((*back)->pyramid);
    EXPECT_TRUE(std::ranges::equal((*back)->pyramid->events, built->events));
    EXPECT_TRUE(std::ranges::equal((*back)->pyramid->states, built->states));
}

TEST_F(TraceFile, OpensTheSameTraceThatItReads) {
    const Trace trace = randomTrace(9, 80, 60);
    Progress progress;
    const auto back = openTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    fs::remove(path("a.wgt")); // what was opened no longer needs its file
    const Trace copy = **back;
    const auto difference = firstDifference(trace, copy);
    EXPECT_FALSE(difference) << *difference;
}

TEST_F(TraceFile, ManyThreadsReadOneOpenedTrace) {
    const Trace trace = loopTrace(3000, 70);
    Progress progress;
    const auto back = openTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::size_t i = t * 1000; i < trace.warps.size() + t * 1000; ++i) {
                const Warp& w = trace.warps[i % trace.warps.size()];
                for (std::uint32_t n = 0; n < w.eventCount; ++n)
                    wrong += !((*back)->event(w, n) == trace.event(w, n));
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(TraceFile, StaysWithinThreeBytesAnEvent) {
    const Trace trace = loopTrace(10000, 100);
    const double bytes = double(fs::file_size(written(trace))) / double(trace.events.size());
    EXPECT_LE(bytes, 3.0);
    RecordProperty("bytes_an_event_x100", int(bytes * 100));
}

TEST_F(TraceFile, OpensFilesWithUncommonNames) {
    const Trace trace = randomTrace(2);
    for (const char* fileName : {"a b%20c?d#e.wgt", "\xe5\x9b\xbe.wgt", "quote'\".wgt"}) {
        Progress progress;
        const auto back = readTrace(written(trace, fileName), progress);
        EXPECT_TRUE(back) << back.error().text();
    }
}

TEST_F(TraceFile, RefusesForeignFilesWithASentence) {
    written(randomTrace(1));
    EXPECT_NE(errorOf("").find("the file is empty"), std::string::npos);
    EXPECT_NE(errorOf("%PDF-1.7 and so on").find("not a Warpglass recording (offset 0"), std::string::npos);
    EXPECT_NE(errorOf(std::string(5000, '\0')).find("not a Warpglass recording (offset 0"), std::string::npos);
    std::string other = bytesOf(path("a.wgt"));
    other.replace(68, 4, "MAPS");
    EXPECT_NE(errorOf(other).find("not a Warpglass recording (offset 68"), std::string::npos);
    Progress progress;
    EXPECT_NE(readTrace(path("none.wgt"), progress).error().text().find("there is no such file"), std::string::npos);
    EXPECT_NE(readTrace(m_folder, progress).error().text().find("this is a folder"), std::string::npos);
    EXPECT_NE(readTrace("/dev/null", progress).error().text().find("not a regular file"), std::string::npos);
}

TEST_F(TraceFile, KeepsTheTimingModelsTermsAndTheInstructionOfEveryState) {
    Trace trace;
    trace.info.timing = true;
    trace.kernels.push_back({});
    Launch launch;
    launch.blockCount = 1;
    trace.launches.push_back(launch);
    Block block;
    block.warpCount = 1;
    trace.blocks.push_back(block);
    Warp warp;
    warp.stateCount = 3;
    trace.warps.push_back(warp);
    trace.states = {{{0}, {1}, WarpState::Selected, 41},
                    {{1}, {400}, WarpState::StallLongScoreboard, 0xfffffffe},
                    {{400}, {401}, WarpState::Eligible, 0}};
    TimingRow timing;
    timing.policy = "gty";
    timing.timedSms = 2;
    timing.timedBlocks = 1ull << 40;
    timing.timedInstructions = 12345678901234;
    timing.timedCycles = 401;
    timing.overheadNs = 1234.5;
    timing.durationNs = 0.1; // no binary fraction
    trace.timings = {timing};
    Progress progress;
    const auto back = readTrace(written(trace), progress);
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ((*back)->states.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ((*back)->states[i].ptxLine, trace.states[i].ptxLine) << i;
    EXPECT_EQ((*back)->states[1].state, WarpState::StallLongScoreboard);
    ASSERT_EQ((*back)->timings.size(), 1u);
    const TimingRow& t = (*back)->timings[0];
    EXPECT_EQ(t.policy, "gty");
    EXPECT_EQ(t.timedSms, 2u);
    EXPECT_EQ(t.timedBlocks, 1ull << 40);
    EXPECT_EQ(t.timedInstructions, 12345678901234u);
    EXPECT_EQ(t.timedCycles, 401u);
    EXPECT_EQ(t.overheadNs, 1234.5);
    EXPECT_EQ(t.durationNs, 0.1);
}

// A file may hold anything under the name of a table, and SQLite quotes it: the sentence must still be text.
TEST_F(TraceFile, SaysItInValidUtf8WhateverTheFileHolds) {
    written(randomTrace(1));
    std::string bytes = bytesOf(path("a.wgt"));
    for (std::size_t at = bytes.find("CREATE TABLE"); at != std::string::npos; at = bytes.find("CREATE TABLE", at + 1))
        bytes.replace(at, 12, "CREATE TA\xff\xfe\xc0");
    const std::string error = errorOf(bytes);
    ASSERT_FALSE(error.empty());
    EXPECT_EQ(error, validUtf8(error)) << error;
    EXPECT_NE(error.find("\xef\xbf\xbd"), std::string::npos) << "the file's bytes were not quoted: " << error;
}

TEST_F(TraceFile, RefusesEveryTruncation) {
    const std::string whole = bytesOf(written(randomTrace(4, 6, 10)));
    for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 61) {
        const std::string error = errorOf(whole.substr(0, size));
        ASSERT_FALSE(error.empty()) << size;
        ASSERT_TRUE(error.find("cut off at offset " + std::to_string(size)) != std::string::npos || size < 16) << error;
    }
}

// A flipped bit gives an error or, in a part of the file that holds nothing, the same trace: never another trace.
TEST_F(TraceFile, NoticesFlippedBits) {
    const Trace trace = randomTrace(6, 60, 60);
    const std::string whole = bytesOf(written(trace));
    std::mt19937 random(7);
    int noticed = 0;
    const fs::path file = path("damaged.wgt");
    for (int i = 0; i < 1500; ++i) {
        std::string damaged = whole;
        const std::size_t at = i < 100 ? std::size_t(i) : random() % whole.size();
        damaged[at] = char(damaged[at] ^ (1 << random() % 8));
        put(file, damaged);
        Progress progress;
        const auto back = readTrace(file, progress);
        if (!back) {
            ++noticed;
            ASSERT_FALSE(back.error().message.empty());
            ASSERT_FALSE(openTrace(file, progress)) << "offset " << at;
            continue;
        }
        const auto difference = firstDifference(trace, **back);
        ASSERT_FALSE(difference) << "offset " << at << ": " << *difference;
        // Opening alone unpacks no event, and notices no less.
        const auto opened = openTrace(file, progress);
        ASSERT_TRUE(opened) << "offset " << at;
        ASSERT_FALSE(firstDifference(trace, **opened)) << "offset " << at;
    }
    EXPECT_GT(noticed, 500);
    EXPECT_EQ(bytesOf(path("a.wgt")), whole);
}

// A page is what a disk loses: each one of zeros, of noise, and the one that belongs behind it.
TEST_F(TraceFile, NoticesEveryDamagedPage) {
    const Trace trace = randomTrace(6, 60, 60);
    const std::string whole = bytesOf(written(trace));
    constexpr std::size_t page = 4096;
    ASSERT_EQ(whole.size() % page, 0u);
    ASSERT_GT(whole.size() / page, 20u);
    std::mt19937 random(8);
    const fs::path file = path("damaged.wgt");
    for (std::size_t at = 0; at < whole.size(); at += page)
        for (int kind = 0; kind < 3; ++kind) {
            std::string damaged = whole;
            if (kind == 2) // of the last page there is none behind it
                damaged.replace(at, page, whole, at + page < whole.size() ? at + page : 0, page);
            else
                for (std::size_t n = at; n < at + page; ++n)
                    damaged[n] = kind == 0 ? char(0) : char(random());
            put(file, damaged);
            for (const auto reads : {readTrace, openTrace}) {
                Progress progress;
                const auto back = reads(file, progress);
                if (!back) {
                    ASSERT_FALSE(back.error().message.empty());
                    continue;
                }
                const auto difference = firstDifference(trace, **back);
                ASSERT_FALSE(difference) << "page " << at / page << ", kind " << kind << ": " << *difference;
            }
        }
}

// Puts other bytes into a chunk and makes the digest fit: what damage cannot do, but somebody who means it can.
void forge(const fs::path& file, const std::string& table, std::int64_t chunk, const std::vector<std::byte>& bytes) {
    auto database = Database::create(file);
    ASSERT_TRUE(database);
    auto update = database->prepare("UPDATE chunks SET data = ? WHERE name = ? AND number = ?");
    update->bind(0, std::span<const std::byte>(bytes));
    update->bind(1, std::string_view(table));
    update->bind(2, chunk);
    ASSERT_TRUE(update->run());
    Digest digest;
    auto select = database->prepare("SELECT number, first_row, row_count, time_begin, time_end, first_warp, last_warp, "
                                    "data FROM chunks WHERE name = ? ORDER BY rowid");
    select->bind(0, std::string_view(table));
    while (*select->step()) {
        digest.chunk({select->integer(0), select->integer(1), select->integer(2), select->integer(3),
                      select->integer(4), select->integer(5), select->integer(6)});
        digest.bytes(select->blob(7));
    }
    auto line = database->prepare("UPDATE tables SET digest = ? WHERE name = ?");
    line->bind(0, digest.value());
    line->bind(1, std::string_view(table));
    ASSERT_TRUE(line->run());
}

TEST_F(TraceFile, RefusesAForgedPyramid) {
    const fs::path file = written(loopTrace(3000, 70)); // 5 nodes a warp
    Columns columns(5, std::vector<std::uint64_t>(15000, 0x7fffffffffffffff));
    forge(file, "event_nodes", 0, packColumns(columns));
    Progress progress;
    const auto opened = openTrace(file, progress);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("table event_nodes, row 0"), std::string::npos) << opened.error().text();
}

TEST_F(TraceFile, RefusesForgedEventsWhenAllAreReadAndShowsNoneWhenSomeAre) {
    const Trace trace = loopTrace(3000, 70);
    const fs::path file = written(trace);
    EventTable other; // of a site that does not exist
    for (std::size_t i = 0; i < eventChunkRows; ++i)
        other.push(std::int64_t(i), 4000, EventKind::Branch, LaneMask::all(), {});
    forge(file, "events", 1, packEvents(other.chunk(0), {0}, 0));
    Progress progress;
    const auto read = readTrace(file, progress);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("table events, chunk 1 is damaged"), std::string::npos) << read.error().text();
    const auto opened = openTrace(file, progress);
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_EQ((*opened)->events.get(0, {}), trace.events.get(0, {}));
    EXPECT_EQ((*opened)->events.get(eventChunkRows + 5, {}), (Event{{0}, 0, EventKind::Entry, {}, {}}));
    EXPECT_EQ((*opened)->events.firstBad(), std::optional<std::size_t>(1));
}

TEST_F(TraceFile, RefusesABrokenTraceAndWritesNothing) {
    Trace trace = randomTrace(1);
    trace.launches[0].kernel = 99;
    Progress progress;
    EXPECT_FALSE(writeTrace(trace, path("a.wgt"), progress));
    EXPECT_TRUE(fs::is_empty(m_folder));
}

TEST_F(TraceFile, SaysWhenItCannotWrite) {
    const Trace trace = randomTrace(1);
    Progress progress;
    EXPECT_NE(writeTrace(trace, path("no/such/a.wgt"), progress).error().text().find("does not exist"),
              std::string::npos);
    EXPECT_NE(writeTrace(trace, m_folder, progress).error().text().find("this is a folder"), std::string::npos);
    if (geteuid() == 0)
        return; // root may write anywhere
    fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
    const auto refused = writeTrace(trace, path("a.wgt"), progress);
    fs::permissions(m_folder, fs::perms::owner_all);
    EXPECT_NE(refused.error().text().find("Permission denied"), std::string::npos) << refused.error().text();
}

TEST_F(TraceFile, SaysThatADiskIsFull) {
    // A limit on the size of files does to a write what a full disk does: it fails half-way.
    put(path("a.wgt"), "the older recording");
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small { 20000, before.rlim_max };
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    Progress progress;
    const auto refused = writeTrace(loopTrace(3000, 70), path("a.wgt"), progress);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("could not be written"), std::string::npos) << refused.error().text();
    EXPECT_EQ(bytesOf(path("a.wgt")), "the older recording");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
}

TEST_F(TraceFile, CanBeCancelled) {
    const Trace trace = loopTrace(3000, 70);
    Progress cancelled;
    cancelled.cancel();
    EXPECT_FALSE(writeTrace(trace, path("a.wgt"), cancelled));
    EXPECT_TRUE(fs::is_empty(m_folder));
    written(trace);
    EXPECT_FALSE(readTrace(path("a.wgt"), cancelled));
}

} // namespace
} // namespace warpglass
