// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the emulator's functional core in warp-instructions a second, on all host threads and on one:
// reduceInterleaved over 2^24 ints in blocks of 512, as in the documents, checks on, no events; and the same compiled
// as written.
#include "tests/bench/reduction_run.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using namespace warpglass;

void run(benchmark::State& state, const char* figure, const char* kernel, std::int64_t size, CompileMode mode) {
    const auto plan = reductionPlan(state, kernel, size, mode);
    if (!plan)
        return;
    const RunOptions options = bareOptions(int(state.range(0)), false);
    const auto emulator = makeEmulator();
    double instructions = 0, seconds = 0;
    for (auto _ : state) {
        Progress progress;
        auto recording = emulator->run(*plan, options, progress);
        if (!recording || recording->check.check != Check::Ok) {
            state.SkipWithError(recording ? recording->check.why.c_str() : recording.error().text().c_str());
            return;
        }
        instructions += double(recording->warpInstructions);
        seconds += recording->wallSeconds;
        state.SetIterationTime(recording->wallSeconds); // the run itself, without making and checking the data
    }
    state.counters[figure] = instructions / seconds;
}

void emulatorFunctional(benchmark::State& state) {
    run(state,
        state.range(0) == 0 ? "emulator_functional_warp_inst_per_s" : "emulator_functional_one_thread_warp_inst_per_s",
        "reduceInterleaved", 1 << 24, CompileMode::Optimised);
}
void emulatorFunctionalAsWritten(benchmark::State& state) {
    run(state, "emulator_functional_as_written_warp_inst_per_s", "reduceInterleaved", 1 << 22, CompileMode::AsWritten);
}

// Warp-instructions that are issued in time, a second of one host thread: 64 blocks, each on an SM of its own, so that
// every block runs in time.
void emulatorTiming(benchmark::State& state) {
    const auto plan = reductionPlan(state, state.range(0) == 0 ? "reduceNeighbored" : "reduceInterleaved", 64 * 512);
    if (!plan)
        return;
    const RunOptions options = bareOptions(1, true);
    const auto emulator = makeEmulator();
    double instructions = 0, seconds = 0;
    for (auto _ : state) {
        Progress progress;
        auto recording = emulator->run(*plan, options, progress);
        if (!recording || recording->check.check != Check::Ok || recording->trace->timings.size() != 1 ||
            recording->trace->timings[0].timedBlocks != 64) {
            state.SkipWithError("the launch did not run in time");
            return;
        }
        instructions += double(recording->trace->timings[0].timedInstructions);
        seconds += recording->wallSeconds;
        state.SetIterationTime(recording->wallSeconds);
    }
    state.counters[state.range(0) == 0 ? "emulator_timing_warp_inst_per_s"
                                       : "emulator_timing_interleaved_warp_inst_per_s"] = instructions / seconds;
}

BENCHMARK(emulatorTiming)->Arg(0)->Arg(1)->UseManualTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emulatorFunctional)->Arg(0)->Arg(1)->UseManualTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emulatorFunctionalAsWritten)->Arg(0)->UseManualTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
