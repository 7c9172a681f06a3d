// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/memory_ops.h"
#include "gpu/emulator/access/access.h"
#include "gpu/emulator/access/global_access.h"
#include "gpu/emulator/access/local_access.h"
#include "gpu/emulator/access/shared_access.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/declared_bounds.h"
#include "gpu/emulator/watch/spin_loops.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

bool constAccess(Exec& x, const Inst& in, std::uint32_t m, const Addressed& data, MemorySpace space) {
    const Access a = begin<AccessKind::Load>(x, in, m, space);
    if (in.memory.bound == Bound::Constant && space == MemorySpace::Constant && !reachIn(x, a, ownConstants(x, in)))
        [[unlikely]]
        tellOutside(x, in, a.lanes);
    const Reach home = reachIn(x, a, data);
    if (home) {
        move<false>(x, in, a, home);
        account<AccessKind::Load>(x, in, a);
    } else {
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t at = x.address[std::size_t(lane)];
            const std::byte* const from = data.find(at, a.size);
            if (!from) [[unlikely]]
                return faultAccess(x, in, lane, at, a.size, space, data.bytes(), AccessKind::Load);
            if (!isAligned(at, a.size)) [[unlikely]]
                return faultMisaligned(x, in, lane, at, a.size);
            loadElements(x, in, lane, from);
        }
        summariseSectors(x.access, x.address);
    }
    countAccess(x, in);
    return true;
}

bool loadConstant(Exec& x, const Inst& in, std::uint32_t m) {
    return constAccess(x, in, m, x.constants, MemorySpace::Constant);
}
bool loadParameter(Exec& x, const Inst& in, std::uint32_t m) {
    return constAccess(x, in, m, x.launch->params.readOnly(), MemorySpace::Param);
}

template <bool isStore>
bool inWindow(Exec& x, const Inst& in, std::uint32_t m, Window window) {
    const auto shift = [&](std::uint64_t base) {
        for (auto& a : x.address)
            a -= base;
    };
    switch (window) {
    case Window::Global:
        return globalAccess<isStore>(x, in, m);
    case Window::Shared:
        shift(sharedWindow);
        return sharedAccess<isStore>(x, in, m);
    case Window::Local:
        shift(localWindow);
        return localAccess<isStore>(x, in, m);
    case Window::Const:
    case Window::Param:
        if constexpr (!isStore) {
            const bool constant = window == Window::Const;
            shift(constant ? constWindow : paramWindow);
            return constant ? loadConstant(x, in, m) : loadParameter(x, in, m);
        }
        break;
    default:
        break;
    }
    const int lane = std::countr_zero(m);
    return faultAccess(x, in, lane, x.address[std::size_t(lane)], std::uint32_t(in.memory.bytes) * in.memory.elements,
                       MemorySpace::Global, 0, isStore ? AccessKind::Store : AccessKind::Load);
}

// Whether the addresses of a whole warp lie in the window of the first one; vector code. False: perhaps.
bool allInWindow(const Exec& x, Window window) {
    const std::uint64_t first = x.address[0];
    std::uint64_t differs = 0, lowest = first;
    for (const std::uint64_t a : x.address) {
        differs |= a ^ first;
        lowest = std::min(lowest, a);
    }
    return window == Window::Global ? lowest >= globalLowest : differs >> 32 == 0;
}

template <bool isStore>
bool genericAccess(Exec& x, const Inst& in, std::uint32_t m) {
    if (m == ~0u)
        if (const Window window = windowOf(x.address[0]); allInWindow(x, window))
            return inWindow<isStore>(x, in, m, window);
    while (m) {
        const Window window = windowOf(x.address[std::size_t(std::countr_zero(m))]);
        std::uint32_t same = 0;
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            same |= std::uint32_t(windowOf(x.address[std::size_t(lane)]) == window) << lane;
        }
        if (same == m)
            return inWindow<isStore>(x, in, m, window);
        if (!inWindow<isStore>(x, in, same, window))
            return false;
        addresses(x, in); // the first group's were shifted to its window
        m &= ~same;
    }
    return true;
}

template <auto load>
bool polling(Exec& x, const Inst& in, std::uint32_t m) {
    if (!load(x, in, m))
        return false;
    notePoll(x, in, m, *dataRows(x, in), in.memory.rowBytes);
    return true;
}

} // namespace

Handler loadHandler(AddressSpace space, bool polls) {
    if (polls && space == AddressSpace::Global)
        return &onLanes<&polling<&globalAccess<false>>>;
    if (polls && space == AddressSpace::Shared)
        return &onLanes<&polling<&sharedAccess<false>>>;
    if (polls && space == AddressSpace::Generic)
        return &onLanes<&polling<&genericAccess<false>>>;
    switch (space) {
    case AddressSpace::Global:
        return globalHandler(false);
    case AddressSpace::Shared:
        return sharedHandler(false);
    case AddressSpace::Local:
        return localHandler(false);
    case AddressSpace::Const:
        return &onLanes<&loadConstant>;
    case AddressSpace::EntryParam:
        return &onLanes<&loadParameter>;
    case AddressSpace::Generic:
        return &onLanes<&genericAccess<false>>;
    }
    return nullptr;
}
Handler storeHandler(AddressSpace space) {
    switch (space) {
    case AddressSpace::Global:
        return globalHandler(true);
    case AddressSpace::Shared:
        return sharedHandler(true);
    case AddressSpace::Local:
        return localHandler(true);
    case AddressSpace::Generic:
        return &onLanes<&genericAccess<true>>;
    default:
        return nullptr;
    }
}

MoveBy moveBy(const Program& program, const Inst& in) {
    const MemoryPart& m = in.memory;
    const std::uint32_t size = std::uint32_t(m.bytes) * m.elements;
    if (m.wideAddress || m.noBase || (size != 4 && size != 8 && size != 16))
        return MoveBy::Otherwise;
    if (m.inPlace)
        return MoveBy::Nothing;
    if (m.elements == 1)
        return m.bytes != m.rowBytes ? MoveBy::Otherwise
               : m.bytes == 4        ? MoveBy::Words
               : m.bytes == 8        ? MoveBy::Longs
                                     : MoveBy::Otherwise;
    if (m.elements != 4 || m.bytes != 4 || m.rowBytes != 4)
        return MoveBy::Otherwise;
    const auto& rows = program.vectors[m.vector];
    return std::any_of(rows.begin(), rows.begin() + 4, [](Row row) { return row == noRow; }) ? MoveBy::Otherwise
                                                                                             : MoveBy::Fours;
}

} // namespace warpglass::emulator
