// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/lanes/summarise.h"
#include "gpu/emulator/timing/timed_sm.h"

#include <bit>

namespace warpglass::emulator {

// Copies are given the cycle in which they will have come, and nobody waits for them here. Who asks an mbarrier in
// vain asks again when a copy that it knows of has come, or after a while.
std::int64_t TimedSm::asynchronous(TimedWarp& t, const Inst& in, std::int64_t now, std::uint32_t position) {
    BlockState& b = *t.x.block;
    static const AsyncInst elsewhere{.op = AsyncOp::Prefetch}; // what tensor memory is asked stands in another table
    const bool tensor = m_program.info[in.index].is.opcode == ptx::Opcode::Tcgen05;
    const AsyncInst& a = tensor ? elsewhere : m_program.asyncs[in.async.site];
    std::int64_t lanes = now; // this warp's copies of a few bytes: cp.async.mbarrier.arrive waits for them
    std::vector<std::pair<std::uint64_t, std::int64_t>> fetched; // for several blocks: what comes once goes to all
    const bool multicast = a.multicast != noRow || a.multicastsToAll;
    const auto comesTo = [&](const PendingCopy& copy) {
        if (copy.arrivals)
            return lanes;
        if (!multicast || copy.pieces.empty())
            return comes(t, copy, now, position);
        const std::uint64_t from = copy.pieces.front().from;
        for (const auto& [other, ready] : fetched)
            if (other == from)
                return ready;
        return fetched.emplace_back(from, comes(t, copy, now, position)).second;
    };
    const auto tell = [&](BlockState& keeper) {
        if (!keeper.async)
            return;
        for (PendingCopy& copy : keeper.async->pending) {
            if (copy.asker != b.index || copy.warp != t.warp->number)
                continue;
            if (copy.ready == noTime)
                copy.ready = comesTo(copy);
        }
    };
    if (b.async)
        for (LaneCopy& copy : b.async->warps[t.warp->number].pending) {
            if (copy.ready == noTime)
                copy.ready = lanesCome(t, now, position);
            lanes = std::max(lanes, copy.ready);
        }
    tell(b);
    if (b.cluster)
        for (auto& member : b.cluster->members)
            if (member.home.block && member.home.block != &b)
                tell(*member.home.block);
    bool woken = false; // the answer comes with that
    if (a.op == AsyncOp::TestWait || a.op == AsyncOp::TryWait) {
        const bool vain = t.x.polls.waits || t.x.polls.restless;
        woken = !vain && t.triesAt != noIndex;
        t.triesAt = noIndex;
        if (vain && a.op == AsyncOp::TryWait)
            tryInVain(t, in.index, now);
        t.x.polls.beginTurn();
    } else {
        std::int64_t seen = now;
        if (const FenceKind fence = m_code.ops[position].fence; fence != FenceKind::Count_) {
            seen = fenced(t, fence, now);
            t.floor = later(t.floor, {seen, WarpState::StallMembar});
        }
        wakeTrying(now, seen);
        if (m_group)
            for (TimedSm* const sm : m_group->sms)
                if (sm != this)
                    sm->wakeTrying(now, seen + m_timing.clusterOther.load);
    }
    if (a.op == AsyncOp::CopyBulk || a.op == AsyncOp::CopyTensor)
        t.floor = later(t.floor, {now + m_timing.bulkAsk, WarpState::StallDispatch});
    switch (a.op) {
    case AsyncOp::Arrive:
    case AsyncOp::ArriveDrop:
    case AsyncOp::ExpectBytes:
        if (in.guard)
            t.floor = later(t.floor, {now + m_timing.mbarrierChosen, WarpState::StallBranchResolving});
        return m_memory.arrival(now);
    case AsyncOp::TestWait:
    case AsyncOp::TryWait:
        return woken ? now + m_timing.alu : m_memory.arrival(now);
    case AsyncOp::CommitLanes:
    case AsyncOp::CommitBulk:
    case AsyncOp::WaitLanes:
    case AsyncOp::WaitBulk:
    case AsyncOp::CopyLanes:
        return now + 1;
    default:
        return now + m_timing.shared;
    }
}

// When the phase of an mbarrier will be over, as far as that is known; never: somebody has still to arrive, or to ask for bytes.
static std::int64_t phaseEnd(const BlockState& b, std::uint32_t at, bool odd, std::int64_t now) {
    const Mbarrier barrier = barrierAt(b, at);
    if (barrier.odd != odd)
        return now;
    std::int64_t bytes = barrier.bytes, arrivals = barrier.pending, end = now;
    if (b.async)
        for (const PendingCopy& copy : b.async->pending) {
            if (copy.barrier != at || copy.ready == noTime)
                continue;
            bytes -= copy.reported;
            arrivals -= std::popcount(copy.arrivals);
            end = std::max(end, copy.ready);
        }
    return bytes <= 0 && arrivals <= 0 ? end : never;
}

// The thread stands until the phase is over, and is asked again then; or until it has stood for long.
void TimedSm::tryInVain(TimedWarp& t, std::uint32_t position, std::int64_t now) {
    const BlockState& b = *t.x.block;
    std::int64_t end = never;
    t.triesUntil = now + m_timing.tryWait;
    for (const LastPoll& poll : t.warp->polls)
        if (poll.position == position) {
            t.triesAt = sharedOffset(poll.address);
            t.triesOdd = barrierAt(b, t.triesAt).odd;
            end = phaseEnd(b, t.triesAt, t.triesOdd, now);
            ++t.block->tries;
            break;
        }
    t.triesUntil = std::min(t.triesUntil, end + m_timing.tryWake);
    t.floor = {t.triesUntil, end < never ? WarpState::StallLongScoreboard : WarpState::StallBarrier};
}

void TimedSm::wakeTrying(std::int64_t now, std::int64_t seen) {
    m_now = std::max(m_now, now - 1);
    for (auto& place : m_residency.places) {
        if (!place->busy || place->tries == 0)
            continue;
        place->tries = 0;
        for (auto& w : place->warps) {
            TimedWarp& t = *w;
            if (t.triesAt == noIndex)
                continue;
            if (t.done || t.blocked || t.floor.cycle() != t.triesUntil || t.triesUntil <= now) { // it goes on already
                t.triesAt = noIndex;
                continue;
            }
            ++place->tries;
            const std::int64_t end = phaseEnd(place->state(), t.triesAt, t.triesOdd, seen);
            if (end == never || end + m_timing.tryWake >= t.triesUntil)
                continue;
            t.triesUntil = end + m_timing.tryWake;
            t.floor = {t.triesUntil, end > seen ? WarpState::StallLongScoreboard : WarpState::StallBarrier};
            prepare(t, now);
            wake(t);
        }
    }
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
                                                std::uint32_t(t.block->state().index), position, t.block->copied));
        from = end = 0;
    };
    for (const CopyPiece& p : copy.pieces) {
        if (copy.from == MemorySpace::Shared && !store) {
            done = std::max(
                done, m_memory.betweenSms(now, p.bytes, t.x.block->cluster ? t.x.block->cluster->members.size() : 1));
        } else if (p.take > 0) {
            const std::uint64_t at = store ? p.to : p.from;
            if (at != end || end == 0) {
                go();
                from = at;
            }
            end = at + p.bytes;
            t.block->copied += end / 32 - at / 32 + (end % 32 != 0); // as touchByCopy counts them
        }
    }
    go();
    std::int64_t& last = store ? m_drained : m_copied;
    last = std::max(last, done);
    return done;
}

