// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events and captures. Work runs when it is asked for, in the order of the calls, which every order of streams
// allows; an event is the time at which it was recorded. A stream that is being captured keeps its work for a graph
// instead (graph.h): each piece waits for what its stream had last, and for the events that the stream waited for.
#pragma once

#include "gpu/base/message.h"
#include "gpu/virtual/core/graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warpglass::virtual_device {

struct Stream;

struct Capture {
    std::shared_ptr<Graph> graph;
    void* handle = nullptr;         // of the graph
    const Stream* origin = nullptr; // that began it, and did not join it through an event
    std::uint64_t id = 0;
    Status why = success; // it was spoiled
};

struct Stream {
    std::uint32_t row = 0; // in the recording; default streams: Device::defaultRow
    unsigned device = 0;
    bool isDefault = false;
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
    std::shared_ptr<Capture> capture;               // while it is captured
    std::vector<GraphNode*> tail;                   // what its next work waits for in the graph
    std::map<int, std::array<char, 64>> attributes; // that only the program asks for again
};

struct Event {
    unsigned flags = 0;
    unsigned device = 0;
    bool recorded = false;
    std::int64_t time = 0;            // ns
    std::shared_ptr<Capture> capture; // in which it was last recorded
    std::vector<GraphNode*> tail;     // what its stream's next work would have waited for
};

class Streams {
public:
    explicit Streams(unsigned devices);
    // nullptr if the handle is none. 0, 1 and 2 name the default stream of the current device.
    Stream* find(void* handle);
    Stream* create(unsigned flags, int priority); // of the current device
    bool destroy(void* handle);
    Event* event(void* handle);
    Event* createEvent(unsigned flags);
    bool destroyEvent(void* handle);

    // Captures. into: a graph that is there already, with what the stream's first work waits for.
    Status beginCapture(Stream& stream, void* into, std::vector<GraphNode*> after);
    Status endCapture(Stream& stream, void*& graph);
    void join(Stream& stream, const Event& event);

    // Graphs and their executable forms have handles of one kind. A handle is a name, no memory.
    std::shared_ptr<Graph> graph(void* handle);
    std::shared_ptr<Graph> makeGraph();
    void* keep(std::shared_ptr<Graph> graph); // the same handle for the same graph
    bool drop(void* handle);
    GraphNode* node(void* handle) const { return m_nodes->count(handle) ? static_cast<GraphNode*>(handle) : nullptr; }
    UserObject* object(void* handle);
    void reset(unsigned device); // its streams, events, graphs and captures are no more
    // In words, of the handle that was asked for last and that nobody has; empty: all were known. Forgets it.
    std::optional<Message> unknownHandle() { return std::exchange(m_unknown, std::nullopt); }
    std::shared_ptr<UserObject>& objectAt(void* handle) { return m_objects[handle]; }

private:
    void noteUnknown(void* handle, bool isStream);
    std::vector<Stream> m_defaults;              // [device]
    std::set<void*> m_goneStreams, m_goneEvents; // handles of what the program has destroyed
    std::optional<Message> m_unknown;
    std::map<void*, std::unique_ptr<Stream>> m_streams;
    std::map<void*, std::unique_ptr<Event>> m_events;
    std::shared_ptr<NodeSet> m_nodes = std::make_shared<NodeSet>();
    std::map<void*, std::shared_ptr<Graph>> m_graphs;
    std::map<const Graph*, void*> m_handles;
    std::map<void*, std::shared_ptr<UserObject>> m_objects;
    std::uint64_t m_nextId = 1, m_nextGraph = 1, m_nextCapture = 1;
};

} // namespace warpglass::virtual_device
