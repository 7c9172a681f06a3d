// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/timing_rows.h"
#include "gpu/emulator/timing/timed_grid.h"

#include <algorithm>

namespace warpglass::emulator {

void addTiming(Trace& trace, std::uint32_t launch, const LaunchRecord& record, const EmulatorOptions& options,
               const DeviceSpec& device, const DeviceTiming& timing, double durationNs) {
    const TimedGrid& timed = *record.result.timed;
    TimingRow row;
    row.launch = launch;
    row.policy = name(options.policy);
    row.timedSms = std::uint32_t(timed.sms.size());
    row.overheadNs = launch == 0 ? timing.launchNs : 0;
    row.durationNs = durationNs;
    std::array<std::uint64_t, std::size_t(WarpState::Count_)> states{};
    std::uint64_t resident = 0, slots = 0, cycles = 0;
    MemoryTotals memory;
    for (const SmResult& r : timed.results) {
        row.timedBlocks += std::uint64_t(
            std::count_if(r.blocks.begin(), r.blocks.end(), [](const TimedBlock& b) { return b.complete; }));
        row.timedInstructions += r.issued;
        row.timedCycles = std::max(row.timedCycles, std::uint64_t(r.cycles));
        for (std::size_t s = 0; s < states.size(); ++s)
            states[s] += r.stateCycles[s];
        resident += r.residentCycles;
        slots += r.slotsIssued;
        cycles += std::uint64_t(r.cycles);
        memory.l1Sectors += r.memory.l1Sectors;
        memory.l1Hits += r.memory.l1Hits;
        memory.dramSectors += r.memory.dramSectors;
    }
    trace.timings.push_back(row);

    const auto counter = [&](const char* metric, const char* nsight, double value, const char* unit) {
        trace.counters.push_back({launch, metric, nsight, value, unit, Origin::Modelled});
    };
    for (const Limit limit : allOf<Limit>) // so that nobody takes the trace for the device's
        if (options.without.has(limit))
            counter(("without_" + std::string(name(limit))).c_str(), "", 1, "");
    if (resident > 0) {
        counter("stall_sync", "smsp__warp_issue_stalled_barrier_per_warp_active.pct",
                100.0 * double(states[std::size_t(WarpState::StallBarrier)]) / double(resident), "%");
        for (std::size_t s = 0; s < states.size(); ++s)
            if (s != std::size_t(WarpState::StallBarrier))
                counter(("share_" + std::string(name(WarpState(s)))).c_str(), "",
                        100.0 * double(states[s]) / double(resident), "%");
    }
    if (cycles > 0) {
        counter("achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active",
                100.0 * double(resident) / (double(cycles) * device.limits().warpsPerSm), "%");
        counter("issue_slot_utilization", "smsp__issue_active.avg.pct_of_peak_sustained_active",
                100.0 * double(slots) / (double(cycles) * timing.schedulers), "%");
    }
    if (memory.l1Sectors > 0) {
        counter("l1_hit_rate", "l1tex__t_sector_hit_rate.pct", 100.0 * double(memory.l1Hits) / double(memory.l1Sectors),
                "%");
        std::uint64_t sectors = 0; // of the whole launch
        for (const InstructionCount& c : trace.countsOf(launch))
            if (c.isMemory && c.space == MemorySpace::Global && c.access == AccessKind::Load)
                sectors += c.sectors;
        const double bytes = 32.0 * double(sectors) * double(memory.dramSectors) / double(memory.l1Sectors);
        if (durationNs > 0)
            counter("dram_read_throughput", "dram__bytes_read.sum.per_second", bytes / durationNs * 1e9, "B/s");
    }
}

} // namespace warpglass::emulator
