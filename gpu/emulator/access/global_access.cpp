// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/global_access.h"
#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/access/same_values.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/own_sums.h"
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

// Where all active lanes' elements lie, if one area holds them and they are aligned.
Reach commonReach(Exec& x, std::uint32_t m, std::uint32_t size, const AccessShape* shape, Area*& area) {
    const std::uint64_t first = x.address[std::size_t(std::countr_zero(m))];
    area = findHere(x, first, size);
    if (!area)
        return {};
    return shape ? shape->reach(first, area->numbered()) : reachOf(x, m, area->numbered(), size);
}

template <bool isStore>
void watch(Exec& x, const Inst& in, std::uint32_t m, Area& area, std::uint32_t size) {
    if constexpr (isStore)
        watchStore(x, m, area, size);
    else
        watchLoad(x, in, m, area, size);
}

} // namespace

template <bool isStore>
bool globalAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    beginAccess(x, m, size, MemorySpace::Global, kind);
    const auto first = std::size_t(std::countr_zero(m));
    const Lanes order = x.passes->order(x, m, size);
    if (order == Lanes::InOrder) {
        const std::uint64_t address = x.address[first];
        const auto length = std::uint32_t(std::popcount(m)) * size;
        const Found area = findHere(x, address, length);
        if (area && isAligned(address, size)) [[likely]] {
            std::byte* at = area.bytes();
            const bool leaves = isStore && leavesAll(x, in, m, area.reach());
            if (leaves) { // all is there
            } else if (in.memory.elements == 1 && in.memory.bytes == 4 && in.memory.rowBytes == 4) {
                std::byte* row = x.rows + in.dst + first * 4;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else if (in.memory.elements == 1 && in.memory.bytes == 8) {
                std::byte* row = x.rows + in.dst + first * 8;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else {
                moveElements<isStore>(x, in, m, area.reach());
            }
            if (area->written) [[unlikely]] {
                if (isStore)
                    watchStoredRow(*area, address, length);
                else
                    watchLoadedRow(x, in, m, *area, address, length, size);
            }
            summariseContiguous(x.access, address, length);
            countAccess(x, in);
            if (in.memory.isVolatile && x.checkMemory)
                checkVolatileGlobal(x, in, m, isStore);
            return true;
        }
    }
    if (!isStore && !in.memory.isVolatile && order == Lanes::AtOne) {
        const std::uint64_t address = x.address[first];
        const Found area = findHere(x, address, size);
        if (area && isAligned(address, size)) {
            broadcastElements(x, in, m, area.bytes());
            if (area->written) [[unlikely]]
                watchLoadedRow(x, in, m, *area, address, size, size);
            summariseContiguous(x.access, address, size);
            countAccess(x, in);
            return true;
        }
    }
    const AccessShape* shape = order == Lanes::Scattered ? x.shapes->find(x, in, m, size, false) : nullptr;
    Area* common = nullptr;
    if (const Reach reach = commonReach(x, m, size, shape, common)) {
        if (!isStore || !leavesAll(x, in, m, reach))
            moveElements<isStore>(x, in, m, reach);
        if (common->written) [[unlikely]]
            watch<isStore>(x, in, m, *common, size);
        if (shape) {
            shape->tell(x.access);
        } else {
            summariseSectors(x.access, x.address);
            if (order == Lanes::Scattered)
                x.shapes->keep(x, in, false);
        }
        countAccess(x, in);
        if (in.memory.isVolatile && x.checkMemory)
            checkVolatileGlobal(x, in, m, isStore);
        return true;
    }
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = x.address[std::size_t(lane)];
        Found area = findHere(x, address, size);
        if (!area && !isStore && in.memory.isStrong) [[unlikely]]
            area = x.global->wordAtEnd(address, size);
        if (!area) [[unlikely]]
            return faultAccess(x, in, lane, address, size, MemorySpace::Global, 0, kind);
        if (!isAligned(address, size)) [[unlikely]]
            return faultMisaligned(x, in, lane, address, size);
        std::byte* at = area.bytes();
        isStore ? storeElements(x, in, lane, at) : loadElements(x, in, lane, at);
        if (area->written) [[unlikely]]
            watch<isStore>(x, in, 1u << lane, *area, size);
    }
    summariseSectors(x.access, x.address);
    countAccess(x, in);
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
