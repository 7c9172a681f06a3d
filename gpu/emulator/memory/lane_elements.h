// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp's access does before and after the memory itself is touched, for every space alike: the addresses of
// its lanes, their elements moved between registers and memory, and what the access is counted as. Inline: each space's
// own file runs through this once for every load and store.
#pragma once

#include "gpu/emulator/memory/touch.h"
#include "gpu/emulator/run/exec.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

// Addresses of all lanes into x.address (inactive ones too: cheaper than asking).
inline void addresses(Exec& x, const Inst& in) {
    const auto offset = std::uint64_t(in.memory.offset);
    if (in.memory.wideAddress) {
        const auto* a = rowAt<const std::uint64_t>(x, in.a);
        for (std::size_t i = 0; i < 32; ++i)
            x.address[i] = a[i] + offset;
    } else if (in.memory.noBase) {
        x.address.fill(offset);
    } else {
        const auto* a = rowAt<const std::uint32_t>(x, in.a);
        for (std::size_t i = 0; i < 32; ++i)
            x.address[i] = std::uint32_t(a[i] + std::uint32_t(offset));
    }
}

inline const std::uint32_t* dataRows(const Exec& x, const Inst& in) {
    return in.memory.elements == 1 ? &in.dst : x.program->vectors[in.memory.vector].data();
}

inline void loadElements(Exec& x, const Inst& in, int lane, const std::byte* from) {
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noIndex)
            continue;
        std::uint64_t value = 0;
        std::memcpy(&value, from + v * in.memory.bytes, in.memory.bytes);
        if (in.memory.isSigned) {
            const int shift = 64 - 8 * in.memory.bytes;
            value = std::uint64_t(std::int64_t(value << shift) >> shift);
        }
        if (in.memory.rowBytes == 8)
            rowAt<std::uint64_t>(x, rows[v])[lane] = value;
        else
            rowAt<std::uint32_t>(x, rows[v])[lane] = std::uint32_t(value);
    }
}
inline void storeElements(Exec& x, const Inst& in, int lane, std::byte* to) {
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        const std::byte* from = x.rows + rows[v] + std::size_t(lane) * in.memory.rowBytes;
        std::memcpy(to + v * in.memory.bytes, from, in.memory.bytes);
    }
}

// Whether the active lanes' addresses go up by exactly size a lane.
inline bool consecutive(Exec& x, std::uint32_t m, std::uint32_t size) {
    const auto first = std::size_t(std::countr_zero(m));
    if (((m >> first) & ((m >> first) + 1)) != 0)
        return false; // a hole
    const std::uint64_t base = x.address[first] - first * size;
    std::uint64_t differs = 0;
    if (m == 0xffffffffu) {
        for (std::size_t i = 0; i < 32; ++i)
            differs |= x.address[i] - i * size - base;
    } else {
        if (x.laneBitsOf != m)
            x.expand(m);
        for (std::size_t i = 0; i < 32; ++i)
            differs |= (x.address[i] - i * size - base) & std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
    }
    return differs == 0;
}

// Elements of all active lanes, address a at host + (a - base). 4-byte elements, the usual ones, have their own loop.
template <bool isStore>
inline void moveElements(Exec& x, const Inst& in, std::uint32_t m, std::byte* host, std::uint64_t base) {
    if (in.memory.bytes == 4 && in.memory.rowBytes == 4) {
        const std::uint32_t* rows = dataRows(x, in);
        for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
            if (rows[v] == noIndex)
                continue;
            auto* row = rowAt<std::uint32_t>(x, rows[v]);
            std::byte* from = host + 4 * v;
            for (std::uint32_t rest = m; rest; rest &= rest - 1) {
                const auto lane = std::size_t(std::countr_zero(rest));
                std::byte* at = from + (x.address[lane] - base);
                if constexpr (isStore)
                    std::memcpy(at, row + lane, 4);
                else
                    std::memcpy(row + lane, at, 4);
            }
        }
        return;
    }
    eachLane(m, [&](int lane) {
        std::byte* at = host + (x.address[std::size_t(lane)] - base);
        isStore ? storeElements(x, in, lane, at) : loadElements(x, in, lane, at);
    });
}

// Whether all active lanes ask for the same address.
inline bool uniform(Exec& x, std::uint32_t m) {
    const std::uint64_t base = x.address[std::size_t(std::countr_zero(m))];
    if (x.laneBitsOf != m)
        x.expand(m);
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i < 32; ++i)
        differs |= (x.address[i] ^ base) & std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
    return differs == 0;
}

// One lane's elements for all active lanes.
inline void broadcastElements(Exec& x, const Inst& in, std::uint32_t m, const std::byte* from) {
    const int first = std::countr_zero(m);
    loadElements(x, in, first, from);
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint32_t* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
        if (rows[v] == noIndex)
            continue;
        if (in.memory.rowBytes == 8) {
            auto* d = rowAt<std::uint64_t>(x, rows[v]);
            const std::uint64_t value = d[first];
            for (std::size_t i = 0; i < 32; ++i) {
                const auto k = std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
                d[i] = (value & k) | (d[i] & ~k);
            }
        } else {
            auto* d = rowAt<std::uint32_t>(x, rows[v]);
            const std::uint32_t value = d[first];
            for (std::size_t i = 0; i < 32; ++i)
                d[i] = (value & x.laneBits[i]) | (d[i] & ~x.laneBits[i]);
        }
    }
}

inline void countAccess(Exec& x, const Inst& in) {
    MemoryCount& c = x.counters->memory[in.index];
    const AccessSummary& s = x.access;
    if (x.touched) [[unlikely]]
        touchSectors(x);
    c.requests += 1;
    c.bytesDistinct += s.bytesDistinct;
    c.bytesRequested += std::uint64_t(s.bytes) * std::uint32_t(s.active.count());
    c.sectors += s.sectors;
    c.lines += s.lines;
    c.passes += s.passes;
    c.idealPasses += s.idealPasses;
    c.spaces |= 1u << unsigned(s.space);
}
inline void beginAccess(Exec& x, std::uint32_t m, std::uint32_t size, MemorySpace space, AccessKind kind) {
    x.access = {space, kind, {m}, size, 0, 0, 0, 0, 0};
}

// A handler whose body takes the lanes that are to be served; their addresses are in x.address.
template <auto body>
bool onLanes(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    if (m == 0)
        return true;
    addresses(x, in);
    return body(x, in, m);
}

} // namespace warpglass::emulator
