// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/cut.h"

#include "gpu/base/messages/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace warpglass {

namespace {

bool overlaps(Time begin, Time end, TimeRange range) {
    return begin < range.end && (end > range.begin || (begin == end && begin == range.begin));
}

Time clipped(Time time, TimeRange range) {
    return std::clamp(time, range.begin, range.end);
}

// Does this event say which lanes are on from here on? (Trace::lanesAt asks the same.)
bool isFlow(EventKind kind) {
    return kind != EventKind::Access && kind != EventKind::Shuffle && kind != EventKind::Launch &&
           kind != EventKind::Exit;
}

class Cutter {
public:
    Cutter(const Trace& trace, TimeRange range) : m_trace(trace), m_range(range) {}

    TracePtr cut() {
        m_out->info = m_trace.info;
        m_out->asked = m_trace.asked;
        m_out->kept = m_trace.kept;
        m_out->codes = m_trace.codes;
        m_out->kernels = m_trace.kernels;
        m_out->sites = m_trace.sites;
        m_out->smClocks = m_trace.smClocks;
        m_out->output = m_trace.output;
        for (const Loss& loss : m_trace.losses)
            m_lost[loss.warp] += loss.events;
        chooseLaunches();
        for (std::uint32_t l = 0; l < m_trace.launches.size(); ++l)
            if (m_launch[l] != noIndex)
                takeLaunch(l);
        takeAsync();
        takeNumbers();
        return m_out;
    }

private:
    // Launches of the part, and those above them: a child without its parent would come from nowhere.
    void chooseLaunches() {
        std::vector<bool> kept(m_trace.launches.size());
        for (std::uint32_t l = 0; l < kept.size(); ++l) {
            if (!overlaps(m_trace.launches[l].start, m_trace.launches[l].end, m_range))
                continue;
            for (std::uint32_t up = l; up != noIndex && !kept[up]; up = m_trace.launches[up].parentLaunch)
                kept[up] = true;
        }
        m_launch.assign(kept.size(), noIndex);
        std::uint32_t next = 0;
        for (std::uint32_t l = 0; l < kept.size(); ++l)
            if (kept[l])
                m_launch[l] = next++;
    }

    void takeLaunch(std::uint32_t row) {
        const Launch& from = m_trace.launches[row];
        Launch launch = from;
        launch.start = clipped(from.start, m_range);
        launch.end = clipped(from.end, m_range);
        if (from.parentLaunch != noIndex)
            launch.parentLaunch = m_launch[from.parentLaunch];
        launch.firstBlock = std::uint32_t(m_out->blocks.size());
        for (const Block& block : m_trace.blocksOf(from))
            if (overlaps(block.start, block.end, m_range))
                takeBlock(block, m_launch[row]);
        launch.blockCount = std::uint32_t(m_out->blocks.size()) - launch.firstBlock;
        m_out->launches.push_back(std::move(launch));
    }

    void takeBlock(const Block& from, std::uint32_t launch) {
        m_block[std::uint32_t(&from - m_trace.blocks.data())] = std::uint32_t(m_out->blocks.size());
        Block block = from;
        block.launch = launch;
        block.start = clipped(from.start, m_range);
        block.end = clipped(from.end, m_range);
        block.firstWarp = std::uint32_t(m_out->warps.size());
        for (std::uint32_t w = 0; w < from.warpCount; ++w)
            takeWarp(from.firstWarp + w, std::uint32_t(m_out->blocks.size()));
        m_out->blocks.push_back(block);
    }

    void takeWarp(std::uint32_t row, std::uint32_t block) {
        const Warp& from = m_trace.warps[row];
        const std::vector<std::uint32_t> kept = eventsOf(from);
        Warp warp = from;
        warp.block = block;
        if (!kept.empty()) {
            if (kept.front() != 0)
                warp.start = m_trace.event(from, kept.front()).time;
            if (kept.back() + 1 < from.eventCount) // where the last span ends
                warp.end = m_trace.event(from, kept.back() + 1).time;
        }
        warp.firstEvent = m_out->events.size();
        warp.eventCount = std::uint32_t(kept.size());
        for (const std::uint32_t n : kept)
            takeEvent(from.firstEvent + n, from.start, warp.start);
        m_warp[row] = std::uint32_t(m_out->warps.size());
        warp.firstState = m_out->states.size();
        for (const StateRow& state : m_trace.statesOf(from))
            if (overlaps(inTime(state.begin), inTime(state.end), m_range))
                m_out->states.push_back(state);
        warp.stateCount = std::uint32_t(m_out->states.size() - warp.firstState);
        if (const auto lost = m_lost.find(row); lost != m_lost.end())
            m_out->losses.push_back({std::uint32_t(m_out->warps.size()), lost->second});
        m_out->warps.push_back(warp);
    }

