// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/global_access.h"
#include "gpu/emulator/memory/access_shape.h"
#include "gpu/emulator/memory/first_use.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/own_sums.h"
#include "gpu/emulator/memory/same_values.h"
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/memory/word_at_end.h"
#include "gpu/emulator/run/diagnostics.h"

namespace warpglass::emulator {

namespace {

// The area of these bytes, which this thread is about to reach into.
Area* areaOf(Exec& x, std::uint64_t address, std::uint32_t bytes) {
    Area* const area = x.global->find(address, bytes, x.hint);
    if (x.ownSums && area) [[unlikely]]
        x.ownSums->bring(*area);
    return area;
}

// The one area that holds all active lanes' elements, if they are aligned.
Area* commonArea(Exec& x, std::uint32_t m, std::uint32_t size, const AccessShape* shape) {
    const std::uint64_t first = x.address[std::size_t(std::countr_zero(m))];
    Area* area = areaOf(x, first, size);
    if (!area)
        return nullptr;
    const bool within =
        shape ? shape->within(first, area->base, area->bytes) : allWithin(x, m, area->base, area->bytes, size);
    return within ? area : nullptr;
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
        Area* area = areaOf(x, address, length);
        if (area && isAligned(address, size)) [[likely]] {
            std::byte* at = area->data + (address - area->base);
            const bool leaves = isStore && leavesAll(x, in, m, area->data, area->base);
            if (leaves) { // all is there
            } else if (in.memory.elements == 1 && in.memory.bytes == 4 && in.memory.rowBytes == 4) {
                std::byte* row = x.rows + in.dst + first * 4;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else if (in.memory.elements == 1 && in.memory.bytes == 8) {
                std::byte* row = x.rows + in.dst + first * 8;
                std::memcpy(isStore ? at : row, isStore ? row : at, length);
            } else {
                moveElements<isStore>(x, in, m, area->data, area->base);
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
        Area* area = areaOf(x, address, size);
        if (area && isAligned(address, size)) {
            broadcastElements(x, in, m, area->data + (address - area->base));
            if (area->written) [[unlikely]]
                watchLoadedRow(x, in, m, *area, address, size, size);
            summariseContiguous(x.access, address, size);
            countAccess(x, in);
            return true;
        }
    }
    const AccessShape* shape = order == Lanes::Scattered ? x.shapes->find(x, in, m, size, false) : nullptr;
    if (Area* area = commonArea(x, m, size, shape)) {
        if (!isStore || !leavesAll(x, in, m, area->data, area->base))
            moveElements<isStore>(x, in, m, area->data, area->base);
        if (area->written) [[unlikely]]
            watch<isStore>(x, in, m, *area, size);
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
        Area* area = areaOf(x, address, size);
        if (!area && !isStore && in.memory.isStrong) [[unlikely]]
            area = wordAtEnd(*x.global, address, size);
        if (!area) [[unlikely]]
            return faultAccess(x, in, lane, address, size, MemorySpace::Global, 0, kind);
        if (!isAligned(address, size)) [[unlikely]]
            return faultMisaligned(x, in, lane, address, size);
        std::byte* at = area->data + (address - area->base);
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
