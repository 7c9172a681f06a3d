// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/trace_writer.h"
#include "gpu/emulator/launch/count_rows.h"
#include "gpu/emulator/launch/timing_rows.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/placement.h"
#include "gpu/emulator/timing/timed_grid.h"

#include "gpu/device/device_timing.h"
#include "gpu/launch/kernel_text.h"
#include "gpu/trace/register_origin.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace warpglass::emulator {

namespace {

Kernel kernelRow(const TraceInput& in, const Program& program, bool isHosts) {
    const ptx::Module& module = *in.module;
    Kernel k = kernelText(module, module.functions[program.moduleEntry].name, *in.plan, isHosts);
    k.registers = isHosts ? in.plan->registers : 0;
    k.sharedBytes = program.sharedStatic;
    k.localBytes = program.functions[0].localBytes;
    k.ptxBranches = program.branches;
    k.ptxSelects = program.selects;
    std::vector<const ptx::Instruction*> instructions;
    for (const InstInfo& info : program.info)
        if (info.source)
            instructions.push_back(info.source);
    k.lines = lineLinks(module, k, instructions);
    return k;
}

// What the timing model says: a time on the trace's axis is a cycle count, turned into nanoseconds.
struct Clock {
    bool timed = false;
    double nsPerCycle = 1;
    std::int64_t overhead = 0; // cycles before the first instruction
    std::int64_t at(std::int64_t cycle) const {
        return timed ? std::int64_t(std::llround(double(cycle + overhead) * nsPerCycle)) : cycle;
    }
};

// Cycles that each block takes: the model's own, or what its instructions cost elsewhere in the same kernel.
std::vector<std::int64_t> durations(const LaunchRecord& l,
                                    const std::map<std::uint32_t, double>& cyclesPerInstruction) {
    if (!l.result.timed) { // a device-side launch like others that were timed
        std::vector<std::int64_t> cycles = l.result.steps;
        const auto known = cyclesPerInstruction.find(l.kernel);
        const double warps = double(warpsFor(l.block.count()));
        for (std::int64_t& c : cycles)
            c = std::int64_t(double(c) * warps * (known == cyclesPerInstruction.end() ? 1.0 : known->second));
        return cycles;
    }
    const TimedGrid& timed = *l.result.timed;
    std::vector<std::int64_t> cycles(l.result.steps.size());
    for (std::size_t b = 0; b < cycles.size(); ++b)
        cycles[b] = std::max<std::int64_t>(1, std::int64_t(double(timed.issued[b]) * timed.cyclesPerInstruction));
    for (const SmResult& r : timed.results)
        for (const TimedBlock& b : r.blocks)
            cycles[b.index] = b.end - b.start;
    return cycles;
}

// Places that are settled: the timing model has placed blocks itself, and blocks that read %smid have seen a number.
std::vector<FixedPlace> fixedPlaces(const LaunchRecord& l, int smCount) {
    std::vector<FixedPlace> fixed;
    if (l.program->readsSmId)
        for (std::uint32_t b = 0; b < l.result.steps.size(); ++b)
            fixed.push_back({b, smOf(b, smCount)});
    if (!l.result.timed)
        return fixed;
    const TimedGrid& timed = *l.result.timed;
    for (std::size_t k = 0; k < timed.sms.size(); ++k)
        for (const TimedBlock& b : timed.results[k].blocks)
            fixed.push_back({std::uint32_t(b.index), timed.sms[k], true, b.start, b.slots});
    // The timed place of a block comes first and is the one that stays.
    std::sort(fixed.begin(), fixed.end(), [](const FixedPlace& a, const FixedPlace& b) {
        return a.block != b.block ? a.block < b.block : a.timed > b.timed;
    });
    fixed.erase(std::unique(fixed.begin(), fixed.end(),
                            [](const FixedPlace& a, const FixedPlace& b) { return a.block == b.block; }),
                fixed.end());
    return fixed;
}

std::vector<PlacementLaunch> placements(const TraceInput& in) {
    std::vector<PlacementLaunch> out;
    for (const LaunchRecord& l : *in.launches) {
        PlacementLaunch p;
        p.parent = l.origin.parentLaunch;
        p.parentBlock = l.origin.parentBlock;
        p.stream = l.origin.stream;
        if (l.ran) {
            p.steps = &l.result.steps;
            p.footprint = l.footprint;
            p.fixed = fixedPlaces(l, in.device->smCount);
        }
        out.push_back(std::move(p));
    }
    return out;
}

void addBlockDetail(Trace& trace, Block& row, std::uint32_t blockRow, const PlacedBlock& placed,
                    RecordedBlock& recorded, SitesOfKernel& sites, std::uint64_t maxEvents, const Clock& clock,
                    const DeviceTiming& timing, std::int64_t stateBase) {
    sites.take(trace, recorded);
    row.firstWarp = std::uint32_t(trace.warps.size());
    row.warpCount = std::uint16_t(recorded.warps.size());
    std::uint64_t slots = placed.slots;
    for (std::size_t w = 0; w < recorded.warps.size(); ++w) {
        RecordedWarp& from = recorded.warps[w];
        Warp warp;
        warp.block = blockRow;
        warp.warpInBlock = std::uint16_t(w);
        warp.slot = std::uint16_t(slots ? std::countr_zero(slots) : 0);
        slots &= slots - 1;
        warp.scheduler = std::uint8_t(timing.schedulerOf(warp.slot));
        warp.liveLanes = from.live;
        warp.start = row.start;
        const auto moment = [&](std::int64_t time) { return clock.at(placed.start + time) - row.start.value; };
        warp.end = {row.start.value + moment(from.end)};
        warp.firstState = trace.states.size();
        for (StateRow s : from.states) {
            s.begin.value += stateBase;
            s.end.value += stateBase;
            trace.states.push_back(s);
        }
        warp.stateCount = std::uint32_t(from.states.size());
        warp.firstEvent = trace.events.size();
        std::uint64_t lost = from.lost;
        for (const RecordedEvent& e : from.events) {
            if (trace.events.size() >= maxEvents) {
                ++lost;
                continue;
            }
            const std::uint64_t event = trace.events.size();
            trace.events.push(moment(e.time), sites.of(e.site), e.kind, e.active, e.taken);
            if (e.access == noIndex)
                continue;
            AccessRow a = recorded.accesses[e.access];
            const auto lanes = std::size_t(e.active.count());
            const auto addresses = recorded.addresses.begin() + std::ptrdiff_t(a.firstLane);
            const auto values = recorded.values.begin() + std::ptrdiff_t(a.firstValue);
            a.event = event;
            a.firstLane = trace.accessAddresses.size();
            a.firstValue = trace.accessValues.size();
            trace.accessAddresses.append(addresses, addresses + std::ptrdiff_t(lanes));
            trace.accessValues.append(values, values + std::ptrdiff_t(lanes * a.elements));
            trace.accesses.push_back(a);
        }
        warp.eventCount = std::uint32_t(trace.events.size() - warp.firstEvent);
        if (lost)
            trace.losses.push_back({std::uint32_t(trace.warps.size()), lost});
        trace.warps.push_back(warp);
        from.events = {};
    }
}

// Copies in the order of asking a warp, and what happened to mbarriers in time order.
void addAsync(Trace& trace, const Block& row, std::uint32_t blockRow, const PlacedBlock& placed,
              const RecordedBlock& recorded, const Program& program, std::uint32_t firstSite, const Clock& clock) {
    const auto at = [&](std::int64_t time) { return Time{clock.at(placed.start + time)}; };
    const auto site = [&](std::uint32_t position) {
        const std::uint32_t own = program.info[position].site;
        return own == noIndex ? firstSite + program.entrySite : firstSite + own;
    };
    const std::size_t first = trace.copies.size();
    for (const auto& note : recorded.copies) {
        AsyncCopy copy;
        copy.warp = row.firstWarp + note->warp;
        copy.site = site(note->position);
        copy.kind = note->kind;
        copy.lanes = note->lanes;
        copy.issued = at(note->issued);
        copy.complete = at(note->complete);
        copy.bytes = note->bytes;
        copy.from = note->from;
        copy.to = note->to;
        copy.barrier = note->barrier;
        copy.place = note->place;
        if (note->warp < row.warpCount)
            trace.copies.push_back(copy);
    }
    std::stable_sort(trace.copies.begin() + std::ptrdiff_t(first), trace.copies.end(),
                     [](const AsyncCopy& a, const AsyncCopy& b) { return a.warp < b.warp; });
    const std::size_t firstEvent = trace.phaseEvents.size();
    for (const RecordedPhase& from : recorded.phases) {
        PhaseEvent e;
        e.block = blockRow;
        e.warp = from.warp == noIndex ? noIndex : row.firstWarp + from.warp;
        e.site = site(from.position);
        e.time = at(from.time);
        e.kind = from.kind;
        e.barrier = from.barrier;
        e.phase = from.phase;
        e.count = from.count;
        e.missing = from.missing;
        e.lanes = from.lanes;
        trace.phaseEvents.push_back(e);
    }
    std::stable_sort(trace.phaseEvents.begin() + std::ptrdiff_t(firstEvent), trace.phaseEvents.end(),
                     [](const PhaseEvent& a, const PhaseEvent& b) { return a.time.value < b.time.value; });
}

// States count from their SM's own beginning; on the trace's axis that is so many cycles later.
std::int64_t stateBase(const Clock& clock, const LaunchRecord& l, const PlacedBlock& placed, std::uint64_t block) {
    if (l.result.timed)
        for (const SmResult& r : l.result.timed->results)
            for (const TimedBlock& b : r.blocks)
                if (b.index == block)
                    return clock.overhead + placed.start - b.start;
    return 0;
}

// [kernel] of what was timed.
std::map<std::uint32_t, double> cyclesPerInstruction(const std::vector<LaunchRecord>& launches) {
    std::map<std::uint32_t, std::pair<double, int>> sums;
    for (const LaunchRecord& l : launches)
        if (l.result.timed) {
            sums[l.kernel].first += l.result.timed->cyclesPerInstruction;
            sums[l.kernel].second += 1;
        }
    std::map<std::uint32_t, double> mean;
    for (const auto& [kernel, sum] : sums)
        mean[kernel] = sum.first / sum.second;
    return mean;
}

// Nanoseconds that the blocks of a launch take if all places of all SMs are at work until the end; fewer blocks than
// places take as long as one of them. No SM does more in a cycle than the slowest one did while it was full, and of a
// single wave than it did in the whole: that blocks of one SM end one after the other, since the oldest issue first, is no tail. Blocks that do the same work take the same time then, as long as the slowest SM takes
// for it: SMs run in time one after the other, and those that come later find in L2 what the first has waited for, though on
// the device all of them would have waited for it.
double evenlySpread(const LaunchRecord& l, const std::vector<std::int64_t>& cycles, std::int64_t pause, int smCount,
                    double nsPerCycle) {
    const double places = std::min(double(cycles.size()), double(smCount) * l.footprint.residentBlocks);
    const std::vector<std::uint32_t>& issued = l.result.timed->issued;
    double slowest = 0; // cycles of a block for each instruction that it issues
    double full = 0;    // cycles of a full SM for each instruction that it issues
    for (const SmResult& r : l.result.timed->results) {
        double took = 0, work = 0;
        for (const TimedBlock& b : r.blocks) {
            took += double(b.end - b.start);
            work += double(issued[b.index]);
        }
        slowest = std::max(slowest, work > 0 ? took / work : 0);
        full = std::max(full, r.fullIssued > 0 ? double(r.fullCycles) / double(r.fullIssued) : 0);
    }
    double all = 0, work = 0;
    for (std::size_t b = 0; b < cycles.size(); ++b) {
        all += std::max(double(cycles[b]), slowest * double(issued[b]));
        work += double(issued[b]);
    }
    const double byPlaces = (all + double(pause) * (double(cycles.size()) - places)) / places,
                 bySms = full * work / std::min(double(cycles.size()), double(smCount));
    return std::max(byPlaces, bySms) * nsPerCycle;
}

} // namespace

