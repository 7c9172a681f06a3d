// SPDX-License-Identifier: GPL-3.0-or-later
// Which block of the first waves touches which 32-byte sector of global memory first, and how many SMs want it in that wave. The
// timed SM asks it what a whole L2 would know: a sector that an earlier block has fetched is found there, one that nobody had
// comes from DRAM, once for all that want it then. And how many SMs have atomics for the same line. And whether blocks meet: whether one finds, or leaves, what another has to do with,
// so that their order matters. That is asked sector by sector and word by word, not who does what there: a sector that several
// blocks touch, and a word of it that one of them reads and writes, is taken for a meeting. It costs another run and no more.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace warpglass::emulator {

class TouchTable {
public:
    // Room for about `sectors` sectors, and, where it may grow, for `most`; what comes after that is not kept, and full()
    // says so.
    explicit TouchTable(std::uint64_t sectors, std::uint64_t most = 0)
        : m_mask(std::bit_ceil(sectors + sectors / 2 + 16) - 1), m_cells(new Cell[m_mask + 1]), m_room(sectors),
          m_most(std::max(sectors, most)) {}

    // Room for so many more sectors, as far as it may grow. While no other thread is at work here.
    void makeRoom(std::uint64_t more) {
        const std::uint64_t wanted = std::min(m_count.load(std::memory_order_relaxed) + more, m_most);
        if (wanted <= m_room)
            return;
        const std::uint64_t old = m_mask + 1;
        const std::unique_ptr<Cell[]> cells = std::move(m_cells);
        m_room = std::min(std::max(wanted, 2 * m_room), m_most);
        m_mask = std::bit_ceil(m_room + m_room / 2 + 16) - 1;
        m_cells = std::make_unique<Cell[]>(m_mask + 1);
        m_count.store(0, std::memory_order_relaxed);
        for (std::uint64_t k = 0; k < old; ++k)
            if (const std::uint64_t key = cells[k].key.load(std::memory_order_relaxed))
                cellOf(key - 1)->take(cells[k]);
    }

    // What an instruction of a block does to bytes of a sector.
    struct Use {
        std::uint32_t loads = 0, stores = 0, changes = 0; // by an atomic; a bit a byte
        std::uint32_t operation = 0;                      // of the atomic, a number
        bool ordered = false;                             // its old value is used, or it does not commute with itself
    };
    // Any thread. Blocks that are timed only tell what they do; they are not to find themselves here. left: of the touches
    // that the block may tell of (setTouches), where that says how many sectors it had wanted before.
    void use(std::uint64_t sector, std::uint32_t block, std::uint32_t sm, const Use& use, bool timed,
             std::uint64_t left = 0) {
        Cell* const cell = cellOf(sector);
        if (!cell) {
            if (!timed)
                m_full.store(true, std::memory_order_relaxed);
            return;
        }
        if (!timed)
            touch(*cell, block, sm, left > 0 ? m_touches - std::min(left, m_touches) : unknown);
        if (cell->use(block, use))
            m_meet.store(true, std::memory_order_relaxed);
    }
    bool meet() const { return m_meet.load(std::memory_order_relaxed); } // blocks do

    // Lowest block wins, so that the order of calls does not matter. Any thread.
    void add(std::uint64_t sector, std::uint32_t block, std::uint32_t sm) {
        if (Cell* const cell = cellOf(sector))
            touch(*cell, block, sm, unknown);
        else
            m_full.store(true, std::memory_order_relaxed);
    }

    // ~0u if no block has touched it.
    std::uint32_t first(std::uint64_t sector) const {
        const Cell* const c = find(sector);
        return c ? c->block.load(std::memory_order_relaxed) : ~0u;
    }

    // Blocks that run at once: a wave. Before anything is told.
    void setWave(std::uint64_t blocks) { m_wave = std::max<std::uint64_t>(1, blocks); }
    // Sectors of each block that are told, repeated ones too.
    void setTouches(std::uint64_t ofBlock) { m_touches = ofBlock; }
    // SMs that want the sector in the first wave that does, if that is the block's own; else none.
    double wantedBy(std::uint64_t sector, std::uint32_t block) const {
        const Cell* const c = find(sector);
        const std::uint64_t sms = c ? c->sms.load(std::memory_order_relaxed) : 0;
        if (sms >> Cell::smBits != waveOf(block) >> Cell::smBits)
            return 0;
        // By chance, some of them share a bit.
        const int set = std::popcount(sms << (64 - Cell::smBits));
        return -double(Cell::smBits) * std::log(1 - std::min(set, Cell::smBits - 1) / double(Cell::smBits));
    }

