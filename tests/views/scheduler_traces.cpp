// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/scheduler_traces.h"

#include <random>

namespace warpglass::samples {

namespace {

WarpState stateOf(char letter) {
    switch (letter) {
    case 'E':
        return WarpState::Eligible;
    case 'B':
        return WarpState::StallBarrier;
    case 'L':
        return WarpState::StallLongScoreboard;
    case 'W':
        return WarpState::StallWait;
    default:
        return WarpState::Selected;
    }
}

} // namespace

TracePtr lettersTrace(const std::vector<LetterSlot>& slotList, double clockMHz) {
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "NVIDIA H200";
    trace->info.ccMajor = 9;
    trace->info.smCount = 132;
    trace->info.smClockMHz = clockMHz;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->info.timing = true;
    Kernel kernel;
    kernel.name = kernel.entry = "letters";
    kernel.source = "x = x + 1;\n__syncthreads();\n";
    kernel.sourceName = "letters.cu";
    kernel.ptx = "\tadd.s32 %r1, %r1, 1;\n\tbar.sync 0;\n";
    kernel.files = {kernel.sourceName};
    kernel.lines = {{1, {0, 1, 1}, 1}, {2, {0, 2, 1}, 2}};
    trace->kernels.push_back(kernel);
    Launch launch;
    launch.block = {32};
    std::int64_t last = 0;
    for (std::uint16_t s = 0; s < slotList.size(); ++s) {
        std::int64_t cycle = 0;
        for (const std::string& letters : slotList[s].warps) {
            Block block;
            block.index = std::uint32_t(trace->blocks.size());
            block.firstWarp = std::uint32_t(trace->warps.size());
            block.warpCount = 1;
            Warp warp;
            warp.block = block.index;
            warp.slot = s;
            warp.liveLanes = LaneMask::all();
            warp.firstState = trace->states.size();
            std::int64_t first = -1;
            for (char letter : letters) {
                if (letter != ' ') {
                    first = first < 0 ? cycle : first;
                    const WarpState state = stateOf(letter);
                    const std::uint32_t line = letter == 's' ? 2 : 1;
                    const bool goesOn =
                        warp.stateCount > 0 && state != WarpState::Selected && trace->states.back().state == state;
                    if (goesOn)
                        trace->states.back().end = {cycle + 1};
                    else {
                        trace->states.push_back({{cycle}, {cycle + 1}, state, line});
                        ++warp.stateCount;
                    }
                }
                ++cycle;
            }
            const double ns = 1000.0 / clockMHz;
            block.start = warp.start = {std::int64_t(double(first) * ns)};
            block.end = warp.end = {std::int64_t(double(cycle) * ns)};
            trace->warps.push_back(warp);
            trace->blocks.push_back(block);
        }
        last = std::max(last, cycle);
    }
    launch.blockCount = std::uint32_t(trace->blocks.size());
    launch.grid = {launch.blockCount};
    launch.end = {std::int64_t(double(last) * 1000.0 / clockMHz)};
    trace->launches.push_back(launch);
    TimingRow timing;
    timing.policy = "lrr";
    trace->timings.push_back(timing);
    return trace;
}

TracePtr tenCycles() {
    return lettersTrace({{{"SLLLLSWSsB"}}, {{"ESEWWEsBBB"}}});
}

TracePtr randomStates(int cycles, int slotCount, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    std::vector<LetterSlot> list;
    for (int s = 0; s < slotCount; ++s) {
        LetterSlot slot;
        std::string warp;
        int at = 0;
        while (at < cycles) {
            if (!warp.empty() && below(60) == 0) { // the warp ends; nobody for a while
                slot.warps.push_back(warp);
                warp.assign(std::min<std::size_t>(below(30), std::size_t(cycles - at - 1)), ' ');
                at += int(warp.size());
            }
            const char letter = "SEBLWSs"[below(7)];
            const int length = std::min(cycles - at, letter == 'S' || letter == 's' ? 1 : 1 + int(below(40)));
            warp.append(std::size_t(length), letter);
            at += length;
        }
        slot.warps.push_back(warp);
        list.push_back(slot);
    }
    return lettersTrace(list);
}

} // namespace warpglass::samples
