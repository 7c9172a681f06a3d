// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/memory_map.h"

#include <algorithm>
#include <new>

namespace warpglass::emulator {

std::uint64_t GlobalMemory::take(std::uint64_t bytes) {
    constexpr std::uint64_t gap = 1 << 20, alignment = 512;
    const std::uint64_t base = m_next;
    m_next = (m_next + bytes + gap + alignment - 1) / alignment * alignment;
    return base;
}

Area& GlobalMemory::insert(std::unique_ptr<Area> area) {
    const auto at = std::upper_bound(m_areas.begin(), m_areas.end(), area->base,
                                     [](std::uint64_t a, const auto& other) { return a < other->base; });
    return **m_areas.insert(at, std::move(area));
}

Area& GlobalMemory::allocate(std::uint64_t bytes, std::string name, bool watchFirstUse) {
    return place(take(bytes), bytes, std::move(name), watchFirstUse);
}

Area& GlobalMemory::place(std::uint64_t base, std::uint64_t bytes, std::string name, bool watchFirstUse) {
    auto area = std::make_unique<Area>();
    area->base = base;
    area->bytes = bytes;
    area->storage.reset(static_cast<std::byte*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1)));
    if (!area->storage)
        throw std::bad_alloc();
    area->data = area->storage.get();
    area->name = std::move(name);
    if (watchFirstUse)
        area->written.assign((bytes + 3) / 4, 0);
    return insert(std::move(area));
}

Area& GlobalMemory::adopt(std::uint64_t base, std::uint64_t bytes, std::byte* data, std::string name) {
    auto area = std::make_unique<Area>();
    area->base = base;
    area->bytes = bytes;
    area->data = data;
    area->name = std::move(name);
    return insert(std::move(area));
}

void GlobalMemory::remove(std::uint64_t base) {
    const auto at = std::lower_bound(m_areas.begin(), m_areas.end(), base,
                                     [](const auto& area, std::uint64_t a) { return area->base < a; });
    if (at != m_areas.end() && (*at)->base == base)
        m_areas.erase(at);
}

void GlobalMemory::releaseSince(std::uint64_t mark) {
    const std::uint64_t end = m_next;
    m_next = mark;
    std::erase_if(m_areas, [&](const auto& area) {
        const bool since = (area->storage || area->freedBytes) && area->base >= mark && area->base < end;
        const bool stays = area->heap && !area->freedBytes;
        if (since && stays)
            m_next = end; // its addresses stay taken
        return since && !stays;
    });
}

Area* GlobalMemory::search(std::uint64_t address, std::uint64_t bytes, Area*& hint) const {
    auto it = std::upper_bound(m_areas.begin(), m_areas.end(), address,
                               [](std::uint64_t a, const auto& area) { return a < area->base; });
    if (it == m_areas.begin())
        return nullptr;
    Area* area = std::prev(it)->get();
    if (address - area->base >= area->bytes || area->bytes - (address - area->base) < bytes)
        return nullptr;
    hint = area;
    return area;
}

const Area* GlobalMemory::nearest(std::uint64_t address) const {
    auto it = std::upper_bound(m_areas.begin(), m_areas.end(), address,
                               [](std::uint64_t a, const auto& area) { return a < area->base; });
    return it == m_areas.begin() ? nullptr : std::prev(it)->get();
}

const Area* GlobalMemory::next(std::uint64_t address) const {
    auto it = std::upper_bound(m_areas.begin(), m_areas.end(), address,
                               [](std::uint64_t a, const auto& area) { return a < area->base; });
    return it == m_areas.end() ? nullptr : it->get();
}

} // namespace warpglass::emulator
