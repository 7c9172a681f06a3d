// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_access.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/run/diagnostics.h"

namespace warpglass::emulator {

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint64_t limit = x.block->shared.size();
    const bool one = !isStore && uniform(x, m);
    for (std::uint32_t rest = one ? m & (0u - m) : m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (at > limit || limit - at < size) [[unlikely]]
            return faultAccess(x, in, lane, at, size, MemorySpace::Shared, limit, kind);
        if (at % size != 0) [[unlikely]]
            return faultMisaligned(x, in, lane, at, size);
    }
    beginAccess(x, m, size, MemorySpace::Shared, kind);
    if (isStore && x.checkMemory)
        checkSharedStore(x, in, m, x.address, size);
    const bool inOrder = !one && consecutive(x, m, size);
    if (one) {
        broadcastElements(x, in, m, x.block->shared.data() + x.address[std::size_t(std::countr_zero(m))]);
    } else if (inOrder && in.memory.elements == 1 &&
               (in.memory.bytes == 8 || (in.memory.bytes == 4 && in.memory.rowBytes == 4))) {
        const auto first = std::size_t(std::countr_zero(m));
        std::byte* at = x.block->shared.data() + x.address[first];
        std::byte* row = x.rows + in.dst + first * in.memory.bytes;
        std::memcpy(isStore ? at : row, isStore ? row : at, std::size_t(std::popcount(m)) * in.memory.bytes);
    } else {
        moveElements<isStore>(x, in, m, x.block->shared.data(), 0);
    }
    if (size <= 4 && (inOrder || one))
        x.access.passes = x.access.idealPasses = 1;
    else
        summariseBanks(x.access, x.address);
    countAccess(x, in);
    if (!isStore && x.checkMemory)
        checkSharedLoad(x, in, m, x.address, size);
    return true;
}

template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler sharedHandler(bool isStore) {
    return isStore ? &onLanes<&sharedAccess<true>> : &onLanes<&sharedAccess<false>>;
}

} // namespace warpglass::emulator
