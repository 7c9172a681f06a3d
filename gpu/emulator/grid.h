// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the blocks of one launch, on one host thread or many, with the same result: blocks meet only in global memory,
// sums are added, everything else is kept a block and put together in block order. A program whose result depends on
// the order of its blocks (Program::ordered) runs on one thread, in order.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/emulator/device_launch.h"
#include "gpu/emulator/exec.h"
#include "gpu/emulator/recorder.h"

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
};

struct GridResult {
    std::vector<std::int64_t> steps;     // [block]: how long it took; 0 for blocks that did not run
    std::vector<RecordedBlock> recorded; // as chosen
    Counters counters;
    std::vector<Diagnostic> diagnostics;
    std::string output;
    std::uint64_t warpInstructions = 0;
    bool faulted = false, cancelled = false;
};

GridResult runGrid(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                   const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);

// block.cpp: one block on one host thread, its warps in turn until each is at a barrier or done.
class BlockRunner {
public:
    BlockRunner(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                const std::vector<std::byte>& constants, DeviceState& device, Progress& progress);
    // Steps the block took. False in ok: a fault (told in diagnostics()) or cancelled.
    std::int64_t run(std::uint64_t index, Recorder* recorder, bool& ok);
    Counters& counters() { return m_counters; }
    std::vector<Diagnostic> diagnostics();
    std::string takeOutput() { return std::exchange(m_block.output, {}); }
    ~BlockRunner();

private:
    void deadlock();
    const LaunchState& m_launch;
    const GridOptions& m_options;
    Progress& m_progress;
    BlockState m_block;
    Counters m_counters;
    std::unique_ptr<Diagnostics> m_diagnostics;
    Exec m_exec;
};

} // namespace warpglass::emulator
