// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each metric is worked out from what the trace holds about one launch: exact counts of its instructions, the residency
// of its blocks, the states of its warps, its start and end. Hardware counters, where a GPU made the trace, come first
// under the same name. A number that would be 0/0 is left out with a sentence that says why: a branch efficiency of a
// kernel without branches is not 100 %, and not 0 % either.
#include "gpu/metrics/metrics.h"

#include "gpu/device/occupancy.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

constexpr double bytesPerSector = 32;

struct Totals { // of the whole launch
    bool any = false;
    std::uint64_t executions = 0, lanes = 0;
    std::uint64_t branches = 0, conditional = 0, divergent = 0;
    struct Global {
        std::uint64_t requests = 0, sectors = 0, bytes = 0;
    } load, store;
    std::uint64_t sharedRequests = 0, conflicts = 0;
};

Totals totalsOf(std::span<const InstructionCount> counts) {
    Totals t;
    t.any = !counts.empty();
    for (const InstructionCount& c : counts) {
        t.executions += c.executions;
        t.lanes += c.lanes;
        if (c.isBranch) {
            t.branches += c.executions;
            t.divergent += c.divergent;
            t.conditional += c.isConditional ? c.executions : 0;
        }
        if (!c.isMemory)
            continue;
        if (c.space == MemorySpace::Global && c.access != AccessKind::Atomic) {
            Totals::Global& global = c.access == AccessKind::Load ? t.load : t.store;
            global.requests += c.requests;
            global.sectors += c.sectors;
            global.bytes += c.bytesDistinct;
        } else if (c.space == MemorySpace::Shared) {
            t.sharedRequests += c.requests;
            t.conflicts += c.passes - std::min(c.passes, c.idealPasses);
        }
    }
    return t;
}

struct Found {
    std::optional<double> value;
    Origin origin = Origin::Counted;
    std::string why;
};

Found undefined(std::string why, Origin origin = Origin::Counted) {
    return {std::nullopt, origin, std::move(why)};
}

Found ratio(double part, double whole, const char* why) {
    return whole > 0 ? Found{100.0 * part / whole} : undefined(why);
}

std::uint64_t warpsOf(const Launch& launch) {
    return launch.grid.count() * warpsFor(launch.block.count());
}

const char* const noTime = "a functional run counts steps and has no clock; run with the timing model or on a GPU";

Found duration(const Trace& trace, const Launch& launch) {
    if (trace.info.timeUnit != TimeUnit::Nanoseconds)
        return undefined(noTime, Origin::Modelled);
    if (launch.end <= launch.start)
        return undefined("the launch has no recorded end", trace.info.timeOrigin);
    return {double((launch.end - launch.start).value), trace.info.timeOrigin};
}

Found throughput(const Trace& trace, const Launch& launch, std::uint64_t sectors) {
    const Found time = duration(trace, launch);
    if (!time.value)
        return time;
    return {double(sectors) * bytesPerSector / (*time.value * 1e-9), time.origin};
}

Found theoreticalOccupancy(const Trace& trace, const Launch& launch) {
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    if (!limits)
        return undefined("the limits of this compute capability are not known");
    const Kernel& kernel = trace.kernelOf(launch);
    const Occupancy o = occupancy(*limits, {.threads = std::uint32_t(launch.block.count()),
                                            .registers = kernel.registers,
                                            .sharedStatic = kernel.sharedBytes,
                                            .sharedDynamic = launch.sharedBytes,
                                            .sharedLimit = SharedLimit::OptIn});
    return {o.percent};
}

