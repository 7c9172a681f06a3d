// SPDX-License-Identifier: GPL-3.0-or-later
// What the recorder inside a program is told: from `warpglass-record program`, through one variable of the environment.
#pragma once

#include "gpu/base/result.h"
#include "gpu/device/policy.h"
#include "gpu/program/program.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpglass::program {

inline constexpr const char* settingsVariable = "WARPGLASS_PROGRAM";
// The process that `program` started itself; its children have other numbers.
inline constexpr const char* processVariable = "WARPGLASS_PROGRAM_PROCESS";

// A range of launches, counted from 0 over the program, both ends in.
using LaunchRange = std::pair<std::uint64_t, std::uint64_t>;

inline constexpr unsigned mostDevices = 16;

struct Settings {
    std::string folder;  // where journals and traces go; empty: nothing is recorded
    std::string command; // as the recording shows it
    // Which launches are recorded in detail: those of `launches` if it names any; else the first of each kernel. Of
    // either only kernels whose name the expression finds.
    std::string kernels; // a regular expression (ECMAScript) on name or entry; empty: all
    std::vector<LaunchRange> launches;
    std::string detail = "auto";       // none, auto, all
    std::vector<std::uint64_t> blocks; // of "blocks"
    bool accesses = false, timing = false;
    std::string policy = name(defaultPolicy);
    std::optional<double> twin; // emulator: beside itself in fp64, by this tolerance (0: its default); of all launches
    bool races = false, finite = false,
         leaks = false; // emulator: further checks, of all launches; of what is never freed
    // emulator: work, blocks and warps in another order that CUDA allows, by this seed
    std::optional<std::uint64_t> adverse;
    std::string onFault = "stop"; // emulator: what a wild or misaligned access does: stop, or report
    std::string device = "h200";
    std::string capability; // "10.0": what the device says it is, whatever it is; empty: its own
    unsigned devices = 1;   // how many of them there are, at most mostDevices
    int threads = 0;
    std::string times = "gpu"; // on a GPU: when it did something (gpu), or only when it was asked to (host)
    std::uint64_t maxEvents = 50'000'000, maxInstructions = 0;
    std::uint64_t maxRecorded = 100; // launches with detail
    // Bytes of memory that a recorded launch may keep, so that it can be made again; all of them keptLaunches times that.
    std::uint64_t keepMemory = std::uint64_t(128) << 20;
    // On a GPU: launches that no other process can make again run with probes inside the program, where a fault is its end.
    bool inPlace = false;
};
inline constexpr std::uint64_t keptLaunches = 4;

std::string settingsText(const Settings& settings);
Settings settingsFrom(const std::string& text); // what is missing keeps its default
Settings settingsOfProcess();                   // from its environment, within their bounds
// "0,3,10-12"
Result<std::vector<LaunchRange>> parseLaunches(const std::string& text);

} // namespace warpglass::program
