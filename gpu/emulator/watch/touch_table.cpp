// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/touch_table.h"
#include "gpu/emulator/code/bounds.h"

#include <cstring>
#include <type_traits>

namespace warpglass::emulator {

namespace {

struct Head {
    std::uint64_t room = 0, most = 0, wave = 0, cells = 0;
    std::uint8_t full = 0, meet = 0, rest[6] = {};
};
struct PlainCell {
    std::uint64_t key = 0, sms = 0, early = 0;
    std::uint32_t block = 0, written = 0, user = 0, uses = 0;
};

template <class T>
void put(std::vector<std::byte>& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}
template <class T>
T taken(std::span<const std::byte>& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

} // namespace

void TouchTable::write(std::vector<std::byte>& bytes) const {
    Head head{m_room, m_most, m_wave, m_count.load(), full(), meet()};
    bytes.reserve(bytes.size() + sizeof head + head.cells * sizeof(PlainCell) + 2 * sizeof(Sms));
    put(bytes, head);
    for (const Sms* const all : {&m_wanted, &m_writers})
        for (const auto& sms : *all)
            put(bytes, sms.load(std::memory_order_relaxed));
    for (std::uint64_t at = 0; at <= m_mask; ++at)
        if (const Cell& c = m_cells[at]; c.key.load(std::memory_order_relaxed) != 0)
            put(bytes, PlainCell{c.key.load(), c.sms.load(), c.early.load(), c.block.load(), c.written.load(),
                                 c.user.load(), c.uses.load()});
}

std::unique_ptr<TouchTable> TouchTable::read(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(Head) + 2 * sizeof(Sms))
        return nullptr;
    const auto head = taken<Head>(bytes);
    if (head.most > bounds.touchedSectors || head.room > head.most || head.cells > head.room ||
        bytes.size() != head.cells * sizeof(PlainCell) + 2 * sizeof(Sms))
        return nullptr;
    auto table = std::make_unique<TouchTable>(head.room, head.most);
    table->setWave(head.wave);
    for (Sms* const all : {&table->m_wanted, &table->m_writers})
        for (auto& sms : *all)
            sms.store(taken<std::uint64_t>(bytes));
    for (std::uint64_t k = 0; k < head.cells; ++k) {
        const auto plain = taken<PlainCell>(bytes);
        Cell* const cell = plain.key != 0 ? table->cellOf(plain.key - 1) : nullptr;
        if (!cell)
            return nullptr;
        cell->sms.store(plain.sms);
        cell->early.store(plain.early);
        cell->block.store(plain.block);
        cell->written.store(plain.written);
        cell->user.store(plain.user);
        cell->uses.store(plain.uses);
        table->m_touched += plain.block != ~0u;
    }
    table->m_full.store(head.full != 0);
    table->m_meet.store(head.meet != 0);
    return table;
}

} // namespace warpglass::emulator
