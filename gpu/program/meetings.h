// SPDX-License-Identifier: GPL-3.0-or-later
// Which work of a program touches the same memory as other work that nothing puts before or behind it: happens-before over
// the operations, as they come, by what Order says that each waits for.
//
// Each stream counts its work, and knows of every other one up to which count its last operation comes behind (a vector
// clock, of which what the host has waited for is left out: all that is asked for later is behind that). Work that the host
// has waited for is forgotten, and of what is left so many operations and ranges are kept: what is forgotten is not told.
// What a stream's work touches is put into an index (TouchIndex) only once another stream comes near it.
//
// Taken as ordered, since programs rely on it: a copy that the host waits for, cudaFree, a query that says that work is done,
// and the host behind a function of its own that a stream has called.
//
// Nodes of a graph come behind those that their edges name. Each is put into a row of nodes that follow each other: the first
// row is the stream in which the graph runs, the others are streams of their own here. What comes behind the graph is behind
// all of them.
#pragma once

#include "gpu/base/touched.h"
#include "gpu/program/order.h"
#include "gpu/program/touch_index.h"

#include <deque>
#include <optional>
#include <unordered_map>

namespace warpglass::program {

class Meetings {
public:
    static constexpr std::size_t mostWork = 4096, mostPieces = 1 << 20;

    void add(const ProgramStream& stream) { // the next row
        m_order.add(stream);
        ++m_streams;
    }
    struct Found {
        std::uint32_t earlier = 0; // row
        Meeting meeting;
    };
    // The operation of this row has been done. Nothing, or the earlier work that it meets, the last of it.
    std::optional<Found> next(const Operation& operation, std::uint32_t row, Touched touched);
    // From now on operations of that stream are a graph's, until it ends.
    void beginGraph(std::uint32_t stream);
    // They are this node's, a number of its own; before: of nodes that have been.
    void beginNode(std::uint64_t node, const std::vector<std::uint64_t>& before);
    void endGraph();
    // Whether work of that row is of the graph that runs now.
    bool isOfGraph(std::uint32_t row) const { return m_graph && row >= m_graph->firstRow; }
    // What the host knows to be done besides Wait operations: the operation that was added last, a stream's work, an event's,
    // or all.
    void hostKnows(const Operation& last);
    void hostKnowsStream(std::uint32_t stream);
    void hostKnowsEvent(std::uint64_t event);
    void hostKnowsAll();
    // Whether it is work that touches memory and that the host has to wait for still.
    bool isPending(std::uint32_t row) const;
    void forget(std::uint64_t begin, std::uint64_t end); // memory that is no more
    // Empty, with the room of what is forgotten: for next(). A program of many small copies asks for no memory.
    Touched spare();
    bool hasSeveralStreams() const { return m_streams > 1; }
    std::optional<Operation> operationOf(std::uint32_t row) const; // kind, kernel and stream of work that is kept
    const Touched* touchedBy(std::uint32_t row) const;             // the same

private:
    struct Tick {
        std::uint32_t line = 0, count = 0;
    };
    using Clock = std::vector<Tick>; // ascending by line
    struct Work {
        std::uint32_t row = 0, count = 0, stream = 0, kernel = noIndex;
        OperationKind kind = OperationKind::Launch;
        Touched touched;
    };
    // Work that follows each other: a stream's, or that of a row of nodes.
    struct Line {
        std::uint32_t number = 0, count = 0, hostKnows = 0; // up to where the host has waited
        Clock behind;                                       // of others, what its last operation comes behind
        std::deque<Work> work;                              // that the host has not waited for
        ByteRange reads, writes;                            // all that lies between the first and the last byte of it
        TouchIndex index;
        std::uint32_t indexed = 0; // up to which count
        std::size_t mostSpans = std::size_t(1) << 16;
    };
    static constexpr std::uint32_t mostChains = 64; // of a graph: what needs more follows the last one's
    struct Graph {
        std::uint32_t stream = 0, firstRow = noIndex;
        Clock before;
        struct Node {
            Clock clock; // with its own
            std::uint32_t chain = 0;
        };
        std::unordered_map<std::uint64_t, Node> nodes;
        std::vector<std::uint64_t> lastOf; // [chain] the node
        Node* now = nullptr;
    };
    static std::uint32_t lineOf(const Graph& graph, std::uint32_t chain) {
        return chain == 0 ? graph.stream : (1u << 31) + graph.stream * mostChains + chain;
    }
    static std::uint32_t countOf(const Clock& clock, std::uint32_t line);
    Line& line(std::uint32_t number);
    const Line* known(std::uint32_t number) const; // nullptr: nothing was given to it
    const Work* find(std::uint32_t row) const;
    bool isWaitedFor(const Tick& tick) const;
    void join(Clock& clock, const Tick& tick) const;
    void join(Clock& clock, const Clock& other) const;
    void joinAll(Clock& clock, std::uint32_t stream) const; // what that stream has been given
    void join(Clock& clock, const Operation& operation, const std::vector<Dependency>& before, bool withOwn) const;
    Clock clockNow(const Operation& operation);
    bool isNodes(const Operation& o) const { return m_graph && m_graph->now && m_graph->stream == o.stream; }
    struct Around; // of what work touches
    std::optional<Found> meet(Clock& clock, std::uint32_t own, const Touched& touched, const Around& around);
    std::optional<Found> meet(Line& other, std::uint32_t known, const Touched& touched, Clock& clock);
    void keep(Line& line, Work work, const Around& around);
    void dropOldest();
    void drop(Line& line); // its first
    void hostJoins(const Tick& tick);
    void hostJoins(const Clock& clock);

    Order m_order;
    std::optional<Graph> m_graph;
    std::unordered_map<std::uint32_t, Line> m_lines;
    std::vector<Line*> m_near;                           // [number] the same of the first streams
    std::vector<Line*> m_busy;                           // with work
    std::unordered_map<std::uint64_t, Clock> m_recorded; // [event]
    std::vector<Touched> m_spare;
    std::size_t m_works = 0, m_pieces = 0;
    std::uint32_t m_streams = 0;
};

} // namespace warpglass::program
