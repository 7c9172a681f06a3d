// SPDX-License-Identifier: GPL-3.0-or-later
// Files of older formats open, those of a newer one are told.
#include "gpu/base/messages/emulator.h"
#include "gpu/trace/compare.h"
#include "gpu/trace/database.h"
#include "gpu/trace/file_layout.h"
#include "gpu/trace/pyramid.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/trace_file.h"

#include <fmt/format.h>

namespace warpglass {
namespace {

TEST_F(TraceFile, RefusesANewerFormatWithASentence) {
    written(randomTrace(1));
    std::string newer = bytesOf(path("a.wgt"));
    newer[63] = char(traceFileVersion + 1);
    const std::string error = errorOf(newer);
    EXPECT_NE(error.find(fmt::format("written by a newer Warpglass (format {}", traceFileVersion + 1)),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("Update Warpglass"), std::string::npos);
}

TEST_F(TraceFile, OpensTheFirstFormat) {
    const fs::path old = WARPGLASS_SOURCE_DIR "/tests/trace/data/first-format.wgt";
    ASSERT_EQ(bytesOf(old)[63], 1) << "this recording is no longer of the first format: keep one that is";
    Progress progress;
    const auto trace = readTrace(old, progress);
    ASSERT_TRUE(trace) << trace.error().text();
    EXPECT_EQ((*trace)->kernels.at(0).name, "mathKernel1");
    EXPECT_GT((*trace)->events.size(), 0u);
    EXPECT_TRUE((*trace)->timings.empty());
    EXPECT_TRUE((*trace)->copies.empty());
    EXPECT_TRUE((*trace)->phaseEvents.empty());
    EXPECT_FALSE((*trace)->pyramid) << "that format has none, so whoever draws builds one";
    EXPECT_EQ((*trace)->lanesAt((*trace)->warps[0], (*trace)->warps[0].end).exited, (*trace)->warps[0].liveLanes);
}

TEST_F(TraceFile, OpensTheSecondFormat) {
    const fs::path old = WARPGLASS_SOURCE_DIR "/tests/trace/data/second-format.wgt";
    ASSERT_EQ(bytesOf(old)[63], 2) << "this recording is no longer of the second format: keep one that is";
    Progress progress;
    const auto trace = readTrace(old, progress);
    ASSERT_TRUE(trace) << trace.error().text();
    EXPECT_GT((*trace)->launches.size(), 1000u);
    EXPECT_FALSE((*trace)->pyramid);
    // Written again it is of this format, holds the same and opens with a pyramid.
    const auto again = openTrace(written(**trace), progress);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_FALSE(firstDifference(**trace, **again));
    EXPECT_TRUE((*again)->pyramid);
}

// Kernels as files up to the tenth format have them: with their texts in their rows, and nothing of Triton's.
void beOfTheTenthFormat(Database& database, const Trace& trace) {
    Digest digest;
    for (const Kernel& kernel : trace.kernels)
        describeOfVersion(digest, kernel, 10);
    const std::string columns = columnNames<Kernel>(false, traceFileVersion).list;
    const auto ok = database.run(fmt::format(
        "ALTER TABLE kernels RENAME TO newer; {}; INSERT INTO kernels ({}) SELECT {} FROM newer ORDER BY rowid;"
        "DROP TABLE newer; DROP TABLE machine_counts; DELETE FROM tables WHERE name = 'machine_counts'; DROP TABLE "
        "texts; DROP TABLE kernel_texts;"
        "DELETE FROM tables WHERE name LIKE '%texts'; UPDATE tables SET digest = {} WHERE name = 'kernels';"
        "PRAGMA user_version = 10",
        createStatement<Kernel>("kernels", 10), columns, columns, digest.value()));
    ASSERT_TRUE(ok) << ok.error().text();
    auto update = database.prepare("UPDATE kernels SET source = ?, ptx = ? WHERE rowid = ?");
    ASSERT_TRUE(update);
    for (std::size_t k = 0; k < trace.kernels.size(); ++k) {
        update->bind(0, std::string_view(trace.kernels[k].source));
        update->bind(1, std::string_view(trace.kernels[k].ptx));
        update->bind(2, std::int64_t(k + 1));
        ASSERT_TRUE(update->run());
    }
}
Trace asTheTenthHasIt(Trace trace) {
    for (Kernel& kernel : trace.kernels)
        kernel.ttgir.clear();
    trace.machineCounts = {};
    return trace;
}

// Copies as files up to the ninth format have them, without where in shared memory; and no machine code.
void beOfTheNinthFormat(Database& database, const Trace& trace) {
    beOfTheTenthFormat(database, trace);
    Digest digest;
    for (const AsyncCopy& copy : trace.copies)
        describeOfVersion(digest, copy, 9);
    const auto ok =
        database.run(fmt::format("ALTER TABLE async_copies DROP COLUMN place;"
                                 "UPDATE tables SET digest = {} WHERE name = 'async_copies';"
                                 "DROP TABLE machine_codes; DELETE FROM chunks WHERE name = 'machine_bytes';"
                                 "DELETE FROM tables WHERE name LIKE 'machine_%';"
                                 "PRAGMA user_version = 9",
                                 digest.value()));
    ASSERT_TRUE(ok) << ok.error().text();
}
Trace asTheNinthHasIt(Trace trace) {
    trace = asTheTenthHasIt(std::move(trace));
    trace.codes = {};
    for (AsyncCopy& copy : trace.copies)
        copy.place = noIndex;
    return trace;
}

// What is said as files up to the seventh format have it: in words alone.
template <typename Row>
void haveWordsAlone(Database& database, const char* table, const char* column, const std::vector<Row>& rows) {
    Digest digest;
    for (const Row& row : rows)
        describeOfVersion(digest, row, 7);
    const auto ok =
        database.run(fmt::format("ALTER TABLE {} DROP COLUMN {}; UPDATE tables SET digest = {} WHERE name = "
                                 "'{}'; PRAGMA user_version = 7",
                                 table, column, digest.value(), table));
    ASSERT_TRUE(ok) << ok.error().text();
}
void haveWordsAlone(Database& database, const Trace& trace) {
    beOfTheNinthFormat(database, trace);
    haveWordsAlone(database, "launches", "reason_said", trace.launches);
    haveWordsAlone(database, "diagnostics", "message_said", trace.diagnostics);
}
Trace inWordsAlone(Trace trace) {
    trace = asTheNinthHasIt(std::move(trace));
    for (Launch& launch : trace.launches)
        launch.reason = launch.reason.text();
    for (Diagnostic& diagnostic : trace.diagnostics) {
        diagnostic.message = diagnostic.message.text();
        diagnostic.waits.clear();
    }
    return trace;
}

// Counts as files up to the sixth format have them: not by caller, and without the turns of atomics.
void haveOldCounts(Database& database, const Trace& trace) {
    haveWordsAlone(database, trace);
    Digest digest;
    for (const InstructionCount& count : trace.counts)
        describeOfVersion(digest, count, 6);
    const auto ok =
        database.run(fmt::format("ALTER TABLE counts DROP COLUMN caller_line; ALTER TABLE counts DROP COLUMN turns;"
                                 "UPDATE tables SET digest = {} WHERE name = 'counts'; PRAGMA user_version = 6",
                                 digest.value()));
    ASSERT_TRUE(ok) << ok.error().text();
}

TEST_F(TraceFile, OpensTheSixthFormat) {
    Trace trace = randomTrace(5);
    const fs::path file = written(trace);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        haveOldCounts(*database, trace);
    }
    for (InstructionCount& count : trace.counts)
        count.callerLine = 0, count.turns = 0;
    Progress progress;
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_FALSE(firstDifference(**old, inWordsAlone(trace)));
}

// What is said has an identifier and arguments; of an older file the words are there.
TEST_F(TraceFile, OpensTheSeventhFormat) {
    Trace trace = randomTrace(5);
    trace.diagnostics.at(0).message =
        say::OfBlock(say::BarrierDivergence(1, 32), "k", "(0)", say::SourceLine(7, "k.cu", 42));
    const fs::path file = written(trace);
    Progress progress;
    const auto today = readTrace(file, progress);
    ASSERT_TRUE(today) << today.error().text();
    EXPECT_FALSE(firstDifference(**today, trace));
    EXPECT_EQ((*today)->diagnostics[0].message.message(), trace.diagnostics[0].message.message());
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        haveWordsAlone(*database, trace);
    }
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_FALSE(firstDifference(**old, inWordsAlone(trace)));
    EXPECT_EQ((*old)->diagnostics[0].message, "Only 1 of the warp's 32 lanes reaches this __syncthreads() together; a "
                                              "barrier in a branch that not all threads take is undefined: k, block "
                                              "(0), line 7 of k.cu (PTX line 42).");
    EXPECT_FALSE((*old)->diagnostics[0].message.isTyped());
}

