// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/state/memory_map.h"

#include <algorithm>
#include <iterator>
#include <new>

namespace warpglass::emulator {

namespace {

constexpr std::uint64_t gapOfAreas = 1 << 20, gapOfHeap = 1 << 16;
// So many pieces of a size stay freed before one is given out anew: who still uses them is found out until then.
constexpr std::size_t restingPieces = 1024;
// So many of all sizes together, at least the last half of them: of who uses one freed before that, nothing is known.
constexpr std::size_t restingInAll = 1 << 16;
constexpr std::size_t givenBackKept = 1024; // areas that were freed, by name

template <class T = std::byte>
T* zeros(std::uint64_t bytes) {
    constexpr std::uint64_t word = 4; // wordAtEnd
    auto* made = static_cast<T*>(std::calloc(std::max<std::uint64_t>((bytes + word - 1) / word * word, word), 1));
    if (!made)
        throw std::bad_alloc();
    return made;
}

} // namespace

void Area::watchFirstUse() {
    writtenStorage.reset(zeros<std::uint8_t>((bytes + 6) / 4)); // wordAtEnd: the word behind, too, where base is in one
    written = writtenStorage.get();
}

std::uint64_t GlobalMemory::take(std::uint64_t bytes) {
    return take(bytes, gapOfAreas);
}

std::uint64_t GlobalMemory::take(std::uint64_t bytes, std::uint64_t gap) {
    constexpr std::uint64_t alignment = 512;
    const std::uint64_t base = m_next;
    m_next = (m_next + bytes + gap + alignment - 1) / alignment * alignment;
    return base;
}

Area& GlobalMemory::insert(std::unique_ptr<Area> area) {
    const auto at = std::upper_bound(m_areas.begin(), m_areas.end(), area->base,
                                     [](std::uint64_t a, const auto& other) { return a < other->base; });
    return **m_areas.insert(at, std::move(area));
}

Area& GlobalMemory::allocate(std::uint64_t bytes, Said name, bool watchFirstUse) {
    return place(take(bytes), bytes, std::move(name), watchFirstUse);
}

Area& GlobalMemory::place(std::uint64_t base, std::uint64_t bytes, Said name, bool watchFirstUse) {
    std::unique_ptr<Area> area;
    if (m_spare.empty()) {
        area = std::make_unique<Area>();
    } else {
        area = std::move(m_spare.back());
        m_spare.pop_back();
    }
    area->base = base;
    area->bytes = bytes;
    area->storage.reset(zeros(bytes + base % 4)); // wordAtEnd: a whole word of addresses
    area->wholeWords = true;
    area->host = area->storage.get();
    area->name = std::move(name);
    if (watchFirstUse)
        area->watchFirstUse();
    return insert(std::move(area));
}

Area& GlobalMemory::adopt(std::uint64_t base, std::uint64_t bytes, std::byte* data, Said name, bool wholeWords) {
    auto area = std::make_unique<Area>();
    area->base = base;
    area->bytes = bytes;
    area->host = data;
    area->wholeWords = wholeWords;
    area->name = std::move(name);
    return insert(std::move(area));
}

void GlobalMemory::rename(std::uint64_t base, Said name) {
    Area* hint = nullptr;
    if (Area* area = find(base, 1, hint))
        area->name = std::move(name);
}

void GlobalMemory::noteFreed(std::uint64_t base) {
    Area* hint = nullptr;
    const Area* area = find(base, 1, hint);
    if (!area)
        return;
    if (m_givenBack.size() == givenBackKept)
        m_givenBack.pop_front();
    m_givenBack.push_back({area->base, area->bytes, area->name});
}

const GlobalMemory::Freed* GlobalMemory::freed(std::uint64_t address) const {
    Area* hint = nullptr;
    if (find(address, 1, hint))
        return nullptr; // somebody else's by now
    const auto last = std::find_if(m_givenBack.rbegin(), m_givenBack.rend(),
                                   [&](const Freed& f) { return address - f.base < f.bytes; });
    return last == m_givenBack.rend() ? nullptr : &*last;
}

void GlobalMemory::remove(std::uint64_t base) {
    const auto at = std::lower_bound(m_areas.begin(), m_areas.end(), base,
                                     [](const auto& area, std::uint64_t a) { return area->base < a; });
    if (at != m_areas.end() && (*at)->base == base)
        m_areas.erase(at);
}

Area* GlobalMemory::allocateHeap(std::uint64_t bytes, Said name) {
    Area* area = nullptr;
    if (const auto same = m_freed.find(bytes); same != m_freed.end() && same->second.size() > restingPieces) {
        area = same->second.front();
        same->second.pop_front();
        --m_resting;
        area->storage.reset(zeros(bytes));
        area->host = area->storage.get();
        area->name = std::move(name);
        area->bytes = bytes;
        area->watchFirstUse();
        area->freedBytes = 0;
    } else if (bytes <= room() && room() - bytes > 2 * gapOfHeap) {
        area = &place(take(bytes, gapOfHeap), bytes, std::move(name), true);
        area->heap = true;
    }
    return area;
}

void GlobalMemory::freeHeap(Area& area) {
    m_freed[area.bytes].push_back(&area);
    area.ifLost.reset();
    area.freedBytes = area.bytes;
    area.bytes = 0;
    area.dropFirstUse();
    area.storage.reset();
    area.host = nullptr;
    area.freedAt = ++m_frees;
    if (++m_resting > restingInAll)
        forgetFreed();
}

// In one pass for many, since the areas lie in a row. They themselves stay: caches may still lead to them.
void GlobalMemory::forgetFreed() {
    const std::uint64_t before = m_frees - restingInAll / 2;
    for (auto size = m_freed.begin(); size != m_freed.end();) {
        std::erase_if(size->second, [&](const Area* area) { return area->freedAt <= before; });
        size = size->second.empty() ? m_freed.erase(size) : std::next(size);
    }
    std::erase_if(m_areas, [&](auto& area) {
        if (!area->freedBytes || area->freedAt > before)
            return false;
        *area = Area();
        m_spare.push_back(std::move(area));
        return true;
    });
    m_resting = restingInAll / 2;
}

void GlobalMemory::dropHeap() {
    m_freed.clear();
    m_resting = 0;
    std::erase_if(m_areas, [](const auto& area) { return area->heap; });
}

void GlobalMemory::releaseSince(std::uint64_t mark) {
    const auto below = [](const auto& area, std::uint64_t a) { return area->base < a; };
    const auto first = std::lower_bound(m_areas.begin(), m_areas.end(), mark, below);
    const auto last = std::lower_bound(first, m_areas.end(), m_next, below);
    const bool keeps = std::any_of(first, last, [](const auto& area) { return area->heap && !area->freedBytes; });
    if (keeps) { // the addresses stay taken, and pieces that were freed beside wait for others of their size
        m_areas.erase(std::remove_if(first, last, [](const auto& area) { return area->storage && !area->heap; }), last);
        return;
    }
    for (auto& [bytes, areas] : m_freed)
        m_resting -= std::erase_if(areas, [&](const Area* area) { return area->base >= mark && area->base < m_next; });
    m_areas.erase(std::remove_if(first, last, [](const auto& area) { return area->storage || area->freedBytes; }),
                  last);
    m_next = mark;
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
