// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/shared_access.h"
#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/watch/shared_races.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

// bytes: of all lanes, where they lie in order.
template <bool isStore>
void moveShared(Exec& x, const Inst& in, std::uint32_t m, Lanes order, Reach shared, std::uint64_t bytes) {
    const auto first = std::size_t(std::countr_zero(m));
    std::byte* const at = shared.at(x.address[first]);
    if (!isStore && order == Lanes::AtOne) {
        broadcastElements(x, in, m, at);
    } else if (order == Lanes::InOrder && in.memory.elements == 1 &&
               (in.memory.bytes == 8 || (in.memory.bytes == 4 && in.memory.rowBytes == 4))) {
        std::byte* row = x.rows + in.dst + first * in.memory.bytes;
        std::memcpy(isStore ? at : row, isStore ? row : at, bytes);
    } else {
        moveElements<isStore>(x, in, m, shared);
    }
}

// Whether all lanes are among those that are served together, as far as 128 bytes go.
bool inOnePart(std::uint32_t m, std::uint32_t size) {
    const int width = size <= 4 ? 32 : 128 / int(size), first = std::countr_zero(m);
    return width >= 4 && first / width == (31 - std::countl_zero(m)) / width;
}

} // namespace

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint64_t limit = x.block->shared.size();
    const auto first = std::size_t(std::countr_zero(m));
    const Lanes order = x.passes->order(x, m, size);
    const AccessShape* shape = order == Lanes::Scattered ? x.shapes->find(x, in, m, size, true) : nullptr;
    // In order or at one place, the first and the last lane speak for all.
    const std::uint64_t at = x.address[first],
                        bytes = order == Lanes::InOrder ? std::uint64_t(size) * std::uint32_t(std::popcount(m)) : size;
    const Reach reach = reachOfShared(x, in, m, at, [&](const Addressed& memory) {
        return shape                       ? shape->reach(at, memory)
               : order == Lanes::Scattered ? reachOf(x, m, memory, size)
               : isAligned(at, size)       ? memory.among(at, bytes)
                                           : Reach();
    });
    x.lanesLie = order;
    x.lanesReach = reach;
    if (!reach) [[unlikely]] {
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
        return faultAccess(x, in, int(first), at, size, MemorySpace::Shared, limit,
                           kind); // none of them alone: not to be
    }
    beginAccess(x, m, size, MemorySpace::Shared, kind);
    const ScatteredWords words = shape ? shape->words(at) : ScatteredWords{};
    const SharedAccess judged{.kind = kind,
                              .order = order,
                              .lanes = m,
                              .bytes = size,
                              .offsets = &x.address,
                              .words = shape ? &words : nullptr};
    if (isStore && x.checkMemory)
        judge(x, in, judged);
    if (isStore || !in.memory.inPlace)
        moveShared<isStore>(x, in, m, order, reach, bytes);
    if (shape) {
        shape->tell(x.access);
    } else if (order == Lanes::Scattered) {
        summariseBanks(x.access, x.address);
        x.shapes->keep(x, in, true);
    } else if (order == Lanes::InOrder && inOnePart(m, size)) {
        x.access.passes = x.access.idealPasses = 1; // 128 bytes at most, one behind the other
    } else if (!isStore && size >= 8 && (order == Lanes::AtOne || m != ~0u)) {
        summariseBanks(x.access, x.address); // what neighbours want alike is served at once
    } else {                                 // neighbours lie in different banks
        x.access.passes = x.access.idealPasses = partsServed(m, size);
    }
    countAccess(x, in);
    if (!isStore && x.checkMemory)
        judge(x, in, judged);
    return true;
}

template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

namespace {

// What moves words between rows and shared memory as they are.
enum class MoveBy : std::uint8_t { Otherwise, Nothing, Words, Longs, Fours };
MoveBy moveBy(const Exec& x, const Inst& in) {
    const MemoryPart& m = in.memory;
    if (m.inPlace)
        return MoveBy::Nothing;
    if (m.elements == 1)
        return m.bytes != m.rowBytes ? MoveBy::Otherwise
               : m.bytes == 4        ? MoveBy::Words
               : m.bytes == 8        ? MoveBy::Longs
                                     : MoveBy::Otherwise;
    if (m.elements != 4 || m.bytes != 4 || m.rowBytes != 4)
        return MoveBy::Otherwise;
    const auto& rows = x.program->vectors[m.vector];
    return std::any_of(rows.begin(), rows.begin() + 4, [](Row row) { return row == noRow; }) ? MoveBy::Otherwise
                                                                                             : MoveBy::Fours;
}
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
    const Reach reach = ownShared(x, in, from).among(from, std::uint64_t(32) * size);
    if ((from & (size - 1)) != 0 || !reach ||
        (x.checkMemory && !judge(x, in,
                                 {.lie = SharedAccess::Lie::Row,
                                  .kind = isStore ? AccessKind::Store : AccessKind::Load,
                                  .bytes = size,
                                  .offset = std::uint32_t(from)})))
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
    if (const WordColumn words = column.words();
        x.checkMemory && !judge(x, in,
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
    const MemoryPart& part = in.memory;
    const std::uint32_t size = std::uint32_t(part.bytes) * part.elements;
    if (part.wideAddress || part.noBase || (size != 4 && size != 8 && size != 16) || x.observed())
        return false;
    const MoveBy moved = moveBy(x, in);
    if (moved == MoveBy::Otherwise)
        return false;
    const auto* addresses = rowAt<const std::uint32_t>(x, in.a);
    if (addresses[1] - addresses[0] == size && x.passes->liesAbove(addresses, addresses[0], elementSteps[size / 8]))
        return accessRow<isStore>(x, in, std::uint32_t(addresses[0] + std::uint32_t(in.memory.offset)), size, moved);
    return accessColumn<isStore>(x, in, moved); // rows of half a warp, too
}

// Words of some lanes, with others between them, that lie in a row as all lanes' words do.
template <bool isStore>
bool accessPartOfRow(Exec& x, const Inst& in, std::uint32_t m) {
    const MemoryPart& part = in.memory;
    const auto first = std::uint32_t(std::countr_zero(m));
    const std::uint32_t together = m >> first;
    if ((together & (together + 1)) == 0 || moveBy(x, in) != MoveBy::Words || part.wideAddress || part.noBase ||
        x.observed())
        return false;
    const auto* const row = rowAt<const std::uint32_t>(x, in.a);
    const std::uint32_t base = row[first] - 4 * first, at = base + std::uint32_t(part.offset);
    std::byte* const host = x.block->shared.find(at, 128);
    const std::uint32_t from = at + 4 * first, end = at + 128 - 4 * std::uint32_t(std::countl_zero(m));
    if (at % 4 != 0 || !host || !ownShared(x, in, from).among(from, end - from))
        return false;
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint32_t* const bits = x.laneBits.data();
    if (!x.passes->partLiesAbove(row, base, elementSteps[0], bits) ||
        (x.checkMemory && !judge(x, in,
                                 {.lie = SharedAccess::Lie::Part,
                                  .kind = isStore ? AccessKind::Store : AccessKind::Load,
                                  .lanes = m,
                                  .offset = at})))
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
    if (!in.memory.inPlace || (size != 4 && size != 8 && size != 16) || x.observed() ||
        !accessRow<false>(x, in, from, size, MoveBy::Nothing))
        return false;
    x.access.active = {~0u};
    return true;
}

Handler sharedHandler(bool isStore) {
    return isStore ? &shared<true> : &shared<false>;
}

} // namespace warpglass::emulator
