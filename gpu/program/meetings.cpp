// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/meetings.h"

#include <algorithm>

namespace warpglass::program {

namespace {

bool touch(const ByteRange& a, const ByteRange& b) {
    return a.begin < b.end && b.begin < a.end;
}

void widen(ByteRange& around, const ByteRange& more) {
    if (more.end == 0)
        return;
    around.begin = around.end == 0 ? more.begin : std::min(around.begin, more.begin);
    around.end = std::max(around.end, more.end);
}

void widen(ByteRange& around, const ByteRanges& ranges) {
    if (!ranges.empty())
        widen(around, ByteRange{ranges.front().begin, ranges.back().end});
}

} // namespace

struct Meetings::Around {
    ByteRange reads, writes;
    explicit Around(const Touched& t) {
        widen(reads, t.reads);
        widen(reads, t.strongReads);
        widen(writes, t.writes);
        widen(writes, t.strongWrites);
    }
};

// ---- clocks ----

std::uint32_t Meetings::countOf(const Clock& clock, std::uint32_t line) {
    const auto at = std::ranges::lower_bound(clock, line, {}, &Tick::line);
    return at == clock.end() || at->line != line ? 0 : at->count;
}

Meetings::Line& Meetings::line(std::uint32_t number) {
    constexpr std::uint32_t near = 1024;
    if (number < m_near.size() && m_near[number])
        return *m_near[number];
    Line& line = m_lines[number];
    line.number = number;
    if (number < near) {
        if (number >= m_near.size())
            m_near.resize(number + 1);
        m_near[number] = &line;
    }
    return line;
}

const Meetings::Line* Meetings::known(std::uint32_t number) const {
    if (number < m_near.size())
        return m_near[number];
    const auto line = m_lines.find(number);
    return line == m_lines.end() ? nullptr : &line->second;
}

bool Meetings::isWaitedFor(const Tick& tick) const {
    const Line* const line = known(tick.line);
    return !line || tick.count <= line->hostKnows;
}

void Meetings::join(Clock& clock, const Tick& tick) const {
    if (isWaitedFor(tick))
        return;
    const auto at = std::ranges::lower_bound(clock, tick.line, {}, &Tick::line);
    if (at == clock.end() || at->line != tick.line)
        clock.insert(at, tick);
    else
        at->count = std::max(at->count, tick.count);
}

void Meetings::join(Clock& clock, const Clock& other) const {
    if (!other.empty())
        std::erase_if(clock, [this](const Tick& t) { return isWaitedFor(t); });
    for (const Tick& tick : other)
        join(clock, tick);
}

void Meetings::joinAll(Clock& clock, std::uint32_t stream) const {
    const Line* const line = known(stream);
    if (!line)
        return;
    join(clock, line->behind);
    join(clock, Tick{stream, line->count});
}

// A dependency is the last that a stream was given, or an event's recording.
void Meetings::join(Clock& clock, const Operation& o, const std::vector<Dependency>& before, bool withOwn) const {
    for (const Dependency& d : before) {
        if (d.reason == WaitReason::Stream && !withOwn)
            continue;
        if (d.stream != noIndex)
            joinAll(clock, d.stream);
        else if (const auto recorded = m_recorded.find(o.from); recorded != m_recorded.end())
            join(clock, recorded->second);
    }
}

// Of the operation that was added last, with its own.
Meetings::Clock Meetings::clockNow(const Operation& o) {
    if (isNodes(o))
        return m_graph->now->clock;
    Clock clock;
    joinAll(clock, o.stream);
    return clock;
}

// ---- graphs ----

void Meetings::beginGraph(std::uint32_t stream) {
    m_graph = Graph();
    m_graph->stream = stream;
    joinAll(m_graph->before, stream);
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
    g.now = &(g.nodes[node] = std::move(made));
}

void Meetings::endGraph() {
    if (!m_graph)
        return;
    const Graph g = std::move(*m_graph);
    m_graph.reset();
    Line& own = line(g.stream);
    for (const auto& [number, node] : g.nodes)
        join(own.behind, node.clock);
}

// ---- operations ----

std::optional<Meetings::Found> Meetings::next(const Operation& o, std::uint32_t row, Touched touched) {
    const std::vector<Dependency>& before = m_order.next(o, row);
    if (o.kind == OperationKind::Wait) {
        Clock all;
        join(all, o, before, true);
        hostJoins(all);
        return std::nullopt;
    }
    if ((o.kind == OperationKind::Allocate || o.kind == OperationKind::Free) && o.from != inStreamsOrder)
        return std::nullopt;
    std::uint32_t own = o.stream;
    Clock* clock = nullptr;
    Line* mine = nullptr;
    const bool ofNode = isNodes(o);
    if (ofNode) {
        // In place of what the stream's order says; but what comes before the graph by the default stream is before all nodes.
        Clock others;
        join(others, o, before, m_graph->firstRow == noIndex);
        join(m_graph->before, others);
        join(m_graph->now->clock, others);
        m_graph->firstRow = std::min(m_graph->firstRow, row);
        own = lineOf(*m_graph, m_graph->now->chain);
        mine = &line(own);
        clock = &m_graph->now->clock;
    } else {
        mine = &line(own);
        clock = &mine->behind;
        join(*clock, o, before, false);
    }
    std::optional<Found> found;
    if (!touched.empty()) {
        const Around around(touched);
        if (o.error == 0)
            found = meet(*clock, own, touched, around);
        keep(*mine, {row, ++mine->count, o.stream, o.kernel, o.kind, std::move(touched)}, around);
        if (ofNode)
            join(*clock, Tick{own, mine->count});
    }
    if (o.kind == OperationKind::Record)
        m_recorded[o.from] = clockNow(o);
    return found;
}

std::optional<Meetings::Found> Meetings::meet(Clock& clock, std::uint32_t own, const Touched& touched,
                                              const Around& around) {
    std::optional<Found> found;
    for (Line* other : m_busy) {
        if (other->number == own) // in order with it
            continue;
        if (!touch(around.writes, other->reads) && !touch(around.writes, other->writes) &&
            !touch(around.reads, other->writes))
            continue;
        const std::uint32_t known = std::max(other->hostKnows, countOf(clock, other->number));
        if (other->work.back().count > known)
            if (auto met = meet(*other, known, touched, clock); met && (!found || met->earlier > found->earlier))
                found = met;
    }
    return found;
}

// Of the work behind a known count.
std::optional<Meetings::Found> Meetings::meet(Line& other, std::uint32_t known, const Touched& touched, Clock& clock) {
    if (other.index.size() > other.mostSpans) { // much of it is of work that is no more
        other.index.clear();
        other.indexed = 0;
    }
    auto work = std::ranges::upper_bound(other.work, other.indexed, {}, &Work::count);
    const bool all = other.indexed == 0;
    for (; work != other.work.end(); ++work)
        other.index.add(work->touched, other.indexed = work->count);
    if (all)
        other.mostSpans = std::max(other.mostSpans, 2 * other.index.size());
    const TouchIndex::Last last = other.index.last(touched);
    if (last.handsOn > known) // and so all that came before it
        join(clock, Tick{other.number, last.handsOn});
    if (last.meets <= std::max(known, last.handsOn))
        return std::nullopt;
    const auto at = std::ranges::lower_bound(other.work, last.meets, {}, &Work::count);
    if (at == other.work.end() || at->count != last.meets)
        return std::nullopt;
    const std::optional<Meeting> meeting = meetingOf(at->touched, touched);
    return meeting ? std::optional(Found{at->row, *meeting}) : std::nullopt;
}

void Meetings::keep(Line& line, Work work, const Around& around) {
    if (line.work.empty())
        m_busy.push_back(&line);
    widen(line.reads, around.reads);
    widen(line.writes, around.writes);
    m_pieces += work.touched.pieces();
    ++m_works;
    line.work.push_back(std::move(work));
    while (m_works > mostWork || m_pieces > mostPieces)
        dropOldest();
}

void Meetings::dropOldest() {
    drop(**std::ranges::min_element(m_busy, {}, [](const Line* l) { return l->work.front().row; }));
}

Touched Meetings::spare() {
    if (m_spare.empty())
        return {};
    Touched touched = std::move(m_spare.back());
    m_spare.pop_back();
    for (ByteRanges* ranges : {&touched.reads, &touched.writes, &touched.strongReads, &touched.strongWrites})
        ranges->clear();
    return touched;
}

void Meetings::drop(Line& line) {
    constexpr std::size_t mostSpare = 256, fewPieces = 4;
    m_pieces -= line.work.front().touched.pieces();
    --m_works;
    if (Touched& touched = line.work.front().touched; m_spare.size() < mostSpare && touched.pieces() <= fewPieces)
        m_spare.push_back(std::move(touched));
    line.work.pop_front();
    if (!line.work.empty())
        return;
    line.reads = line.writes = {};
    line.index.clear();
    line.indexed = 0;
    std::erase(m_busy, &line);
}

// ---- what the host knows ----

void Meetings::hostJoins(const Tick& tick) {
    Line& of = line(tick.line);
    of.hostKnows = std::max(of.hostKnows, tick.count);
    while (!of.work.empty() && of.work.front().count <= of.hostKnows)
        drop(of);
}

void Meetings::hostJoins(const Clock& clock) {
    for (const Tick& tick : clock)
        hostJoins(tick);
}

void Meetings::hostKnows(const Operation& last) {
    hostJoins(clockNow(last));
}

void Meetings::hostKnowsStream(std::uint32_t stream) {
    Clock all;
    joinAll(all, stream);
    hostJoins(all);
}

void Meetings::hostKnowsEvent(std::uint64_t event) {
    if (const auto recorded = m_recorded.find(event); recorded != m_recorded.end())
        hostJoins(recorded->second);
}

void Meetings::hostKnowsAll() {
    while (!m_busy.empty())
        hostJoins(Tick{m_busy.back()->number, m_busy.back()->count});
}

const Meetings::Work* Meetings::find(std::uint32_t row) const {
    for (const Line* line : m_busy) {
        if (line->work.back().row == row)
            return &line->work.back();
        if (line->work.front().row <= row && row < line->work.back().row)
            if (const auto at = std::ranges::lower_bound(line->work, row, {}, &Work::row); at->row == row)
                return &*at;
    }
    return nullptr;
}

bool Meetings::isPending(std::uint32_t row) const {
    return find(row) != nullptr;
}

std::optional<Operation> Meetings::operationOf(std::uint32_t row) const {
    const Work* work = find(row);
    if (!work)
        return std::nullopt;
    Operation o;
    o.kind = work->kind;
    o.kernel = work->kernel;
    o.stream = work->stream;
    return o;
}

const Touched* Meetings::touchedBy(std::uint32_t row) const {
    const Work* work = find(row);
    return work ? &work->touched : nullptr;
}

void Meetings::forget(std::uint64_t begin, std::uint64_t end) {
    const ByteRange freed{begin, end};
    for (Line* line : m_busy) {
        if (!touch(freed, line->reads) && !touch(freed, line->writes))
            continue;
        for (Work& w : line->work) {
            m_pieces -= w.touched.pieces();
            for (ByteRanges* ranges :
                 {&w.touched.reads, &w.touched.writes, &w.touched.strongReads, &w.touched.strongWrites})
                if (!ranges->empty() && touch(freed, {ranges->front().begin, ranges->back().end}))
                    dropRange(*ranges, begin, end);
            m_pieces += w.touched.pieces();
        }
        line->index.clear();
        line->indexed = 0;
    }
}

} // namespace warpglass::program
