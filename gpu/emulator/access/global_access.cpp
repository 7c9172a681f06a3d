// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/global_access.h"
#include "gpu/emulator/access/access.h"
#include "gpu/emulator/access/same_values.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/own_sums.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/emulator/watch/uninitialised.h"
#include "gpu/emulator/watch/warp_synchronous.h"

namespace warpglass::emulator {

namespace {

// These bytes, which this thread is about to reach into.
Found findHere(Exec& x, std::uint64_t address, std::uint32_t bytes) {
    const Found found = x.global->find(address, bytes, x.hint);
    if (x.ownSums && found) [[unlikely]]
        x.ownSums->bring(*found);
    return found;
}

// Lanes m of x.access, which lie so.
template <bool isStore>
[[gnu::noinline]] void watch(Exec& x, const Inst& in, std::uint32_t m, Lanes order, Area& area) {
    const std::uint32_t size = x.access.bytes;
    const std::uint64_t at = x.address[std::size_t(std::countr_zero(m))];
    const std::uint32_t bytes = order == Lanes::InOrder ? size * std::uint32_t(std::popcount(m)) : size;
    if (isStore && order == Lanes::InOrder)
        watchStoredRow(area, at, bytes);
    else if (isStore)
        watchStore(x, m, area, size);
    else if (order != Lanes::Scattered)
        watchLoadedRow(x, in, m, area, at, bytes, size);
    else
        watchLoad(x, in, m, area, size);
}

// Of lanes in several areas, unaligned, or nowhere. False: a fault.
template <bool isStore>
[[gnu::noinline]] bool laneByLane(Exec& x, const Inst& in, std::uint32_t m) {
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint32_t size = x.access.bytes;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        Found area = findHere(x, at, size);
        if (!area && !isStore && in.memory.isStrong) [[unlikely]]
            area = x.global->wordAtEnd(at, size);
        if (!area) [[unlikely]]
            return faultAccess(x, in, lane, at, size, MemorySpace::Global, 0, kind);
        if (!isAligned(at, size)) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
        isStore ? storeElements(x, in, lane, area.bytes()) : loadElements(x, in, lane, area.bytes());
        if (area->written) [[unlikely]]
            watch<isStore>(x, in, 1u << lane, Lanes::Scattered, *area);
    }
    summariseSectors(x.access, x.address);
    return true;
}

} // namespace

template <bool isStore>
bool globalAccess(Exec& x, const Inst& in, std::uint32_t m) {
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const Access a = begin<kind>(x, in, m, MemorySpace::Global);
    const Found common = findHere(x, a.at, std::uint32_t(a.bytes));
    const Reach home = reachIn(x, a, common);
    if (home) [[likely]] {
        if (!isStore || !leavesAll(x, in, m, home))
            move<isStore>(x, in, a, home);
        if (common->written) [[unlikely]]
            watch<isStore>(x, in, m, a.order, *common);
        account<kind>(x, in, a);
    } else if (!laneByLane<isStore>(x, in, m)) {
        return false;
    }
    if (home && a.order != Lanes::Scattered && x.use && !x.watched) [[unlikely]] {
        noteRow(x, in, a.at, a.at + std::uint64_t(a.bytes), isStore);
        countOf(x, in, x.access.space).add(x.access);
    } else {
        countAccess(x, in);
    }
    if (in.memory.isVolatile && x.checkMemory)
        checkVolatileGlobal(x, in, m, isStore);
    return true;
}

template bool globalAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool globalAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler globalHandler(bool isStore) {
    return isStore ? &onLanes<&globalAccess<true>> : &onLanes<&globalAccess<false>>;
}

} // namespace warpglass::emulator
