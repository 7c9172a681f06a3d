// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs on a GPU:
// - the documents' reductions of 2^24 ints at 512 threads a block, clean and with probes, with standard and with full
//   detail: the ratio of the durations;
// - the probe before a branch in converged code: SM cycles that a turn of a small loop takes longer with it, for 1, 8
//   and 32 warps on each SM. Once as a plain loop, whose own turn hides a part of it, and once unrolled by the
//   compiler.
// Without a GPU each says so and ends well.
#include "gpu/cuda/cuda_backend.h"
#include "gpu/kernels/catalogue.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

using namespace warpglass;

constexpr std::uint32_t turns = 512;

// Each thread writes the SM cycles that its loop took.
std::string loop(bool unrolled) {
    return fmt::format(R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry loop(.param .u64 cycles, .param .u32 turns)
{{
	.reg .pred %p;
	.reg .b32 %r<7>;
	.reg .b64 %rd<7>;
	ld.param.u64 %rd1, [cycles];
	cvta.to.global.u64 %rd1, %rd1;
	ld.param.u32 %r1, [turns];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.u32 %r3, %r3, %r4, %r2;
	mul.wide.u32 %rd2, %r3, 16;
	add.u64 %rd2, %rd1, %rd2;
	mov.u32 %r5, 0;
	mov.u32 %r6, 0;
	mov.u64 %rd3, %clock64;
AGAIN:
	{}
	mad.lo.u32 %r6, %r2, %r6, %r2;
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p, %r5, %r1;
	@%p bra AGAIN;
	mov.u64 %rd4, %clock64;
	sub.u64 %rd4, %rd4, %rd3;
	st.global.u64 [%rd2], %rd4;
	st.global.u32 [%rd2+8], %r6;
	ret;
}}
)",
                       unrolled ? "" : ".pragma \"nounroll\";");
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

Result<Recording> run(const LaunchPlan& plan, Detail::Kind detail) {
    RunOptions options;
    options.device = "0";
    options.counters = false;
    options.detail.kind = detail;
    Progress progress;
    return loadCudaBackend()->run(plan, options, progress);
}

// Skips the benchmark where no GPU is; the GPU's SMs otherwise.
int sms(benchmark::State& state) {
    const auto devices = cudaDevices();
    if (devices && !devices->empty())
        return devices->front().smCount;
    state.SkipWithError(devices ? "no GPU" : devices.error().text().c_str());
    return 0;
}

void slowdown(benchmark::State& state, const char* kernel, Detail::Kind detail) {
    if (sms(state) == 0)
        return;
    const CatalogueEntry* entry = findKernel(kernel);
    LaunchRequest request = entry->look;
    request.size = 1 << 24;
    request.grid.reset();
    request.block = Dim3{512, 1, 1};
    const auto plan = makePlan(*entry, request);
    std::vector<double> ratios;
    double clean = 0, probed = 0, events = 0, lost = 0;
    for (auto _ : state) {
        const auto recording = plan ? run(*plan, detail) : Result<Recording>(plan.error());
        if (!recording) {
            state.SkipWithError(recording.error().text().c_str());
            return;
        }
        const Kernel& k = recording->trace->kernels.front();
        clean = k.cleanDurationNs;
        probed = k.probedDurationNs;
        ratios.push_back(clean > 0 ? probed / clean : 0);
        events = double(recording->trace->events.size());
        for (const Loss& loss : recording->trace->losses)
            lost += double(loss.events);
    }
    const std::string id = fmt::format("probe_{}_{}", kernel, detail == Detail::Kind::All ? "all" : "auto");
    state.counters[id + "_slowdown"] = median(ratios);
    state.counters[id + "_clean_ns"] = clean;
    state.counters[id + "_probed_ns"] = probed;
    state.counters[id + "_events"] = events;
    state.counters[id + "_lost"] = lost;
}

void cyclesAnEvent(benchmark::State& state, std::uint32_t warps, bool unrolled) {
    const int grid = sms(state);
    if (grid == 0)
        return;
    LaunchPlan plan;
    plan.kernelName = plan.entry = "loop";
    plan.moduleName = "loop.ptx";
    plan.ptx = loop(unrolled);
    plan.grid = {std::uint32_t(grid), 1, 1};
    plan.block = {32 * warps, 1, 1};
    Argument cycles{.name = "cycles", .isBuffer = true, .type = ElementType::U64};
    cycles.count = 2 * plan.grid.count() * plan.block.count();
    Argument n{.name = "turns", .type = ElementType::U32, .scalar = std::vector<std::byte>(4)};
    std::memcpy(n.scalar.data(), &turns, 4);
    plan.arguments = {cycles, n};
    std::vector<double> costs, clean;
    for (auto _ : state) {
        const auto recording = run(plan, Detail::Kind::All);
        if (!recording || recording->fault) {
            state.SkipWithError(recording ? recording->fault->text().c_str() : recording.error().text().c_str());
            return;
        }
        const Trace& t = *recording->trace;
        std::vector<double> without, with;
        for (std::size_t at = 0; at + 16 <= recording->buffers[0].size(); at += 32 * 16) {
            std::uint64_t taken = 0;
            std::memcpy(&taken, recording->buffers[0].data() + at, 8);
            without.push_back(double(taken) / turns);
        }
        for (const Warp& w : t.warps) {
            std::int64_t first = -1, last = 0;
            int branches = 0;
            for (std::uint32_t e = 0; e < w.eventCount; ++e)
                if (const Event event = t.event(w, e); event.kind == EventKind::Branch) {
                    first = first < 0 ? event.time.value : first;
                    last = event.time.value;
                    ++branches;
                }
            if (branches > 1)
                with.push_back(double(last - first) / (branches - 1) * t.info.smClockMHz / 1000);
        }
        clean.push_back(median(without));
        costs.push_back(median(with) - clean.back());
    }
    const std::string id = fmt::format("probe_{}_{}_warps", unrolled ? "unrolled" : "loop", warps);
    state.counters[id + "_cycles_an_event"] = median(costs);
    state.counters[id + "_clean_cycles_a_turn"] = median(clean);
}

const auto registered = [] {
    for (const bool unrolled : {false, true})
        for (const std::uint32_t warps : {1u, 8u, 32u})
            benchmark::RegisterBenchmark(
                fmt::format("cyclesAnEvent/{}/{}", unrolled ? "unrolled" : "loop", warps).c_str(),
                [=](benchmark::State& s) { cyclesAnEvent(s, warps, unrolled); })
                ->Iterations(3);
    for (const char* kernel : {"reduceNeighbored", "reduceNeighboredLess", "reduceInterleaved", "reduce0"})
        for (const Detail::Kind detail : {Detail::Kind::Auto, Detail::Kind::All})
            benchmark::RegisterBenchmark(
                fmt::format("slowdown/{}/{}", kernel, detail == Detail::Kind::All ? "all" : "auto").c_str(),
                [=](benchmark::State& s) { slowdown(s, kernel, detail); })
                ->Iterations(1)
                ->Unit(benchmark::kMillisecond);
    return true;
}();

} // namespace

BENCHMARK_MAIN();
