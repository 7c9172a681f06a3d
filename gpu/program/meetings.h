// SPDX-License-Identifier: GPL-3.0-or-later
// Which work of a program touches the same memory as other work that nothing puts before or behind it: happens-before over
// the operations, as they come, by what Order says that each waits for.
//
// Each stream counts its operations; each operation knows of every stream up to which count it comes behind (a vector clock,
// of which what the host has waited for is left out: all that is asked for later is behind that). Work that the host has
// waited for is forgotten, and of what is left so many operations and ranges are kept: what is forgotten is not told.
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
    // What the host knows to be done besides Wait operations: an operation of before, a stream's work, an event's, or all.
    void hostKnows(std::uint32_t row);
    void hostKnowsStream(std::uint32_t stream);
    void hostKnowsEvent(std::uint64_t event);
    void hostKnowsAll();
    // Of work that was asked for last in its stream: whether the host has to wait for it still.
    bool isPending(std::uint32_t row) const;
    void forget(std::uint64_t begin, std::uint64_t end); // memory that is no more
    bool hasSeveralStreams() const { return m_streams > 1; }
    const Operation* operationOf(std::uint32_t row) const; // of work that is kept

private:
    using Clock = std::unordered_map<std::uint32_t, std::uint32_t>; // [stream] count
    struct Work {
        std::uint32_t row = 0, count = 0;
        Operation operation;
        Touched touched;
    };
    struct Tick {
        std::uint32_t stream = 0, count = 0;
    };
    struct Named {
        Clock clock;
        std::uint32_t names = 0;
    };
    static constexpr std::uint32_t mostChains = 64; // of a graph: what needs more follows the last one's
    struct Graph {
        std::uint32_t stream = 0, firstRow = noIndex;
        Clock before;
        struct Node {
            Clock clock;
            std::uint32_t chain = 0;
        };
        std::unordered_map<std::uint64_t, Node> nodes;
        std::vector<std::uint64_t> lastOf; // [chain] the node
        Node* now = nullptr;
        std::uint64_t nowNumber = 0;
    };
    static std::uint32_t streamOf(const Graph& graph, std::uint32_t chain) {
        return chain == 0 ? graph.stream : (1u << 31) + graph.stream * mostChains + chain;
    }
    static bool knows(const Clock& clock, std::uint32_t stream, std::uint32_t count);
    static void join(Clock& clock, const Clock& other);
    void keepClock(const Operation& operation, std::uint32_t row, Clock clock);
    void hostJoins(const Clock& clock);

    Order m_order;
    std::optional<Graph> m_graph;
    Clock m_host;
    std::unordered_map<std::uint32_t, Named> m_clocks;           // [row] of what others may wait for
    std::unordered_map<std::uint32_t, std::uint32_t> m_last;     // [stream] row
    std::unordered_map<std::uint64_t, std::uint32_t> m_recorded; // [event] row
    std::unordered_map<std::uint32_t, std::uint32_t> m_counts;   // [stream]
    std::unordered_map<std::uint32_t, std::deque<Work>> m_work;  // [stream] that the host has not waited for
    std::unordered_map<std::uint32_t, Tick> m_ticks;             // [row] of work in m_work
    std::size_t m_works = 0, m_pieces = 0;
    std::uint32_t m_streams = 0;
};

} // namespace warpglass::program
