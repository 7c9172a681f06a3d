// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events and graphs. Work runs when it is asked for, in the order of the calls, which every order of streams
// allows; an event is the time at which it was recorded. A stream that is being captured keeps its work for a graph
// instead, in the order of the calls again.
#pragma once

#include "gpu/virtual/core/abi.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace warpglass::virtual_device {

using Work = std::function<Status()>;

struct Graph {
    std::vector<Work> work;
};

struct Stream {
    std::uint32_t row = 0; // in the recording; the default stream is row 0
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
    std::shared_ptr<Graph> capture; // while it is captured
    bool capturesItself = false;    // it began the capture, and did not join it through an event
};

struct Event {
    unsigned flags = 0;
    bool recorded = false;
    std::int64_t time = 0;          // ns
    std::shared_ptr<Graph> capture; // in which it was last recorded
};

class Streams {
public:
    Streams() : m_default(std::make_unique<Stream>()) {}
    // nullptr if the handle is none. 0, 1 and 2 name default streams.
    Stream* find(void* handle);
    Stream* create(unsigned flags, int priority);
    bool destroy(void* handle);
    Event* event(void* handle);
    Event* createEvent(unsigned flags);
    bool destroyEvent(void* handle);

    // Graphs and their executable forms are the same thing here.
    std::shared_ptr<Graph> graph(void* handle);
    void* keep(std::shared_ptr<Graph> graph);
    bool drop(void* handle);
    void endCapture(const std::shared_ptr<Graph>& graph); // of every stream and event that takes part

private:
    std::unique_ptr<Stream> m_default;
    std::map<void*, std::unique_ptr<Stream>> m_streams;
    std::map<void*, std::unique_ptr<Event>> m_events;
    std::map<void*, std::shared_ptr<Graph>> m_graphs;
    std::uint64_t m_nextId = 1, m_nextGraph = 1;
};

} // namespace warpglass::virtual_device
