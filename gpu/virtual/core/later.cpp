// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/later.h"

#include <limits>

namespace warpglass::virtual_device {

void Later::put(std::uint32_t stream, bool blocking, std::uint32_t defaultStream, std::function<void()> work) {
    Queue& queue = m_queues[stream];
    queue.blocking = blocking;
    Item item{++queue.given, std::exchange(queue.behind, {}), std::move(work)};
    if (blocking)
        for (const auto& [row, other] : m_queues)
            if (row != stream && other.blocking && (stream == defaultStream || row == defaultStream))
                item.behind.push_back({row, other.given});
    m_queues[stream].items.push_back(std::move(item));
    ++m_open;
    ++m_given;
}

void Later::recorded(void* event, std::uint32_t stream) {
    m_events[event] = {stream, m_queues[stream].given};
}

void Later::waits(std::uint32_t stream, void* event) {
    if (const auto place = m_events.find(event); place != m_events.end())
        m_queues[stream].behind.push_back(place->second);
}

// What a stream was given before comes first; an item's own waits lead to what was given before it, and so never in a circle.
void Later::upTo(Place place) {
    std::deque<Item>& items = m_queues[place.stream].items;
    while (!items.empty() && items.front().count <= place.count) {
        const Item item = std::move(items.front());
        items.pop_front();
        --m_open;
        for (const Place& earlier : item.behind)
            upTo(earlier);
        item.work();
    }
}

void Later::finish(std::uint32_t stream, bool withBlocking) {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    for (const Place& place : std::exchange(m_queues[stream].behind, {})) // an event that it was told to wait for last
        upTo(place);
    if (withBlocking)
        for (auto queue = m_queues.rbegin(); queue != m_queues.rend(); ++queue)
            if (queue->second.blocking)
                upTo({queue->first, all});
    upTo({stream, all});
}

void Later::finishEvent(void* event) {
    if (const auto place = m_events.find(event); place != m_events.end())
        upTo(place->second);
}

// The latest streams first; with a seed one piece of work after the other, of streams by chance.
void Later::finishAll() {
    while (m_open > 0) {
        std::vector<std::uint32_t> rows;
        for (const auto& [row, queue] : m_queues)
            if (!queue.items.empty())
                rows.push_back(row);
        if (rows.empty()) // only what works now
            return;
        const std::uint32_t row = m_seed == 0 ? rows.back() : rows[m_draw() % rows.size()];
        upTo({row, m_queues[row].items.front().count});
    }
}

} // namespace warpglass::virtual_device
