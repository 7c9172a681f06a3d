// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of each table are called, told once. The file, the comparison of two traces and the exports all walk
// the same description, so that none of them can forget a column the others have.
//
// describe(v, row) calls v(name, field, unit) for each column. unit is "" for a plain number, "t" for a moment on the
// trace's time axis (whose unit and origin are in TraceInfo), else the unit itself. Lists inside a row (a kernel's
// files and lines, a site's places, a hang's waits) are tables of their own: flatten() takes them out, unflatten() puts them back.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/trace.h"

#include <concepts>
#include <type_traits>

namespace warpglass {

struct KernelFileRow {
    std::uint32_t kernel = 0;
    std::string path;
};
struct KernelLineRow {
    std::uint32_t kernel = 0;
    LineLink link;
};
struct SitePlaceRow {
    std::uint32_t site = 0;
    SourcePlace place;
};
struct HangWaitRow {
    std::uint32_t diagnostic = 0;
    HangWait wait;
};
struct HangEdgeRow { // the wait, and one that would have to go on first, by their places among the diagnostic's
    std::uint32_t diagnostic = 0, wait = 0, on = 0;
};
struct OutputRow {
    std::string text;
};
// Where a file from format 11 on has a kernel's texts: rows of its table `texts`, which has each once.
struct KernelTextsRow {
    std::uint32_t source = 0, ptx = 0, ttgir = 0;
};

// The parts of a Trace that are not already a vector of flat rows.
struct FlatRows {
    std::vector<TraceInfo> info; // one row
    std::vector<KernelFileRow> kernelFiles;
    std::vector<KernelLineRow> kernelLines;
    std::vector<SitePlaceRow> sitePlaces;
    std::vector<HangWaitRow> hangWaits;
    std::vector<HangEdgeRow> hangEdges;
    std::vector<OutputRow> output; // in pieces of at most outputPiece
};
FlatRows flatten(const Trace& trace);
// An Error if a row names a kernel or site that does not exist.
Result<void> unflatten(FlatRows rows, Trace& trace);

// Row or const Row.
template <typename R, typename Row>
concept RowOf = std::same_as<std::remove_const_t<R>, Row>;

// What is said, in two columns: its English text, and its identifier and arguments.
template <typename V, RowOf<Said> S>
void describeSaid(V&& v, const char* text, const char* code, S& said) {
    std::conditional_t<std::is_const_v<S>, const std::string&, std::string> english = said;
    std::string typed = said.code();
    v(text, english, "");
    v(code, typed, "");
    if constexpr (!std::is_const_v<S>)
        said = Said::of(std::move(english), typed);
}

template <typename V, RowOf<TraceInfo> R>
void describe(V&& v, R& r) {
    v("backend", r.backend, "");
    v("device", r.deviceName, "");
    v("cc_major", r.ccMajor, "");
    v("cc_minor", r.ccMinor, "");
    v("sm_count", r.smCount, "");
    v("sm_clock", r.smClockMHz, "MHz");
    v("memory_clock", r.memoryClockMHz, "MHz");
    v("driver", r.driver, "");
    v("program", r.program, "");
    v("mode", r.mode, "");
    v("time_unit", r.timeUnit, "");
    v("time_origin", r.timeOrigin, "");
    v("clock_step", r.clockStep, "t");
    v("clock_residual", r.clockResidual, "t");
    v("recorded_paths", r.recordedPaths, "");
    v("recorded_accesses", r.recordedAccesses, "");
    v("timing", r.timing, "");
    v("recorded_at", r.when, "");
    v("command", r.command, "");
    v("size", r.size, "");
}

template <typename V, RowOf<AskedWord> R>
void describe(V&& v, R& r) {
    v("option", r.option, "");
    v("value", r.value, "");
}

template <typename V, RowOf<KeptArea> R>
void describe(V&& v, R& r) {
    v("role", r.role, "");
    v("address", r.address, "");
    v("bytes", r.bytes, "B");
    v("name", r.name, "");
}

template <typename V, RowOf<MachineCode> R>
void describe(V&& v, R& r) {
    v("arch", r.arch, "");
    v("compiler", r.compiler, "");
    v("bytes", r.bytes, "B");
}

template <typename V, RowOf<Kernel> R>
void describe(V&& v, R& r) {
    v("name", r.name, "");
    v("entry", r.entry, "");
    v("source_name", r.sourceName, "");
    v("source", r.source, "");
    v("ptx", r.ptx, "");
    v("ttgir", r.ttgir, "");
    v("registers", r.registers, "");
    v("shared_bytes", r.sharedBytes, "B");
    v("local_bytes", r.localBytes, "B");
    v("clean_branches", r.cleanBranches, "");
    v("probed_branches", r.probedBranches, "");
    v("probed_registers", r.probedRegisters, "");
    v("clean_instructions", r.cleanInstructions, "");
    v("probed_instructions", r.probedInstructions, "");
    v("clean_duration", r.cleanDurationNs, "ns");
    v("probed_duration", r.probedDurationNs, "ns");
    v("ptx_branches", r.ptxBranches, "");
    v("ptx_selects", r.ptxSelects, "");
}

template <typename V, RowOf<KernelFileRow> R>
void describe(V&& v, R& r) {
    v("kernel", r.kernel, "");
    v("path", r.path, "");
}

template <typename V, RowOf<KernelLineRow> R>
void describe(V&& v, R& r) {
    v("kernel", r.kernel, "");
    v("ptx_line", r.link.ptxLine, "");
    v("file", r.link.source.file, "");
    v("line", r.link.source.line, "");
    v("source_column", r.link.source.column, "");
    v("call_line", r.link.callLine, "");
}

template <typename V, RowOf<Site> R>
void describe(V&& v, R& r) {
    v("kernel", r.kernel, "");
    v("kind", r.kind, "");
    v("ptx_line", r.ptxLine, "");
    v("instruction", r.text, "");
}

template <typename V, RowOf<SitePlaceRow> R>
void describe(V&& v, R& r) {
    v("site", r.site, "");
    v("file", r.place.file, "");
    v("line", r.place.line, "");
    v("source_column", r.place.column, "");
}

template <typename V, RowOf<Launch> R>
void describe(V&& v, R& r) {
    v("kernel", r.kernel, "");
    v("grid_x", r.grid.x, "");
    v("grid_y", r.grid.y, "");
    v("grid_z", r.grid.z, "");
    v("block_x", r.block.x, "");
    v("block_y", r.block.y, "");
    v("block_z", r.block.z, "");
    v("dynamic_shared", r.sharedBytes, "B");
    v("start", r.start, "t");
    v("end", r.end, "t");
    v("parent_launch", r.parentLaunch, "");
    v("parent_block", r.parentBlock, "");
    v("parent_thread", r.parentThread, "");
    v("site", r.site, "");
    v("stream", r.stream, "");
    v("depth", r.depth, "");
    v("status", r.status, "");
    describeSaid(v, "reason", "reason_said", r.reason);
    v("first_block", r.firstBlock, "");
    v("blocks", r.blockCount, "");
}

template <typename V, RowOf<Block> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("index", r.index, "");
    v("start", r.start, "t");
    v("end", r.end, "t");
    v("first_warp", r.firstWarp, "");
    v("warps", r.warpCount, "");
    v("sm", r.sm, "");
}

