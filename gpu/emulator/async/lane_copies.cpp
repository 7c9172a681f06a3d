// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/lane_copies.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/copy_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/watch/uninitialised.h"
#include "gpu/emulator/watch/word_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace warpglass::emulator {

namespace {

// ---- asked for ----

// The operand's addresses of all lanes; those of inactive ones are the first active lane's, so that nobody need ask.
void addressesOf(Exec& x, const AsyncAddress& a, std::uint32_t m, std::array<std::uint64_t, 32>& to) {
    const auto offset = std::uint64_t(a.offset);
    if (a.row == noRow)
        to.fill(offset);
    else if (a.wide)
        for (std::size_t i = 0; i < 32; ++i)
            to[i] = rowAt<const std::uint64_t>(x, a.row)[i] + offset;
    else
        for (std::size_t i = 0; i < 32; ++i)
            to[i] = rowAt<const std::uint32_t>(x, a.row)[i] + offset;
    if (a.space == CopySpace::Own || a.space == CopySpace::Cluster)
        for (std::uint64_t& address : to)
            address &= 0xffffffffu;
    if (m == ~0u)
        return;
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint64_t first = to[std::size_t(std::countr_zero(m))];
    for (std::size_t i = 0; i < 32; ++i) {
        const auto k = std::uint64_t(std::int64_t(std::int32_t(x.laneBits[i])));
        to[i] = (to[i] & k) | (first & ~k);
    }
}

// Where so many bytes at each address lie, aligned to their number, if all of them do; isRow: one behind the other.
Reach reachOfAll(const Exec& x, const LaneNumbers& addresses, std::uint32_t bytes, bool isRow,
                 const Addressed& memory) {
    if (!isRow)
        return memory.lanes(addresses, ~0u, x.laneBits, bytes);
    return isAligned(addresses[0], bytes) ? memory.among(addresses[0], std::uint64_t(32) * bytes) : Reach();
}

bool oneBehindTheOther(const std::array<std::uint64_t, 32>& addresses, std::uint32_t bytes) {
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i < 32; ++i)
        differs |= addresses[i] ^ (addresses[0] + i * bytes);
    return differs == 0;
}

// Lane by lane, with all that can be told.
bool placesOf(Exec& x, const Inst& in, const AsyncInst& a, std::uint32_t m, LaneCopy& copy) {
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto k = std::size_t(lane);
        std::uint32_t take = copy.bytes;
        if (a.sourceBytes != noRow)
            take = rowAt<const std::uint32_t>(x, a.sourceBytes)[lane];
        if (a.ignore != noRow && (predicate(x, a.ignore) >> lane & 1) != std::uint32_t(a.ignoreNegated))
            take = 0;
        if (take > copy.bytes) {
            x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, 0, say::AsyncReadsMore(copy.bytes, take),
                               true);
            return false;
        }
        copy.from[k] = addressOf(x, a.from, lane);
        Home home;
        std::uint64_t to = 0;
        if (!bulkShared(x, in, lane, a.to, copy.bytes, copy.bytes, AccessKind::Store, to, home) ||
            (take > 0 && !checkGlobal(x, in, lane, copy.from[k], take, AccessKind::Load)))
            return false;
        if (copy.from[k] % copy.bytes != 0)
            return faultMisaligned(x, in, lane, copy.from[k], copy.bytes);
        copy.to[k] = sharedOffset(to);
        copy.take[k] = std::uint8_t(take);
        copy.takesAll &= take == copy.bytes;
    }
    return true;
}

// What the lanes read of global memory.
void summarise(Exec& x, const Inst& in, std::uint32_t reads, const LaneCopy& copy) {
    beginAccess(x, reads, copy.bytes, MemorySpace::Global, AccessKind::Load);
    if (reads == 0)
        return;
    x.address = copy.from;
    if (reads == ~0u && copy.fromRow) {
        summariseContiguous(x.access, copy.from[0], 32 * copy.bytes);
    } else if (const AccessShape* shape = x.shapes->find(x, in, reads, copy.bytes, false)) {
        shape->tell(x.access);
    } else {
        summariseSectors(x.access, x.address);
        x.shapes->keep(x, in, false);
    }
    countAccess(x, in);
}

void note(Exec& x, const Inst& in, LaneCopy& copy) {
    copy.note = newNote(x, in, copy.lanes, AsyncCopyKind::Lanes);
    copy.note->bytes = std::uint64_t(copy.bytes) * std::uint32_t(std::popcount(copy.lanes));
    eachLane(copy.lanes, [&](int lane) {
        copy.note->place = std::min(copy.note->place, sharedOffset(copy.to[std::size_t(lane)]));
    });
    x.recorder->copy(copy.note);
}

