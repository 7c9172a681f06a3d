// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/meetings.h"

#include <algorithm>

namespace warpglass::program {

bool Meetings::knows(const Clock& clock, std::uint32_t stream, std::uint32_t count) {
    const auto found = clock.find(stream);
    return found != clock.end() && found->second >= count;
}

void Meetings::join(Clock& clock, const Clock& other) {
    for (const auto& [stream, count] : other) {
        std::uint32_t& own = clock[stream];
        own = std::max(own, count);
    }
}

// A clock lives as long as its operation is the last of a stream, or an event's.
void Meetings::keepClock(const Operation& o, std::uint32_t row, Clock clock) {
    const auto name = [&](std::uint32_t& named) {
        if (named != noIndex && --m_clocks[named].names == 0)
            m_clocks.erase(named);
        named = row;
        ++m_clocks[row].names;
    };
    m_clocks[row] = {std::move(clock), 1}; // this function's own
    name(m_last.try_emplace(o.stream, noIndex).first->second);
    if (o.kind == OperationKind::Record)
        name(m_recorded.try_emplace(o.from, noIndex).first->second);
    --m_clocks[row].names;
}

void Meetings::beginGraph(std::uint32_t stream) {
    m_graph = Graph();
    m_graph->stream = stream;
    if (const auto last = m_last.find(stream); last != m_last.end())
        if (const auto clock = m_clocks.find(last->second); clock != m_clocks.end())
            m_graph->before = clock->second.clock;
}

void Meetings::beginNode(std::uint64_t node, const std::vector<std::uint64_t>& before) {
    if (!m_graph)
        return;
    Graph& g = *m_graph;
    Graph::Node made;
    made.clock = g.before;
    bool follows = false;
    for (const std::uint64_t b : before) {
        const auto earlier = g.nodes.find(b);
        if (earlier == g.nodes.end()) // it was not run
            continue;
        join(made.clock, earlier->second.clock);
        if (!follows && g.lastOf[earlier->second.chain] == b) {
            made.chain = earlier->second.chain;
            follows = true;
        }
    }
    if (!follows) {
        made.chain = std::uint32_t(std::min<std::size_t>(g.lastOf.size(), mostChains - 1));
        if (made.chain < g.lastOf.size()) // no room for another
            join(made.clock, g.nodes[g.lastOf[made.chain]].clock);
        else
            g.lastOf.push_back(node);
    }
    g.lastOf[made.chain] = node;
    g.nowNumber = node;
    g.now = &(g.nodes[node] = std::move(made));
}

void Meetings::endGraph() {
    if (!m_graph)
        return;
    Graph g = std::move(*m_graph);
    m_graph.reset();
    if (const auto last = m_last.find(g.stream); last != m_last.end())
        if (const auto clock = m_clocks.find(last->second); clock != m_clocks.end())
            for (const auto& [number, node] : g.nodes)
                join(clock->second.clock, node.clock);
}

std::optional<Meetings::Found> Meetings::next(const Operation& o, std::uint32_t row, Touched touched) {
    const std::vector<Dependency>& before = m_order.next(o, row);
    const auto clockOf = [this](const Dependency& d) {
        const auto found = m_clocks.find(d.operation);
        return found == m_clocks.end() ? nullptr : &found->second.clock;
    };
    if (o.kind == OperationKind::Wait) {
        Clock all;
        for (const Dependency& d : before)
            if (const Clock* clock = clockOf(d))
                join(all, *clock);
        hostJoins(all);
        return std::nullopt;
    }
    if ((o.kind == OperationKind::Allocate || o.kind == OperationKind::Free) && o.from != inStreamsOrder)
        return std::nullopt;
    Clock clock;
    for (const Dependency& d : before)
        if (const Clock* other = clockOf(d))
            for (const auto& [stream, count] : *other)
                if (!knows(m_host, stream, count)) {
                    std::uint32_t& known = clock[stream];
                    known = std::max(known, count);
                }
    std::uint32_t own = o.stream;
    if (m_graph && m_graph->now && m_graph->stream == o.stream) {
        // In place of what the stream's order says; but what comes before the graph by the default stream is before all nodes.
        Clock others;
        const bool isFirst = m_graph->firstRow == noIndex;
        for (const Dependency& d : before)
            if (const Clock* other = isFirst || d.reason != WaitReason::Stream ? clockOf(d) : nullptr)
                join(others, *other);
        join(m_graph->before, others);
        join(m_graph->now->clock, others);
        clock = m_graph->now->clock;
        own = streamOf(*m_graph, m_graph->now->chain);
        m_graph->firstRow = std::min(m_graph->firstRow, row);
    }
    std::optional<Found> found;
    if (!touched.empty() && o.error == 0)
        for (const auto& [stream, list] : m_work) {
            if (stream == own) // in order with it
                continue;
            for (auto w = list.rbegin(); w != list.rend() && !knows(clock, stream, w->count); ++w)
                if (const std::optional<Meeting> meeting = meetingOf(w->touched, touched);
                    meeting && (!found || w->row > found->earlier))
                    found = Found{w->row, *meeting};
        }
    const std::uint32_t count = ++m_counts[own];
    clock[own] = count;
    if (m_graph && m_graph->now && m_graph->stream == o.stream)
        m_graph->now->clock = clock;
    keepClock(o, row, std::move(clock));
    if (o.kind == OperationKind::Record || o.kind == OperationKind::StreamWait)
        return found;
    m_pieces += touched.pieces();
    ++m_works;
    m_work[own].push_back({row, count, o, std::move(touched)});
    m_ticks[row] = {own, count};
    while (m_works > mostWork || m_pieces > mostPieces) {
        auto oldest = m_work.end();
        for (auto it = m_work.begin(); it != m_work.end(); ++it)
            if (!it->second.empty() && (oldest == m_work.end() || it->second.front().row < oldest->second.front().row))
                oldest = it;
        m_pieces -= oldest->second.front().touched.pieces();
        m_ticks.erase(oldest->second.front().row);
        oldest->second.pop_front();
        --m_works;
    }
    return found;
}

void Meetings::hostJoins(const Clock& clock) {
    join(m_host, clock);
    for (const auto& [stream, known] : clock) {
        const auto work = m_work.find(stream);
        while (work != m_work.end() && !work->second.empty() && work->second.front().count <= known) {
            m_pieces -= work->second.front().touched.pieces();
            m_ticks.erase(work->second.front().row);
            work->second.pop_front();
            --m_works;
        }
    }
}

void Meetings::hostKnows(std::uint32_t row) {
    if (const auto clock = m_clocks.find(row); clock != m_clocks.end())
        hostJoins(Clock(clock->second.clock));
}

void Meetings::hostKnowsStream(std::uint32_t stream) {
    if (const auto last = m_last.find(stream); last != m_last.end())
        hostKnows(last->second);
}

void Meetings::hostKnowsEvent(std::uint64_t event) {
    if (const auto recorded = m_recorded.find(event); recorded != m_recorded.end())
        hostKnows(recorded->second);
}

void Meetings::hostKnowsAll() {
    hostJoins(Clock(m_counts));
}

bool Meetings::isPending(std::uint32_t row) const {
    return m_ticks.count(row) != 0;
}

const Operation* Meetings::operationOf(std::uint32_t row) const {
    const auto tick = m_ticks.find(row);
    if (tick == m_ticks.end())
        return nullptr;
    for (const Work& w : m_work.at(tick->second.stream))
        if (w.row == row)
            return &w.operation;
    return nullptr;
}

void Meetings::forget(std::uint64_t begin, std::uint64_t end) {
    for (auto& [stream, list] : m_work)
        for (Work& w : list) {
            m_pieces -= w.touched.pieces();
            for (ByteRanges* ranges :
                 {&w.touched.reads, &w.touched.writes, &w.touched.strongReads, &w.touched.strongWrites})
                dropRange(*ranges, begin, end);
            m_pieces += w.touched.pieces();
        }
}

} // namespace warpglass::program