template <typename V, RowOf<Warp> R>
void describe(V&& v, R& r) {
    v("block", r.block, "");
    v("warp_in_block", r.warpInBlock, "");
    v("slot", r.slot, "");
    v("scheduler", r.scheduler, "");
    v("live_lanes", r.liveLanes, "");
    v("start", r.start, "t");
    v("end", r.end, "t");
    v("first_event", r.firstEvent, "");
    v("events", r.eventCount, "");
    v("first_state", r.firstState, "");
    v("states", r.stateCount, "");
}

template <typename V, RowOf<Event> R>
void describe(V&& v, R& r) {
    v("time", r.time, "t");
    v("site", r.site, "");
    v("kind", r.kind, "");
    v("active", r.active, "");
    v("taken", r.taken, "");
}

template <typename V, RowOf<StateRow> R>
void describe(V&& v, R& r) {
    v("begin", r.begin, "cycles");
    v("end", r.end, "cycles");
    v("state", r.state, "");
    v("ptx_line", r.ptxLine, "");
}

template <typename V, RowOf<TimingRow> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("policy", r.policy, "");
    v("timed_sms", r.timedSms, "");
    v("timed_blocks", r.timedBlocks, "");
    v("timed_instructions", r.timedInstructions, "");
    v("timed_cycles", r.timedCycles, "cycles");
    v("overhead", r.overheadNs, "ns");
    v("duration", r.durationNs, "ns");
}

