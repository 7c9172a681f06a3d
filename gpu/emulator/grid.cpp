// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/grid.h"
#include "gpu/emulator/diagnostics.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace warpglass::emulator {

namespace {

// What a block leaves behind besides memory and sums; most leave nothing.
struct Leftover {
    std::uint64_t block = 0;
    std::string output;
    std::vector<Diagnostic> diagnostics;
};

struct Shared {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex mutex; // guards what follows
    std::vector<Leftover> leftovers;
    GridResult* result = nullptr;
};

void work(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
          const std::vector<std::byte>& constants, DeviceState& device, Progress& progress, std::uint64_t chunk,
          Shared& shared) {
    BlockRunner runner(launch, options, memory, constants, device, progress);
    std::vector<Leftover> leftovers;
    const std::uint64_t blocks = launch.grid.count();
    while (!shared.stop.load(std::memory_order_relaxed)) {
        const std::uint64_t first = shared.next.fetch_add(chunk);
        if (first >= blocks)
            break;
        if (launch.launch == 0)
            progress.report(double(first) / double(blocks));
        for (std::uint64_t b = first; b < std::min(first + chunk, blocks); ++b) {
            const auto chosen = std::lower_bound(options.chosen.begin(), options.chosen.end(), b);
            const bool records = chosen != options.chosen.end() && *chosen == b;
            Recorder recorder(options.accesses, options.eventsPerWarp);
            bool ok = true;
            shared.result->steps[b] = runner.run(b, records ? &recorder : nullptr, ok);
            if (records)
                shared.result->recorded[std::size_t(chosen - options.chosen.begin())] = std::move(recorder.block());
            Leftover l{b, runner.takeOutput(), runner.diagnostics()};
            if (!l.output.empty() || !l.diagnostics.empty())
                leftovers.push_back(std::move(l));
            if (!ok || progress.cancelled()) {
                shared.stop = true;
                break;
            }
        }
    }
    const std::lock_guard lock(shared.mutex);
    shared.result->counters.add(runner.counters());
    for (auto& l : leftovers)
        shared.leftovers.push_back(std::move(l));
}

} // namespace

GridResult runGrid(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                   const std::vector<std::byte>& constants, DeviceState& device, Progress& progress) {
    GridResult result;
    const std::uint64_t blocks = launch.grid.count();
    result.steps.assign(blocks, 0);
    result.recorded.resize(options.chosen.size());
    result.counters.reset(*launch.program);
    Shared shared;
    shared.result = &result;
    const auto threads = std::uint64_t(launch.program->ordered || blocks < 4 ? 1 : std::max(1, options.threads));
    const std::uint64_t chunk = threads == 1 ? 1 : std::clamp<std::uint64_t>(blocks / (threads * 16), 1, 64);
    const auto run = [&] { work(launch, options, memory, constants, device, progress, chunk, shared); };
    if (threads == 1) {
        run();
    } else {
        std::vector<std::jthread> pool;
        for (std::uint64_t t = 0; t < threads; ++t)
            pool.emplace_back(run);
    }
    std::sort(shared.leftovers.begin(), shared.leftovers.end(),
              [](const Leftover& a, const Leftover& b) { return a.block < b.block; });
    for (Leftover& l : shared.leftovers) {
        result.output += l.output;
        for (const Diagnostic& d : l.diagnostics)
            result.faulted |= d.fatal;
        mergeDiagnostics(result.diagnostics, std::move(l.diagnostics));
    }
    result.cancelled = progress.cancelled();
    for (std::size_t r = 0; r < launch.program->runs.size(); ++r)
        result.warpInstructions +=
            result.counters.runExecutions[r] * (launch.program->runs[r].end - launch.program->runs[r].first);
    return result;
}

} // namespace warpglass::emulator
