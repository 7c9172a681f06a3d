// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/trace.h"
#include "gpu/trace/values.h"

#include <fmt/format.h>

#include <utility>

namespace warpglass {

namespace {

Error broken(const char* table, std::size_t row, std::string what) {
    return {fmt::format("table {}, row {}: {}", table, row, what)};
}

bool within(std::uint64_t first, std::uint64_t count, std::uint64_t size) {
    return first <= size && count <= size - first;
}

template <typename Enum>
bool named(Enum value) {
    return std::string_view(name(value)) != "unknown";
}

Result<void> checkPlace(const Kernel& kernel, const SourcePlace& place, const char* table, std::size_t row) {
    if (place.line != 0 && place.file >= kernel.files.size())
        return broken(table, row, fmt::format("source file {} does not exist", place.file));
    return {};
}

Result<void> checkCode(const Trace& trace) {
    for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
        const Kernel& k = trace.kernels[i];
        std::uint32_t last = 0;
        for (const LineLink& link : k.lines) {
            if (link.ptxLine < last)
                return broken("kernels", i, "lines are not in ascending order");
            last = link.ptxLine;
            if (auto ok = checkPlace(k, link.source, "kernels", i); !ok)
                return ok;
        }
    }
    for (std::size_t i = 0; i < trace.sites.size(); ++i) {
        const Site& s = trace.sites[i];
        if (s.kernel >= trace.kernels.size())
            return broken("sites", i, fmt::format("kernel {} does not exist", s.kernel));
        if (!named(s.kind))
            return broken("sites", i, "its kind is unknown");
        for (const SourcePlace& place : s.where)
            if (auto ok = checkPlace(trace.kernels[s.kernel], place, "sites", i); !ok)
                return ok;
    }
    return {};
}

Result<void> checkLaunches(const Trace& trace) {
    std::uint64_t nextBlock = 0;
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const Launch& l = trace.launches[i];
        if (l.kernel >= trace.kernels.size())
            return broken("launches", i, fmt::format("kernel {} does not exist", l.kernel));
        if (!named(l.status) || !named(l.stream))
            return broken("launches", i, "its status or stream kind is unknown");
        if (l.parentLaunch != noIndex && l.parentLaunch >= trace.launches.size())
            return broken("launches", i, fmt::format("parent launch {} does not exist", l.parentLaunch));
        if (l.site != noIndex && l.site >= trace.sites.size())
            return broken("launches", i, fmt::format("site {} does not exist", l.site));
        if (l.end < l.start)
            return broken("launches", i, "it ends before it starts");
        if (!within(l.firstBlock, l.blockCount, trace.blocks.size()))
            return broken("launches", i, "its blocks reach beyond the block table");
        if (l.blockCount == 0)
            continue;
        if (l.firstBlock != nextBlock)
            return broken("launches", i, fmt::format("its blocks begin at {}, not at {}", l.firstBlock, nextBlock));
        nextBlock += l.blockCount;
    }
    if (nextBlock != trace.blocks.size())
        return broken("blocks", std::size_t(nextBlock), "it belongs to no launch");
    return {};
}

Result<void> checkBlocks(const Trace& trace) {
    std::uint64_t nextWarp = 0;
    for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
        const Block& b = trace.blocks[i];
        if (b.launch >= trace.launches.size())
            return broken("blocks", i, fmt::format("launch {} does not exist", b.launch));
        const Launch& l = trace.launches[b.launch];
        if (i < l.firstBlock || i - l.firstBlock >= l.blockCount)
            return broken("blocks", i, fmt::format("launch {} does not list it", b.launch));
        if (b.index >= l.grid.count())
            return broken("blocks", i, fmt::format("index {} is outside the grid", b.index));
        if (i > l.firstBlock && b.index <= trace.blocks[i - 1].index)
            return broken("blocks", i, "blocks are not in ascending order");
        if (b.end < b.start)
            return broken("blocks", i, "it ends before it starts");
        if (!within(b.firstWarp, b.warpCount, trace.warps.size()))
            return broken("blocks", i, "its warps reach beyond the warp table");
        if (b.warpCount == 0)
            continue;
        if (b.firstWarp != nextWarp)
            return broken("blocks", i, fmt::format("its warps begin at {}, not at {}", b.firstWarp, nextWarp));
        nextWarp += b.warpCount;
    }
    if (nextWarp != trace.warps.size())
        return broken("warps", std::size_t(nextWarp), "it belongs to no block");
    return {};
}

Result<void> checkEventsOf(const Trace& trace, const Warp& w) {
    Time before{};
    for (std::uint32_t n = 0; n < w.eventCount; ++n) {
        const std::uint64_t row = w.firstEvent + n;
        if (trace.events.site(row) >= trace.sites.size())
            return broken("events", row, fmt::format("site {} does not exist", trace.events.site(row)));
        if (!named(trace.events.kind(row)))
            return broken("events", row, "its kind is unknown");
        const Time at = trace.events.time(row, w.start);
        if (at < w.start || (n > 0 && at < before))
            return broken("events", row, "it is earlier than the event before it");
        if (!isSensible(at))
            return broken("events", row, "its time is beyond all times");
        before = at;
    }
    return {};
}

