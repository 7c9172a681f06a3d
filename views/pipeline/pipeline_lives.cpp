// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_lives.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

std::int64_t Ticks::of(Time time) const {
    return std::int64_t(std::ceil(double(time.value) * perUnit - 1e-9));
}

Time Ticks::time(std::int64_t tick) const {
    return {std::int64_t(std::floor(double(tick) / perUnit + 1e-9))};
}

namespace {

constexpr std::size_t mostDoubtful = 4096; // loads

class Living {
public:
    Living(WarpLife& life, const PtxLines& lines) : m_life(life), m_lines(lines) {}

    void span(std::int64_t begin, std::int64_t end, Doing doing) {
        if (end <= begin)
            return;
        auto& spans = m_life.spans;
        if (!spans.empty() && spans.back().doing == doing && spans.back().end >= begin)
            spans.back().end = std::max(spans.back().end, end);
        else
            spans.push_back({begin, end, doing});
    }

    // What the warp is at when it goes on.
    Doing now() const { return underWay() ? Doing::Multiplies : m_mode; }
    bool underWay() const { return m_groups > 0; }

    void passes(std::int64_t at, std::uint32_t number) {
        const PtxLine& line = m_lines.at(number);
        if (line.kind == LineKind::None || line.kind == LineKind::Other)
            return;
        auto& seen = m_life.lines[std::size_t(line.kind)];
        if (std::find(seen.begin(), seen.end(), number) == seen.end())
            seen.push_back(number);
        switch (line.kind) {
        case LineKind::Product:
            m_life.products.push_back({at, number});
            m_mode = Doing::Multiplies;
            m_fresh = true;
            for (const std::int64_t load : m_doubtful)
                uses(load);
            m_doubtful.clear();
            uses(at);
            break;
        case LineKind::ProductCommit:
            if (m_fresh)
                ++m_groups;
            m_fresh = false;
            break;
        case LineKind::ProductWait:
            m_groups = std::min(m_groups, line.number);
            m_mode = Doing::Works;
            break;
        case LineKind::Copy:
            m_mode = Doing::Orders;
            break;
        case LineKind::StoreCopy:
        case LineKind::GlobalStore:
            m_mode = Doing::Stores;
            break;
        case LineKind::CopyCommit:
            m_life.commits.push_back(at);
            break;
        case LineKind::CopyWait:
            m_mode = Doing::Works;
            if (m_life.commits.size() > line.number) {
                const auto group = std::uint32_t(m_life.commits.size() - line.number - 1);
                for (std::uint32_t g = m_life.held.empty() ? 0 : m_life.held.back().group + 1; g <= group; ++g)
                    m_life.held.push_back({g, at, at, at, false});
            }
            m_stored = false;
            m_doubtful.clear();
            break;
        case LineKind::MbarrierWait:
        case LineKind::Barrier:
            m_mode = Doing::Works;
            break;
        case LineKind::SharedStore:
            m_stored = true;
            break;
        case LineKind::SharedLoad:
            // Behind a store it may read what was stored, as where a result is turned around before it is written: whether it
            // was a tile for products is known when one of them follows.
            if (!m_stored || !m_lines.multiplies())
                uses(at);
            else if (m_doubtful.size() < mostDoubtful)
                m_doubtful.push_back(at);
            break;
        case LineKind::Arithmetic:
            if (!m_fresh && (m_mode == Doing::Works || m_mode == Doing::Multiplies))
                m_mode = Doing::Computes;
            break;
        default:
            break;
        }
    }

private:
    void uses(std::int64_t at) {
        const auto isOne = [&](const HeldGroup& held) {
            return held.waited == m_life.held.back().waited || !held.used || held.last > m_life.held.back().waited;
        };
        for (std::size_t n = m_life.held.size(); n-- > 0 && isOne(m_life.held[n]);) {
            HeldGroup& held = m_life.held[n];
            if (!held.used)
                held.first = at;
            held.used = true;
            held.last = at + 1;
        }
    }

