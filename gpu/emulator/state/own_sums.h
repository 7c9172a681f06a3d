// SPDX-License-Identifier: GPL-3.0-or-later
// What a host thread adds to pages of global memory whose locks it found taken. Two threads that reduce into the same
// words make less together than one alone, since the cache's lines go to and fro between them. Who comes second therefore
// keeps a page of its own, with zeros at first (or what changes nothing, of other operations), reduces into that, and
// gives it all to memory later. That are whole numbers, of which nobody can tell the order, and it happens only in
// programs that use no old value (atomic_ops.cpp).
//
// Until then memory holds what it held before: as if the thread's reductions were still to come. It gives them before it
// loads from the buffer or stores there itself, before another operation on the page, and when it has run a few blocks
// to their end. Programs that reach memory in other ways than by loads, stores and reductions keep nothing.
#pragma once

#include "gpu/emulator/state/memory_map.h"
#include "gpu/emulator/state/page_locks.h"

#include <array>
#include <cstring>
#include <mutex>
#include <utility>

namespace warpglass::emulator {

struct Program;

class OwnSums {
public:
    static constexpr std::uint64_t pageBytes = PageLock::pageBytes, none = ~std::uint64_t(0);
    // All that is not neutral to memory, which somebody holds the lock of; it is neutral then.
    using Give = void (*)(std::byte* memory, std::byte* sums);

    struct Page {
        std::uint64_t address = none;
        std::uint64_t mixed = none; // the address of one that had to be given soon, and is not to be kept again
        const Area* area = nullptr;
        std::byte* memory = nullptr;
        Give give = nullptr;
        alignas(64) std::array<std::byte, pageBytes> sums;
    };

    // Of the page that is kept there, for lanes whose addresses all lie on it.
    static Reach reach(Page& p) { return Addressed(p.sums.data(), p.address, pageBytes).among(p.address, pageBytes); }
    static std::uint64_t pageOf(std::uint64_t address) { return address & ~(pageBytes - 1); }
    Page& placeOf(std::uint64_t address) { return m_pages[address / pageBytes % m_pages.size()]; }
    // Whether a page may be kept there.
    static bool isFree(const Page& p, std::uint64_t page) { return p.address == none && p.mixed != page; }
    template <class T>
    void keep(Page& p, std::uint64_t page, const Area& area, std::byte* memory, Give give, T neutral) {
        p.address = page;
        p.area = &area;
        p.memory = memory;
        p.give = give;
        for (std::size_t at = 0; at < pageBytes; at += sizeof(T))
            std::memcpy(p.sums.data() + at, &neutral, sizeof neutral);
        ++m_kept;
    }
    // Whether an access to many pages at once, which would take as many locks, may keep them all: only where there are
    // many such, since a page that is kept has to be cleared and given.
    bool keepsMany() {
        constexpr std::uint32_t some = 32;
        return m_many >= some || ++m_many >= some;
    }
    // Of a page that is kept.
    void giveBack(Page& p) {
        {
            const std::lock_guard lock(pageLock(p.address));
            p.give(p.memory, p.sums.data());
        }
        p.mixed = std::exchange(p.address, none);
        --m_kept;
    }
    // Before the thread itself reaches into the area.
    void bring(const Area& area) {
        if (m_kept != 0)
            for (Page& p : m_pages)
                if (p.address != none && p.area == &area)
                    giveBack(p);
    }
    void bringAll() {
        for (Page& p : m_pages) {
            if (p.address != none)
                giveBack(p);
            p.mixed = none;
        }
        m_many = 0;
    }

private:
    std::array<Page, 32> m_pages; // by address
    std::uint32_t m_kept = 0, m_many = 0;
};

// Whether the program reaches global memory by loads, stores and reductions alone, and has reductions.
bool mayKeepSums(const Program& program);

} // namespace warpglass::emulator
