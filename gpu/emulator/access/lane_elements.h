// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp's access does before and after the memory itself is touched, for every space alike: the addresses of
// its lanes, their elements moved between registers and memory, and what the access is counted as. Inline: each space's
// own file runs through this once for every load and store.
#pragma once

#include "gpu/emulator/access/fault_report.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/lanes/turned.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/watchers.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace warpglass::emulator {

// Addresses of all lanes into x.address (inactive ones too: cheaper than asking).
inline void addresses(Exec& x, const Inst& in) {
    x.passes->fill(x, in);
}

// An element of up to 8 bytes as a row takes it.
[[gnu::always_inline]] inline std::uint64_t elementAt(const Inst& in, const std::byte* from) {
    const auto as = [&](auto value) { // no copy of a length that is not known
        std::memcpy(&value, from, sizeof value);
        using Signed = std::make_signed_t<decltype(value)>;
        return in.memory.isSigned ? std::uint64_t(std::int64_t(Signed(value))) : std::uint64_t(value);
    };
    switch (in.memory.bytes) {
    case 1:
        return as(std::uint8_t());
    case 2:
        return as(std::uint16_t());
    case 4:
        return as(std::uint32_t());
    default:
        return as(std::uint64_t());
    }
}

inline void loadElements(Exec& x, const Inst& in, int lane, const std::byte* from) {
    const Row* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noRow)
            continue;
        if (in.memory.bytes == 16) [[unlikely]] {
            std::memcpy(x.rows + rows[v] + std::size_t(lane) * 16, from, 16);
            continue;
        }
        const std::uint64_t value = elementAt(in, from + v * in.memory.bytes);
        if (in.memory.rowBytes == 8)
            rowAt<std::uint64_t>(x, rows[v])[lane] = value;
        else
            rowAt<std::uint32_t>(x, rows[v])[lane] = std::uint32_t(value);
    }
}
inline void storeElements(Exec& x, const Inst& in, int lane, std::byte* to) {
    const Row* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noRow)
            continue;
        const std::byte* from = x.rows + rows[v] + std::size_t(lane) * in.memory.rowBytes;
        std::memcpy(to + v * in.memory.bytes, from, in.memory.bytes);
    }
}

// Where so many bytes at each active lane's address lie, aligned to their number, if all of them are in that memory.
inline Reach reachOf(Exec& x, std::uint32_t m, const Addressed& memory, std::uint32_t size) {
    if (m != ~0u && x.laneBitsOf != m)
        x.expand(m);
    return memory.lanes(x.address, m, x.laneBits, size);
}

// f(lane) for each lane of m, the lowest first.
template <class F>
[[gnu::always_inline]] inline void everyLane(std::uint32_t m, const F& f) {
    if (m == ~0u)
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < 32; ++lane)
            f(lane);
    else
        for (; m; m &= m - 1)
            f(std::size_t(std::countr_zero(m)));
}

// One element of each active lane between memory and a row: T in memory (signed if its sign is extended), R in
// the row.
template <bool isStore, class T, class R>
[[gnu::always_inline]] inline void moveLanes(const Exec& x, std::uint32_t m, R* row, Reach memory) {
    const std::uintptr_t shift = memory.shift();
    everyLane(m, [&](std::size_t lane) {
        auto* at = reinterpret_cast<std::byte*>(x.address[lane] + shift);
        T value;
        if constexpr (isStore) {
            value = T(row[lane]);
            std::memcpy(at, &value, sizeof(T));
        } else {
            std::memcpy(&value, at, sizeof(T));
            row[lane] = R(value);
        }
    });
}
template <bool isStore, class T>
[[gnu::always_inline]] inline void moveRow(Exec& x, const Inst& in, std::uint32_t m, Row row, Reach memory) {
    if (in.memory.rowBytes == 8)
        moveLanes<isStore, T>(x, m, rowAt<std::uint64_t>(x, row), memory);
    else
        moveLanes<isStore, T>(x, m, rowAt<std::uint32_t>(x, row), memory);
}