    // Whether another block of this one's wave wanted the sector when it had wanted fewer than so many others: each takes them in
    // its own order.
    bool wantedWithin(std::uint64_t sector, std::uint32_t block, std::uint64_t before) const {
        const Cell* const c = find(sector);
        const std::uint64_t early = c ? c->early.load(std::memory_order_relaxed) : 0;
        return early >> Cell::smBits == waveOf(block) >> Cell::smBits && unknown - (early & unknown) < before;
    }

    // An atomic of a block of this SM wants the line of 128 bytes. Any thread, in any order; lines that fall together count
    // as one.
    void wants(std::uint64_t line, std::uint32_t sm) {
        m_wanted[hash(line) % m_wanted.size()].fetch_or(std::uint64_t(1) << sm % 64, std::memory_order_relaxed);
    }
    // The same of one that stores to it.
    void writes(std::uint64_t line, std::uint32_t sm) {
        std::atomic<std::uint64_t>& sms = m_writers[hash(line) % m_writers.size()];
        const std::uint64_t bit = std::uint64_t(1) << sm % 64;
        if (!(sms.load(std::memory_order_relaxed) & bit))
            sms.fetch_or(bit, std::memory_order_relaxed);
    }
    // Of all SMs at work, those whose atomics want the line; all of them, if nobody has told.
    double sharers(std::uint64_t line, std::uint32_t active) const {
        const double some = among(m_wanted, line, active);
        return some > 0 ? some : active;
    }
    // The same of stores; one, if nobody has told.
    double writers(std::uint64_t line, std::uint32_t active) const {
        return std::max(1.0, among(m_writers, line, active));
    }

    bool full() const { return m_full.load(std::memory_order_relaxed); }
    std::uint64_t sectors() const { return m_touched.load(std::memory_order_relaxed); }

    // What the table has, behind these bytes; and a table of what was written so: nullptr, if that is none.
    void write(std::vector<std::byte>& bytes) const;
    static std::unique_ptr<TouchTable> read(std::span<const std::byte> bytes);

    // Sectors of which something is written, and of these those of which something is not.
    struct Written {
        std::uint64_t all = 0, partly = 0;
    };
    Written written() const {
        Written count;
        for (std::uint64_t at = 0; at <= m_mask; ++at)
            if (const std::uint32_t bytes = m_cells[at].written.load(std::memory_order_relaxed)) {
                ++count.all;
                count.partly += bytes != ~0u;
            }
        return count;
    }

private:
    static constexpr std::uint64_t unknown = (std::uint64_t(1) << 56) - 1;
    struct Cell {
        std::atomic<std::uint64_t> key{0};
        std::atomic<std::uint32_t> block{~0u};
        std::atomic<std::uint32_t> written{0}; // bytes, a bit each
        std::atomic<std::uint32_t> user{~0u};  // a block
        std::atomic<std::uint32_t> uses{0};    // words loaded, words changed by atomics, and the bits below
        std::atomic<std::uint64_t> sms{
            0}; // waveOf() the first that touches it, and a bit for each of the SMs that do then

        // waveOf() that, and how far short of unknown the least is that a block had wanted before.
        std::atomic<std::uint64_t> early{0};

        static constexpr int smBits = 56;

        static constexpr std::uint32_t several = 1u << 16, twice = 1u << 17, ordered = 1u << 18;
        static constexpr unsigned firstOperation = 19, operations = 32 - firstOperation;

