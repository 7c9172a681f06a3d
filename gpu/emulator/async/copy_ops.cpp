// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/copy_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/mbarrier_ops.h"
#include "gpu/emulator/record/diagnostics.h"

#include <fmt/format.h>

#include <utility>

namespace warpglass::emulator {

namespace {

bool commitBulk(Exec& x, const Inst& in) {
    auto& open = asyncOf(*x.block).warps[x.warp->number].bulk;
    eachLane(activeMask(x, in), [&](int lane) { ++open[std::size_t(lane)]; });
    return true;
}

bool waitBulk(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    if (const std::uint32_t m = activeMask(x, in))
        finishGroups(x, m, a.keep, a.halt);
    return true;
}

bool copyBulk(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint32_t bytes = rowAt<const std::uint32_t>(x, a.bytes)[lane];
        if (bytes % 16 != 0)
            return faultMisaligned(x, in, lane, bytes, 16);
        if (bytes == 0)
            continue;
        PendingCopy copy = newCopy(x, in, 1u << lane,
                                   a.operation == ptx::Operation::None ? AsyncCopyKind::Bulk : AsyncCopyKind::Reduce);
        copy.bulk = true;
        copy.operation = a.operation;
        copy.type = a.type;
        CopyPiece p;
        p.lane = std::uint32_t(lane);
        p.bytes = p.take = bytes;
        if (a.from.space == CopySpace::Global) {
            p.from = addressOf(x, a.from, lane);
            if (!checkGlobal(x, in, lane, p.from, bytes, AccessKind::Load))
                return false;
            if (p.from % 16 != 0)
                return faultMisaligned(x, in, lane, p.from, 16);
        } else {
            Home home;
            std::uint64_t from = 0;
            if (!bulkShared(x, in, lane, a.from, bytes, 16, AccessKind::Load, from, home))
                return false;
            p.from = sharedOffset(from);
            copy.from = MemorySpace::Shared;
            copy.source = home.block;
        }
        if (a.to.space == CopySpace::Global) {
            p.to = addressOf(x, a.to, lane);
            if (!checkGlobal(x, in, lane, p.to, bytes, AccessKind::Store))
                return false;
            if (p.to % 16 != 0)
                return faultMisaligned(x, in, lane, p.to, 16);
            if (a.byteMask != noRow)
                copy.byteMask = rowAt<const std::uint32_t>(x, a.byteMask)[lane] & 0xffff;
            copy.to = MemorySpace::Global;
            copy.group[std::size_t(lane)] = asyncOf(*x.block).warps[x.warp->number].bulk[std::size_t(lane)];
            copy.pieces.push_back(p);
            if (!ask(x, in, *x.block, std::move(copy)))
                return false;
            continue;
        }
        Home home;
        std::uint64_t to = 0;
        if (!bulkShared(x, in, lane, a.to, bytes, 16, AccessKind::Store, to, home))
            return false;
        p.to = sharedOffset(to);
        copy.pieces.push_back(p);
        if (copy.from == MemorySpace::Global)
            watchSource(x, in, lane, copy);
        if (!deliver(x, in, lane, a, to, bytes, std::move(copy)))
            return false;
    }
    return true;
}

// st.async, red.async: values from registers.
bool storeRemote(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    const auto bytes = std::uint32_t(a.valueBytes * a.values.size());
    std::uint32_t left = activeMask(x, in);
    while (left) {
        const int first = std::countr_zero(left);
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, first, use))
            return false;
        const std::uint64_t barrier = addressOf(x, a.barrier, first);
        PendingCopy copy =
            newCopy(x, in, 0, a.op == AsyncOp::StoreRemote ? AsyncCopyKind::Store : AsyncCopyKind::Reduce);
        copy.bulk = copy.fromValues = true;
        copy.from = MemorySpace::Shared;
        copy.operation = a.operation;
        copy.type = a.type;
        copy.barrier = use.at;
        for (std::uint32_t rest = left; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            if (addressOf(x, a.barrier, lane) != barrier)
                continue;
            left &= ~(1u << lane);
            Home home;
            std::uint64_t to = 0;
            if (!bulkShared(x, in, lane, a.to, bytes, bytes, AccessKind::Store, to, home))
                return false;
            if (home.block != use.home.block) {
                x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, to, say::StoreTellsAnother, true);
                return false;
            }
            CopyPiece p;
            p.lane = std::uint32_t(lane);
            p.bytes = p.take = bytes;
            p.to = sharedOffset(to);
            p.from = copy.values.size();
            for (const Row row : a.values) {
                const std::byte* value = x.rows + row + std::size_t(lane) * a.valueBytes;
                copy.values.insert(copy.values.end(), value, value + a.valueBytes);
            }
            copy.pieces.push_back(p);
            copy.reported += bytes;
            if (copy.note)
                copy.note->lanes = copy.note->lanes | LaneMask{1u << lane};
        }
        if (!ask(x, in, *use.home.block, std::move(copy)))
            return false;
    }
    return true;
}

