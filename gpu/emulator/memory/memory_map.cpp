// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/memory_map.h"

#include <algorithm>

namespace warpglass::emulator {

Area& GlobalMemory::allocate(std::uint64_t bytes, std::string name, bool watchFirstUse) {
    constexpr std::uint64_t gap = 1 << 20, alignment = 512;
    auto area = std::make_unique<Area>();
    area->base = m_next;
    area->bytes = bytes;
    area->storage = std::make_unique<std::byte[]>(bytes ? bytes : 1);
    area->data = area->storage.get();
    area->name = std::move(name);
    if (watchFirstUse)
        area->written.assign((bytes + 3) / 4, 0);
    m_next = (m_next + bytes + gap + alignment - 1) / alignment * alignment;
    m_areas.push_back(std::move(area));
    return *m_areas.back();
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
