// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"
#include "gpu/metrics/metrics.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::session {

// What a sweep varies: every combination of the lists, those further down fastest. An empty list leaves the base's own.
struct SweepRequest {
    RunRequest base;
    std::vector<std::string> kernels, devices;
    std::vector<std::int64_t> sizes;
    std::vector<CompileMode> modes;
    std::vector<SchedulingPolicy> policies;
    std::vector<Dim3> grids, blocks;
    int repeats = 1; // the median of each metric is kept, with its smallest and largest value
};

// One launch of a sweep: what was asked for and what came of it.
struct SweepRow {
    RunRequest request;
    Dim3 grid, block;   // as launched
    std::string device; // its name
    Check check = Check::None;
    struct Cell {
        Metric metric;
        double smallest = 0, largest = 0;
    };
    std::vector<Cell> cells; // empty if the launch was refused or failed
    std::optional<Error> error;
};

std::vector<RunRequest> requestsOf(const SweepRequest& sweep);

// Runs them one after the other; a refused launch is a row with its error, and the sweep goes on. finished is called
// after each row. Cancelling progress ends it; the rows so far are returned.
std::vector<SweepRow> runSweep(const SweepRequest& sweep, Progress& progress,
                               const std::function<void(const SweepRow&)>& finished = {});

// A line a launch: kernel, grid, block, backend, device, the metrics by name, then size, mode, policy, check, error.
// Undefined metrics are empty cells.
std::string sweepCsv(const std::vector<SweepRow>& rows);
nlohmann::ordered_json sweepJson(const std::vector<SweepRow>& rows); // {"rows": [...]}
std::string sweepText(const std::vector<SweepRow>& rows);

} // namespace warpglass::session
