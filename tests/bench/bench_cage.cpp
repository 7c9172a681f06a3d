// SPDX-License-Identifier: GPL-3.0-or-later
// What the cage costs (gpu/cage): the same launch here and there by turns, the processor time of all processes and
// threads, and how many times as much it is there. Of a launch with a buffer of 64 MB that nobody reads afterwards, of the
// same whose bytes go both ways, and of one of which everything is recorded; and the milliseconds of a launch of nothing.
#include "gpu/cage/caged_emulator.h"
#include "gpu/launch/arguments.h"
#include "tests/bench/reduction_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

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

double median(std::vector<double> all) {
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

struct Cost {
    double slowdown = 0, addedSeconds = 0;
};

// Of neighbours in time: other work on the machine comes and goes.
Cost cost(benchmark::State& state, const LaunchPlan& plan, const RunOptions& options) {
    const std::array<std::unique_ptr<Backend>, 2> both{makeEmulator(), makeCagedEmulator()};
    std::vector<double> slowdown, added;
    for (auto _ : state) {
        const auto began = std::chrono::steady_clock::now();
        std::array<double, 2> seconds{};
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
            seconds[which] = processorSeconds() - before;
        }
        slowdown.push_back(seconds[1] / seconds[0]);
        added.push_back(seconds[1] - seconds[0]);
        state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    return {median(slowdown), median(added)};
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
BENCHMARK(allEvents)->UseManualTime()->Iterations(9);
BENCHMARK(nothing)->UseManualTime()->Iterations(50);

} // namespace

BENCHMARK_MAIN();
