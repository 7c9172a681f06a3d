// SPDX-License-Identifier: GPL-3.0-or-later
// How time grows with the size of what is done, each at three sizes ten times apart (four for the sum): PTX parsed and
// decoded for a kernel of 10^3 to 10^5 basic blocks, a sum that runs functionally, a launch that runs in time. The
// table prints the exponent; 1 is linear.
#include "gpu/emulator/decode/decode.h"
#include "gpu/ptx/parse.h"
#include "tests/bench/reduction_run.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <fmt/format.h>

#include <string>

namespace {

using namespace warpglass;

double millisecondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// One kernel: each basic block adds, compares and jumps over the next one's first half.
std::string kernelOf(int blocks) {
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry grown(.param .u32 n)\n{\n"
                       ".reg .pred %p<2>;\n.reg .b32 %r<3>;\nld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n";
    for (int b = 0; b < blocks; ++b)
        text += fmt::format("add.s32 %r2, %r2, {0};\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L{0};\n"
                            "xor.b32 %r2, %r2, %r1;\n$L{0}:\n",
                            b);
    return text + "ret;\n}\n";
}

void decoding(benchmark::State& state, int blocks, const char* figure) {
    const std::string text = kernelOf(blocks);
    emulator::Symbols symbols;
    symbols.functions["grown"] = 0;
    double best = 1e300;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        auto module = ptx::parse(text, "grown.ptx");
        auto program = module ? emulator::decode(*module, 0, symbols, 0) : Result<emulator::Program>(module.error());
        if (!program) {
            state.SkipWithError(program.error().text().c_str());
            return;
        }
        best = std::min(best, millisecondsSince(start));
    }
    state.counters[figure] = best;
}

void running(benchmark::State& state, std::int64_t size, bool timing, const char* figure) {
    const auto plan = reductionPlan(state, "reduceInterleaved", size);
    if (!plan)
        return;
    const RunOptions options = bareOptions(1, timing);
    const auto emulator = makeEmulator();
    double best = 1e300;
    for (auto _ : state) {
        Progress progress;
        auto recording = emulator->run(*plan, options, progress);
        if (!recording || recording->check.check != Check::Ok) {
            state.SkipWithError("the launch did not run");
            return;
        }
        best = std::min(best, recording->wallSeconds * 1000);
        state.SetIterationTime(recording->wallSeconds);
    }
    state.counters[figure] = best;
}

BENCHMARK_CAPTURE(decoding, 1k, 1'000, "growth_decode_1k_ms")->Iterations(20);
BENCHMARK_CAPTURE(decoding, 10k, 10'000, "growth_decode_10k_ms")->Iterations(5);
BENCHMARK_CAPTURE(decoding, 100k, 100'000, "growth_decode_100k_ms")->Iterations(3);
BENCHMARK_CAPTURE(running, sum_1m, 1 << 20, false, "growth_sum_1m_ms")->UseManualTime()->Iterations(5);
BENCHMARK_CAPTURE(running, sum_4m, 1 << 22, false, "growth_sum_4m_ms")->UseManualTime()->Iterations(3);
BENCHMARK_CAPTURE(running, sum_16m, 1 << 24, false, "growth_sum_16m_ms")->UseManualTime()->Iterations(3);
BENCHMARK_CAPTURE(running, timed_4, 4 * 512, true, "growth_timed_4_ms")->UseManualTime()->Iterations(5);
BENCHMARK_CAPTURE(running, timed_16, 16 * 512, true, "growth_timed_16_ms")->UseManualTime()->Iterations(5);
BENCHMARK_CAPTURE(running, timed_64, 64 * 512, true, "growth_timed_64_ms")->UseManualTime()->Iterations(3);

} // namespace

BENCHMARK_MAIN();
