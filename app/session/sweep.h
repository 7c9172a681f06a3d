// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"
#include "gpu/metrics/results.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass::session {

// What a sweep varies: every combination of the lists, those further down fastest. An empty list leaves the base's own.
struct SweepRequest {
    RunRequest base;
    std::string title;
    std::vector<std::string> kernels, backends, devices; // devices are the emulator's; a GPU keeps the base's
    std::vector<std::int64_t> sizes;
    std::vector<CompileMode> modes;
    std::vector<SchedulingPolicy> policies;
    std::vector<Dim3> grids, blocks;
    int repeats = 1;         // on a GPU; the emulator gives the same numbers every time and runs once
    bool keepTraces = false; // in ResultRow::trace
    std::function<bool(std::size_t row)> wanted; // of requestsOf(): those that run; empty: all
    std::vector<TracePtr> recorded; // launches to take as they are, and to run here too (recordings of a GPU)
};

// One launch of a sweep: what was asked for and what came of it.
struct SweepRow {
    RunRequest request;
    std::size_t index = 0; // in requestsOf()
    ResultRow result;      // no values if the launch was refused or failed
    bool refused = false;  // before it ran: the launch itself is not possible
    std::optional<Error> error;
};

std::vector<RunRequest> requestsOf(const SweepRequest& sweep);

// The launch that a trace is of, for the emulator with the timing model: kernel, mode, size, shapes. Error: the trace
// is not of a kernel of the catalogue.
Result<RunRequest> requestLike(const Trace& trace);

// Runs them one after the other; a refused launch is a row with its error, and the sweep goes on. finished is called
// after each row with the number of rows that will be. Cancelling progress ends it; the rows so far are returned.
// progress tells of the launch that runs.
using SweepFinished = std::function<void(const SweepRow& row, std::size_t of)>;
std::vector<SweepRow> runSweep(const SweepRequest& sweep, Progress& progress, const SweepFinished& finished = {});

// The rows as a table, speed-ups added.
ResultTable resultsOf(const std::vector<SweepRow>& rows, const std::string& title = {});

// A line a launch, as gpu/metrics/results.h says.
std::string sweepCsv(const std::vector<SweepRow>& rows, const std::string& title = {});
nlohmann::ordered_json sweepJson(const std::vector<SweepRow>& rows); // {"rows": [...]}
std::string sweepText(const std::vector<SweepRow>& rows);            // a line a launch, then sweepCross()
// Where two of kernel, size, grid and block were swept: the times (without the timing model another number) as a table,
// one of the two down and one across. Else empty.
std::string sweepCross(const std::vector<SweepRow>& rows);

// The documents' tables.
struct SweepPreset {
    std::string key; // "d0-blocks"
    std::string document, titleEn, titleZh;
    std::vector<std::string> kernels;
    std::vector<Dim3> blocks;
    std::vector<SchedulingPolicy> policies;
    std::int64_t emulatorSize = 0;    // 0: the document's own size on the emulator, too
    std::vector<std::string> metrics; // the columns of the document's table
};
std::span<const SweepPreset> sweepPresets();
const SweepPreset* findPreset(std::string_view key); // nullptr if unknown
// What the preset runs; base gives backend, device, mode and options. A size, grid or block of the base's own takes the
// place of the preset's.
SweepRequest sweepOf(const SweepPreset& preset, const RunRequest& base);

} // namespace warpglass::session
