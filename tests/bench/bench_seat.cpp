// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch that is only listed costs the program: cuLaunchKernel with the seat loaded before the driver of tests/seat,
// which does nothing. An empty launch takes a real driver about 2 us.
#include "gpu/program/settings.h"

#include <array>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

extern "C" {
int cuModuleLoadData(void** module, const void*);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
}

namespace {

namespace fs = std::filesystem;

void listed(benchmark::State& state) {
    std::array<double, 3> values{};
    std::array<void*, 3> parameters{&values[0], &values[1], &values[2]};
    std::array<void*, 4> kernels{};
    void* module = nullptr;
    constexpr char image[64] = "no image that the seat knows";
    cuModuleLoadData(&module, image);
    for (std::size_t k = 0; k < kernels.size(); ++k)
        cuModuleGetFunction(&kernels[k], module, ("kernel" + std::to_string(k)).c_str());
    unsigned n = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(
            cuLaunchKernel(kernels[++n % kernels.size()], 16, 1, 1, 128, 1, 1, 0, nullptr, parameters.data(), nullptr));
    state.counters["seat_launches_per_s"] = benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(listed)->Iterations(1 << 20)->Repetitions(5);

// Starts itself again, as `program` starts a program.
void startUnderTheSeat(char** words, const fs::path& folder) {
    fs::create_directories(folder);
    warpglass::program::Settings settings;
    settings.folder = folder.string();
    settings.detail = "none";
    settings.times = "host";
    setenv(warpglass::program::settingsVariable, settingsText(settings).c_str(), 1);
    setenv("LD_PRELOAD", WARPGLASS_SEAT, 1);
    setenv("LD_LIBRARY_PATH", WARPGLASS_STAND_IN, 1); // its folder
    execv("/proc/self/exe", words);
}

} // namespace

int main(int count, char** words) {
    const fs::path folder = fs::temp_directory_path() / ("warpglass-bench-seat-" + std::to_string(getpid()));
    if (!std::getenv(warpglass::program::settingsVariable))
        startUnderTheSeat(words, folder);
    benchmark::Initialize(&count, words);
    benchmark::RunSpecifiedBenchmarks();
    fs::remove_all(folder);
}
