// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_access.h"
#include "gpu/emulator/memory/access_shape.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/run/cluster.h"
#include "gpu/emulator/run/diagnostics.h"

namespace warpglass::emulator {

namespace {

// bytes: of all lanes, where they lie in order.
template <bool isStore>
void moveShared(Exec& x, const Inst& in, std::uint32_t m, Lanes order, std::uint64_t bytes) {
    const auto first = std::size_t(std::countr_zero(m));
    const std::uint64_t at = x.address[first];
    std::byte* shared = x.block->shared.data();
    if (!isStore && order == Lanes::AtOne) {
        broadcastElements(x, in, m, shared + at);
    } else if (order == Lanes::InOrder && in.memory.elements == 1 &&
               (in.memory.bytes == 8 || (in.memory.bytes == 4 && in.memory.rowBytes == 4))) {
        std::byte* row = x.rows + in.dst + first * in.memory.bytes;
        std::memcpy(isStore ? shared + at : row, isStore ? row : shared + at, bytes);
    } else {
        moveElements<isStore>(x, in, m, shared, 0);
    }
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
    const bool within = shape                       ? shape->within(at, 0, limit)
                        : order == Lanes::Scattered ? allWithin(x, m, 0, limit, size)
                                                    : at <= limit && limit - at >= bytes && isAligned(at, size);
    x.lanesLie = order;
    x.lanesOwn = within;
    if (!within) [[unlikely]] {
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
        x.lanesOwn = true;
    }
    beginAccess(x, m, size, MemorySpace::Shared, kind);
    const ScatteredWords words = shape ? shape->words(at) : ScatteredWords{};
    const ScatteredWords* const known = shape ? &words : nullptr;
    if (isStore && x.checkMemory)
        checkSharedStore(x, in, m, x.address, size, order, known);
    if (isStore || !in.memory.inPlace)
        moveShared<isStore>(x, in, m, order, bytes);
    if (shape) {
        shape->tell(x.access);
    } else if (order == Lanes::Scattered) {
        summariseBanks(x.access, x.address);
        x.shapes->keep(x, in, true);
    } else { // neighbours lie in different banks
        x.access.passes = x.access.idealPasses = partsServed(m, size);
    }
    countAccess(x, in);
    if (!isStore && x.checkMemory)
        checkSharedLoad(x, in, m, x.address, size, order, known);
    return true;
}

template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler sharedHandler(bool isStore) {
    return isStore ? &onLanes<&sharedAccess<true>> : &onLanes<&sharedAccess<false>>;
}

} // namespace warpglass::emulator
