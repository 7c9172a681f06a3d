// SPDX-License-Identifier: GPL-3.0-or-later
// Work of streams that is put off (`program --schedule adverse`): it is done when something waits for it, and not before, and of
// streams that nothing orders the later ones come first. So what a program does not wait for, it does not find.
#pragma once

#include "gpu/virtual/core/abi.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpglass::virtual_device {

class Later {
public:
    explicit Later(std::uint64_t seed) : m_seed(seed), m_draw(seed) {}

    struct Place {
        std::uint32_t stream = 0; // row
        std::uint64_t count = 0;
    };
    // The next work of a stream. blocking: the legacy default stream (also a row) and it wait for each other.
    void put(std::uint32_t stream, bool blocking, std::uint32_t defaultStream, std::function<void()> work);
    void recorded(void* event, std::uint32_t stream); // behind what the stream has been given
    void waits(std::uint32_t stream, void* event);    // its next work, for what was recorded last
    void finish(std::uint32_t stream, bool withBlocking = false);
    void finishEvent(void* event);
    void finishAll();
    bool empty() const { return m_open == 0; }
    std::uint64_t given() const { return m_given; } // so far

private:
    struct Item {
        std::uint64_t count = 0;
        std::vector<Place> behind;
        std::function<void()> work;
    };
    struct Queue {
        std::deque<Item> items;
        std::uint64_t given = 0;
        std::vector<Place> behind; // of its next work
        bool blocking = false;
    };
    void upTo(Place place);

    std::map<std::uint32_t, Queue> m_queues; // [row]
    std::unordered_map<void*, Place> m_events;
    std::size_t m_open = 0;
    std::uint64_t m_given = 0;
    std::uint64_t m_seed;
    std::mt19937_64 m_draw;
};

} // namespace warpglass::virtual_device