// A file of a newer version, or a damaged one whose digests were made to hold, may say what no catalogue has.
TEST_F(TraceFile, ReadsTheWordsOfWhatItDoesNotKnow) {
    Trace trace = randomTrace(5);
    trace.diagnostics.resize(1);
    trace.diagnostics[0].message = say::NoBarrier(17);
    const fs::path file = written(trace);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        Digest digest;
        const auto newer = [&](const char* column, const auto& field, const char* unit) {
            if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::string>)
                if (std::string_view(column) == "message_said")
                    return digest.text(R"({"id":"SaidByANewer","arguments":[1]})");
            digest(column, field, unit);
        };
        describe(newer, trace.diagnostics[0]);
        const auto ok = database->run(fmt::format("UPDATE diagnostics SET message_said = '{}';"
                                                  "UPDATE tables SET digest = {} WHERE name = 'diagnostics'",
                                                  R"({"id":"SaidByANewer","arguments":[1]})", digest.value()));
        ASSERT_TRUE(ok) << ok.error().text();
    }
    Progress progress;
    const auto read = readTrace(file, progress);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ((*read)->diagnostics[0].message, "There is no barrier 17: a block has barriers 0 to 15");
    EXPECT_FALSE((*read)->diagnostics[0].message.isTyped());
}

// As the program before this format wrote it: no table of what the launch was asked for.
TEST_F(TraceFile, OpensTheFourthFormat) {
    const Trace trace = randomTrace(5);
    ASSERT_FALSE(trace.asked.empty());
    const fs::path file = written(trace);
    Progress progress;
    const auto whole = readTrace(file, progress);
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ((*whole)->asked, trace.asked);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        haveOldCounts(*database, trace);
        ASSERT_TRUE(
            database->run("DROP TABLE asked; DELETE FROM tables WHERE name = 'asked'; PRAGMA user_version = 4"));
    }
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_TRUE((*old)->asked.empty());
    EXPECT_EQ((*old)->kernels.size(), trace.kernels.size());
}

