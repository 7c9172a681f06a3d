// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine itself does, so that figures of two machines, or of one machine at two hours, can be set side by
// side: a fixed walk of dependent integer operations through a table that lies in the first cache, and copies of 64 MB.
#include <array>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

void integers(benchmark::State& state) {
    std::array<std::uint32_t, 4096> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
        table[i] = i * 2654435761u;
    constexpr int steps = 1 << 20;
    std::uint32_t x = 1;
    for (auto _ : state) {
        for (int i = 0; i < steps; ++i) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            x += table[x >> 20];
        }
        benchmark::DoNotOptimize(x);
    }
    state.counters["machine_integer_steps_per_s"] =
        benchmark::Counter(double(steps) * double(state.iterations()), benchmark::Counter::kIsRate);
}

void copies(benchmark::State& state) {
    std::vector<char> from(64 << 20, 1), to(64 << 20);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), from.size());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    state.counters["machine_copied_bytes_per_s"] =
        benchmark::Counter(double(from.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(integers)->Repetitions(5)->Unit(benchmark::kMillisecond);
BENCHMARK(copies)->Repetitions(5)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