    WarpLife& m_life;
    const PtxLines& m_lines;
    Doing m_mode = Doing::Works;
    std::uint32_t m_groups = 0;           // of products under way
    bool m_fresh = false;                 // products that belong to no group yet
    bool m_stored = false;                // to shared memory, since copies were waited for
    std::vector<std::int64_t> m_doubtful; // loads behind that
};

// Cycle by cycle.
bool fromStates(const Trace& trace, const Warp& warp, const PtxLines& lines, Living& living, Progress& progress) {
    std::uint32_t n = 0;
    for (const StateRow& row : trace.statesOf(warp)) {
        if ((++n & 0xffff) == 0 && progress.cancelled())
            return false;
        if (row.state == WarpState::Selected)
            living.passes(row.begin.value, row.ptxLine);
        const LineKind kind = lines.at(row.ptxLine).kind;
        Doing doing = living.now();
        if (row.state == WarpState::StallBarrier)
            doing = Doing::WaitsBarrier;
        else if (row.state != WarpState::Selected && kind == LineKind::CopyWait)
            doing = Doing::WaitsCopy;
        else if ((row.state == WarpState::StallLongScoreboard && !living.underWay()) ||
                 row.state == WarpState::StallLgThrottle || row.state == WarpState::StallMembar ||
                 row.state == WarpState::StallDrain)
            doing = Doing::WaitsLoad;
        living.span(row.begin.value, row.end.value, doing);
    }
    return true;
}

// From one event to the next, or to a line that a copy or an mbarrier tells of; what lies between has its share of the time.
bool fromEvents(const Trace& trace, const Warp& warp, PtxLines& lines, const Ticks& ticks, std::int64_t since,
                std::span<const Passage> passages, Living& living, Progress& progress) {
    struct Point {
        Time time;
        EventKind kind = EventKind::Path; // of a passage: it stands before its line
        std::uint32_t line = 0;
        LaneMask active{}, taken{};
    };
    std::uint32_t event = 0;
    std::size_t passage = 0;
    Event ahead;
    if (warp.eventCount > 0)
        ahead = trace.event(warp, 0);
    const auto lineOf = [&](const Event& e) { return e.site < trace.sites.size() ? trace.sites[e.site].ptxLine : 0; };
    const auto next = [&]() -> std::optional<Point> {
        const bool events = event < warp.eventCount;
        if (passage < passages.size() && (event > 0 || !events) &&
            (!events ||
             std::pair(passages[passage].time, passages[passage].ptxLine) <= std::pair(ahead.time, lineOf(ahead)))) {
            const Passage& p = passages[passage++];
            return Point{p.time, EventKind::Path, p.ptxLine};
        }
        if (!events)
            return std::nullopt;
        const Event e = ahead;
        if (++event < warp.eventCount)
            ahead = trace.event(warp, event);
        return Point{e.time, e.kind, lineOf(e), e.active, e.taken};
    };
    std::uint32_t n = 0;
    for (std::optional<Point> here = next(), then; here; here = then) {
        if ((++n & 0xffff) == 0 && progress.cancelled())
            return false;
        then = next();
        std::int64_t at = ticks.of(here->time);
        const std::int64_t end = ticks.of(then ? then->time : warp.end);
        if (at < since) // told by states
            continue;
        if (here->kind == EventKind::BarrierArrive) {
            living.passes(at, here->line);
            living.span(at, end, Doing::WaitsBarrier);
        } else if (then) {
            const bool branches = here->kind == EventKind::Branch && here->taken.bits != 0;
            const bool jumps = branches && here->taken == here->active;
            const PtxLines::Way* way = &lines.between(here->kind, here->line, jumps, then->line);
            if (way->length == 0 && branches && !jumps)
                way = &lines.between(here->kind, here->line, true, then->line); // lanes part: the other way first
            // Products of a warpgroup go on by themselves: those that a measured time is about to end at have been begun as soon
            // as the instructions before them allow, whatever stands behind them.
            const bool begins = std::any_of(way->lines.begin(), way->lines.end(), [&](const PtxLines::Passed& p) {
                return lines.at(p.line).kind == LineKind::ProductCommit;
            });
            double each = way->length > 0 ? double(end - at) / way->length : 0;
            if (begins && ticks.areCycles)
                each = std::min(each, double(ticks.ofInstruction));
            const std::int64_t begin = at;
            for (const PtxLines::Passed& passed : way->lines) {
                const std::int64_t when = begin + std::int64_t(each * passed.after);
                living.span(at, when, living.now());
                living.passes(when, passed.line);
                at = when;
            }
            living.span(at, end, living.now());
        } else {
            living.span(at, end, living.now());
        }
    }
    return true;
}

} // namespace

std::vector<PhaseEvent>::const_iterator firstPhaseEvent(const Trace& trace, std::uint32_t block) {
    return std::lower_bound(trace.phaseEvents.begin(), trace.phaseEvents.end(), block,
                            [](const PhaseEvent& event, std::uint32_t b) { return event.block < b; });
}