// Without who waits for whom, which came with the ninth.
TEST_F(TraceFile, OpensTheEighthFormat) {
    Trace trace = randomTrace(5);
    trace.diagnostics.resize(1);
    trace.diagnostics[0].waits.resize(2);
    trace.diagnostics[0].waits[1].on = {0};
    const fs::path file = written(trace);
    Progress progress;
    const auto whole = readTrace(file, progress);
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ((*whole)->diagnostics[0].waits, trace.diagnostics[0].waits);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        beOfTheNinthFormat(*database, trace);
        ASSERT_TRUE(database->run("DROP TABLE hang_waits; DROP TABLE hang_edges;"
                                  "DELETE FROM tables WHERE name LIKE 'hang_%'; PRAGMA user_version = 8"));
    }
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_TRUE((*old)->diagnostics[0].waits.empty());
    EXPECT_EQ((*old)->diagnostics[0].message, trace.diagnostics[0].message);
}

// Two kernels of one module, and one of Triton's: five texts ("" is one), each once and packed.
TEST_F(TraceFile, KeepsATextOnce) {
    Trace trace = randomTrace(5);
    trace.kernels.resize(3);
    std::string ptx;
    for (int n = 0; n < 20'000; ++n)
        ptx += fmt::format("add.s32 %r{}, %r1, 7;\n", n % 10);
    trace.kernels[0].source = trace.kernels[1].source = "__global__ void f() {}";
    trace.kernels[0].ptx = trace.kernels[1].ptx = ptx;
    trace.kernels[2].source = "def f(): pass";
    trace.kernels[2].ptx = "";
    trace.kernels[0].ttgir = trace.kernels[1].ttgir = "";
    trace.kernels[2].ttgir = "#blocked = #ttg.blocked<{}>";
    const fs::path file = written(trace);
    EXPECT_LT(fs::file_size(file), ptx.size());
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        auto count = database->prepare("SELECT count(*), sum(bytes) FROM texts");
        ASSERT_TRUE(count && *count->step());
        EXPECT_EQ(count->integer(0), 5);
        EXPECT_EQ(count->integer(1), std::int64_t(22 + ptx.size() + 13 + 27));
    }
    Progress progress;
    const auto read = readTrace(file, progress);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_FALSE(firstDifference(trace, **read));
    EXPECT_EQ((*read)->kernels[2].ttgir, trace.kernels[2].ttgir);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database->run("UPDATE kernel_texts SET ptx = 9 WHERE rowid = 2"));
    }
    const auto damaged = readTrace(file, progress);
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().text().find("kernel_texts"), std::string::npos) << damaged.error().text();
}

