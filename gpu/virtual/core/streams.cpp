// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/streams.h"

namespace warpglass::virtual_device {

Stream* Streams::find(void* handle) {
    if (reinterpret_cast<std::uint64_t>(handle) <= 2)
        return m_default.get();
    const auto found = m_streams.find(handle);
    return found == m_streams.end() ? nullptr : found->second.get();
}

Stream* Streams::create(unsigned flags, int priority) {
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->priority = priority;
    stream->id = m_nextId++;
    Stream* handle = stream.get();
    m_streams[handle] = std::move(stream);
    return handle;
}

bool Streams::destroy(void* handle) {
    return m_streams.erase(handle) > 0;
}

Event* Streams::event(void* handle) {
    const auto found = m_events.find(handle);
    return found == m_events.end() ? nullptr : found->second.get();
}

Event* Streams::createEvent(unsigned flags) {
    auto event = std::make_unique<Event>();
    event->flags = flags;
    Event* handle = event.get();
    m_events[handle] = std::move(event);
    return handle;
}

bool Streams::destroyEvent(void* handle) {
    return m_events.erase(handle) > 0;
}

std::shared_ptr<Graph> Streams::graph(void* handle) {
    const auto found = m_graphs.find(handle);
    return found == m_graphs.end() ? nullptr : found->second;
}

void* Streams::keep(std::shared_ptr<Graph> graph) {
    void* handle = reinterpret_cast<void*>(0x1000 + 16 * m_nextGraph++); // a name, no memory
    m_graphs[handle] = std::move(graph);
    return handle;
}

void Streams::endCapture(const std::shared_ptr<Graph>& graph) {
    for (const auto& [handle, stream] : m_streams)
        if (stream->capture == graph) {
            stream->capture.reset();
            stream->capturesItself = false;
        }
    for (const auto& [handle, event] : m_events)
        if (event->capture == graph)
            event->capture.reset();
}

bool Streams::drop(void* handle) {
    return m_graphs.erase(handle) > 0;
}

} // namespace warpglass::virtual_device