std::vector<std::vector<DoingSpan>> groupWaitsOf(const Trace& trace, std::uint32_t row, const PtxLines& lines,
                                                 const Ticks& ticks) {
    const Block& block = trace.blocks[row];
    std::vector<std::vector<DoingSpan>> waits(block.warpCount);
    std::vector<Time> since(block.warpCount);
    for (auto e = firstPhaseEvent(trace, row); e != trace.phaseEvents.end() && e->block == row; ++e) {
        const std::uint32_t warp = e->warp - block.firstWarp;
        if (e->barrier != noIndex || warp >= block.warpCount || e->site >= trace.sites.size() ||
            lines.at(trace.sites[e->site].ptxLine).kind != LineKind::CopyWait)
            continue;
        if (e->kind == PhaseEventKind::Wait)
            since[warp] = e->time;
        else if (e->kind == PhaseEventKind::Pass && e->time > since[warp])
            waits[warp].push_back({ticks.of(since[warp]), ticks.of(e->time), Doing::WaitsCopy});
    }
    return waits;
}

std::vector<std::vector<Passage>> passagesOf(const Trace& trace, std::uint32_t row) {
    const Block& block = trace.blocks[row];
    std::vector<std::vector<Passage>> passages(block.warpCount);
    if (trace.info.timeUnit == TimeUnit::Steps)
        return passages;
    const auto add = [&](std::uint32_t warp, Time time, std::uint32_t site) {
        if (warp - block.firstWarp < block.warpCount && site < trace.sites.size())
            passages[warp - block.firstWarp].push_back({time, trace.sites[site].ptxLine});
    };
    auto copy = std::lower_bound(trace.copies.begin(), trace.copies.end(), block.firstWarp,
                                 [](const AsyncCopy& c, std::uint32_t warp) { return c.warp < warp; });
    for (; copy != trace.copies.end() && copy->warp < block.firstWarp + block.warpCount; ++copy)
        add(copy->warp, copy->issued, copy->site);
    for (auto e = firstPhaseEvent(trace, row); e != trace.phaseEvents.end() && e->block == row; ++e)
        if (e->warp != noIndex && e->kind != PhaseEventKind::Complete && e->kind != PhaseEventKind::Copied)
            add(e->warp, e->time, e->site);
    // A GPU's probes read one clock for what stands close together in straight code.
    for (auto& of : passages)
        std::stable_sort(of.begin(), of.end(), [](const Passage& a, const Passage& b) {
            return std::pair(a.time, a.ptxLine) < std::pair(b.time, b.ptxLine);
        });
    return passages;
}

std::optional<WarpLife> lifeOf(const Trace& trace, std::uint32_t row, PtxLines& lines, const Ticks& ticks,
                               std::span<const Passage> passages, Progress& progress) {
    const Warp& warp = trace.warps[row];
    WarpLife life;
    life.warp = row;
    Living living(life, lines);
    if (!fromStates(trace, warp, lines, living, progress))
        return std::nullopt;
    // States end before the warp does where the model ran no further in time.
    const std::int64_t since = life.spans.empty() ? 0 : life.spans.back().end;
    life.modelled = since;
    if ((since == 0 || ticks.time(since) + Time{1} < warp.end) &&
        !fromEvents(trace, warp, lines, ticks, since, passages, living, progress))
        return std::nullopt;
    for (auto& seen : life.lines)
        std::sort(seen.begin(), seen.end());
    return life;
}

void layOver(std::vector<DoingSpan>& spans, const std::vector<DoingSpan>& over) {
    if (over.empty())
        return;
    std::vector<DoingSpan> result;
    result.reserve(spans.size() + 2 * over.size());
    const auto add = [&](std::int64_t begin, std::int64_t end, Doing doing) {
        if (end <= begin)
            return;
        if (!result.empty() && result.back().doing == doing && result.back().end == begin)
            result.back().end = end;
        else
            result.push_back({begin, end, doing});
    };
    std::size_t next = 0;
    for (const DoingSpan& span : spans) {
        std::int64_t at = span.begin;
        while (next < over.size() && over[next].end <= at)
            ++next;
        for (std::size_t n = next; n < over.size() && over[n].begin < span.end; ++n) {
            const std::int64_t begin = std::max(at, over[n].begin), end = std::min(span.end, over[n].end);
            add(at, begin, span.doing);
            add(begin, end, over[n].doing);
            at = std::max(at, end);
        }
        add(at, span.end, span.doing);
    }
    spans = std::move(result);
}

} // namespace warpglass