Result<void> checkWarps(const Trace& trace) {
    std::uint64_t nextEvent = 0, nextState = 0;
    for (std::size_t i = 0; i < trace.warps.size(); ++i) {
        const Warp& w = trace.warps[i];
        if (w.block >= trace.blocks.size())
            return broken("warps", i, fmt::format("block {} does not exist", w.block));
        const Block& b = trace.blocks[w.block];
        if (i < b.firstWarp || i - b.firstWarp >= b.warpCount)
            return broken("warps", i, fmt::format("block {} does not list it", w.block));
        if (w.end < w.start)
            return broken("warps", i, "it ends before it starts");
        // Warps without events have a place among the others too: warpOfEvent() searches by it.
        if (w.firstEvent != nextEvent)
            return broken("warps", i, fmt::format("its events begin at {}, not at {}", w.firstEvent, nextEvent));
        if (!within(w.firstEvent, w.eventCount, trace.events.size()))
            return broken("warps", i, "its events reach beyond the event table");
        nextEvent += w.eventCount;
        if (!within(w.firstState, w.stateCount, trace.states.size()))
            return broken("warps", i, "its states reach beyond the state table");
        if (w.stateCount == 0)
            continue;
        if (w.firstState != nextState)
            return broken("warps", i, fmt::format("its states begin at {}, not at {}", w.firstState, nextState));
        nextState += w.stateCount;
    }
    if (nextEvent != trace.events.size())
        return broken("events", std::size_t(nextEvent), "it belongs to no warp");
    if (nextState != trace.states.size())
        return broken("states", std::size_t(nextState), "it belongs to no warp");
    return {};
}

Result<void> checkStatesOf(const Trace& trace, const Warp& w) {
    for (std::uint32_t n = 0; n < w.stateCount; ++n) {
        const std::uint64_t row = w.firstState + n;
        const StateRow& s = trace.states[row];
        if (s.state >= WarpState::Count_)
            return broken("states", row, "its state is unknown");
        if (!isSensible(s.begin) || !isSensible(s.end))
            return broken("states", row, "its time is beyond all times");
        if (s.end < s.begin || (n > 0 && s.begin < trace.states[row - 1].end))
            return broken("states", row, "it overlaps the state before it");
    }
    return {};
}

Result<void> checkRecords(const Trace& trace) {
    for (const Warp& warp : trace.warps) {
        auto ok = checkEventsOf(trace, warp);
        if (ok)
            ok = checkStatesOf(trace, warp);
        if (!ok)
            return ok;
    }
    return {};
}

Result<void> checkAccesses(const Trace& trace) {
    for (std::size_t i = 0; i < trace.accesses.size(); ++i) {
        const AccessRow& a = trace.accesses[i];
        if (a.event >= trace.events.size())
            return broken("accesses", i, fmt::format("event {} does not exist", a.event));
        if (i > 0 && a.event <= trace.accesses[i - 1].event)
            return broken("accesses", i, "accesses are not in ascending order of their events");
        if (!named(a.space) || !named(a.kind))
            return broken("accesses", i, "its space or kind is unknown");
        const auto lanes = std::uint64_t(trace.events.active(a.event).count());
        if (!within(a.firstLane, lanes, trace.accessAddresses.size()))
            return broken("accesses", i, "its addresses reach beyond their table");
        if (!within(a.firstValue, lanes * a.elements, trace.accessValues.size()))
            return broken("accesses", i, "its values reach beyond their table");
    }
    return {};
}

Result<void> checkNumbers(const Trace& trace) {
    const std::size_t launches = trace.launches.size();
    for (std::size_t i = 0; i < trace.counts.size(); ++i) {
        const InstructionCount& c = trace.counts[i];
        if (c.launch >= launches)
            return broken("counts", i, fmt::format("launch {} does not exist", c.launch));
        if (!named(c.space) || !named(c.access))
            return broken("counts", i, "its space or access is unknown");
        if (i == 0)
            continue;
        const InstructionCount& before = trace.counts[i - 1];
        if (c.launch < before.launch || (c.launch == before.launch && c.ptxLine < before.ptxLine))
            return broken("counts", i, "counts are not in ascending order of launch and line");
    }
    const auto standsSomewhere = [&](const auto& rows, const char* table) -> Result<void> {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].launch >= launches)
                return broken(table, i, fmt::format("launch {} does not exist", rows[i].launch));
            if (rows[i].site != noIndex && rows[i].site >= trace.sites.size())
                return broken(table, i, fmt::format("site {} does not exist", rows[i].site));
        }
        return {};
    };
    if (auto ok = standsSomewhere(trace.samples, "samples"); !ok)
        return ok;
    if (auto ok = standsSomewhere(trace.machineCounts, "machine_counts"); !ok)
        return ok;
    for (std::size_t i = 0; i < trace.timings.size(); ++i)
        if (trace.timings[i].launch >= launches)
            return broken("timings", i, fmt::format("launch {} does not exist", trace.timings[i].launch));
    for (std::size_t i = 0; i < trace.counters.size(); ++i) {
        if (trace.counters[i].launch >= launches)
            return broken("counters", i, fmt::format("launch {} does not exist", trace.counters[i].launch));
        if (!named(trace.counters[i].origin))
            return broken("counters", i, "its origin is unknown");
    }
    for (std::size_t i = 0; i < trace.losses.size(); ++i)
        if (trace.losses[i].warp >= trace.warps.size())
            return broken("losses", i, fmt::format("warp {} does not exist", trace.losses[i].warp));
    for (std::size_t i = 0; i < trace.diagnostics.size(); ++i) {
        const Diagnostic& d = trace.diagnostics[i];
        if (!named(d.kind))
            return broken("diagnostics", i, "its kind is unknown");
        if (d.launch != noIndex && d.launch >= launches)
            return broken("diagnostics", i, fmt::format("launch {} does not exist", d.launch));
        for (const HangWait& w : d.waits)
            if (!named(w.kind) || !named(w.space))
                return broken("hang_waits", i, "its kind or space is unknown");
    }
    return {};
}