bool zeroShared(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t bytes = rowAt<const std::uint64_t>(x, a.bytes)[lane];
        if (bytes % 8 != 0)
            return faultMisaligned(x, in, lane, bytes, 8);
        Home home;
        std::uint64_t to = 0;
        const auto least = std::uint32_t(std::min<std::uint64_t>(bytes, 0xffffffffu));
        if (!bulkShared(x, in, lane, a.to, least, 8, AccessKind::Store, to, home))
            return false;
        if (bytes == 0)
            continue;
        std::memset(home.block->shared.find(sharedOffset(to), bytes), 0, bytes);
        markWritten(*home.block, sharedOffset(to), least);
    }
    return true;
}

// A block asks to take over the work of one that has not begun. It is always told that there is none, as it is on a device
// with room for the whole grid: all blocks run their own work. The answer's 16 bytes come as a copy does.
bool tryCancel(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    constexpr std::uint32_t bytes = 16;
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        Home home;
        std::uint64_t to = 0;
        if (!bulkShared(x, in, lane, a.to, bytes, bytes, AccessKind::Store, to, home))
            return false;
        PendingCopy copy = newCopy(x, in, 1u << lane, AsyncCopyKind::Store);
        copy.bulk = copy.fromValues = true;
        copy.from = MemorySpace::Shared;
        copy.values.resize(bytes);
        CopyPiece p;
        p.lane = std::uint32_t(lane);
        p.bytes = p.take = bytes;
        p.to = sharedOffset(to);
        copy.pieces.push_back(p);
        if (!deliver(x, in, lane, a, to, bytes, std::move(copy)))
            return false;
    }
    return true;
}

// What try_cancel answers is always no; of whom it would have taken the work is then left open.
bool queryCancel(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    const std::uint32_t m = activeMask(x, in);
    if (a.dst != noRow)
        setPredicate(x, a.dst, m, 0);
    for (const Row row : a.values)
        if (row != noRow)
            eachLane(m, [&](int lane) { rowAt<std::uint32_t>(x, row)[lane] = 0; });
    return true;
}

bool prefetchOnly(Exec& x, const Inst& in) { // prefetches
    activeMask(x, in);
    return true;
}

// A generic address of shared memory, or a plain one, as an address of the cluster.
bool sharedOf(std::uint64_t& address, CopySpace space) {
    if (space != CopySpace::Generic)
        return true;
    if (windowOf(address) != Window::Shared)
        return false;
    address -= sharedWindow;
    return true;
}

bool mapAddress(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::uint64_t address = addressOf(x, a.from, lane);
        const std::uint32_t rank = rowAt<const std::uint32_t>(x, a.count)[lane];
        const std::size_t blocks = x.block->cluster ? x.block->cluster->members.size() : 1;
        if (!sharedOf(address, a.from.space) || rank >= blocks) {
            x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, address,
                               rank >= blocks ? say::MapsToBlock(rank, blocks)
                                              : say::MapsElsewhere(fmt::format("{:#x}", address)),
                               true);
            return false;
        }
        const std::uint64_t mapped =
            addressAt(x, address, rank) + (a.from.space == CopySpace::Generic ? sharedWindow : 0);
        if (a.dstIs64)
            rowAt<std::uint64_t>(x, a.dst)[lane] = mapped;
        else
            rowAt<std::uint32_t>(x, a.dst)[lane] = std::uint32_t(mapped);
    }
    return true;
}

