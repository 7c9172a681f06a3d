// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the blocks of one launch, on one host thread or many, with the same result: blocks meet only in global memory,
// sums are added, everything else is kept a block and put together in block order. A program whose result depends on
// the order of its blocks (Program::ordered) runs on one thread, in order.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/device/device_timing.h"
#include "gpu/device/footprint.h"
#include "gpu/device/l2_contents.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/launch/backend.h"

#include <memory>
#include <string>
#include <vector>

namespace warpglass::emulator {

struct FirstRun; // timing/timed_grid.h

// What was asked for, and what one launch makes of it. Nothing of RunOptions stands here again.
struct GridOptions {
    const EmulatorOptions& asked;
    const Detail& detail;
    const DeviceSpec& device;
    double clockMHz = device.smClockMHz; // of its SMs, in this launch
    int threads = 1;                     // of the host, as many as there are
    RaceWatch* races = nullptr;          // of this launch
    HangWatch* hang = nullptr;           // of a launch that is known to hang
    WordWatch* word = nullptr;           // whose uses are asked for
    VariableWatch* variable = nullptr;   // whose values
    TwinWatch* twin = nullptr;           // beside all numbers
    TouchSample* sample = nullptr;       // of an estimate
    MemoryUse* use = nullptr;            // what it touches, and what it does behind launches of its own
    UseAfterLaunches* afterLaunches = nullptr;
    bool lanesGoApart = false;              // with the stack, once they hold each other up; else that is a hang
    std::vector<std::uint64_t> chosen = {}; // blocks with events, ascending
    std::uint64_t eventsPerWarp = 0;
    Footprint footprint = {};
    // Timing model; nullptr: this launch is not timed. It says of RunOptions::without what is a matter of figures.
    const DeviceTiming* timing = nullptr;
    std::uint32_t sharedOfSm = 0;             // bytes that resident blocks take of L1's room
    bool warmL2 = false;                      // what others have left there is told by asked.l2
    std::vector<std::uint32_t> timedSms = {}; // ascending
    std::uint64_t budget = 0;                 // PTX warp-instructions of each timed SM
    // What an earlier run of the launch has found, whose blocks met: they take turns by the time that each has come to.
    FirstRun* firstRun = nullptr;
    bool repeatable = false; // the launch can be made again from its beginning
    bool alone = false;      // it is the host's, and findings are its own
};

struct TimedGrid; // timing/timed_grid.h

struct GridResult {
    std::vector<std::int64_t> steps;     // [block]: how long it took; 0 for blocks that did not run
    std::vector<RecordedBlock> recorded; // as chosen
    Counters counters;
    std::vector<Diagnostic> diagnostics;
    std::string output;
    std::uint64_t warpInstructions = 0;
    bool faulted = false, cancelled = false;
    std::optional<HangsOn> hangsOn;                         // all wait in vain
    std::shared_ptr<TimedGrid> timed;                       // with GridOptions::timing
    std::shared_ptr<const std::vector<std::byte>> findings; // with EmulatorOptions::keepFindings
    std::shared_ptr<FirstRun>
        firstRun; // its blocks meet: it is to be made again, with this, and what is here is not to last
};

} // namespace warpglass::emulator
