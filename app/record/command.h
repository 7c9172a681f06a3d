// SPDX-License-Identifier: GPL-3.0-or-later
// app/record: the program warpglass-record. No Qt and no display; what it prints under --json, its exit statuses and
// the names of its options are a contract. Each command has a file of its own; app/session does the work.
#pragma once

#include "app/session/session.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace warpglass::record {

enum Status : int { done = 0, failed = 1, badInput = 2 };

// What the chosen command does once the whole command line has been read; its exit status.
using Action = std::function<int()>;

void addDevices(CLI::App& app, Action& action);
void addList(CLI::App& app, Action& action);
void addRun(CLI::App& app, Action& action);
void addSweep(CLI::App& app, Action& action);
void addMetrics(CLI::App& app, Action& action);
void addExport(CLI::App& app, Action& action);
void addCut(CLI::App& app, Action& action);
void addOccupancy(CLI::App& app, Action& action);
void addCheck(CLI::App& app, Action& action);

// Prints the error to standard error and returns the status.
int report(const Error& error, Status status);
// Writes to standard output; a full disk is an error like any other, a reader that has gone away is none.
int print(const std::string& text, Status otherwise = done);

// The options that run and sweep share, as typed.
struct RunWords {
    std::string backend = "emulator", device, mode = "optimised", detail = "auto", policy = "gty",
                reconvergence = "stack";
    std::string grid, block;
    std::vector<std::string> set, arguments, buffers, globals;
    session::CompileOptions compile; // of a .cu file
    std::string entry;
    std::int64_t size = -1, shared = -1;
    int threads = 0;
    std::uint64_t maxEvents = RunOptions{}.maxEvents;
    std::int64_t pendingLaunches = -1;
    std::uint64_t maxInstructions = 0;
    bool timing = false, accesses = false, asInDocument = false;
};
void addRunOptions(CLI::App& command, RunWords& words);
Result<session::RunRequest> requestOf(const std::string& kernel, const RunWords& words);

} // namespace warpglass::record
