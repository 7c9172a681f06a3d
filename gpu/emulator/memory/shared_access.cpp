// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/shared_access.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/shared_checks.h"
#include "gpu/emulator/run/cluster.h"
#include "gpu/emulator/run/diagnostics.h"

namespace warpglass::emulator {

namespace {

// The checks of accesses in which lane after lane takes word after word, or all take one: true if there is nothing to
// say of any of them, and then all is noted. Anything else goes through shared_checks, lane by lane.
bool quietLoad(Exec& x, const Inst& in, std::uint32_t m, std::uint32_t words, bool one) {
    const auto first = std::uint32_t(std::countr_zero(m));
    SharedCell* cells = x.block->cells.data() + x.address[first] / 4;
    const std::uint32_t lanes = one ? 1 : std::uint32_t(std::popcount(m)), epoch = x.block->epoch;
    const std::uint32_t known = x.block->firstEpoch;
    const std::uint32_t thread = x.warp->number * 32 + first;
    bool quiet = true;
    for (std::uint32_t k = 0; k < lanes * words; ++k) {
        const bool before = cells[k].writeEpoch != epoch, own = !one && cells[k].writer == thread + k / words;
        quiet &= (cells[k].writeEpoch >= known) & (before | own | cells[k].atomic);
    }
    if (!quiet)
        return false;
    const std::uint32_t last = x.warp->number * 32 + 31 - std::uint32_t(std::countl_zero(m));
    for (std::uint32_t k = 0; k < lanes * words; ++k) {
        cells[k].readEpoch = epoch;
        cells[k].readAt = in.index;
        cells[k].reader = std::uint16_t(one ? last : thread + k / words);
    }
    return true;
}
bool quietStore(Exec& x, const Inst& in, std::uint32_t m, std::uint32_t words) {
    const auto first = std::uint32_t(std::countr_zero(m));
    SharedCell* cells = x.block->cells.data() + x.address[first] / 4;
    const std::uint32_t lanes = std::uint32_t(std::popcount(m)), epoch = x.block->epoch;
    const std::uint32_t thread = x.warp->number * 32 + first;
    bool quiet = true;
    for (std::uint32_t k = 0; k < lanes * words; ++k) {
        const bool fresh = cells[k].writeEpoch != epoch, own = cells[k].writer == thread + k / words;
        const bool unread = cells[k].readEpoch != epoch, warpRead = cells[k].reader / 32u == x.warp->number;
        quiet &= (fresh | own) & (unread | warpRead);
    }
    if (!quiet)
        return false;
    const auto sync = std::uint16_t(x.warp->syncEpoch);
    for (std::uint32_t k = 0; k < lanes * words; ++k) {
        cells[k].writeEpoch = epoch;
        cells[k].writer = std::uint16_t(thread + k / words);
        cells[k].writeSync = sync;
        cells[k].writtenAt = in.index;
        cells[k].atomic = cells[k].strong = false;
    }
    return true;
}

} // namespace

template <bool isStore>
bool sharedAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    constexpr AccessKind kind = isStore ? AccessKind::Store : AccessKind::Load;
    const std::uint64_t limit = x.block->shared.size();
    if (!allWithin(x, m, 0, limit, size)) [[unlikely]]
        for (std::uint32_t rest = m; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t at = x.address[std::size_t(lane)];
            if (at >> clusterRankShift) // another block's
                return clusterAccess<isStore>(x, in, m);
            if (at > limit || limit - at < size)
                return faultAccess(x, in, lane, at, size, MemorySpace::Shared, limit, kind);
            if (at % size != 0)
                return faultMisaligned(x, in, lane, at, size);
        }
    beginAccess(x, m, size, MemorySpace::Shared, kind);
    const bool one = !isStore && uniform(x, m);
    const bool inOrder = !one && consecutive(x, m, size);
    // Word by word of the block's notes; programs that access bytes have a note for each.
    const bool simple = size % 4 == 0 && !x.program->fineShared && !in.memory.isStrong && (one || inOrder);
    if (isStore && x.checkMemory && !(simple && quietStore(x, in, m, size / 4)))
        checkSharedStore(x, in, m, x.address, size);
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
    if (inOrder || one)
        x.access.passes = x.access.idealPasses = partsServed(m, size); // neighbours lie in different banks
    else
        summariseBanks(x.access, x.address);
    countAccess(x, in);
    if (!isStore && x.checkMemory && !(simple && quietLoad(x, in, m, size / 4, one)))
        checkSharedLoad(x, in, m, x.address, size);
    return true;
}

template bool sharedAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool sharedAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler sharedHandler(bool isStore) {
    return isStore ? &onLanes<&sharedAccess<true>> : &onLanes<&sharedAccess<false>>;
}

} // namespace warpglass::emulator
