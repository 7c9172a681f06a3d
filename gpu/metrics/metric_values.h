// SPDX-License-Identifier: GPL-3.0-or-later
// How a metric's value is worked out of what a trace holds about one launch: exact counts of its instructions, the
// residency of its blocks, the states of its warps, its start and end. A number that would be 0/0 is left out with a
// sentence that says why: a branch efficiency of a kernel without branches is not 100 %, and not 0 % either.
//
// The functions are those that the rows of metric_table.cpp name; nothing else calls them.
#pragma once

#include "gpu/metrics/metrics.h"

namespace warpglass {

inline constexpr double bytesPerSector = 32;

// The counts of all instructions of a launch, summed.
struct LaunchTotals {
    bool any = false; // were counts recorded at all?
    std::uint64_t executions = 0, lanes = 0;
    std::uint64_t branches = 0, conditional = 0, divergent = 0;
    struct Global {
        std::uint64_t requests = 0, sectors = 0, bytes = 0; // bytes: distinct ones, a request
    } load, store;                                          // atomics are neither
    std::uint64_t conflicts = 0;                            // passes through the banks beyond the ideal ones
};
LaunchTotals totalsOf(std::span<const InstructionCount> counts);

struct MetricInput {
    const Trace& trace;
    std::uint32_t row = 0; // of the launch table
    LaunchTotals totals;

    const Launch& launch() const { return trace.launches[row]; }
};

MetricValue undefined(std::string why, Origin origin = Origin::Counted);
// A sum of counts; undefined where none were recorded.
MetricValue counted(const MetricInput& in, std::uint64_t sum);
// 100 * part / whole of counts; undefined, for the reason given, where whole is 0.
MetricValue percent(const MetricInput& in, double part, double whole, const char* why);

MetricValue branchEfficiency(const MetricInput& in);
MetricValue instructionsPerWarp(const MetricInput& in);
MetricValue achievedOccupancy(const MetricInput& in);
MetricValue theoreticalOccupancy(const MetricInput& in);
MetricValue throughput(const MetricInput& in, std::uint64_t sectors);
MetricValue barrierStall(const MetricInput& in);
MetricValue duration(const MetricInput& in);

} // namespace warpglass
