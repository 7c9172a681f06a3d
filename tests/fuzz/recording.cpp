// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that begin as SQLite's files do are a file. All others are edits of a sound recording (edited.h). The program
// for libFuzzer is built without the comparison of digests (gpu/trace/read.cpp): who forges a file works them out anew.
//
// Every input is opened, and what the small tables tell is worked out. What takes longer is done to some, chosen by the
// input's own bytes: the same input always takes the same way.
#include "app/record/command.h"
#include "app/session/why.h"
#include "gpu/metrics/metrics.h"
#include "gpu/program/program_file.h"
#include "gpu/trace/cut.h"
#include "gpu/trace/export.h"
#include "gpu/trace/file.h"

#include "tests/fuzz/bounded.h"
#include "tests/fuzz/edited.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace warpglass::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t waysOut = 256; // one in so many goes each of the long ways

void cutInTwo(const Trace& trace) {
    const Launch& all = trace.launches[0];
    const std::int64_t middle = all.start.value / 2 + all.end.value / 2;
    if (const auto part = cut(trace, TimeRange{all.start, Time{middle}}); part)
        if (const auto ok = validate(**part); !ok)
            wrong(("a part of a recording is not sound: " + ok.error().text()).c_str());
}

// What is done to a recording without a window.
void use(const Trace& trace, std::size_t dice) {
    for (std::uint32_t launch = 0; launch < trace.launches.size() && launch < 3; ++launch)
        (void)metrics(trace, launch);
    Progress progress;
    if (dice % waysOut == 0) {
        std::ostringstream csv;
        for (const std::string& table : exportTables())
            writeCsv(trace, table, csv);
    }
    if (dice % waysOut == 1)
        (void)exportPerfetto(trace, scratchFolder() / "perfetto", progress);
    if (dice % waysOut == 2)
        (void)exportJson(trace, scratchFolder() / "json", progress);
    if (dice % (waysOut / 8) == 3 && !trace.launches.empty())
        cutInTwo(trace);
}

void useProgram(const program::ProgramTrace& program) {
    for (std::uint32_t row = 0; row < program.operations.size() && row < 64; ++row) {
        const program::Operation& o = program.operations[row];
        (void)(o.end - o.start); // as a list of launches tells it
        (void)(o.returned - o.called);
        (void)program.argumentsOf(o);
        (void)argumentWords(program, row);
    }
    for (const std::uint32_t row : launchRows(program))
        if (row >= program.operations.size())
            wrong("a launch is no operation");
}

// The launch made again, as `run FILE --launch N` and `why FILE --launch N` do.
void again(const fs::path& path, std::int64_t launch, bool why) {
    record::RunWords words;
    words.launch = launch;
    auto request = record::requestOf(path.string(), words);
    if (!request)
        return;
    bound(*request);
    if (!why)
        return runBounded(*request);
    const auto plan = boundedPlan(*request);
    if (!plan)
        return;
    Progress progress;
    if (const auto told = session::why(*request, *plan, progress, {}, true); told) {
        (void)session::whyText(*told);
        (void)session::whyJson(*told);
    }
}

void recordingAt(const fs::path& path, std::size_t dice) {
    Progress progress;
    const std::size_t way = dice / waysOut;
    if (program::isProgramFile(path)) {
        const auto read = program::readProgram(path);
        if (read)
            useProgram(*read);
        if (read && way % 32 == 0)
            again(path, way % 64 == 0 ? -1 : std::int64_t(way / 4096 % 4), way % 4096 == 32);
        return;
    }
    if (way % 4 == 1) { // tables that are unpacked when somebody asks
        if (const auto opened = openTrace(path, progress); opened)
            use(**opened, dice);
    } else if (const auto read = readTrace(path, progress); read) {
        if (const auto ok = validate(**read); !ok)
            wrong(("what was read is not sound: " + ok.error().text()).c_str());
        use(**read, dice);
    }
    if (way % 32 == 0)
        again(path, -1, way % 4096 == 32);
}

} // namespace

void recording(std::string_view bytes) {
    constexpr std::size_t most = 1 << 20;
    if (bytes.empty() || bytes.size() > most)
        return;
    static const bool limited =
        setenv("WARPGLASS_MEMORY", "512M", 1) == 0 &&
        setenv("TMPDIR", scratchFolder().c_str(), 1) == 0; // of a launch within a program's file
    if (!limited)
        wrong("no variables can be set");
    const std::size_t dice = std::hash<std::string_view>()(bytes);
    if (!bytes.starts_with("SQLite format 3"))
        return recordingAt(editedRecording(bytes), dice);
    const fs::path whole = scratchFolder() / "whole.wgt";
    std::ofstream(whole, std::ios::binary) << bytes;
    recordingAt(whole, dice);
}

} // namespace warpglass::fuzz