        // 4 bytes each.
        static std::uint32_t words(std::uint32_t bytes) {
            bytes |= bytes >> 1;
            bytes = (bytes | bytes >> 2) & 0x11111111;
            bytes = (bytes | bytes >> 3) & 0x03030303;
            bytes = (bytes | bytes >> 6) & 0x000f000f;
            return (bytes | bytes >> 12) & 0xff;
        }
        // True: from now on it is known that blocks meet here. What is told in another order comes to the same bits.
        bool use(std::uint32_t by, const Use& u) {
            std::uint32_t bits = words(u.loads) | words(u.changes) << 8;
            if (u.changes != 0)
                bits |= 1u << (firstOperation + u.operation % operations) | (u.ordered ? ordered : 0);
            std::uint32_t seen = user.load(std::memory_order_relaxed);
            if (seen == ~0u && user.compare_exchange_strong(seen, by))
                seen = by;
            if (seen != by)
                bits |= several;
            const bool stores = u.stores != 0;
            if (stores && (written.fetch_or(u.stores) & u.stores) != 0)
                bits |= twice;
            std::uint32_t now = uses.load(std::memory_order_relaxed);
            if ((now & bits) == bits && !stores)
                return false;
            now = uses.fetch_or(bits) | bits;
            if ((now & several) == 0)
                return false;
            const std::uint32_t loaded = now & 0xff, changed = now >> 8 & 0xff, stored = words(written.load());
            return (now & twice) != 0 || (stored & (loaded | changed)) != 0 || (loaded & changed) != 0 ||
                   (changed != 0 && ((now & ordered) != 0 || std::popcount(now >> firstOperation) > 1));
        }
        void take(const Cell& c) {
            const auto copy = [](std::atomic<std::uint32_t>& to, const std::atomic<std::uint32_t>& from) {
                to.store(from.load(std::memory_order_relaxed), std::memory_order_relaxed);
            };
            copy(block, c.block);
            copy(written, c.written);
            copy(user, c.user);
            copy(uses, c.uses);
            sms.store(c.sms.load(std::memory_order_relaxed), std::memory_order_relaxed);
            early.store(c.early.load(std::memory_order_relaxed), std::memory_order_relaxed);
        }
    };
    // nullptr: there is no room for another one.
    Cell* cellOf(std::uint64_t sector) {
        const std::uint64_t key = sector + 1;
        for (std::uint64_t at = hash(sector);; ++at) {
            Cell& c = m_cells[at & m_mask];
            std::uint64_t found = c.key.load(std::memory_order_relaxed);
            if (found == 0) {
                if (m_count.load(std::memory_order_relaxed) >= m_room)
                    return nullptr;
                if (c.key.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
                    m_count.fetch_add(1, std::memory_order_relaxed);
                    return &c;
                }
            }
            if (found == key)
                return &c;
        }
    }
    const Cell* find(std::uint64_t sector) const {
        for (std::uint64_t at = hash(sector);; ++at) {
            const Cell& c = m_cells[at & m_mask];
            const std::uint64_t found = c.key.load(std::memory_order_relaxed);
            if (found == 0 || found == sector + 1)
                return found == 0 ? nullptr : &c;
        }
    }
    // The earlier the wave, the greater.
    std::uint64_t waveOf(std::uint32_t block) const {
        return (255 - std::min<std::uint64_t>(254, block / m_wave)) << Cell::smBits;
    }
    void touch(Cell& c, std::uint32_t block, std::uint32_t sm, std::uint64_t before) {
        const std::uint64_t wave = waveOf(block), early = wave | (unknown - std::min(before, unknown));
        std::uint64_t earliest = c.early.load(std::memory_order_relaxed);
        while (earliest < early && !c.early.compare_exchange_weak(earliest, early, std::memory_order_relaxed)) {
        }
        const std::uint64_t bit = std::uint64_t(1) << (sm * 0x9e3779b97f4a7c15ull >> 32) % Cell::smBits;
        std::uint64_t sms = c.sms.load(std::memory_order_relaxed), with = 0;
        do
            with = (sms < wave ? wave : sms) | bit; // an earlier wave's, or this one's
        while (sms >> Cell::smBits <= wave >> Cell::smBits && with != sms &&
               !c.sms.compare_exchange_weak(sms, with, std::memory_order_relaxed));
        std::uint32_t seen = c.block.load(std::memory_order_relaxed);
        while (block < seen && !c.block.compare_exchange_weak(seen, block, std::memory_order_relaxed)) {
        }
        if (seen == ~0u)
            m_touched.fetch_add(1, std::memory_order_relaxed);
    }
    using Sms = std::array<std::atomic<std::uint64_t>, 4096>; // by line; SMs, a bit for every 64th
    double among(const Sms& of, std::uint64_t line, std::uint32_t active) const {
        const int some = std::popcount(of[hash(line) % of.size()].load(std::memory_order_relaxed));
        if (some == 0)
            return 0;
        return active > 64 ? std::max(1.0, active * some / 64.0) : std::min<double>(active, some + 1);
    }
    std::uint64_t hash(std::uint64_t sector) const { return (sector * 0x9e3779b97f4a7c15ull >> 20) & m_mask; }
    std::uint64_t m_mask;
    std::unique_ptr<Cell[]> m_cells;
    Sms m_wanted{}, m_writers{};
    std::uint64_t m_room, m_most, m_wave = 1, m_touches = 0;
    std::atomic<std::uint64_t> m_count{0}, m_touched{0}; // cells, and those of them that a block has touched
    std::atomic<bool> m_full{false}, m_meet{false};
};

} // namespace warpglass::emulator