// Vectors of two or more words or of two longs, of a whole warp: a few lanes at a time are turned from one behind the
// other in memory to rows. False: something else, and nothing is done.
template <bool isStore>
inline bool moveVectors(const Exec& x, const Inst& in, const Row* rows, Reach memory) {
    const std::uint32_t elements = in.memory.elements, bytes = in.memory.bytes;
    if (bytes != in.memory.rowBytes || (bytes != 4 && bytes != 8) || elements == 1 || (bytes == 8 && elements != 2))
        return false;
    for (std::uint32_t v = 0; v < elements; ++v)
        if (rows[v] == noRow)
            return false;
    const auto at = [&](std::size_t lane) { return memory.at(x.address[lane]); };
    if (bytes == 8)
        for (std::size_t lane = 0; lane < 32; lane += 2) {
            TwoLongs first, second;
            std::byte *own = x.rows + rows[0] + 8 * lane, *other = x.rows + rows[1] + 8 * lane;
            if constexpr (isStore) {
                std::memcpy(&first, own, sizeof first);
                std::memcpy(&second, other, sizeof second);
            } else {
                std::memcpy(&first, at(lane), sizeof first);
                std::memcpy(&second, at(lane + 1), sizeof second);
            }
            TwoLongs low = __builtin_shufflevector(first, second, 0, 2),
                     high = __builtin_shufflevector(first, second, 1, 3);
            std::memcpy(isStore ? at(lane) : own, &low, sizeof low);
            std::memcpy(isStore ? at(lane + 1) : other, &high, sizeof high);
        }
    else if (elements == 2)
        for (std::size_t lane = 0; lane < 32; lane += 4) {
            std::byte *own = x.rows + rows[0] + 4 * lane, *other = x.rows + rows[1] + 4 * lane;
            if constexpr (isStore) {
                const FourWords a = fourWords(own), b = fourWords(other);
                const FourWords low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                                high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
                std::memcpy(at(lane), &low, 8);
                std::memcpy(at(lane + 1), reinterpret_cast<const char*>(&low) + 8, 8);
                std::memcpy(at(lane + 2), &high, 8);
                std::memcpy(at(lane + 3), reinterpret_cast<const char*>(&high) + 8, 8);
            } else {
                std::uint64_t v[4];
                for (std::size_t i = 0; i < 4; ++i)
                    std::memcpy(&v[i], at(lane + i), 8);
                const FourWords low = reinterpret_cast<FourWords>(TwoLongs{v[0], v[1]}),
                                high = reinterpret_cast<FourWords>(TwoLongs{v[2], v[3]});
                const FourWords a = __builtin_shufflevector(low, high, 0, 2, 4, 6),
                                b = __builtin_shufflevector(low, high, 1, 3, 5, 7);
                std::memcpy(own, &a, sizeof a);
                std::memcpy(other, &b, sizeof b);
            }
        }
    else
        for (std::uint32_t four = 0; four < elements; four += 4) {
            using Words = std::conditional_t<isStore, const std::uint32_t, std::uint32_t>;
            const auto own = [&](std::size_t i) { return reinterpret_cast<Words*>(x.rows + rows[four + i]); };
            Words* const words[4] = {own(0), own(1), own(2), own(3)};
            const Reach here = memory.behind(4 * four);
            if constexpr (isStore)
                x.passes->storeFours(x, here, words);
            else
                x.passes->loadFours(x, here, words);
        }
    return true;
}

