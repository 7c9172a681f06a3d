// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/example.h"

#include "gpu/device/policy.h"

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

struct Instruction {
    std::uint32_t ptxLine = 0;
    int latency = 1; // cycles until the next instruction of the warp may be issued
};

constexpr const char* exampleSource = "float acc = 0, x, y;\n"
                                      "if (warp < 2)       acc = a * b + acc;   // FMA, 4 cycles\n"
                                      "else if (warp == 2) y = in[lane];        // load, back at cycle 3\n"
                                      "                    x = x * y;           // MUL, 1 cycle\n"
                                      "else                x = x + y;           // ADD, 1 cycle\n";
constexpr const char* ptx = "fma.rn.f32 %f1, %f2, %f3, %f1;\n"
                            "ld.global.f32 %f4, [%rd1];\n"
                            "mul.f32 %f5, %f5, %f4;\n"
                            "add.f32 %f6, %f6, %f4;\n";
constexpr std::uint32_t fma = 1, mul = 3, add = 4;

struct ExampleWarp {
    std::vector<Instruction> program;
    std::int64_t readyAt = 0;                  // when the next instruction may be issued
    WarpState waitsFor = WarpState::StallWait; // what it waits for until then
    std::size_t next = 0;
    std::int64_t lastIssued = -1;
    std::vector<StateRow> states;

    bool ended() const { return next == program.size(); }
    void spend(std::int64_t cycle, WarpState state) {
        const std::uint32_t line = program[next].ptxLine;
        if (!states.empty() && states.back().state == state && states.back().ptxLine == line &&
            state != WarpState::Selected)
            states.back().end = {cycle + 1};
        else
            states.push_back({{cycle}, {cycle + 1}, state, line});
    }
};

} // namespace

TracePtr documentExample(SchedulingPolicy policy) {
    const std::vector<Instruction> fmas(2, {fma, 4}), muls(2, {mul, 1}), adds(3, {add, 1});
    std::array<ExampleWarp, 4> warps{{{fmas}, {fmas}, {muls}, {adds}}};
    warps[2].readyAt = 3;
    warps[2].waitsFor = WarpState::StallLongScoreboard;

    std::int64_t cycle = 0;
    std::uint32_t last = ~0u;
    const auto running = [&] {
        return std::any_of(warps.begin(), warps.end(), [](const ExampleWarp& w) { return !w.ended(); });
    };
    for (; running(); ++cycle) {
        std::vector<Candidate> ready;
        for (std::uint32_t w = 0; w < warps.size(); ++w)
            if (!warps[w].ended() && warps[w].readyAt <= cycle)
                ready.push_back({w, w, warps[w].lastIssued});
        const int taken = pick(policy, ready, last);
        last = taken < 0 ? last : ready[taken].warp;
        for (std::uint32_t w = 0; w < warps.size(); ++w) {
            ExampleWarp& warp = warps[w];
            if (warp.ended())
                continue;
            if (taken >= 0 && w == last) {
                warp.spend(cycle, WarpState::Selected);
                warp.readyAt = cycle + warp.program[warp.next].latency;
                warp.waitsFor = WarpState::StallWait;
                warp.lastIssued = cycle;
                ++warp.next;
            } else {
                warp.spend(cycle, warp.readyAt <= cycle ? WarpState::Eligible : warp.waitsFor);
            }
        }
    }

    auto trace = std::make_shared<Trace>();
    trace->info.timing = true;
    trace->info.timeUnit = TimeUnit::Steps;
    trace->info.smCount = 1;
    Kernel kernel;
    kernel.name = kernel.entry = "fourWarps";
    kernel.source = exampleSource;
    kernel.sourceName = "four_warps.cu";
    kernel.ptx = ptx;
    kernel.files = {kernel.sourceName};
    for (const auto& [from, to] : {std::pair{1u, 2u}, {2u, 3u}, {3u, 4u}, {4u, 5u}})
        kernel.lines.push_back({from, {0, to, 1}, to});
    trace->kernels.push_back(std::move(kernel));
    Launch launch;
    launch.grid = {1};
    launch.block = {128};
    launch.end = {cycle};
    launch.blockCount = 1;
    trace->launches.push_back(launch);
    Block block;
    block.end = {cycle};
    block.warpCount = std::uint16_t(warps.size());
    trace->blocks.push_back(block);
    for (std::size_t w = 0; w < warps.size(); ++w) {
        Warp row;
        row.warpInBlock = row.slot = std::uint16_t(w);
        row.liveLanes = LaneMask::all();
        row.end = warps[w].states.back().end;
        row.firstState = trace->states.size();
        row.stateCount = std::uint32_t(warps[w].states.size());
        trace->warps.push_back(row);
        trace->states.append(warps[w].states.begin(), warps[w].states.end());
    }
    TimingRow timing;
    timing.policy = name(policy);
    timing.timedSms = 1;
    timing.timedBlocks = 1;
    timing.timedCycles = std::uint64_t(cycle);
    trace->timings.push_back(timing);
    return trace;
}

} // namespace warpglass
