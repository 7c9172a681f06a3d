// SPDX-License-Identifier: GPL-3.0-or-later
// app/record: the program warpglass-record. No Qt and no display; what it prints under --json, its exit statuses and
// the names of its options are a contract. Each command has a file of its own; app/session does the work.
#pragma once

#include "app/command_line/command_line.h"
#include "app/session/program.h"
#include "app/session/session.h"

#include <functional>
#include <string>
#include <vector>

namespace warpglass::record {

using command_line::Command;

enum Status : int { done = 0, failed = 1, badInput = 2 };

// What the chosen command does once the whole command line has been read; its exit status.
using Action = std::function<int()>;

void addDevices(const Command& app, Action& action);
void addList(const Command& app, Action& action);
void addRun(const Command& app, Action& action);
void addWhy(const Command& app, Action& action);
void addWho(const Command& app, Action& action);
void addExpect(const Command& app, Action& action);
void addRank(const Command& app, Action& action);
void addSweep(const Command& app, Action& action);
void addMetrics(const Command& app, Action& action);
void addExport(const Command& app, Action& action);
void addImport(const Command& app, Action& action);
void addCut(const Command& app, Action& action);
void addOccupancy(const Command& app, Action& action);
void addSwizzle(const Command& app, Action& action);
void addLayouts(const Command& app, Action& action);
// behind: the words behind "--", which are the program's.
void addProgram(const Command& app, Action& action, const std::vector<std::string>& behind);
void addLaunches(const Command& app, Action& action);
void addGrade(const Command& app, Action& action);
void addCheck(const Command& app, Action& action);
void addSass(const Command& app, Action& action);
void addSchema(const Command& app, Action& action);
// It offers what the other commands of the app do, as they are then.
void addServe(const Command& app, Action& action);

// All that is printed goes through these, and what a terminal would obey is shown (gpu/base/shown.h).
void say(const std::string& line); // on standard error
// Tells the error and returns the status.
int report(const Error& error, Status status);
// Says on standard error what this system has not of what keeps strangers' kernels apart; nothing where it has all.
void tellMissingWalls();
// A whole new file; nothing where path is empty.
Result<void> writeText(const std::string& path, const std::string& text);
// Writes to standard output; a full disk is an error like any other, a reader that has gone away is none.
int print(const std::string& words, Status otherwise = done);

// The options that run and sweep share, as typed.
struct RunWords {
    std::string backend = "emulator", device, mode = "optimised", detail = "auto", policy = name(defaultPolicy),
                reconvergence = "stack", onFault = "stop";
    std::vector<std::string> checks;
    std::string schedule; // "", adverse, adverse:SEED
    std::string against;  // "", twin, twin:TOLERANCE; of `run` a recording, too
    std::string grid, block, cluster, without;
    std::vector<std::string> set, arguments, buffers, globals, textures, surfaces;
    session::CompileOptions compile; // of a .cu file
    std::string entry;
    std::int64_t size = -1, shared = -1, launch = -1;
    int threads = 0;
    std::uint64_t maxEvents = RunOptions{}.maxEvents;
    std::int64_t pendingLaunches = -1;
    std::uint64_t maxInstructions = 0;
    bool timing = false, accesses = false, asInDocument = false, coldCode = false, warmL2 = false, coldData = false;
};
void addKernelOptions(const Command& command, std::string& kernel, RunWords& words); // which kernel, of what
void addRunOptions(const Command& command, RunWords& words);
Result<session::RunRequest> requestOf(const std::string& kernel, const RunWords& words);
std::optional<double> toleranceIn(std::string_view text); // of a number that is not below zero

// What `run` and `program` take, out of a file. base: what stands there if the words do not say otherwise; definitions,
// settings and arguments of the words go behind its own. program: -o is not among the words.
struct KernelWords {
    std::string kernel;
    RunWords run;
};
Result<KernelWords> kernelWordsOf(const std::vector<std::string>& words, const RunWords& base = {});
Result<session::ProgramRequest> programOf(const std::vector<std::string>& words, const std::string& output);

} // namespace warpglass::record
