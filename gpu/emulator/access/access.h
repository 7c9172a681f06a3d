// SPDX-License-Identifier: GPL-3.0-or-later
// One access of a warp's lanes to global, shared or constant memory on its way: begun (how its lanes lie), resolved (where in
// the host's memory that is, which is the only way to a fault), judged, moved, and accounted for. Two memories lie otherwise
// and take the same steps in a file of their own: local memory, whose words are rows of a warp (local_access.cpp), and other
// blocks' shared memory, where each lane has a home (cluster_access.cpp).
#pragma once

#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/watch/shared_races.h"

namespace warpglass::emulator {

struct Access {
    MemorySpace space;
    Lanes order;
    std::uint32_t lanes, size; // bytes a lane
    std::uint64_t at, bytes;   // of the first lane; as far as lanes in order or at one place reach from there
    const AccessShape* shape;  // of scattered ones, if they lie as they did before
};

// Of addresses in x.address. Inline, as all of these: it would come back in pieces that have to wait for each other.
template <AccessKind kind>
[[gnu::always_inline]] inline Access begin(Exec& x, const Inst& in, std::uint32_t m, MemorySpace space) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    beginAccess(x, m, size, space, kind);
    const Lanes order = x.passes->order(x, m, size);
    const std::uint64_t bytes = order == Lanes::InOrder ? std::uint64_t(size) * std::uint32_t(std::popcount(m)) : size;
    return {space,
            order,
            m,
            size,
            x.address[std::size_t(std::countr_zero(m))],
            bytes,
            order == Lanes::Scattered ? x.shapes->find(x, in, m, size, space == MemorySpace::Shared) : nullptr};
}

// Where all lanes' elements lie, aligned.
[[gnu::always_inline]] inline Reach reachIn(Exec& x, const Access& a, const Addressed& memory) {
    if (a.order != Lanes::Scattered) [[likely]]
        return isAligned(a.at, a.size) ? memory.among(a.at, a.bytes) : Reach();
    return a.shape ? a.shape->reach(a.at, memory) : reachOf(x, a.lanes, memory, a.size);
}
// Of global memory, in which a.bytes were found.
[[gnu::always_inline]] inline Reach reachIn(Exec& x, const Access& a, const Found& found) {
    if (!found)
        return {};
    if (a.order != Lanes::Scattered) [[likely]]
        return isAligned(a.at, a.size) ? found.reach() : Reach();
    return reachIn(x, a, found->numbered());
}
// Of the block's own shared memory: in the variable that is meant, or, which is told, beside it.
[[gnu::noinline]] inline Reach reachBounded(Exec& x, const Inst& in, Access a) {
    if (const Reach own = reachIn(x, a, ownShared(x, in, a.at)))
        return own;
    tellOutside(x, in, a.lanes);
    return reachIn(x, a, x.block->shared.numbered());
}
[[gnu::always_inline]] inline Reach reachInShared(Exec& x, const Inst& in, const Access& a) {
    return in.memory.bound == Bound::Shared ? reachBounded(x, in, a) : reachIn(x, a, x.block->shared.numbered());
}

template <AccessKind kind>
[[gnu::always_inline]] inline void judgeLanes(Exec& x, const Inst& in, const Access& a, Reach home) {
    const ScatteredWords words = a.shape ? a.shape->words(a.at) : ScatteredWords{};
    judge(x, in,
          {.kind = kind,
           .order = a.order,
           .within = bool(home),
           .lanes = a.lanes,
           .bytes = a.size,
           .offsets = &x.address,
           .words = a.shape ? &words : nullptr});
}

template <bool isStore>
[[gnu::always_inline]] inline void move(Exec& x, const Inst& in, const Access& a, Reach home) {
    std::byte* const at = home.at(a.at);
    if (a.order == Lanes::InOrder && in.memory.elements == 1 &&
        (in.memory.bytes == 8 || (in.memory.bytes == 4 && in.memory.rowBytes == 4))) {
        std::byte* row = x.rows + in.dst + std::size_t(std::countr_zero(a.lanes)) * in.memory.bytes;
        std::memcpy(isStore ? at : row, isStore ? row : at, a.bytes);
    } else if (!isStore && a.order == Lanes::AtOne) {
        broadcastElements(x, in, a.lanes, at);
    } else {
        moveElements<isStore>(x, in, a.lanes, home);
    }
}

// Whether lanes in order are among those that are served together, as far as 128 bytes go.
inline bool inOnePart(std::uint32_t m, std::uint32_t size) {
    const int width = size <= 4 ? 32 : 128 / int(size), first = std::countr_zero(m);
    return width >= 4 && first / width == (31 - std::countl_zero(m)) / width;
}
// What it costs, into x.access.
template <AccessKind kind>
[[gnu::always_inline]] inline void account(Exec& x, const Inst& in, const Access& a) {
    if (a.order == Lanes::Scattered)
        return a.shape ? a.shape->tell(x.access) : accountScattered(x, in);
    if (a.space != MemorySpace::Shared)
        summariseContiguous(x.access, a.at, std::uint32_t(a.bytes));
    else if (kind == AccessKind::Load && a.size >= 8 &&
             (a.order == Lanes::AtOne || (a.lanes != ~0u && !inOnePart(a.lanes, a.size))))
        summariseBanks(x.access, x.address); // what neighbours want alike is served at once
    else                                     // neighbours lie in different banks
        x.access.passes = x.access.idealPasses = partsServed(a.lanes, a.size);
    if constexpr (kind == AccessKind::Atomic)
        x.access.turns = a.order == Lanes::AtOne ? std::uint32_t(std::popcount(a.lanes))
                         : a.size >= 4           ? 1
                                                 : mostAtOneWord(a.lanes, x.address);
}

} // namespace warpglass::emulator
