// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/trace: what every backend writes and every view reads.
//
// A Trace is a set of tables (tables.h) about one run: immutable once built, shared as const, two of them open at once
// is the normal case. Backends fill one in; views, metrics and exports read it; file.h stores it. Events are grouped by
// warp and in time order within the warp; a warp's row says which events are its own, so no event carries its warp. The
// large tables of a trace that was opened from a file are unpacked where they are read (pages.h); a reader sees nothing
// of that but the time it takes.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/event_table.h"
#include "gpu/trace/kept_memory.h"
#include "gpu/trace/pages.h"
#include "gpu/trace/tables.h"

#include <memory>
#include <span>

namespace warpglass {

struct Pyramid;

struct Trace {
    TraceInfo info;
    std::vector<AskedWord> asked; // how to launch it again; app/session/asked.h reads it
    KeptMemory kept;              // the same of a launch that a program made
    std::vector<Kernel> kernels;
    MachineCodes codes; // of them, where they were kept
    std::vector<Site> sites;
    std::vector<Launch> launches;   // [0] is the host's launch
    std::vector<Block> blocks;      // grouped by launch
    std::vector<Warp> warps;        // grouped by block
    EventTable events;              // grouped by warp
    LargeTable<StateRow> states;    // grouped by warp
    std::vector<TimingRow> timings; // one a launch that ran in time; empty without the timing model
    LargeTable<AccessRow> accesses; // ascending event
    LargeTable<std::uint64_t> accessAddresses;
    LargeTable<std::uint64_t> accessValues;
    std::vector<InstructionCount> counts; // grouped by launch, ascending ptxLine
    std::vector<Sample> samples;
    std::vector<MachineCount> machineCounts; // in code that the samples are of
    std::vector<Counter> counters;
    std::vector<Loss> losses;
    std::vector<Diagnostic> diagnostics;
    std::vector<SmClock> smClocks;
    std::vector<AsyncCopy> copies;          // grouped by warp, in the order of asking
    std::vector<PhaseEvent> phaseEvents;    // grouped by block, in time order
    std::string output;                     // what printf wrote, in launch and block order
    std::shared_ptr<const Pyramid> pyramid; // sums of events and states (pyramid.h), of a trace from a file; else null

    // Row access that cannot go wrong: indices are those of the tables above.
    const Launch& launchOf(const Block& b) const { return launches[b.launch]; }
    const Kernel& kernelOf(const Launch& l) const { return kernels[l.kernel]; }
    const Block& blockOf(const Warp& w) const { return blocks[w.block]; }
    Dim3 blockIndex(const Block& b) const { return launches[b.launch].grid.at(b.index); }
    std::span<const Block> blocksOf(const Launch& l) const { return {blocks.data() + l.firstBlock, l.blockCount}; }
    std::span<const Warp> warpsOf(const Block& b) const { return {warps.data() + b.firstWarp, b.warpCount}; }
    std::span<const StateRow> statesOf(const Warp& w) const { return states.rows(w.firstState, w.stateCount); }
    Event event(const Warp& w, std::uint32_t n) const {
        return events.get(w.firstEvent + n, w.start);
    }                                                                   // n < eventCount
    std::uint32_t warpOfEvent(std::uint64_t eventRow) const;            // row of the warp table; events is not empty
    const AccessRow* accessOfEvent(std::uint64_t eventRow) const;       // nullptr if none was recorded
    std::span<const std::uint64_t> addresses(const AccessRow& a) const; // one an active lane
    std::span<const std::uint64_t> values(const AccessRow& a) const;    // elements an active lane
    std::span<const InstructionCount> countsOf(std::uint32_t launch) const;
    std::uint64_t lostEvents() const; // of all warps
    TimeRange range() const;          // from the first start to the last end of the launches that ran; {0,0} if none

    // The n-th event of a warp at or before t, or -1: binary search.
    std::int64_t eventAt(const Warp& w, Time t) const;
    // Lanes on, and lanes that have exited, in a warp at time t; derived from Path, Branch and Exit events.
    struct LanesNow {
        LaneMask on;
        LaneMask exited;
        bool started = false;
        bool ended = false;
    };
    LanesNow lanesAt(const Warp& w, Time t) const;
};

using TracePtr = std::shared_ptr<const Trace>;

// The source line that a line of the kernel's PTX came from; nullptr if the compiler named none.
const LineLink* lineLinkOf(const Kernel& kernel, std::uint32_t ptxLine);
// Its line in the kernel's own source, the innermost of what was inlined, else LineLink::callLine; 0: there is none.
std::uint32_t sourceLineOf(const Kernel& kernel, std::uint32_t ptxLine);
// The same of a count, and of an event: else the line that called the function it stands in.
std::uint32_t sourceLineOf(const Kernel& kernel, const InstructionCount& count);
std::uint32_t sourceLineOf(const Kernel& kernel, const Site& site);
// Whether both are rows of one instruction, in other spaces or for other callers.
bool isPartOf(const InstructionCount& a, const InstructionCount& b);

// Checks that row ranges, indices and orders are as promised above; the first broken promise as an Error. Every file
// that is read and, in debug builds, every recording passes it.
Result<void> validate(const Trace& trace);
// The same without looking into events, states and accesses, which a trace from a file may not have unpacked yet.
Result<void> validateOutline(const Trace& trace);
} // namespace warpglass
