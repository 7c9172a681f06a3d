// SPDX-License-Identifier: GPL-3.0-or-later
// Stores of values that are there already. Where blocks of several host threads store the same to the same words again and
// again (flags, "something has changed", constants), each store would pull the cache's line away from the other thread,
// and that takes several times as long as all the rest of it; to look leaves the line with both. What a store does can
// not be told from what one does that leaves equal bytes alone.
#pragma once

#include "gpu/emulator/access/lane_elements.h"

namespace warpglass::emulator {

template <class T, class R>
[[gnu::always_inline]] inline bool lanesHold(const Exec& x, std::uint32_t m, const R* row, Reach memory) {
    const std::uintptr_t shift = memory.shift();
    T differs = 0;
    everyLane(m, [&](std::size_t lane) {
        T there;
        std::memcpy(&there, reinterpret_cast<const std::byte*>(x.address[lane] + shift), sizeof there);
        differs |= T(there ^ T(row[lane]));
    });
    return differs == 0;
}
template <class T>
[[gnu::always_inline]] inline bool rowHolds(Exec& x, const Inst& in, std::uint32_t m, Row row, Reach memory) {
    return in.memory.rowBytes == 8 ? lanesHold<T>(x, m, rowAt<const std::uint64_t>(x, row), memory)
                                   : lanesHold<T>(x, m, rowAt<const std::uint32_t>(x, row), memory);
}

// Whether all active lanes' elements are in memory. Of lanes that store different values
// to one word some do not find theirs.
inline bool holdsElements(Exec& x, const Inst& in, std::uint32_t m, Reach memory) {
    const Row* rows = dataRows(x, in);
    const std::uint32_t bytes = in.memory.bytes, elements = in.memory.elements;
    if (std::find(rows, rows + elements, noRow) != rows + elements)
        return false;
    if (m == ~0u && bytes == 4 && in.memory.rowBytes == 4 && elements % 4 == 0) {
        for (std::uint32_t four = 0; four < elements; four += 4) {
            alignas(64) std::uint32_t there[4][32];
            std::uint32_t* const to[4] = {there[0], there[1], there[2], there[3]};
            x.passes->loadFours(x, memory.behind(4 * four), to);
            std::uint32_t differs = 0;
            for (std::size_t v = 0; v < 4; ++v) {
                const auto* row = rowAt<const std::uint32_t>(x, rows[four + v]);
                for (std::size_t lane = 0; lane < 32; ++lane)
                    differs |= there[v][lane] ^ row[lane];
            }
            if (differs)
                return false;
        }
        return true;
    }
    for (std::uint32_t v = 0; v < elements; ++v) {
        const Reach from = memory.behind(bytes * v);
        const bool same = bytes == 1   ? rowHolds<std::uint8_t>(x, in, m, rows[v], from)
                          : bytes == 2 ? rowHolds<std::uint16_t>(x, in, m, rows[v], from)
                          : bytes == 4 ? rowHolds<std::uint32_t>(x, in, m, rows[v], from)
                          : bytes == 8 ? lanesHold<std::uint64_t>(x, m, rowAt<const std::uint64_t>(x, rows[v]), from)
                                       : false;
        if (!same)
            return false;
    }
    return true;
}

// Whether this store need not be carried out. Only now and then looked at for instructions that did not find their values
// the last time: nearly all of them never do.
inline bool leavesAll(Exec& x, const Inst& in, std::uint32_t m, Reach memory) {
    constexpr std::uint8_t seldom = 16;
    if (!x.concurrent)
        return false;
    std::uint8_t& since = x.otherValues[in.index % x.otherValues.size()];
    if (since != 0 && ++since < seldom)
        return false;
    const bool same = holdsElements(x, in, m, memory);
    since = same ? 0 : 1;
    return same;
}

} // namespace warpglass::emulator