std::int64_t TimedSm::shared(TimedWarp& t, std::int64_t now, std::uint32_t position) {
    const MachineOp& op = m_code.ops[position];
    if (const ClusterState* const cluster = t.x.block->cluster.get(); cluster) [[unlikely]] {
        bool named = m_program.info[position].is.cluster, other = false;
        eachLane(t.x.access.active.bits, [&](int lane) {
            const std::uint64_t address = t.x.address[std::size_t(lane)];
            named |= std::uint32_t(address) >> clusterRankShift != 0;
            other |= homeOf(t.x, address).block != t.x.block;
        });
        if (named)
            return m_memory.ofCluster(now, t.x.access, other, cluster->members.size());
    }
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

// How many values the lanes of a match.any have: as many as are the lowest of those that they match.
static std::uint32_t valuesMatched(Exec& x, const Inst& in) {
    std::uint32_t values = 0;
    const auto* const matched = rowAt<const std::uint32_t>(x, in.dst);
    eachLane(x.mask, [&](int lane) { values += std::countr_zero(matched[lane]) == lane; });
    return std::max(1u, values);
}

std::int64_t TimedSm::access(TimedWarp& t, const InstInfo& info, const StepResult& r, std::int64_t now,
                             std::uint32_t position) {
    if (info.opClass == OpClass::Shuffle)
        return m_memory.shuffle(now);
    if (info.opClass == OpClass::Vote)
        return m_memory.match(now, valuesMatched(t.x, *r.inst));
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
