// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/clean_run.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/cache_flush.h"
#include "gpu/cuda/plugin/counters.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace warpglass::cuda {

namespace {

constexpr int timedTimes = 3;
constexpr double slowMilliseconds = 2000; // what takes longer is not run again only to be timed

// What is printed to standard output while this lives.
class CapturedOutput {
public:
    CapturedOutput() : m_file(memfd_create("warpglass-output", MFD_CLOEXEC)), m_before(dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        dup2(m_file, STDOUT_FILENO);
    }
    ~CapturedOutput() {
        stop();
        close(m_file);
    }
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    std::string stop() {
        if (m_before < 0)
            return {};
        std::fflush(stdout);
        dup2(m_before, STDOUT_FILENO);
        close(m_before);
        m_before = -1;
        std::string text(std::size_t(std::max<off_t>(lseek(m_file, 0, SEEK_END), 0)), '\0');
        const ssize_t n = pread(m_file, text.data(), text.size(), 0);
        text.resize(n > 0 ? std::size_t(n) : 0);
        return text;
    }

private:
    int m_file, m_before;
};

} // namespace

Diagnostic noteOf(Said message, DiagnosticKind kind) {
    Diagnostic d;
    d.kind = kind;
    d.message = std::move(message);
    d.launch = 0;
    return d;
}

Result<Launched> Repeatable::once(const std::function<Result<void>()>& beforeLaunch) const {
    if (auto ok = prepare(); !ok)
        return ok.error();
    if (beforeLaunch)
        if (auto ok = beforeLaunch(); !ok)
            return ok.error();
    auto launched = launchAndWait(driver, function, shape, parameters, limitSeconds, alive);
    if (launched && !launched->ended)
        hung(*launched);
    return launched;
}

Result<std::vector<double>> timedLaunches(const Repeatable& launch, int times, const Cupti* cupti) {
    std::vector<double> byEvents;
    std::optional<CacheFlush> caches;
    if (launch.emptiesCaches) {
        auto made = CacheFlush::make(launch.driver, launch.alive);
        if (!made)
            return made.error();
        caches.emplace(std::move(*made));
    }
    const auto flush = [&] { return caches ? caches->flush() : Result<void>(); };
    const auto launches = [&]() -> Result<void> {
        for (int i = 0; i < times; ++i) {
            const auto launched = launch.once(flush);
            if (!launched)
                return launched.error();
            if (!launched->ended || launched->code != cudaSuccess)
                return faultOf(*launched, "the kernel, run again to be timed,", launch.limitSeconds);
            byEvents.push_back(launched->milliseconds * 1e6);
        }
        return {};
    };
    if (cupti) {
        auto durations = kernelDurations(*cupti, launches);
        if (durations && durations->size() == std::size_t(times)) {
            std::sort(durations->begin(), durations->end());
            return durations;
        }
        if (!durations && byEvents.size() < std::size_t(times) && !byEvents.empty())
            return durations.error();
    }
    if (byEvents.size() < std::size_t(times)) {
        byEvents.clear();
        if (auto ok = launches(); !ok)
            return ok.error();
    }
    std::sort(byEvents.begin(), byEvents.end());
    return byEvents;
}

Result<CleanRun> runClean(const Repeatable& launch, const LaunchMemory& memory, int device, bool counters,
                          const Cupti* cupti, bool quiet, double slowest) {
    CleanRun run;
    {
        std::optional<CapturedOutput> capture;
        if (quiet)
            capture.emplace();
        auto first = launch.once();
        if (capture)
            run.output = capture->stop();
        if (!first)
            return first.error();
        run.first = *first;
    }
    if (!run.first.ended || run.first.code != cudaSuccess)
        return run;
    auto buffers = memory.read();
    if (!buffers)
        return buffers.error();
    run.buffers = std::move(*buffers);
    run.durationNs = run.first.milliseconds * 1e6;

    // What the kernel prints from here on was said already.
    std::optional<CapturedOutput> silence;
    if (quiet)
        silence.emplace();
    if (run.first.milliseconds > slowest) {
        run.notes.push_back(noteOf(say::CountersTakeTooLong));
        return run;
    }
    if (run.first.milliseconds < slowMilliseconds) {
        const auto durations = timedLaunches(launch, timedTimes, cupti);
        if (!durations)
            return durations.error();
        run.durationNs = (*durations)[durations->size() / 2];
    }
    if (!counters)
        return run;
    if (!cupti) {
        run.notes.push_back(noteOf(say::CountersWithoutCupti));
        return run;
    }
    const auto read = readCounters(*cupti, device, [&]() -> Result<void> {
        const auto launched = launch.once();
        if (!launched)
            return launched.error();
        if (!launched->ended || launched->code != cudaSuccess)
            return faultOf(*launched, say::RunAgainToBeCounted, launch.limitSeconds);
        return {};
    });
    if (read) {
        run.counters = read->counters;
        run.counters.push_back({0, "profiler_passes", "", double(read->passes), "1", Origin::Counted});
    } else {
        run.notes.push_back(noteOf(say::NoCounters(wholeOf(read.error()))));
    }
    return run;
}

} // namespace warpglass::cuda
