// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/lanes/summarise.h"
#include "gpu/emulator/timing/timed_sm.h"

#include <limits>

namespace warpglass::emulator {

// Copies are given the cycle in which they will have come, and nobody waits for them here. Who asks an mbarrier in
// vain asks again when a copy that it knows of has come, or after a while.
std::int64_t TimedSm::asynchronous(TimedWarp& t, const Inst& in, std::int64_t now, std::uint32_t position) {
    BlockState& b = *t.x.block;
    const AsyncInst& a = m_program.asyncs[in.async.site];
    std::int64_t lanes = now; // this warp's copies of a few bytes: cp.async.mbarrier.arrive waits for them
    const auto tell = [&](BlockState& keeper) {
        if (!keeper.async)
            return;
        for (PendingCopy& copy : keeper.async->pending) {
            if (copy.asker != b.index || copy.warp != t.warp->number)
                continue;
            if (copy.ready == std::numeric_limits<std::int64_t>::max())
                copy.ready = copy.arrivals ? lanes : comes(t, copy, now, position);
        }
    };
    if (b.async)
        for (LaneCopy& copy : b.async->warps[t.warp->number].pending) {
            if (copy.ready == std::numeric_limits<std::int64_t>::max())
                copy.ready = lanesCome(t, now, position);
            lanes = std::max(lanes, copy.ready);
        }
    tell(b);
    if (b.cluster)
        for (auto& member : b.cluster->members)
            if (member.home.block && member.home.block != &b)
                tell(*member.home.block);
    if (a.op == AsyncOp::TestWait || a.op == AsyncOp::TryWait) {
        if ((t.x.polls.waits || t.x.polls.restless) && a.op == AsyncOp::TryWait) {
            std::int64_t wake = never;
            if (b.async)
                for (const PendingCopy& copy : b.async->pending)
                    if (copy.barrier != noIndex && copy.ready > now)
                        wake = std::min(wake, copy.ready);
            t.floor = {std::min(wake, now + m_timing.tryWait),
                       wake < never ? WarpState::StallLongScoreboard : WarpState::StallBarrier};
        }
        t.x.polls.beginTurn();
    }
    if (a.op == AsyncOp::CommitLanes || a.op == AsyncOp::CommitBulk || a.op == AsyncOp::WaitLanes ||
        a.op == AsyncOp::WaitBulk || a.op == AsyncOp::CopyLanes)
        return now + 1;
    return now + m_timing.shared;
}

std::int64_t TimedSm::lanesCome(TimedWarp& t, std::int64_t now, std::uint32_t position) {
    return t.x.access.active.empty()
               ? now + m_timing.shared
               : m_memory.global(now, t.x.access, t.x.address, std::uint32_t(t.block->state().index), position,
                                 m_program.info[position].is.cache == ptx::CacheOperator::Cg, {}, at(position));
}

std::int64_t TimedSm::comes(TimedWarp& t, const PendingCopy& copy, std::int64_t now, std::uint32_t position) {
    const bool store = copy.to == MemorySpace::Global;
    std::int64_t done = now;
    std::uint64_t from = 0,
                  end = 0; // pieces that lie side by side in global memory go together: swizzled ones are 16 bytes
    const auto go = [&] {
        if (end > from)
            done = std::max(done, m_memory.bulk(now, from, std::uint32_t(end - from), store,
                                                std::uint32_t(t.block->state().index), position));
        from = end = 0;
    };
    for (const CopyPiece& p : copy.pieces) {
        if (copy.from == MemorySpace::Shared && !store) {
            done = std::max(done, m_memory.betweenSms(now, p.bytes));
        } else if (p.take > 0) {
            const std::uint64_t at = store ? p.to : p.from;
            if (at != end || end == 0) {
                go();
                from = at;
            }
            end = at + p.bytes;
        }
    }
    go();
    if (store)
        m_drained = std::max(m_drained, done);
    return done;
}

std::int64_t TimedSm::shared(const TimedWarp& t, std::int64_t now, std::uint32_t position) {
    const MachineOp& op = m_code.ops[position];
    const auto block = std::uint32_t(t.block->state().index);
    if (op.joinedBytes == 0) [[likely]]
        return m_memory.shared(now, t.x.access, t.x.address, block, op.atomic, at(position));
    AccessSummary wide = t.x.access;
    wide.bytes = op.joinedBytes;
    wide.passes = wide.idealPasses = 0;
    std::array<std::uint64_t, 32> addresses = t.x.address;
    for (std::uint64_t& address : addresses)
        address += std::uint64_t(std::int64_t(op.joinedFrom));
    summariseBanks(wide, addresses);
    return m_memory.shared(now, wide, addresses, block, op.atomic, at(position));
}

std::int64_t TimedSm::access(TimedWarp& t, const InstInfo& info, const StepResult& r, std::int64_t now,
                             std::uint32_t position) {
    if (info.opClass == OpClass::Shuffle)
        return m_memory.shuffle(now);
    const AccessSummary& a = t.x.access;
    if (!r.access && info.opClass != OpClass::Atomic)
        return now + 1;
    if (a.active.empty())
        return m_memory.unwanted(now, m_code.ops[position].pipe);
    std::int64_t done = now;
    switch (a.space) {
    case MemorySpace::Shared:
        done = shared(t, now, position);
        break;
    case MemorySpace::Global:
        done = m_memory.global(now, a, t.x.address, std::uint32_t(t.block->state().index), position,
                               m_code.ops[position].strong, m_code.ops[position].atomic, at(position));
        break;
    case MemorySpace::Local:
        done = m_memory.local(now, a, t.x.address, m_setup.around.sm * 4096u + t.slot % 4096u,
                              std::uint32_t(t.block->state().index), position, at(position));
        break;
    case MemorySpace::Texture:
        done = m_memory.texture(now, a);
        break;
    case MemorySpace::Constant:
        done = m_memory.constant(now, a, t.x.address, at(position));
        break;
    case MemorySpace::Param:
        done = now + m_timing.alu;
        break;
    }
    if (a.kind == AccessKind::Store && a.space == MemorySpace::Global)
        t.stored = std::max(t.stored, done);
    if (a.kind == AccessKind::Atomic && a.space == MemorySpace::Global)
        m_drained = std::max(m_drained, done);
    return done;
}

} // namespace warpglass::emulator
