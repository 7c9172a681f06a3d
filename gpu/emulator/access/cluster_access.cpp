// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/fault_report.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/record/diagnostics.h"

#include <bit>

namespace warpglass::emulator {

std::byte* sharedBytes(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                       Home& home) {
    home = homeOf(x, address);
    const std::uint64_t at = sharedOffset(address);
    if (!home.block) {
        const std::uint32_t rank = rankOf(x, address);
        const std::size_t blocks = x.block->cluster ? x.block->cluster->members.size() : 1;
        const bool ended = rank < blocks && x.block->cluster && x.block->cluster->members[rank].ended;
        // Where faults are passed over, one for each place is enough.
        if (ended && x.reportFaults && x.diagnostics->repeated(x, DiagnosticKind::OutOfBounds, in.index))
            return nullptr;
        x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, address,
                           rank >= blocks ? say::ClusterOutside(rank, blocks)
                           : ended        ? say::ClusterEnded(rank)
                                          : say::ClusterNotBegun(rank),
                           !(ended && x.reportFaults));
        return nullptr;
    }
    std::byte* const found = home.block->shared.find(at, bytes);
    if (!found)
        faultAccess(x, in, lane, at, bytes, MemorySpace::Shared, home.block->shared.size(), kind);
    return found;
}

template <bool isStore>
bool clusterAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    beginAccess(x, m, size, MemorySpace::Shared, isStore ? AccessKind::Store : AccessKind::Load);
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = x.address[std::size_t(lane)];
        Home home;
        std::byte* at = sharedBytes(x, in, lane, address, size, x.access.kind, home);
        if (!at && passedOver(x)) {
            if (!isStore)
                readZero(x, in, lane);
            continue;
        }
        if (!at)
            return false;
        if (address % size != 0)
            return faultMisaligned(x, in, lane, sharedOffset(address), size);
        if (isStore) {
            storeElements(x, in, lane, at);
            markWritten(*home.block, sharedOffset(address), size);
        } else {
            loadElements(x, in, lane, at);
        }
    }
    summariseBanks(x.access, x.address);
    countAccess(x, in);
    return true;
}
template bool clusterAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool clusterAccess<true>(Exec&, const Inst&, std::uint32_t);

} // namespace warpglass::emulator