TEST_F(TraceFile, OpensTheTenthFormat) {
    Trace trace = randomTrace(5);
    trace.kernels[0].ttgir = "#blocked = #ttg.blocked<{}>";
    const fs::path file = written(trace);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        beOfTheTenthFormat(*database, trace);
    }
    Progress progress;
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_FALSE(firstDifference(**old, asTheTenthHasIt(trace)));
}

// Without machine code, which came with the tenth.
TEST_F(TraceFile, OpensTheNinthFormat) {
    Trace trace = randomTrace(5);
    ASSERT_FALSE(trace.copies.empty());
    trace.codes = {{{90, "ptxas V13.0.88", 3}, {120, "", 2}}, {1, 2, 3, 4, 5}};
    const fs::path file = written(trace);
    Progress progress;
    const auto whole = readTrace(file, progress);
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_EQ((*whole)->codes, trace.codes);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        beOfTheNinthFormat(*database, trace);
    }
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_FALSE(firstDifference(**old, asTheNinthHasIt(trace)));
}

TEST_F(TraceFile, RefusesCodeThatReachesBeyondItsBytes) {
    Trace trace = randomTrace(5);
    trace.codes = {{{90, "", 3}}, {1, 2}};
    EXPECT_FALSE(validate(trace));
    trace.codes.all[0].bytes = 1; // and one of nobody
    EXPECT_FALSE(validate(trace));
    trace.codes.all[0].bytes = 2;
    EXPECT_TRUE(validate(trace));
}

// The same without what a program's launch began with.
TEST_F(TraceFile, OpensTheFifthFormat) {
    const Trace trace = randomTrace(5);
    ASSERT_FALSE(trace.kept.empty());
    const fs::path file = written(trace);
    {
        auto database = Database::create(file);
        ASSERT_TRUE(database);
        haveOldCounts(*database, trace);
        ASSERT_TRUE(database->run("DROP TABLE kept_areas; DELETE FROM chunks WHERE name = 'kept_words';"
                                  "DELETE FROM tables WHERE name LIKE 'kept_%'; PRAGMA user_version = 5"));
    }
    Progress progress;
    const auto old = readTrace(file, progress);
    ASSERT_TRUE(old) << old.error().text();
    EXPECT_TRUE((*old)->kept.empty());
    EXPECT_EQ((*old)->asked, trace.asked);
}

} // namespace
} // namespace warpglass
