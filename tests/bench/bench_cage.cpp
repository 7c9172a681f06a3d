// SPDX-License-Identifier: GPL-3.0-or-later
// What the cage costs (gpu/cage): the same launch here and there by turns, the processor time of all processes and
// threads, the least of each, and how many times as much it is there. Of a launch with a buffer of 64 MB that nobody reads
// afterwards, of the same whose bytes go both ways, of one that takes some seconds and then gives as many bytes, and of one
// of which everything is recorded; and the milliseconds of a launch of nothing.
//
// The least, because a virtual machine whose host takes free memory away pays for fresh pages many times what they cost
// (seen: 64 MB 142 ms, then 6): whoever comes first, or after a pause.
#include "gpu/cage/caged_emulator.h"
#include "gpu/launch/arguments.h"
#include "tests/bench/reduction_run.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <sys/resource.h>

namespace {

using namespace warpglass;

double processorSeconds() {
    double seconds = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(whose, &used);
        for (const timeval& t : {used.ru_utime, used.ru_stime})
            seconds += double(t.tv_sec) + 1e-6 * double(t.tv_usec);
    }
    return seconds;
}

struct Cost {
    double slowdown = 0, addedSeconds = 0;
};

// By turns: other work on the machine comes and goes.
Cost cost(benchmark::State& state, const LaunchPlan& plan, const RunOptions& options) {
    const std::array<std::unique_ptr<Backend>, 2> both{makeEmulator(), makeCagedEmulator()};
    std::array<double, 2> least{1e9, 1e9};
    for (auto _ : state) {
        const auto began = std::chrono::steady_clock::now();
        for (const std::size_t which : {0, 1}) {
            Progress progress;
            const double before = processorSeconds();
            {
                const auto recording = both[which]->run(plan, options, progress);
                if (!recording) {
                    state.SkipWithError(recording.error().text().c_str());
                    return {};
                }
            }
            least[which] = std::min(least[which], processorSeconds() - before);
        }
        state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    state.counters["here_s"] = least[0];
    state.counters["caged_s"] = least[1];
    return {least[1] / least[0], least[1] - least[0]};
}

// 2^24 ints in, and out: as `run` gives them, by words, or as bytes of a file, all of which come back.
void largeBuffers(benchmark::State& state, const char* figure, bool asBytes) {
    auto plan = reductionPlan(state, "reduceInterleaved", 1 << 24);
    if (!plan)
        return;
    RunOptions options = bareOptions(1, false);
    options.results = asBytes;
    plan->check = nullptr;
    for (Argument& argument : plan->arguments)
        if (argument.isBuffer && argument.fill) {
            auto words = parseInitial({}, "iota", argument.type, argument.count);
            if (!words)
                return state.SkipWithError(words.error().text().c_str());
            argument.fill = std::move(*words);
            if (asBytes)
                argument.fill = [fill = argument.fill](std::span<std::byte> to) { fill(to); };
        }
    state.counters[figure] = cost(state, *plan, options).slowdown;
}

// Of 64 MB, all of which go both ways as bytes, each word is worked on for a while.
void longRun(benchmark::State& state) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "stirs";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry stirs(.param .u64 at) {\n"
               ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [at];\n"
               "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
               "mad.lo.u32 %r1, %r1, %r2, %r3;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\n"
               "ld.global.u32 %r4, [%rd1];\nmov.u32 %r5, 0;\n"
               "A: mad.lo.u32 %r4, %r4, 1664525, %r1;\nxor.b32 %r4, %r4, %r5;\nadd.u32 %r5, %r5, 1;\n"
               "setp.lt.u32 %p, %r5, 64;\n@%p bra A;\nst.global.u32 [%rd1], %r4;\nret;\n}\n";
    plan.block = Dim3{512};
    plan.grid = Dim3{(1 << 24) / 512};
    auto words = parseArgument("at:u32[16777216]=iota");
    if (!words)
        return state.SkipWithError(words.error().text().c_str());
    words->fill = [fill = words->fill](std::span<std::byte> to) { fill(to); };
    plan.arguments = {std::move(*words)};
    state.counters["cage_long_run_slowdown"] = cost(state, plan, bareOptions(1, false)).slowdown;
}

void allEvents(benchmark::State& state) {
    auto plan = reductionPlan(state, "reduceNeighbored", 1 << 19);
    if (!plan)
        return;
    plan->check = nullptr;
    RunOptions options;
    options.detail = {.kind = Detail::Kind::All, .blocks = {}, .accesses = true};
    options.threads = 1;
    options.results = false;
    state.counters["cage_all_events_slowdown"] = cost(state, *plan, options).slowdown;
}

void nothing(benchmark::State& state) {
    LaunchPlan plan;
    plan.kernelName = plan.entry = "k";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
    plan.grid = plan.block = Dim3{1};
    state.counters["cage_a_run_added_ms"] = cost(state, plan, {}).addedSeconds * 1e3;
}

BENCHMARK_CAPTURE(largeBuffers, unread, "cage_large_buffers_slowdown", false)->UseManualTime()->Iterations(9);
BENCHMARK_CAPTURE(largeBuffers, bytes, "cage_large_buffers_as_bytes_slowdown", true)->UseManualTime()->Iterations(9);
BENCHMARK(longRun)->UseManualTime()->Iterations(5);
BENCHMARK(allEvents)->UseManualTime()->Iterations(9);
BENCHMARK(nothing)->UseManualTime()->Iterations(50);

} // namespace

BENCHMARK_MAIN();
