// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/metric_values.h"

#include "gpu/device/occupancy.h"
#include "gpu/trace/register_origin.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

const char* const noTime = "a functional run counts steps and has no clock; run with the timing model or on a GPU";

MetricValue ratio(double part, double whole, const char* why) {
    return whole > 0 ? MetricValue{100.0 * part / whole} : undefined(why);
}

MetricValue noCounts() {
    return undefined("no instruction counts were recorded for this launch");
}

// How long blocks were on an SM, summed, and how long it held at least one of them.
struct Stay {
    double resident = 0, active = 0;
};

Stay stayOf(std::vector<TimeRange>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    Stay stay;
    Time covered = ranges.front().begin;
    for (const TimeRange& range : ranges) {
        stay.resident += double(range.length().value);
        const Time from = std::max(covered, range.begin);
        if (range.end > from) {
            stay.active += double((range.end - from).value);
            covered = range.end;
        }
    }
    return stay;
}

} // namespace

LaunchTotals totalsOf(std::span<const InstructionCount> counts) {
    LaunchTotals t;
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
            LaunchTotals::Global& global = c.access == AccessKind::Load ? t.load : t.store;
            global.requests += c.requests;
            global.sectors += c.sectors;
            global.bytes += c.bytesDistinct;
        } else if (c.space == MemorySpace::Shared) {
            t.conflicts += c.passes - std::min(c.passes, c.idealPasses);
        }
    }
    return t;
}

MetricValue undefined(std::string why, Origin origin) {
    return {std::nullopt, origin, std::move(why)};
}

MetricValue counted(const MetricInput& in, std::uint64_t sum) {
    return in.totals.any ? MetricValue{double(sum)} : noCounts();
}

MetricValue percent(const MetricInput& in, double part, double whole, const char* why) {
    return in.totals.any ? ratio(part, whole, why) : noCounts();
}

MetricValue branchEfficiency(const MetricInput& in) {
    const LaunchTotals& t = in.totals;
    if (!t.any)
        return noCounts();
    if (t.conditional > 0)
        return {100.0 * double(t.branches - t.divergent) / double(t.branches)};
    if (in.trace.info.mode == CompileMode::Optimised && in.trace.kernelOf(in.launch()).ptxBranches == 0)
        return undefined("no conditional branch is left: the compiler turned every if into predicated or select "
                         "instructions, so no branch can diverge");
    return undefined("no conditional branch was executed");
}

MetricValue instructionsPerWarp(const MetricInput& in) {
    if (!in.totals.any)
        return noCounts();
    const std::uint64_t warps = in.launch().grid.count() * warpsFor(in.launch().block.count());
    return warps > 0 ? MetricValue{double(in.totals.executions) / double(warps)} : undefined("the launch has no warps");
}

// From the residency of blocks: an SM is active while it holds at least one of them. Not from what probes saw: a probe
// knows a block from its first instruction to its last, not how long it holds its place, and it runs in another run than
// the counters. On full grids of short blocks that came to two thirds of what the hardware counts, on nested ones to 226 %.
MetricValue achievedOccupancy(const MetricInput& in) {
    const TraceInfo& info = in.trace.info;
    if (info.timeUnit != TimeUnit::Nanoseconds)
        return undefined(noTime, Origin::Modelled);
    const CapabilityLimits* limits = capabilityLimits(info.ccMajor, info.ccMinor);
    if (!limits)
        return undefined("the limits of this compute capability are not known");
    if (info.timeOrigin == Origin::Measured)
        return undefined("probes see a block from its first to its last instruction, not how long it holds its place: "
                         "only the hardware's counter tells");

    std::map<std::uint16_t, std::vector<TimeRange>> blocksOnSm;
    for (const Block& block : in.trace.blocksOf(in.launch()))
        if (block.start < block.end)
            blocksOnSm[block.sm].push_back({block.start, block.end});
    Stay all;
    for (auto& [sm, ranges] : blocksOnSm) {
        const Stay stay = stayOf(ranges);
        all.resident += stay.resident;
        all.active += stay.active;
    }
    MetricValue found = ratio(all.resident * double(warpsFor(in.launch().block.count())),
                              all.active * limits->warpsPerSm, "no block's stay on an SM was recorded");
    found.origin = info.timeOrigin;
    return found;
}

MetricValue theoreticalOccupancy(const MetricInput& in) {
    const CapabilityLimits* limits = capabilityLimits(in.trace.info.ccMajor, in.trace.info.ccMinor);
    if (!limits)
        return undefined("the limits of this compute capability are not known");
    const Launch& launch = in.launch();
    const Kernel& kernel = in.trace.kernelOf(launch);
    const Occupancy o = occupancy(*limits, {.threads = std::uint32_t(launch.block.count()),
                                            .registers = kernel.registers,
                                            .sharedStatic = kernel.sharedBytes,
                                            .sharedDynamic = launch.sharedBytes,
                                            .sharedLimit = SharedLimit::OptIn});
    return {o.percent, registersEstimated(in.trace, in.row) ? Origin::Modelled : Origin::Counted};
}

MetricValue throughput(const MetricInput& in, std::uint64_t sectors) {
    if (!in.totals.any)
        return noCounts();
    MetricValue time = duration(in);
    if (!time.value)
        return time;
    return {double(sectors) * bytesPerSector / (*time.value * 1e-9), time.origin};
}

MetricValue barrierStall(const MetricInput& in) {
    std::uint64_t samples = 0, barrierSamples = 0;
    for (const Sample& sample : in.trace.samples)
        if (sample.launch == in.row) {
            samples += sample.count;
            barrierSamples += sample.stall.find("barrier") != std::string::npos ? sample.count : 0;
        }
    if (samples > 0)
        return {100.0 * double(barrierSamples) / double(samples), Origin::Measured};

    std::int64_t cycles = 0, barrierCycles = 0;
    for (const Block& block : in.trace.blocksOf(in.launch()))
        for (const Warp& warp : in.trace.warpsOf(block))
            for (const StateRow& state : in.trace.statesOf(warp)) {
                const std::int64_t length = (state.end - state.begin).value;
                cycles += length;
                barrierCycles += state.state == WarpState::StallBarrier ? length : 0;
            }
    if (cycles == 0)
        return undefined("no warp states were recorded; run with the timing model or on a GPU", Origin::Modelled);
    return {100.0 * double(barrierCycles) / double(cycles), Origin::Modelled};
}

MetricValue duration(const MetricInput& in) {
    if (in.trace.info.timeUnit != TimeUnit::Nanoseconds)
        return undefined(noTime, Origin::Modelled);
    if (in.launch().end <= in.launch().start)
        return undefined("the launch has no recorded end", in.trace.info.timeOrigin);
    return {double((in.launch().end - in.launch().start).value), in.trace.info.timeOrigin};
}

} // namespace warpglass