Trace writeTrace(const TraceInput& in) {
    Trace trace;
    TraceInfo& info = trace.info;
    info.backend = BackendKind::Emulator;
    info.deviceName = in.device->name;
    info.ccMajor = in.device->ccMajor;
    info.ccMinor = in.device->ccMinor;
    info.smCount = in.device->smCount;
    info.smClockMHz = in.options->timing ? in.clockMHz : in.device->smClockMHz;
    info.memoryClockMHz = in.device->memoryClockMHz;
    info.program = "warpglass " WARPGLASS_VERSION;
    info.mode = in.plan->mode;
    Clock clock;
    clock.timed = in.options->timing;
    clock.nsPerCycle = clock.timed ? 1000 / in.clockMHz : 1;
    DeviceTiming timing = timingOf(*in.device);
    if (in.options->warmL2)
        timing.launchNs = timing.warmLaunchNs;
    timing = without(timing, in.options->without);
    if (clock.timed)
        clock.overhead = std::int64_t(timing.launchNs * 0.7 / clock.nsPerCycle);
    info.timing = clock.timed;
    info.timeUnit = clock.timed ? TimeUnit::Nanoseconds : TimeUnit::Steps;
    info.timeOrigin = clock.timed ? Origin::Modelled : Origin::Counted;
    info.recordedPaths = true;
    info.recordedAccesses = in.options->detail.accesses;
    // No date: an emulated run is a function of its inputs, and so is its file, byte for byte.
    info.size = in.plan->size;
    info.command = in.options->command;
    trace.asked = in.options->asked;
    if (in.plan->kept)
        trace.kept = *in.plan->kept;

    std::vector<SitesOfKernel> sites;
    for (std::size_t k = 0; k < in.programs.size(); ++k) {
        trace.kernels.push_back(kernelRow(in, *in.programs[k], k == 0));
        sites.emplace_back(*in.module, *in.programs[k], std::uint32_t(trace.sites.size()));
        trace.sites.insert(trace.sites.end(), in.programs[k]->sites.begin(), in.programs[k]->sites.end());
    }
    std::vector<PlacementLaunch> placed = placements(in);
    std::vector<std::vector<std::int64_t>> cycles(in.launches->size());
    LaunchCost cost;
    if (clock.timed) {
        const std::map<std::uint32_t, double> each = cyclesPerInstruction(*in.launches);
        for (std::size_t n = 0; n < cycles.size(); ++n)
            if ((*in.launches)[n].ran) {
                cycles[n] = durations((*in.launches)[n], each);
                placed[n].steps = &cycles[n];
                if ((*in.launches)[n].result.timed)
                    placed[n].pause = std::int64_t((*in.launches)[n].result.timed->pause);
            }
        cost = {std::int64_t(timing.deviceLaunchLatencyNs / clock.nsPerCycle),
                std::int64_t(timing.deviceLaunchNs / clock.nsPerCycle), timing.blockInterval};
    }
    place(placed, without(in.device->limits(), in.options->without), in.device->smCount, cost);

    for (std::size_t n = 0; clock.timed && n < placed.size(); ++n) // atomics that nobody waited for
        if (const auto& timed = (*in.launches)[n].result.timed)
            for (const SmResult& r : timed->results)
                placed[n].end = std::max(placed[n].end, placed[n].start + r.cycles);

    for (std::uint32_t n = 0; n < in.launches->size(); ++n) {
        LaunchRecord& l = (*in.launches)[n];
        Launch row;
        row.kernel = l.kernel;
        row.grid = l.grid;
        row.block = l.block;
        row.sharedBytes = l.dynamicShared;
        row.stream = l.origin.stream;
        row.depth = l.depth;
        row.parentLaunch = l.origin.parentLaunch;
        if (row.parentLaunch != noIndex) {
            row.parentBlock = l.origin.parentBlock;
            row.parentThread = l.origin.parentThread;
            const LaunchRecord& parent = (*in.launches)[row.parentLaunch];
            if (l.origin.site != noIndex)
                row.site = sites[parent.kernel].of(l.origin.site);
        }
        row.firstBlock = std::uint32_t(trace.blocks.size());
        if (!l.ran) {
            row.status = LaunchStatus::Dropped;
            row.reason = l.reason;
            const std::int64_t at = row.parentLaunch == noIndex ? 0 : clock.at(placed[row.parentLaunch].start);
            row.start = row.end = {at};
            trace.launches.push_back(row);
            continue;
        }
        const std::vector<std::int64_t>& lengths = *placed[n].steps;
        row.start = {clock.timed && n == 0 ? 0 : clock.at(placed[n].start)};
        row.end = {clock.at(placed[n].end)};
        if (clock.timed && n == 0)
            row.end.value += std::int64_t(timing.launchNs * 0.3);
        row.blockCount = std::uint32_t(l.result.steps.size());
        std::size_t chosen = 0;
        for (std::size_t b = 0; b < l.result.steps.size(); ++b) {
            Block block;
            block.launch = n;
            block.index = std::uint32_t(b);
            block.start = {clock.at(placed[n].blocks[b].start)};
            block.end = {clock.at(placed[n].blocks[b].start + lengths[b])};
            // What never ran takes no time, and what did, some: that tells them apart.
            block.end = l.result.steps[b] > 0 ? std::max(block.end, block.start + Time{1}) : block.start;
            block.sm = std::uint16_t(placed[n].blocks[b].sm);
            if (chosen < l.chosen.size() && l.chosen[chosen] == b) {
                if (!l.result.recorded[chosen].warps.empty())
                    addBlockDetail(trace, block, std::uint32_t(trace.blocks.size()), placed[n].blocks[b],
                                   l.result.recorded[chosen], sites[l.kernel], in.options->maxEvents, clock, timing,
                                   stateBase(clock, l, placed[n].blocks[b], b));
                addAsync(trace, block, std::uint32_t(trace.blocks.size()), placed[n].blocks[b],
                         l.result.recorded[chosen], *l.program, sites[l.kernel].of(0), clock);
                ++chosen;
            }
            trace.blocks.push_back(block);
        }
        addCounts(trace, n, l);
        if (Kernel& kernel = trace.kernels[l.kernel]; kernel.registers == 0 && l.registers != 0) {
            kernel.registers = l.registers;
            trace.counters.push_back(
                {n, estimatedRegisters, "launch__registers_per_thread", double(l.registers), "1", Origin::Modelled});
        }
        if (l.result.timed) {
            double duration = double((row.end - row.start).value);
            if (in.options->without.has(Limit::Tail)) {
                const double around = n == 0 ? double(clock.overhead) * clock.nsPerCycle + timing.launchNs * 0.3 : 0;
                duration = std::min(
                    duration, around + evenlySpread(l, lengths, placed[n].pause, in.device->smCount, clock.nsPerCycle));
            }
            addTiming(trace, n, l, *in.options, *in.device, timing, duration);
        }
        trace.output += l.result.output;
        mergeDiagnostics(trace.diagnostics, std::move(l.result.diagnostics));
        trace.launches.push_back(std::move(row));
    }
    if (clock.timed && in.launches->size() > 1) { // with all that it launched, tails too
        std::int64_t end = trace.launches[0].end.value;
        for (const Launch& l : trace.launches)
            end = std::max(end, l.end.value);
        trace.timings[0].durationNs = double(end - trace.launches[0].start.value);
        trace.counters.push_back(
            {0, "duration_ns", "gpu__time_duration.sum", trace.timings[0].durationNs, "ns", Origin::Modelled});
    }
    return trace;
}

} // namespace warpglass::emulator
