// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/shared_access.h"
#include "gpu/emulator/access/access.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/cluster.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

// Lanes that are not all within the block's own memory, aligned.
template <bool isStore>
[[gnu::noinline]] bool elsewhere(Exec& x, const Inst& in, std::uint32_t m) {
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint64_t limit = x.block->shared.size();
    const std::uint32_t size = x.access.bytes;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t own = x.address[std::size_t(lane)];
        if (own >> clusterRankShift) // another block's
            return clusterAccess<isStore>(x, in, m);
        if (own > limit || limit - own < size)
            return faultAccess(x, in, lane, own, size, MemorySpace::Shared, limit, kind);
        if (!isAligned(own, size))
            return faultMisaligned(x, in, lane, own, size);
    }
    return faultAccess(x, in, std::countr_zero(m), x.address[std::size_t(std::countr_zero(m))], size,
                       MemorySpace::Shared, limit,
                       kind); // none of them alone: not to be
}

} // namespace

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m) {
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const Access a = begin<kind>(x, in, m, MemorySpace::Shared);
    const Reach home = reachInShared(x, in, a);
    x.lanesLie = a.order;
    x.lanesReach = home;
    if (!home) [[unlikely]]
        return elsewhere<isStore>(x, in, m);
    if (isStore)
        judgeLanes<kind>(x, in, a, home);
    if (isStore || !in.memory.inPlace)
        move<isStore>(x, in, a, home);
    account<kind>(x, in, a);
    countAccess(x, in);
    if (!isStore)
        judgeLanes<kind>(x, in, a, home);
    return true;
}

template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

namespace {

template <bool isStore>
[[gnu::always_inline]] inline void copyWords(std::byte* shared, std::byte* row, std::size_t bytes) {
    std::memcpy(isStore ? shared : row, isStore ? row : shared, bytes);
}
template <bool isStore>
void moveFours(Exec& x, const Inst& in, std::byte* at, const LanesAbove& above, const StoreNotes& notes = {}) {
    using Words = std::conditional_t<isStore, const std::uint32_t, std::uint32_t>;
    const auto& places = x.program->vectors[in.memory.vector];
    // As the passes take them: pointers that are copied first have to wait for each other.
    Words* const rows[4] = {rowAt<Words>(x, places[0]), rowAt<Words>(x, places[1]), rowAt<Words>(x, places[2]),
                            rowAt<Words>(x, places[3])};
    if constexpr (!isStore)
        x.passes->loadFoursAbove(at, above, rows);
    else if (notes.passes)
        notes.passes->storeFours(notes.cells, above, notes.by, at, rows);
    else
        x.passes->storeFoursAbove(at, above, rows);
}

// Three kinds of accesses that nobody looks at and of which there is nothing to say are most of all: rows of a whole warp,
// columns of one, and parts of rows. They are made without asking lane by lane. False: nothing is done.

// One that is served in as few passes as can be.
[[gnu::always_inline]] inline void countIdeal(Exec& x, const Inst& in, std::uint32_t bytes, std::uint32_t passes) {
    MemoryCount& count = countOf(x, in, MemorySpace::Shared);
    count.requests += 1;
    count.bytesRequested += bytes;
    count.passes += passes;
    count.idealPasses += passes;
}

// Element behind element.
template <bool isStore>
bool accessRow(Exec& x, const Inst& in, std::uint64_t from, std::uint32_t size, MoveBy moved) {
    const LanesAbove& above = elementSteps[size / 8];
    const Reach reach = x.block->shared.numbered().among(from, std::uint64_t(32) * size);
    if ((from & (size - 1)) != 0 || !reach || !staysInShared(x, in, from, std::uint64_t(32) * size) ||
        !judge(x, in,
               {.lie = SharedAccess::Lie::Row,
                .kind = isStore ? AccessKind::Store : AccessKind::Load,
                .bytes = size,
                .offset = std::uint32_t(from)}))
        return false;
    std::byte* const at = reach.at(from);
    if (moved == MoveBy::Words)
        copyWords<isStore>(at, x.rows + in.dst, 128);
    else if (moved == MoveBy::Longs)
        copyWords<isStore>(at, x.rows + in.dst, 256);
    else if (moved == MoveBy::Fours)
        moveFours<isStore>(x, in, at, above);
    x.lanesLie = Lanes::InOrder;
    x.lanesReach = reach;
    x.address[0] = from;
    countIdeal(x, in, 32 * size, size / 4);
    return true;
}
// Lanes that lie as they did the time before.
template <bool isStore>
bool accessColumn(Exec& x, const Inst& in, MoveBy moved) {
    const SharedColumn column = x.shapes->columnOf(x, in);
    if (!column)
        return false;
    StoreNotes notes;
    if (const WordColumn words = column.words(); !judge(x, in,
                                                        {.lie = SharedAccess::Lie::Column,
                                                         .kind = isStore ? AccessKind::Store : AccessKind::Load,
                                                         .column = &words,
                                                         .toPut = &notes}))
        return false;
    std::byte* const at = column.host;
    const LanesAbove& above = column.shape->above;
    if (moved == MoveBy::Words && notes.passes) {
        notes.passes->storeWords(notes.cells, above, notes.by, at, rowAt<const std::uint32_t>(x, in.dst));
    } else if (moved == MoveBy::Words) {
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < 32; ++lane)
            copyWords<isStore>(at + above[lane], x.rows + in.dst + 4 * lane, 4);
    } else if (moved == MoveBy::Longs) {
        if (notes.passes)
            notes.passes->putAbove[1](notes.cells, above, notes.by);
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < 32; ++lane)
            copyWords<isStore>(at + above[lane], x.rows + in.dst + 8 * lane, 8);
    } else if (moved == MoveBy::Fours) {
        moveFours<isStore>(x, in, at, above, notes);
    }
    x.lanesLie = Lanes::Scattered;
    x.lanesReach = x.block->shared.numbered().among(0, 0);
    x.lanesAbove = above.data();
    x.lanesLowest = at;
    countOf(x, in, MemorySpace::Shared).add(column.shape->count);
    return true;
}
template <bool isStore>
bool accessQuietly(Exec& x, const Inst& in) {
    const MoveBy moved = in.memory.moveBy;
    if (moved == MoveBy::Otherwise || x.observed)
        return false;
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    const auto* addresses = rowAt<const std::uint32_t>(x, in.a);
    if (addresses[1] - addresses[0] == size && x.passes->liesAbove(addresses, addresses[0], elementSteps[size / 8]))
        return accessRow<isStore>(x, in, std::uint32_t(addresses[0] + std::uint32_t(in.memory.offset)), size, moved);
    return accessColumn<isStore>(x, in, moved); // rows of half a warp, too
}

