// SPDX-License-Identifier: GPL-3.0-or-later
// Records -> Trace. Pure: bytes copied from the buffers in, tables out; the same for the GPU and for the emulator's
// proof.
#pragma once

#include "gpu/probe/probe.h"
#include "gpu/trace/trace.h"

#include <span>

namespace warpglass::probe {

// The buffers after the run, as they lie in memory. Records may be shorter than planned (only what was copied back).
struct RawRecords {
    std::span<const std::byte> buffer[ProbeMemory::Count_];
};

// When %clock64 of an SM said what at which %globaltimer (ns).
struct ClockPair {
    std::uint32_t sm = 0;
    std::uint64_t clock = 0, timer = 0;
};

// PTX of a tiny kernel, entry `wgp_clocks(.param .u64 rows)`: thread 0 of each block writes {u64 clock, u64 timer, u32
// smid, u32 0}, 24 bytes at rows + 24 x block. Launched on all SMs (a few one-warp blocks each) before and after the
// instrumented run, it gives every SM two pairs, also those on which no chosen block ran.
std::string clockKernel();
std::vector<ClockPair> readClockRows(std::span<const std::byte> rows); // rows that were not written are left out

struct RecordOptions {
    // GPU: times are nanoseconds, SM clocks are aligned with the (clock64, globaltimer) pairs of all warps; t = 0 is
    // the first start. Emulator: clocks are one axis already, times are clocks.
    bool alignClocks = true;
    std::vector<ClockPair> pairs; // of clockKernel(), beside those of the probed warps
    double smClockMHz = 0;        // where a single pair gives no slope; 0: 1000
    std::uint32_t sharedBase = 0; // address of the first byte of shared memory that a kernel has
    bool unfinished = false;      // the kernel still runs: of a stream that is full, what was written last counts, too
    TraceInfo info; // copied into the trace; timeUnit, clockResidual and recordedAccesses are set by the decoder
};

// Makes launches, blocks, warps, events, accesses, copies, what happened to mbarriers, losses, sites, kernels (name, entry, source, PTX, lines) and
// smClocks. Counters, registers and durations of the clean run are for the caller to add. Children's launches are in
// the order in which parents made them; blocks without a row (no room) have the launch's time and warpCount 0.
Result<Trace> readRecords(const ptx::Module& clean, const ProbedModule& module, const ProbeMemory& memory,
                          const LaunchPlan& plan, const RawRecords& raw, const RecordOptions& options);

// What each lane of each chosen warp of the host's launch would have needed: for MemoryBudget::needed of a second run.
std::vector<std::uint32_t> neededRecords(const ProbeMemory& memory, const RawRecords& raw);

// One line through pairs of one SM: clock = offset + cyclesPerNs * (timer - timerZero), least squares about the middle.
// A single pair, or pairs less than 10 us apart, take the slope given. residualNs = largest distance of a pair from the
// line.
SmClock alignClock(std::uint32_t sm, std::span<const ClockPair> pairs, std::uint64_t timerZero,
                   double cyclesPerNsIfUnknown);

} // namespace warpglass::probe