template <typename V, RowOf<AccessRow> R>
void describe(V&& v, R& r) {
    v("event", r.event, "");
    v("space", r.space, "");
    v("kind", r.kind, "");
    v("bytes_per_element", r.bytesPerElement, "B");
    v("elements", r.elements, "");
    v("shuffle", r.shuffle, "");
    v("is_float", r.isFloat, "");
    v("first_lane", r.firstLane, "");
    v("first_value", r.firstValue, "");
}

template <typename V, RowOf<InstructionCount> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("ptx_line", r.ptxLine, "");
    v("executions", r.executions, "");
    v("lanes", r.lanes, "");
    v("is_branch", r.isBranch, "");
    v("is_conditional", r.isConditional, "");
    v("divergent", r.divergent, "");
    v("taken_lanes", r.takenLanes, "");
    v("is_memory", r.isMemory, "");
    v("space", r.space, "");
    v("access", r.access, "");
    v("requests", r.requests, "");
    v("bytes_distinct", r.bytesDistinct, "B");
    v("bytes_requested", r.bytesRequested, "B");
    v("sectors", r.sectors, "");
    v("cache_lines", r.lines, "");
    v("passes", r.passes, "");
    v("ideal_passes", r.idealPasses, "");
    v("caller_line", r.callerLine, "");
    v("turns", r.turns, "");
}

template <typename V, RowOf<Sample> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("site", r.site, "");
    v("sass_offset", r.sassOffset, "B");
    v("stall", r.stall, "");
    v("count", r.count, "");
}

template <typename V, RowOf<MachineCount> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("site", r.site, "");
    v("sass_offset", r.sassOffset, "B");
    v("executions", r.executions, "");
    v("lanes", r.lanes, "");
}

template <typename V, RowOf<Counter> R>
void describe(V&& v, R& r) {
    v("launch", r.launch, "");
    v("metric", r.metric, "");
    v("nsight", r.nsight, "");
    v("value", r.value, "");
    v("unit", r.unit, "");
    v("origin", r.origin, "");
}

template <typename V, RowOf<Loss> R>
void describe(V&& v, R& r) {
    v("warp", r.warp, "");
    v("events", r.events, "");
}

template <typename V, RowOf<Diagnostic> R>
void describe(V&& v, R& r) {
    v("kind", r.kind, "");
    v("fatal", r.fatal, "");
    describeSaid(v, "message", "message_said", r.message);
    v("launch", r.launch, "");
    v("block", r.block, "");
    v("thread", r.thread, "");
    v("ptx_line", r.ptxLine, "");
    v("file", r.source.file, "");
    v("line", r.source.line, "");
    v("source_column", r.source.column, "");
    v("address", r.address, "");
    v("count", r.count, "");
}

