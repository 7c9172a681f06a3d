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
                if (m_life.held.empty() || m_life.held.back().group < group)
                    m_life.held.push_back({group, at, at, at, false});
            }
            break;
        case LineKind::MbarrierWait:
        case LineKind::Barrier:
            m_mode = Doing::Works;
            break;
        case LineKind::SharedLoad:
            uses(at);
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
        if (m_life.held.empty())
            return;
        HeldGroup& held = m_life.held.back();
        if (!held.used)
            held.first = at;
        held.used = true;
        held.last = at + 1;
    }

    WarpLife& m_life;
    const PtxLines& m_lines;
    Doing m_mode = Doing::Works;
    std::uint32_t m_groups = 0; // of products under way
    bool m_fresh = false;       // products that belong to no group yet
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

// From one event to the next; what lies between has its share of the time.
bool fromEvents(const Trace& trace, const Warp& warp, PtxLines& lines, const Ticks& ticks, std::int64_t since,
                Living& living, Progress& progress) {
    const auto lineOf = [&](const Event& e) { return e.site < trace.sites.size() ? trace.sites[e.site].ptxLine : 0; };
    Event event;
    for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
        if ((n & 0xffff) == 0xffff && progress.cancelled())
            return false;
        if (n == 0)
            event = trace.event(warp, 0);
        const bool last = n + 1 == warp.eventCount;
        const Event next = last ? Event{.time = warp.end} : trace.event(warp, n + 1);
        std::int64_t at = ticks.of(event.time);
        const std::int64_t end = ticks.of(next.time);
        if (at < since) { // told by states
            event = next;
            continue;
        }
        if (event.kind == EventKind::BarrierArrive) {
            living.passes(at, lineOf(event));
            living.span(at, end, Doing::WaitsBarrier);
        } else if (!last) {
            const bool jumps = event.kind == EventKind::Branch && event.taken.bits != 0 && event.taken == event.active;
            const PtxLines::Way* way = &lines.between(event.kind, lineOf(event), jumps, lineOf(next));
            if (way->length == 0 && event.kind == EventKind::Branch && event.taken.bits != 0 && !jumps)
                way = &lines.between(event.kind, lineOf(event), true, lineOf(next)); // lanes part: the other way first
            const double each = way->length > 0 ? double(end - at) / way->length : 0;
            const std::int64_t begin = at;
            for (const PtxLines::Passed& passed : way->lines) {
                const std::int64_t then = begin + std::int64_t(each * passed.after);
                living.span(at, then, living.now());
                living.passes(then, passed.line);
                at = then;
            }
            living.span(at, end, living.now());
        } else {
            living.span(at, end, living.now());
        }
        event = next;
    }
    return true;
}

} // namespace

std::optional<WarpLife> lifeOf(const Trace& trace, std::uint32_t row, PtxLines& lines, const Ticks& ticks,
                               Progress& progress) {
    const Warp& warp = trace.warps[row];
    WarpLife life;
    life.warp = row;
    Living living(life, lines);
    if (!fromStates(trace, warp, lines, living, progress))
        return std::nullopt;
    // States end before the warp does where the model ran no further in time.
    const std::int64_t since = life.spans.empty() ? 0 : life.spans.back().end;
    if ((since == 0 || ticks.time(since) + Time{1} < warp.end) &&
        !fromEvents(trace, warp, lines, ticks, since, living, progress))
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
