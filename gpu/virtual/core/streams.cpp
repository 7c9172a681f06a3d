// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/streams.h"
#include "gpu/base/messages/program.h"
#include "gpu/virtual/core/contexts.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::virtual_device {

Streams::Streams(unsigned devices) : m_defaults(devices) {
    for (unsigned n = 0; n < devices; ++n) {
        m_defaults[n].device = n;
        m_defaults[n].isDefault = true;
    }
}

Stream* Streams::find(void* handle) {
    if (reinterpret_cast<std::uint64_t>(handle) <= 2)
        return &m_defaults[currentDevice()];
    const auto found = m_streams.find(handle);
    if (found != m_streams.end())
        return found->second.get();
    noteUnknown(handle, true);
    return nullptr;
}

void Streams::noteUnknown(void* handle, bool isStream) {
    const std::string name = fmt::format("{}", handle);
    if ((isStream ? m_goneStreams : m_goneEvents).count(handle))
        m_unknown = (isStream ? say::StreamGone : say::EventGone)(name);
    else if (isStream ? m_events.count(handle) : m_streams.count(handle))
        m_unknown = (isStream ? say::EventAsStream : say::StreamAsEvent)(name);
    else
        m_unknown = (isStream ? say::NoStream : say::NoEvent)(name);
}

Stream* Streams::create(unsigned flags, int priority) {
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->priority = priority;
    stream->device = currentDevice();
    stream->id = m_nextId++;
    Stream* handle = stream.get();
    m_goneStreams.erase(handle);
    m_streams[handle] = std::move(stream);
    return handle;
}

bool Streams::destroy(void* handle) {
    const bool was = m_streams.erase(handle) > 0;
    if (was)
        m_goneStreams.insert(handle);
    else
        noteUnknown(handle, true);
    return was;
}

Event* Streams::event(void* handle) {
    const auto found = m_events.find(handle);
    if (found != m_events.end())
        return found->second.get();
    noteUnknown(handle, false);
    return nullptr;
}

Event* Streams::createEvent(unsigned flags) {
    auto event = std::make_unique<Event>();
    event->flags = flags;
    event->device = currentDevice();
    Event* handle = event.get();
    m_goneEvents.erase(handle);
    m_events[handle] = std::move(event);
    return handle;
}

bool Streams::destroyEvent(void* handle) {
    const bool was = m_events.erase(handle) > 0;
    if (was)
        m_goneEvents.insert(handle);
    else
        noteUnknown(handle, false);
    return was;
}

std::shared_ptr<Graph> Streams::graph(void* handle) {
    const auto found = m_graphs.find(handle);
    return found == m_graphs.end() ? nullptr : found->second;
}

void* Streams::keep(std::shared_ptr<Graph> graph) {
    void*& handle = m_handles[graph.get()];
    if (!handle) {
        handle = reinterpret_cast<void*>(0x1000 + 16 * m_nextGraph++);
        m_graphs[handle] = std::move(graph);
    }
    return handle;
}

bool Streams::drop(void* handle) {
    const auto found = m_graphs.find(handle);
    if (found == m_graphs.end())
        return false;
    const std::shared_ptr<Graph> graph = found->second;
    for (const auto& node : graph->nodes) // handles of graphs inside it go with it
        for (const auto& inner : innerGraphs(node->work))
            if (const auto inside = m_handles.find(inner.get()); inside != m_handles.end())
                drop(inside->second);
    m_handles.erase(graph.get());
    m_graphs.erase(handle);
    return true;
}

std::shared_ptr<Graph> Streams::makeGraph() {
    auto graph = std::make_shared<Graph>(m_nodes);
    graph->ofDevice = currentDevice();
    return graph;
}

void Streams::reset(unsigned device) {
    std::vector<void*> graphs;
    for (const auto& [handle, graph] : m_graphs)
        if (graph->ofDevice == device)
            graphs.push_back(handle);
    for (void* handle : graphs)
        drop(handle);
    std::erase_if(m_streams, [device](const auto& stream) { return stream.second->device == device; });
    std::erase_if(m_events, [device](const auto& event) { return event.second->device == device; });
    Stream& standard = m_defaults[device];
    standard.capture.reset();
    standard.tail.clear();
    standard.attributes.clear();
}

UserObject* Streams::object(void* handle) {
    const auto found = m_objects.find(handle);
    return found == m_objects.end() ? nullptr : found->second.get();
}

Status Streams::beginCapture(Stream& stream, void* into, std::vector<GraphNode*> after) {
    if (stream.capture)
        return illegalState;
    auto capture = std::make_shared<Capture>();
    capture->graph = into ? graph(into) : makeGraph();
    if (!capture->graph)
        return invalidValue;
    capture->handle = into;
    capture->origin = &stream;
    capture->id = m_nextCapture++;
    stream.capture = std::move(capture);
    stream.tail = std::move(after);
    return success;
}

void Streams::join(Stream& stream, const Event& event) {
    if (!event.capture)
        return;
    if (!stream.capture) {
        stream.capture = event.capture;
        stream.tail.clear();
    }
    for (GraphNode* node : event.tail)
        if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end())
            stream.tail.push_back(node);
}

namespace {

// Everything that must have ended before these have.
std::set<const GraphNode*> allBefore(const std::vector<GraphNode*>& nodes) {
    std::set<const GraphNode*> all;
    std::vector<const GraphNode*> open(nodes.begin(), nodes.end());
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        if (all.insert(node).second)
            open.insert(open.end(), node->before.begin(), node->before.end());
    }
    return all;
}

} // namespace

// Streams that joined must have been joined again: otherwise nothing waits for their work.
Status Streams::endCapture(Stream& origin, void*& graph) {
    const std::shared_ptr<Capture> capture = origin.capture;
    if (!capture)
        return illegalState;
    if (capture->origin != &origin)
        return captureUnmatched;
    Status status = capture->why;
    const auto waitedFor = allBefore(origin.tail);
    for (const auto& [handle, stream] : m_streams)
        if (stream->capture == capture) {
            for (const GraphNode* node : stream->tail)
                if (!waitedFor.count(node) && status == success)
                    status = captureUnjoined;
            stream->capture.reset();
            stream->tail.clear();
        }
    for (const auto& [handle, event] : m_events)
        if (event->capture == capture) {
            event->capture.reset();
            event->tail.clear();
        }
    graph = status != success ? nullptr : capture->handle ? capture->handle : keep(capture->graph);
    return status;
}

} // namespace warpglass::virtual_device