    // The warp's events to keep, ascending: the last exit before the part (it holds all lanes that had ended), what
    // follows the last word on which lanes are on, and the part itself.
    std::vector<std::uint32_t> eventsOf(const Warp& warp) const {
        std::vector<std::uint32_t> kept;
        const std::int64_t before = m_trace.eventAt(warp, m_range.begin - Time{1});
        std::int64_t first = std::max<std::int64_t>(0, before);
        while (first > 0 && !isFlow(m_trace.events.kind(warp.firstEvent + std::uint64_t(first))))
            --first;
        for (std::int64_t n = first - 1; n >= 0; --n)
            if (m_trace.events.kind(warp.firstEvent + std::uint64_t(n)) == EventKind::Exit) {
                kept.push_back(std::uint32_t(n));
                break;
            }
        const std::int64_t last = m_trace.eventAt(warp, m_range.end - Time{1});
        for (std::int64_t n = first; n <= last; ++n)
            kept.push_back(std::uint32_t(n));
        return kept;
    }

    void takeEvent(std::uint64_t row, Time base, Time newBase) {
        const Event event = m_trace.events.get(row, base);
        if (const AccessRow* from = m_trace.accessOfEvent(row)) {
            AccessRow access = *from;
            const auto addresses = m_trace.addresses(*from);
            const auto values = m_trace.values(*from);
            access.event = m_out->events.size();
            access.firstLane = m_out->accessAddresses.size();
            access.firstValue = m_out->accessValues.size();
            m_out->accessAddresses.append(addresses.begin(), addresses.end());
            m_out->accessValues.append(values.begin(), values.end());
            m_out->accesses.push_back(access);
        }
        m_out->events.push((event.time - newBase).value, event.site, event.kind, event.active, event.taken);
    }

    // State rows are in SM cycles, as the timeline reads them too.
    Time inTime(Time cycles) const {
        if (m_trace.info.timeUnit != TimeUnit::Nanoseconds || m_trace.info.smClockMHz <= 0)
            return cycles;
        return {std::int64_t(double(cycles.value) * 1000.0 / m_trace.info.smClockMHz)};
    }

    template <typename Row>
    void takeRows(const std::vector<Row>& from, std::vector<Row>& to) const {
        for (const Row& row : from) {
            if (row.launch != noIndex && m_launch[row.launch] == noIndex)
                continue;
            to.push_back(row);
            if (row.launch != noIndex)
                to.back().launch = m_launch[row.launch];
        }
    }

    // Of the warps and blocks that are kept, what touches the part; times stay as they are, as an event's do.
    void takeAsync() {
        for (const AsyncCopy& from : m_trace.copies)
            if (const auto warp = m_warp.find(from.warp);
                warp != m_warp.end() && from.issued < m_range.end && from.complete >= m_range.begin) {
                m_out->copies.push_back(from);
                m_out->copies.back().warp = warp->second;
            }
        for (const PhaseEvent& from : m_trace.phaseEvents)
            if (const auto block = m_block.find(from.block);
                block != m_block.end() && from.time >= m_range.begin && from.time < m_range.end) {
                PhaseEvent e = from;
                e.block = block->second;
                const auto warp = m_warp.find(from.warp);
                e.warp = warp == m_warp.end() ? noIndex : warp->second;
                m_out->phaseEvents.push_back(e);
            }
    }

    void takeNumbers() {
        takeRows(m_trace.counts, m_out->counts);
        takeRows(m_trace.samples, m_out->samples);
        takeRows(m_trace.machineCounts, m_out->machineCounts);
        takeRows(m_trace.counters, m_out->counters);
        takeRows(m_trace.timings, m_out->timings);
        takeRows(m_trace.diagnostics, m_out->diagnostics);
    }

    const Trace& m_trace;
    TimeRange m_range;
    std::shared_ptr<Trace> m_out = std::make_shared<Trace>();
    std::unordered_map<std::uint32_t, std::uint64_t> m_lost;          // events, by warp
    std::unordered_map<std::uint32_t, std::uint32_t> m_warp, m_block; // new row of each that is kept
    std::vector<std::uint32_t> m_launch; // new row of each launch, noIndex if it is left out
};

} // namespace

Result<TracePtr> cut(const Trace& trace, TimeRange range) {
    const TimeRange all = trace.range();
    if (range.end <= range.begin)
        return Error{.message = say::PartEmpty(range.begin.value, range.end.value), .remedy = say::EndAfterBegin};
    if (range.begin >= all.end || range.end <= all.begin)
        return Error{.message = say::NothingRan(range.begin.value, range.end.value),
                     .remedy = say::RunIsFrom(all.begin.value, all.end.value, name(trace.info.timeUnit))};
    TracePtr part = Cutter(trace, range).cut();
    if (auto ok = validate(*part); !ok)
        return ok.error();
    return part;
}

} // namespace warpglass