// Copies stand grouped by warp, what happened to mbarriers by block and in time order: views rely on it.
Result<void> checkAsync(const Trace& trace) {
    for (std::size_t i = 0; i < trace.copies.size(); ++i) {
        const AsyncCopy& c = trace.copies[i];
        if (c.warp >= trace.warps.size() || c.site >= trace.sites.size())
            return broken("async_copies", i, "its warp or site does not exist");
        if (!named(c.kind) || !named(c.from) || !named(c.to))
            return broken("async_copies", i, "its kind or a space is unknown");
        if (c.complete < c.issued)
            return broken("async_copies", i, "it is complete before it was asked for");
        if (i > 0 && c.warp < trace.copies[i - 1].warp)
            return broken("async_copies", i, "copies are not in the order of warps");
    }
    for (std::size_t i = 0; i < trace.phaseEvents.size(); ++i) {
        const PhaseEvent& e = trace.phaseEvents[i];
        if (e.block >= trace.blocks.size() || e.site >= trace.sites.size() ||
            (e.warp != noIndex && e.warp >= trace.warps.size()))
            return broken("phase_events", i, "its block, warp or site does not exist");
        if (!named(e.kind))
            return broken("phase_events", i, "its kind is unknown");
        if (i > 0 && (e.block < trace.phaseEvents[i - 1].block ||
                      (e.block == trace.phaseEvents[i - 1].block && e.time < trace.phaseEvents[i - 1].time)))
            return broken("phase_events", i, "events are not in the order of blocks and times");
    }
    return {};
}

// Pieces with an address stand in ascending order and apart from each other; parameters are there once at most.
Result<void> checkKept(const Trace& trace) {
    std::uint64_t words = 0, end = 0;
    bool parameters = false;
    for (std::size_t i = 0; i < trace.kept.areas.size(); ++i) {
        const KeptArea& area = trace.kept.areas[i];
        if (!named(area.role))
            return broken("kept_areas", i, "its role is unknown");
        if (area.words() > trace.kept.words.size() - words)
            return broken("kept_areas", i, "its bytes reach beyond the words that are kept");
        words += area.words();
        if (area.role == KeptRole::Parameters && std::exchange(parameters, true))
            return broken("kept_areas", i, "there are others");
        if (area.role == KeptRole::Constant || area.role == KeptRole::Parameters)
            continue;
        if (area.address < end || area.bytes > ~area.address)
            return broken("kept_areas", i, "it lies over the area before it");
        end = area.address + area.bytes;
    }
    if (words != trace.kept.words.size())
        return broken("kept_areas", trace.kept.areas.size(), "words are kept that belong to no area");
    return {};
}

Result<void> checkMachineCodes(const Trace& trace) {
    std::uint64_t left = trace.codes.bytes.size();
    for (std::size_t i = 0; i < trace.codes.all.size(); ++i) {
        if (trace.codes.all[i].bytes > left)
            return broken("machine_codes", i, "its bytes reach beyond those that are kept");
        left -= trace.codes.all[i].bytes;
    }
    if (left > 0)
        return broken("machine_codes", trace.codes.all.size(), "bytes are kept that belong to no code");
    return {};
}

Result<void> checkInfo(const Trace& trace) {
    const TraceInfo& info = trace.info;
    if (!named(info.backend) || !named(info.mode) || !named(info.timeUnit) || !named(info.timeOrigin))
        return broken("trace", 0, "its backend, mode, time unit or origin is unknown");
    return {};
}

} // namespace

Result<void> validateOutline(const Trace& trace) {
    for (const auto check : {checkInfo, checkCode, checkLaunches, checkBlocks, checkWarps, checkNumbers, checkAsync,
                             checkKept, checkMachineCodes, validateValues})
        if (auto ok = check(trace); !ok)
            return ok;
    return {};
}

Result<void> validate(const Trace& trace) {
    for (const auto check : {validateOutline, checkRecords, checkAccesses})
        if (auto ok = check(trace); !ok)
            return ok;
    return {};
}

} // namespace warpglass