template <typename V, RowOf<HangWaitRow> R>
void describe(V&& v, R& r) {
    v("diagnostic", r.diagnostic, "");
    v("kind", r.wait.kind, "");
    v("root", r.wait.isRoot, "");
    v("block", r.wait.block, "");
    v("blocks", r.wait.blocks, "");
    v("lanes", r.wait.lanes, "");
    v("warps", r.wait.warps, "");
    v("ptx_line", r.wait.ptxLine, "");
    v("file", r.wait.source.file, "");
    v("line", r.wait.source.line, "");
    v("source_column", r.wait.source.column, "");
    v("space", r.wait.space, "");
    v("address", r.wait.address, "");
    v("phase", r.wait.phase, "");
    v("arrivals_missing", r.wait.arrivalsMissing, "");
    v("arrivals_expected", r.wait.arrivalsExpected, "");
    v("bytes_missing", r.wait.bytesMissing, "B");
    describeSaid(v, "waits_for", "waits_for_said", r.wait.what);
    describeSaid(v, "why", "why_said", r.wait.why);
}

template <typename V, RowOf<HangEdgeRow> R>
void describe(V&& v, R& r) {
    v("diagnostic", r.diagnostic, "");
    v("wait", r.wait, "");
    v("waits_on", r.on, "");
}

template <typename V, RowOf<SmClock> R>
void describe(V&& v, R& r) {
    v("sm", r.sm, "");
    v("cycles_per_ns", r.cyclesPerNs, "cycles/ns");
    v("clock_offset", r.offset, "cycles");
    v("residual", r.residualNs, "ns");
}

template <typename V, RowOf<AsyncCopy> R>
void describe(V&& v, R& r) {
    v("warp", r.warp, "");
    v("site", r.site, "");
    v("kind", r.kind, "");
    v("lanes", r.lanes, "");
    v("issued", r.issued, "t");
    v("complete", r.complete, "t");
    v("bytes", r.bytes, "B");
    v("from_space", r.from, "");
    v("to_space", r.to, "");
    v("barrier", r.barrier, "");
    v("place", r.place, "B");
}

template <typename V, RowOf<PhaseEvent> R>
void describe(V&& v, R& r) {
    v("block", r.block, "");
    v("warp", r.warp, "");
    v("site", r.site, "");
    v("time", r.time, "t");
    v("kind", r.kind, "");
    v("barrier", r.barrier, "");
    v("phase", r.phase, "");
    v("count", r.count, "");
    v("missing", r.missing, "");
    v("lanes", r.lanes, "");
}

template <typename V, RowOf<OutputRow> R>
void describe(V&& v, R& r) {
    v("text", r.text, "");
}

template <typename V, RowOf<KernelTextsRow> R>
void describe(V&& v, R& r) {
    v("source", r.source, "");
    v("ptx", r.ptx, "");
    v("ttgir", r.ttgir, "");
}

// The tables that a file keeps as plain rows. table(name, rows) is called for each, in the order of the file.
template <typename T, typename F, typename V>
void forEachSmallTable(T& trace, F& flat, V&& table) {
    table("trace", flat.info);
    table("kernels", trace.kernels);
    table("kernel_files", flat.kernelFiles);
    table("kernel_lines", flat.kernelLines);
    table("sites", trace.sites);
    table("site_places", flat.sitePlaces);
    table("launches", trace.launches);
    table("counts", trace.counts);
    table("samples", trace.samples);
    table("counters", trace.counters);
    table("losses", trace.losses);
    table("diagnostics", trace.diagnostics);
    table("sm_clocks", trace.smClocks);
    table("timings", trace.timings);
    table("output", flat.output);
    table("async_copies", trace.copies);
    table("phase_events", trace.phaseEvents);
    table("asked", trace.asked);
    table("kept_areas", trace.kept.areas);
    table("hang_waits", flat.hangWaits);
    table("hang_edges", flat.hangEdges);
    table("machine_codes", trace.codes.all);
    table("machine_counts", trace.machineCounts);
}

} // namespace warpglass