// Words of some lanes, with others between them, that lie in a row as all lanes' words do.
template <bool isStore>
bool accessPartOfRow(Exec& x, const Inst& in, std::uint32_t m) {
    const auto first = std::uint32_t(std::countr_zero(m));
    const std::uint32_t together = m >> first;
    if ((together & (together + 1)) == 0 || in.memory.moveBy != MoveBy::Words || x.observed)
        return false;
    const auto* const row = rowAt<const std::uint32_t>(x, in.a);
    const std::uint32_t base = row[first] - 4 * first, at = base + std::uint32_t(in.memory.offset);
    std::byte* const host = x.block->shared.find(at, 128);
    const std::uint32_t from = at + 4 * first, end = at + 128 - 4 * std::uint32_t(std::countl_zero(m));
    if (at % 4 != 0 || !host || !staysInShared(x, in, from, end - from))
        return false;
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint32_t* const bits = x.laneBits.data();
    if (!x.passes->partLiesAbove(row, base, elementSteps[0], bits) ||
        !judge(x, in,
               {.lie = SharedAccess::Lie::Part,
                .kind = isStore ? AccessKind::Store : AccessKind::Load,
                .lanes = m,
                .offset = at}))
        return false;
    auto* const words = reinterpret_cast<std::uint32_t*>(host);
    auto* const own = rowAt<std::uint32_t>(x, in.dst);
    x.passes->copyPart(bits, isStore ? own : words, isStore ? words : own);
    countIdeal(x, in, 4 * std::uint32_t(std::popcount(m)), 1);
    return true;
}

template <bool isStore>
bool shared(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    x.lanesAbove = nullptr;
    if (m == ~0u && accessQuietly<isStore>(x, in)) [[likely]]
        return true;
    return m == 0 || (m != ~0u && accessPartOfRow<isStore>(x, in, m)) || serveLanes<&sharedAccess<isStore>>(x, in, m);
}

} // namespace

bool quietPieces(Exec& x, const Inst& in, std::uint64_t from) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    x.lanesAbove = nullptr;
    if (!in.memory.inPlace || (size != 4 && size != 8 && size != 16) || x.observed ||
        !accessRow<false>(x, in, from, size, MoveBy::Nothing))
        return false;
    x.access.active = {~0u};
    return true;
}

Handler sharedHandler(bool isStore) {
    return isStore ? &shared<true> : &shared<false>;
}

} // namespace warpglass::emulator
