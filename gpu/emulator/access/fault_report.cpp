// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/fault_report.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/access/local_access.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/cluster.h"

namespace warpglass::emulator {

namespace {

struct Allowed {
    MemorySpace space = MemorySpace::Global;
    std::uint64_t offset = 0, bytes = 0; // in the space; of the space, unless it is global
};

Allowed boundsOf(Exec& x, const InstInfo& info, std::uint64_t address) {
    Allowed b{info.space, address, 0};
    if (info.genericSpace)
        switch (windowOf(address)) {
        case Window::Shared:
            b = {MemorySpace::Shared, address - sharedWindow, 0};
            break;
        case Window::Local:
            b = {MemorySpace::Local, address - localWindow, 0};
            break;
        case Window::Const:
            b = {MemorySpace::Constant, address - constWindow, 0};
            break;
        case Window::Param:
            b = {MemorySpace::Param, address - paramWindow, 0};
            break;
        default:
            b.space = MemorySpace::Global;
        }
    switch (b.space) {
    case MemorySpace::Shared:
        // A block of the cluster that is not there is told where its memory is asked for.
        if (const Home home = homeOf(x, b.offset); !home.block)
            b.bytes = ~std::uint64_t(0);
        else
            b.bytes = home.block->shared.size();
        if (b.offset >> clusterRankShift)
            b.offset = sharedOffset(b.offset);
        break;
    case MemorySpace::Local:
        b.bytes = localLimit(x);
        break;
    case MemorySpace::Constant:
        b.bytes = x.constants.bytes();
        break;
    case MemorySpace::Param:
        b.bytes = x.launch->params.size();
        break;
    case MemorySpace::Global:
    case MemorySpace::Texture: // outside is not wrong there
        break;
    }
    return b;
}

} // namespace

void readZero(Exec& x, const Inst& in, int lane) {
    const Row* rows = dataRows(x, in);
    for (std::uint32_t v = 0; v < in.memory.elements; ++v)
        if (rows[v] != noRow)
            std::memset(x.rows + rows[v] + std::size_t(lane) * in.memory.rowBytes, 0, in.memory.rowBytes);
}

std::uint32_t lanesWithoutFault(Exec& x, const Inst& in, std::uint32_t m) {
    const InstInfo& info = x.program->info[in.index];
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    std::uint32_t good = m;
    eachLane(m, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        const Allowed b = boundsOf(x, info, address);
        const bool ofBytes =
            info.access == AccessKind::Load ? in.memory.isStrong : info.is.operation == ptx::Operation::Cas;
        const bool inside = b.space == MemorySpace::Global ? x.global->find(address, size, x.hint) != nullptr ||
                                                                 (ofBytes && x.global->wordAtEnd(address, size))
                                                           : b.offset <= b.bytes && b.bytes - b.offset >= size;
        if (inside && address % size == 0)
            return;
        if (!inside)
            faultAccess(x, in, lane, b.offset, size, b.space, b.bytes, info.access);
        else
            faultMisaligned(x, in, lane, address, size);
        good &= ~(1u << lane);
        if (info.access != AccessKind::Store && (info.access == AccessKind::Load || in.memory.hasResult))
            readZero(x, in, lane);
    });
    return good;
}

} // namespace warpglass::emulator
