// SPDX-License-Identifier: GPL-3.0-or-later
// Records -> Trace. Pure: bytes copied from the buffers in, tables out; the same for the GPU and for the emulator's proof.
#pragma once

#include "gpu/probe/probe.h"
#include "gpu/trace/trace.h"

#include <span>

namespace warpglass::probe {

// The buffers after the run, as they lie in memory. Records may be shorter than planned (only what was copied back).
struct RawRecords {
    std::span<const std::byte> buffer[ProbeMemory::Count_];
};

struct DecodeOptions {
    // GPU: times are nanoseconds, SM clocks are aligned with the (clock64, globaltimer) pairs of all warps; t = 0 is the
    // first start. Emulator: clocks are one axis already, times are clocks.
    bool alignClocks = true;
    double smClockMHz = 0; // where a single pair gives no slope; 0: 1000
    TraceInfo info;        // copied into the trace; timeUnit, clockResidual and recordedAccesses are set by the decoder
};

// Makes launches, blocks, warps, events, accesses, losses, sites, kernels (name, entry, source, PTX, lines) and smClocks.
// Counters, registers and durations of the clean run are for the caller to add. Children's launches are in the order in
// which parents made them; blocks without a row (no room) have the launch's time and warpCount 0.
Result<Trace> decode(const ptx::Module& clean, const ProbedModule& module, const ProbeMemory& memory,
                     const LaunchPlan& plan, const RawRecords& raw, const DecodeOptions& options);

// What each lane of each chosen warp of the host's launch would have needed: for MemoryBudget::needed of a second run.
std::vector<std::uint32_t> neededRecords(const ProbeMemory& memory, const RawRecords& raw);

// One line through (clock64, globaltimer) pairs of one SM: clock = offset + cyclesPerNs * ns, least squares about the middle,
// residual = largest distance of a pair, in ns.
struct ClockPair { std::uint64_t clock = 0, timer = 0; };
SmClock alignClock(std::uint32_t sm, std::span<const ClockPair> pairs, double cyclesPerNsIfUnknown);

} // namespace warpglass::probe
