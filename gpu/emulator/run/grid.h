// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the blocks of one launch, on one host thread or many, with the same result: blocks meet only in global memory,
// sums are added, everything else is kept a block and put together in block order. A program whose result depends on
// the order of its blocks (Program::ordered) runs on one thread, in order.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/device/device_timing.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/run/device_launch.h"
#include "gpu/emulator/run/exec.h"
#include "gpu/emulator/timing/sm_result.h"

#include <string>
#include <utility>
#include <vector>

namespace warpglass::emulator {

struct GridOptions {
    int threads = 1;
    bool checkMemory = true, independent = false, takenSideFirst = false, computeSeven = true;
    std::uint64_t instructionLimit = 0;
    std::vector<std::uint64_t> chosen; // blocks with events, ascending
    bool accesses = false;
    std::uint64_t eventsPerWarp = 0;
    std::uint32_t residentBlocks = 1; // on one SM, for %smid
    // Timing model; nullptr: none.
    const DeviceTiming* timing = nullptr;
    const DeviceSpec* device = nullptr;
    SchedulingPolicy policy = SchedulingPolicy::Gty;
    std::vector<std::uint32_t> timedSms; // ascending
    std::uint64_t budget = 0;            // PTX warp-instructions of each timed SM
    std::uint32_t sharedPerBlock = 0;    // as allocated, bytes
};

// What the timing model found about one launch.
struct TimedGrid {
    std::vector<std::uint32_t> sms;    // [k]
    std::vector<SmResult> results;     // [k]
    std::vector<std::uint32_t> issued; // [block] PTX warp-instructions
    double cyclesPerInstruction = 0;   // of a block in a full SM: its duration / its warp-instructions
    double pause = 0;                  // cycles from a block's end until the next begins in its place
    std::uint32_t activeSms = 0;
};

struct GridResult {
    std::vector<std::int64_t> steps;     // [block]: how long it took; 0 for blocks that did not run
    std::vector<RecordedBlock> recorded; // as chosen
    Counters counters;
    std::vector<Diagnostic> diagnostics;
    std::string output;
    std::uint64_t warpInstructions = 0;
    bool faulted = false, cancelled = false;
    std::shared_ptr<TimedGrid> timed; // with GridOptions::timing
};

GridResult runGrid(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                   const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);

// block.cpp: one block on one host thread, its warps in turn until each is at a barrier or done.
class BlockRunner {
public:
    BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);
    // Steps the block took. False in ok: a fault (told in diagnostics()) or cancelled.
    std::int64_t run(std::uint64_t index, Recorder* recorder, bool& ok) {
        begin(index, recorder);
        return finish(ok);
    }
    // The two halves of run(): the timing model issues instructions between them.
    void begin(std::uint64_t index, Recorder* recorder);
    std::int64_t finish(bool& ok);
    BlockState& block() { return m_block; }
    Exec& exec() { return m_exec; }
    std::uint64_t issued() const; // warp-instructions of the block so far
    void touch(TouchTable* table, std::uint64_t sectorsPerBlock) {
        m_exec.touched = table;
        m_touchesPerBlock = sectorsPerBlock;
    }
    Counters& counters() { return m_counters; }
    std::vector<Diagnostic> diagnostics();
    std::string takeOutput() { return std::exchange(m_block.output, {}); }
    ~BlockRunner();

private:
    void deadlock();
    const LaunchState& m_launch;
    const GridOptions& m_options;
    Progress& m_progress;
    std::uint64_t m_touchesPerBlock = 0;
    BlockState m_block;
    Counters m_counters;
    std::unique_ptr<Diagnostics> m_diagnostics;
    Exec m_exec;
};

} // namespace warpglass::emulator