// Elements of all active lanes.
template <bool isStore>
inline void moveElements(Exec& x, const Inst& in, std::uint32_t m, Reach memory) {
    const Row* rows = dataRows(x, in);
    const std::uint32_t bytes = in.memory.bytes;
    if (m == ~0u && moveVectors<isStore>(x, in, rows, memory))
        return;
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noRow)
            continue;
        const Reach from = memory.behind(bytes * v);
        const bool sign = in.memory.isSigned;
        switch (bytes) {
        case 1:
            sign ? moveRow<isStore, std::int8_t>(x, in, m, rows[v], from)
                 : moveRow<isStore, std::uint8_t>(x, in, m, rows[v], from);
            break;
        case 2:
            sign ? moveRow<isStore, std::int16_t>(x, in, m, rows[v], from)
                 : moveRow<isStore, std::uint16_t>(x, in, m, rows[v], from);
            break;
        case 4:
            sign ? moveRow<isStore, std::int32_t>(x, in, m, rows[v], from)
                 : moveRow<isStore, std::uint32_t>(x, in, m, rows[v], from);
            break;
        case 16:
            for (std::uint32_t rest = m; rest; rest &= rest - 1) {
                const auto lane = std::size_t(std::countr_zero(rest));
                std::byte *at = from.at(x.address[lane]), *own = x.rows + rows[v] + 16 * lane;
                std::memcpy(isStore ? at : own, isStore ? own : at, 16);
            }
            break;
        default:
            moveLanes<isStore, std::uint64_t>(x, m, rowAt<std::uint64_t>(x, rows[v]), from);
            break;
        }
    }
}

// One lane's elements for all active lanes.
inline void broadcastElements(Exec& x, const Inst& in, std::uint32_t m, const std::byte* from) {
    const Row* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noRow)
            continue;
        if (in.memory.bytes == 16) [[unlikely]] {
            eachLane(m, [&](int lane) { std::memcpy(x.rows + rows[v] + std::size_t(lane) * 16, from, 16); });
            continue;
        }
        const std::uint64_t value = elementAt(in, from + v * in.memory.bytes);
        if (in.memory.rowBytes == 8)
            storeLanes(x, m, rowAt<std::uint64_t>(x, rows[v]), [=](int) { return value; });
        else
            storeLanes(x, m, rowAt<std::uint32_t>(x, rows[v]), [=](int) { return value; });
    }
}

// Of an atomic on vectors: an operand whose registers a result of an element before it may take, as the decoder found.
inline void copyOperand(Exec& x, const Inst& in, std::uint32_t m) {
    const auto* vectors = x.program->vectors.data() + in.memory.vector;
    for (std::uint32_t k = 0; k < in.memory.elements; ++k)
        eachLane(m, [&](int lane) {
            rowAt<std::uint32_t>(x, vectors[0][k])[lane] = rowAt<const std::uint32_t>(x, vectors[2][k])[lane];
        });
}

// Where an access to the space is counted.
[[gnu::always_inline]] inline MemoryCount& countOf(Exec& x, const Inst& in, MemorySpace space) {
    if (!in.memory.isSplit) [[likely]]
        return x.counters->memory[in.index];
    return x.counters->splitAt(in.index, space, callerOf(x));
}
[[gnu::always_inline]] inline void countAccess(Exec& x, const Inst& in) {
    if (x.watched || x.use) [[unlikely]]
        tellWatchers(x, in);
    countOf(x, in, x.access.space).add(x.access);
}
inline void beginAccess(Exec& x, std::uint32_t m, std::uint32_t size, MemorySpace space, AccessKind kind) {
    x.access = {space, kind, {m}, size, 0, 0, 0, 0, 0};
}

// The lanes m that are to be served, one at least, whose addresses are in x.address, given to a body.
template <auto body>
bool serveFound(Exec& x, const Inst& in, std::uint32_t m) {
    if (x.reportFaults) [[unlikely]] {
        m = lanesWithoutFault(x, in, m);
        x.access.active = {m};
    }
    return m == 0 || body(x, in, m);
}
template <auto body>
bool serveLanes(Exec& x, const Inst& in, std::uint32_t m) {
    addresses(x, in);
    return serveFound<body>(x, in, m);
}
// A handler whose body takes them.
template <auto body>
bool onLanes(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    return m == 0 || serveLanes<body>(x, in, m);
}

} // namespace warpglass::emulator