bool copyLanes(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.access.active = {m};
    if (m == 0)
        return true;
    const AsyncInst& a = instOf(x, in);
    AsyncState::WarpCopies& warp = asyncOf(*x.block).warps[x.warp->number];
    constexpr std::size_t usual = 1024; // of a warp at once; what is more than that is counted, and never given back
    if (warp.pending.size() >= usual && !keep(x, in, std::countr_zero(m), sizeof(LaneCopy))) [[unlikely]]
        return false;
    LaneCopy& copy = warp.pending.emplace_back(m, a.valueBytes, in.index, x.block->epoch);
    copy.group = warp.committed;
    addressesOf(x, a.to, m, copy.to);
    addressesOf(x, a.from, m, copy.from);
    copy.isRow = m == ~0u && oneBehindTheOther(copy.to, copy.bytes);
    copy.fromRow = m == ~0u && oneBehindTheOther(copy.from, copy.bytes);
    std::uint32_t reads = m;
    const Area* const area =
        x.global->find(copy.from[std::size_t(std::countr_zero(m))], copy.bytes, x.hint); // mostly all lanes'
    if (a.sourceBytes != noRow || a.ignore != noRow || !area ||
        !reachOfAll(x, copy.from, copy.bytes, copy.fromRow, area->numbered()) ||
        !(copy.into = reachOfAll(x, copy.to, copy.bytes, copy.isRow, x.block->shared.numbered()))) {
        if (!placesOf(x, in, a, m, copy)) {
            warp.pending.pop_back();
            return false;
        }
        if (!copy.takesAll) {
            reads = 0;
            eachLane(m, [&](int lane) { reads |= std::uint32_t(copy.take[std::size_t(lane)] > 0) << lane; });
        }
    }
    summarise(x, in, reads, copy);
    if (copy.takesAll && area && area->written) [[unlikely]]
        watchCopies(x, in, reads, copy.from, copy.bytes);
    if (x.checkMemory) // whoever reads it now is told
        x.block->notes.forget(m, copy.to, copy.bytes, copy.isRow);
    if (x.recorder)
        note(x, in, copy);
    return true;
}

bool commitLanes(Exec& x, const Inst& in) {
    std::array<std::uint32_t, 32>& committed = asyncOf(*x.block).warps[x.warp->number].committed;
    const std::uint32_t m = activeMask(x, in);
    if (x.laneBitsOf != m)
        x.expand(m);
    for (std::size_t i = 0; i < 32; ++i)
        committed[i] -= x.laneBits[i];
    return true;
}

// ---- carried out ----

template <std::uint32_t bytes>
void moveAll(const LaneCopy& copy, Reach from) {
    const Reach to = copy.into;
    if (copy.isRow && copy.fromRow) {
        std::memcpy(to.at(copy.to[0]), from.at(copy.from[0]), std::size_t(32) * bytes);
        return;
    }
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < 32; ++lane)
        std::memcpy(to.at(copy.to[lane]), from.at(copy.from[lane]), bytes);
}

void moveLane(Exec& x, const LaneCopy& copy, std::size_t lane, AddressedBytes& shared) {
    std::byte* const to = shared.find(copy.to[lane], copy.bytes);
    if (!to)
        return;
    const std::uint32_t asked = copy.takesAll ? copy.bytes : copy.take[lane];
    const Found area = asked > 0 ? x.global->find(copy.from[lane], asked, x.hint) : Found();
    const std::uint32_t take = area ? asked : 0;
    if (take > 0)
        std::memcpy(to, area.bytes(), take);
    std::memset(to + take, 0, copy.bytes - take);
}

void move(Exec& x, const LaneCopy& copy, std::uint32_t lanes, AddressedBytes& shared) {
    if (lanes == ~0u && copy.takesAll && copy.into)
        if (const Found area = x.global->find(copy.from[0], copy.bytes, x.hint))
            if (const Reach from = reachOfAll(x, copy.from, copy.bytes, copy.fromRow, area->numbered()))
                return copy.bytes == 16  ? moveAll<16>(copy, from)
                       : copy.bytes == 8 ? moveAll<8>(copy, from)
                                         : moveAll<4>(copy, from);
    eachLane(lanes, [&](int lane) { moveLane(x, copy, std::size_t(lane), shared); });
}