bool rank(Exec& x, const Inst& in) {
    const AsyncInst& a = instOf(x, in);
    eachLane(activeMask(x, in), [&](int lane) {
        std::uint64_t address = addressOf(x, a.from, lane);
        sharedOf(address, a.from.space);
        rowAt<std::uint32_t>(x, a.dst)[lane] = rankOf(x, address);
    });
    return true;
}

} // namespace

bool checkGlobal(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint64_t bytes, AccessKind kind) {
    if (windowOf(address) == Window::Global && x.global->find(address, bytes, x.hint))
        return true;
    return faultAccess(x, in, lane, address, std::uint32_t(bytes), MemorySpace::Global, 0, kind);
}

bool bulkShared(Exec& x, const Inst& in, int lane, const AsyncAddress& a, std::uint32_t bytes, std::uint32_t alignment,
                AccessKind kind, std::uint64_t& address, Home& home) {
    address = addressOf(x, a, lane);
    if (!sharedOf(address, a.space))
        return faultAccess(x, in, lane, address, bytes, MemorySpace::Shared, x.block->shared.size(), kind);
    if (!sharedBytes(x, in, lane, address, bytes, kind, home))
        return false;
    return address % alignment == 0 || faultMisaligned(x, in, lane, sharedOffset(address), alignment);
}

bool deliver(Exec& x, const Inst& in, int lane, const AsyncInst& a, std::uint64_t to, std::uint32_t bytes,
             PendingCopy copy) {
    BarrierUse use;
    if (!useBarrier(x, in, a.barrier, lane, use))
        return false;
    copy.barrier = use.at;
    copy.reported = bytes;
    if (a.multicast == noRow && !a.multicastsToAll) {
        Home home = homeOf(x, to);
        if (home.block == use.home.block) {
            return ask(x, in, *home.block, std::move(copy));
        }
        if (a.ofPair && home.block && home.block->clusterRank / 2 == use.home.block->clusterRank / 2) {
            copy.target = home.block;
            return ask(x, in, *use.home.block, std::move(copy));
        }
        x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, to, say::CopyTellsAnother, true);
        return false;
    }
    const std::size_t blocks = x.block->cluster ? x.block->cluster->members.size() : 1;
    const std::uint32_t mask =
        a.multicastsToAll ? (1u << blocks) - 1 : rowAt<const std::uint32_t>(x, a.multicast)[lane] & 0xffff;
    for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
        const auto rank = std::uint32_t(std::countr_zero(rest));
        Home home;
        if (rank >= blocks) {
            x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, to, say::CopyToBlock(rank, blocks),
                               true);
            return false;
        }
        if (!sharedBytes(x, in, lane, addressAt(x, to, rank), bytes, AccessKind::Store, home))
            return false;
        BlockState* keeper = home.block;
        if (a.ofPair) { // of each pair the block whose number is odd or even as that of the mbarrier is
            const std::uint32_t told = (rank & ~1u) | (use.home.block->clusterRank & 1);
            keeper = told < blocks ? x.block->cluster->members[told].home.block : nullptr;
        }
        if (!keeper || !barrierAt(*keeper, use.at).valid) {
            x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, use.at,
                               say::BlockHasNoMbarrier(rank, use.at), true);
            return false;
        }
        PendingCopy one = copy;
        if (copy.note)
            one.note = std::make_shared<CopyNote>(*copy.note);
        if (keeper != home.block) {
            one.target = home.block;
        }
        if (!ask(x, in, *keeper, std::move(one)))
            return false;
    }
    return true;
}

Handler copyHandler(AsyncOp op) {
    switch (op) {
    case AsyncOp::CommitBulk:
        return &commitBulk;
    case AsyncOp::WaitBulk:
        return &waitBulk;
    case AsyncOp::CopyBulk:
        return &copyBulk;
    case AsyncOp::StoreRemote:
    case AsyncOp::ReduceRemote:
        return &storeRemote;
    case AsyncOp::Prefetch:
        return &prefetchOnly;
    case AsyncOp::ZeroShared:
        return &zeroShared;
    case AsyncOp::TryCancel:
        return &tryCancel;
    case AsyncOp::QueryCancel:
        return &queryCancel;
    default:
        return nullptr;
    }
}

Handler addressHandler(AsyncOp op) {
    return op == AsyncOp::MapAddress ? &mapAddress : op == AsyncOp::RankOf ? &rank : nullptr;
}

} // namespace warpglass::emulator
