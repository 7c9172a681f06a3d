// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/trace.h"

#include <algorithm>
#include <array>

namespace warpglass {

std::uint32_t Trace::warpOfEvent(std::uint64_t eventRow) const {
    // The last warp whose events begin at or before the row: warps without events share their neighbour's beginning and
    // come before it, so the last one is the one that has events.
    const auto after = std::upper_bound(warps.begin(), warps.end(), eventRow,
                                        [](std::uint64_t row, const Warp& w) { return row < w.firstEvent; });
    return after == warps.begin() ? 0 : std::uint32_t(after - warps.begin() - 1);
}

const AccessRow* Trace::accessOfEvent(std::uint64_t eventRow) const {
    const auto at = std::lower_bound(accesses.begin(), accesses.end(), eventRow,
                                     [](const AccessRow& a, std::uint64_t row) { return a.event < row; });
    return at != accesses.end() && at->event == eventRow ? &*at : nullptr;
}

namespace {

// A forged row of a file may point beyond its table; it reads zeros, as many as were asked for.
std::span<const std::uint64_t> within(const LargeTable<std::uint64_t>& table, std::uint64_t first, std::size_t count) {
    static constexpr std::array<std::uint64_t, lanesPerWarp * 255> zeros{};
    if (first > table.size() || count > table.size() - first)
        return std::span(zeros).first(count);
    return table.rows(first, count);
}

} // namespace

std::span<const std::uint64_t> Trace::addresses(const AccessRow& a) const {
    return within(accessAddresses, a.firstLane, std::size_t(events.active(a.event).count()));
}

std::span<const std::uint64_t> Trace::values(const AccessRow& a) const {
    return within(accessValues, a.firstValue, std::size_t(events.active(a.event).count()) * a.elements);
}

std::span<const InstructionCount> Trace::countsOf(std::uint32_t launch) const {
    struct ByLaunch {
        bool operator()(const InstructionCount& c, std::uint32_t l) const { return c.launch < l; }
        bool operator()(std::uint32_t l, const InstructionCount& c) const { return l < c.launch; }
    };
    const auto [first, last] = std::equal_range(counts.begin(), counts.end(), launch, ByLaunch{});
    return {counts.data() + (first - counts.begin()), std::size_t(last - first)};
}

std::uint64_t Trace::lostEvents() const {
    std::uint64_t lost = 0;
    for (const Loss& loss : losses)
        lost += loss.events;
    return lost;
}

TimeRange Trace::range() const {
    bool any = false;
    TimeRange all{};
    for (const Launch& l : launches) {
        if (l.status != LaunchStatus::Ran)
            continue;
        all.begin = any ? std::min(all.begin, l.start) : l.start;
        all.end = any ? std::max(all.end, l.end) : l.end;
        any = true;
    }
    return all;
}

std::int64_t Trace::eventAt(const Warp& w, Time t) const {
    // First event later than t.
    std::int64_t low = 0, high = w.eventCount;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (events.time(w.firstEvent + std::uint64_t(middle), w.start) <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

Trace::LanesNow Trace::lanesAt(const Warp& w, Time t) const {
    LanesNow now;
    const std::int64_t last = eventAt(w, t);
    if (last < 0)
        return now;
    now.started = true;

    // Which lanes are on was last said by an event of the warp's own flow. Accesses, shuffles and launches may be
    // guarded and name fewer lanes than are on, so they say nothing here. An exit takes its lanes away from those that
    // were on.
    LaneMask gone = LaneMask::none();
    bool exitSeen = false;
    for (std::int64_t n = last; n >= 0; --n) {
        const std::uint64_t row = w.firstEvent + std::uint64_t(n);
        const EventKind kind = events.kind(row);
        if (kind == EventKind::Access || kind == EventKind::Shuffle || kind == EventKind::Launch)
            continue;
        if (kind == EventKind::Exit) {
            if (!exitSeen)
                now.exited = events.taken(row); // cumulative
            exitSeen = true;
            gone = gone | events.active(row);
            continue;
        }
        now.on = events.active(row) & ~gone;
        break;
    }
    // Earlier exits: only needed when no exit was met on the way, and impossible while every lane is still on.
    if (!exitSeen && now.on != w.liveLanes) {
        for (std::int64_t n = last; n >= 0; --n) {
            const std::uint64_t row = w.firstEvent + std::uint64_t(n);
            if (events.kind(row) == EventKind::Exit) {
                now.exited = events.taken(row);
                break;
            }
        }
    }
    now.on = now.on & ~now.exited;
    now.ended = now.exited == w.liveLanes || (t >= w.end && w.end > w.start);
    return now;
}

const LineLink* lineLinkOf(const Kernel& kernel, std::uint32_t ptxLine) {
    const auto at = std::lower_bound(kernel.lines.begin(), kernel.lines.end(), ptxLine,
                                     [](const LineLink& link, std::uint32_t line) { return link.ptxLine < line; });
    return at != kernel.lines.end() && at->ptxLine == ptxLine ? &*at : nullptr;
}

namespace {

bool isOwn(const Kernel& kernel, const SourcePlace& place) {
    const auto fileName = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    return place.line != 0 && place.file < kernel.files.size() &&
           fileName(kernel.files[place.file]) == fileName(kernel.sourceName);
}

} // namespace

std::uint32_t sourceLineOf(const Kernel& kernel, std::uint32_t ptxLine) {
    const LineLink* link = lineLinkOf(kernel, ptxLine);
    if (!link || link->callLine == 0)
        return 0;
    return isOwn(kernel, link->source) ? link->source.line : link->callLine;
}

std::uint32_t sourceLineOf(const Kernel& kernel, const InstructionCount& count) {
    const std::uint32_t own = sourceLineOf(kernel, count.ptxLine);
    return own ? own : count.callerLine;
}

std::uint32_t sourceLineOf(const Kernel& kernel, const Site& site) {
    const std::uint32_t own = sourceLineOf(kernel, site.ptxLine);
    const auto caller =
        std::find_if(site.where.begin(), site.where.end(), [&](const SourcePlace& p) { return isOwn(kernel, p); });
    return own || caller == site.where.end() ? own : caller->line;
}

bool isPartOf(const InstructionCount& a, const InstructionCount& b) {
    return a.launch == b.launch && a.ptxLine == b.ptxLine && a.isMemory && b.isMemory && a.access == b.access &&
           (a.space != b.space || a.callerLine != b.callerLine);
}

} // namespace warpglass