// These lanes of it, which are then done.
void carryOut(Exec& x, Home home, std::uint32_t warp, LaneCopy& copy, std::uint32_t lanes, WaitedBy by) {
    BlockState& block = *home.block;
    move(x, copy, lanes, block.shared);
    if (x.word) [[unlikely]]
        eachLane(lanes, [&](int lane) {
            const auto k = std::size_t(lane);
            const std::byte* const there = block.shared.find(copy.to[k], copy.bytes);
            WarpContext* const running = std::exchange(x.warp, block.warps[warp].get());
            x.word->copied(x, MemorySpace::Global, AccessKind::Load, block, copy.from[k],
                           copy.takesAll ? copy.bytes : copy.take[k], there, copy.position, lane);
            x.word->copied(x, MemorySpace::Shared, AccessKind::Store, block, copy.to[k], copy.bytes, there,
                           copy.position, lane);
            x.warp = running;
        });
    if (x.checkMemory) {
        // What a thread copied and waited for is its own writing: others need a barrier behind it.
        block.notes.enter(block.epoch);
        const bool ordered = by == WaitedBy::Mbarrier || x.block != &block;
        const auto sync = std::uint16_t(ordered ? 0 : x.warp->syncEpoch);
        block.notes.copied(lanes, copy.to, copy.bytes, copy.isRow,
                           block.notes.note(copy.position, warp * 32, sync, ordered));
    }
    copy.lanes &= ~lanes;
    if (copy.lanes == 0 && copy.note)
        complete(*copy.note, copy.ready == noTime ? clockIn(x, block) : copy.ready - block.clockBase, block);
}

// done(copy): which of its lanes are to be carried out.
template <class F>
void finish(Exec& x, Home home, std::uint32_t warp, WaitedBy by, F done) {
    std::vector<LaneCopy>& pending = home.block->async->warps[warp].pending;
    bool any = false;
    for (LaneCopy& copy : pending)
        if (const std::uint32_t lanes = done(copy)) {
            carryOut(x, home, warp, copy, lanes, by);
            any |= copy.lanes == 0;
        }
    if (any)
        std::erase_if(pending, [](const LaneCopy& copy) { return copy.lanes == 0; });
}

// Those of m whose group is not among the last `keep` of its thread.
std::uint32_t overdue(const LaneCopy& copy, const std::array<std::uint32_t, 32>& committed, std::uint32_t m,
                      std::uint32_t keep) {
    m &= copy.lanes;
    if (keep == noIndex)
        return m;
    std::uint32_t left = 0, any = 0; // most copies are of one group in all lanes
    for (std::size_t i = 0; i < 32; ++i) {
        const std::uint32_t later = copy.group[i] + keep >= committed[i] ? ~0u : 0u;
        left |= later;
        any |= ~later;
    }
    if (left == 0)
        return m;
    if (any == 0)
        return 0;
    std::uint32_t lanes = 0;
    eachLane(m, [&](int lane) {
        lanes |= std::uint32_t(copy.group[std::size_t(lane)] + keep < committed[std::size_t(lane)]) << lane;
    });
    return lanes;
}

bool waitLanes(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in), keep = instOf(x, in).kept();
    if (!x.block->async || m == 0)
        return true;
    const AsyncState::WarpCopies& warp = x.block->async->warps[x.warp->number];
    if (!warp.pending.empty())
        finish(x, {x.block, x.recorder}, x.warp->number, WaitedBy::Group,
               [&](const LaneCopy& copy) { return overdue(copy, warp.committed, m, keep); });
    return true;
}

} // namespace

void finishLanes(Exec& x, Home home, std::uint32_t warp, std::uint32_t lanes, WaitedBy by) {
    finish(x, home, warp, by, [&](const LaneCopy& copy) { return copy.lanes & lanes; });
}

std::uint32_t tellLanes(Exec& x, std::uint32_t lanes, std::uint32_t barrier) {
    std::uint32_t bytes = 0;
    for (LaneCopy& copy : asyncOf(*x.block).warps[x.warp->number].pending)
        if ((copy.lanes & lanes) != 0 && copy.note && copy.note->barrier == noIndex) {
            copy.note->barrier = barrier;
            bytes += std::uint32_t(copy.note->bytes);
        }
    return bytes;
}

void finishAllLanes(Exec& x) {
    for (std::uint32_t warp = 0; warp < x.block->async->warps.size(); ++warp)
        finishLanes(x, {x.block, x.recorder}, warp, ~0u, WaitedBy::Mbarrier);
}

std::int64_t laneGroupsReady(const Exec& x, std::uint32_t keep) {
    const AsyncState::WarpCopies& warp = x.block->async->warps[x.warp->number];
    std::int64_t ready = 0;
    for (const LaneCopy& copy : warp.pending)
        if (copy.ready != noTime && overdue(copy, warp.committed, x.mask, keep) != 0)
            ready = std::max(ready, copy.ready);
    return ready;
}

Handler laneCopyHandler(AsyncOp op) {
    switch (op) {
    case AsyncOp::CopyLanes:
        return &copyLanes;
    case AsyncOp::CommitLanes:
        return &commitLanes;
    case AsyncOp::WaitLanes:
        return &waitLanes;
    default:
        return nullptr;
    }
}

} // namespace warpglass::emulator