// From the residency of blocks: an SM is active while it holds at least one of them.
Found achievedOccupancy(const Trace& trace, const Launch& launch) {
    if (trace.info.timeUnit != TimeUnit::Nanoseconds)
        return undefined(noTime, Origin::Modelled);
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    if (!limits)
        return undefined("the limits of this compute capability are not known");

    std::map<std::uint16_t, std::vector<TimeRange>> residency; // by SM
    for (const Block& block : trace.blocksOf(launch))
        if (block.start < block.end)
            residency[block.sm].push_back({block.start, block.end});
    double resident = 0, active = 0; // block-times, times
    for (auto& [sm, ranges] : residency) {
        std::sort(ranges.begin(), ranges.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
        Time covered = ranges.front().begin;
        for (const TimeRange& range : ranges) {
            resident += double(range.length().value);
            const Time from = std::max(covered, range.begin);
            if (range.end > from) {
                active += double((range.end - from).value);
                covered = range.end;
            }
        }
    }
    const double warpsPerBlock = double(warpsFor(launch.block.count()));
    Found found = ratio(resident * warpsPerBlock, active * limits->warpsPerSm, "no block's stay on an SM was recorded");
    found.origin = trace.info.timeOrigin == Origin::Modelled ? Origin::Modelled : Origin::Counted;
    return found;
}

Found barrierStall(const Trace& trace, std::uint32_t launch) {
    std::uint64_t samples = 0, barrierSamples = 0;
    for (const Sample& sample : trace.samples)
        if (sample.launch == launch) {
            samples += sample.count;
            barrierSamples += sample.stall.find("barrier") != std::string::npos ? sample.count : 0;
        }
    if (samples > 0)
        return {100.0 * double(barrierSamples) / double(samples), Origin::Measured};

    std::int64_t cycles = 0, barrierCycles = 0;
    for (const Block& block : trace.blocksOf(trace.launches[launch]))
        for (const Warp& warp : trace.warpsOf(block))
            for (const StateRow& state : trace.statesOf(warp)) {
                const std::int64_t length = (state.end - state.begin).value;
                cycles += length;
                barrierCycles += state.state == WarpState::StallBarrier ? length : 0;
            }
    if (cycles == 0)
        return undefined("no warp states were recorded; run with the timing model or on a GPU", Origin::Modelled);
    return {100.0 * double(barrierCycles) / double(cycles), Origin::Modelled};
}

Found branchEfficiency(const Trace& trace, const Launch& launch, const Totals& t) {
    if (t.conditional > 0)
        return {100.0 * double(t.branches - t.divergent) / double(t.branches)};
    if (trace.info.mode == CompileMode::Optimised && trace.kernelOf(launch).ptxBranches == 0)
        return undefined("no conditional branch is left: the compiler turned every if into predicated or select "
                         "instructions, so no branch can diverge");
    return undefined("no conditional branch was executed");
}

Found work(const Trace& trace, std::uint32_t row, std::string_view name, const Totals& t) {
    const Launch& launch = trace.launches[row];
    if (name == "theoretical_occupancy")
        return theoreticalOccupancy(trace, launch);
    if (name == "achieved_occupancy")
        return achievedOccupancy(trace, launch);
    if (name == "duration_ns")
        return duration(trace, launch);
    if (name == "stall_sync")
        return barrierStall(trace, row);
    if (name == "dram_read_throughput")
        return undefined("traffic to DRAM is not counted in this run", Origin::Measured);
    if (!t.any)
        return undefined("no instruction counts were recorded for this launch");
    if (name == "branch")
        return {double(t.branches)};
    if (name == "divergent_branch")
        return {double(t.divergent)};
    if (name == "branch_efficiency")
        return branchEfficiency(trace, launch, t);
    if (name == "warp_execution_efficiency")
        return ratio(double(t.lanes), double(t.executions) * lanesPerWarp, "no instruction was executed");
    if (name == "inst_executed")
        return {double(t.executions)};
    if (name == "inst_per_warp")
        return warpsOf(launch) > 0 ? Found{double(t.executions) / double(warpsOf(launch))}
                                   : undefined("the launch has no warps");
    if (name == "gld_efficiency")
        return ratio(double(t.load.bytes), double(t.load.sectors) * bytesPerSector, "no global load was executed");
    if (name == "gst_efficiency")
        return ratio(double(t.store.bytes), double(t.store.sectors) * bytesPerSector, "no global store was executed");
    if (name == "gld_transactions")
        return {double(t.load.sectors)};
    if (name == "gst_transactions")
        return {double(t.store.sectors)};
    if (name == "gld_requests")
        return {double(t.load.requests)};
    if (name == "gst_requests")
        return {double(t.store.requests)};
    if (name == "gld_throughput")
        return throughput(trace, launch, t.load.sectors);
    if (name == "gst_throughput")
        return throughput(trace, launch, t.store.sectors);
    if (name == "shared_bank_conflicts")
        return {double(t.conflicts)};
    return undefined("no such metric");
}

Metric fromCounter(const Counter& counter) {
    return {.name = counter.metric,
            .value = counter.value,
            .unit = counter.unit,
            .nsight = counter.nsight,
            .origin = counter.origin};
}

std::vector<Metric> evaluate(const Trace& trace, std::uint32_t launch, std::string_view only) {
    std::vector<Metric> all;
    if (launch >= trace.launches.size())
        return all;
    const Totals totals = totalsOf(trace.countsOf(launch));
    for (const MetricDefinition& definition : metricDefinitions()) {
        if (!only.empty() && definition.name != only)
            continue;
        const std::size_t before = all.size();
        for (const Counter& counter : trace.counters)
            if (counter.launch == launch && counter.metric == definition.name)
                all.push_back(fromCounter(counter));
        Found found = work(trace, launch, definition.name, totals);
        const bool told = std::any_of(all.begin() + std::ptrdiff_t(before), all.end(),
                                      [&](const Metric& m) { return m.origin == found.origin; });
        if (all.size() == before || (found.value && !told)) // beside a counter only another origin's value is of use
            all.push_back({.name = std::string(definition.name),
                           .value = found.value,
                           .unit = std::string(definition.unit),
                           .nsight = std::string(definition.nsight),
                           .origin = found.origin,
                           .why = std::move(found.why)});
    }
    for (const Counter& counter : trace.counters) { // what the hardware counted and no definition names
        const auto isNamed = [&](const MetricDefinition& d) { return d.name == counter.metric; };
        if (counter.launch == launch && (only.empty() || counter.metric == only) &&
            std::none_of(metricDefinitions().begin(), metricDefinitions().end(), isNamed))
            all.push_back(fromCounter(counter));
    }
    return all;
}

} // namespace

std::vector<Metric> metrics(const Trace& trace, std::uint32_t launch) {
    return evaluate(trace, launch, {});
}

std::optional<Metric> metric(const Trace& trace, std::uint32_t launch, std::string_view name) {
    auto found = evaluate(trace, launch, name);
    if (name.empty() || found.empty())
        return std::nullopt;
    return std::move(found.front());
}

} // namespace warpglass
