// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/left_out.h"
#include "gpu/emulator/watch/shared_races.h"
#include "gpu/emulator/watch/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warpglass::emulator {

namespace {

bool complete(const BlockState& block, const Barrier& b) {
    if (b.arrived == 0)
        return false;
    return b.expected ? b.rounded >= b.expected : b.arrived >= block.liveThreads;
}

void tellDivergence(Exec& x, WarpContext& warp, std::uint32_t position, std::uint32_t here, std::uint32_t all) {
    if (x.diagnostics->repeated(x, DiagnosticKind::BarrierDivergence, position))
        return;
    WarpContext* const running = std::exchange(x.warp, &warp);
    x.diagnostics->add(x, DiagnosticKind::BarrierDivergence, position, std::countr_zero(here), 0,
                       say::BarrierDivergence(std::popcount(here), std::popcount(all)));
    x.warp = running;
}

// With the stack: lanes that wait for the running ones with nothing left to do but to end. From compute capability 7.0 on
// they end by themselves, and no barrier waits for them.
std::uint32_t endingLanes(const Exec& x) {
    std::uint32_t ending = 0, others = 0;
    const WarpContext& warp = *x.warp;
    for (std::size_t k = 0; x.computeSeven && k < warp.stack.size(); ++k) {
        const StackEntry& e = warp.stack[k];
        if (k == warp.current || e.state == EntryState::Done || e.pc >= x.program->code.size())
            continue;
        const bool ends = e.state == EntryState::Ready && x.program->info[e.pc].isExit && !x.program->code[e.pc].guard;
        (ends ? ending : others) |= e.mask.bits;
    }
    return ending & ~others;
}

// By the machine code lanes go on at a YIELD that others would be waited for: all of them come, each in its time.
bool anyYields(const Program& program) {
    return std::ranges::any_of(program.pieces, &Piece::yields);
}

// One cause is told once. Where lanes of the warp wait at a shuffle for the running ones to take part, these were let go on
// to find it; that they are missed there is told. Nor is who comes last to a barrier where all others stand already.
bool isToldElsewhere(const Exec& x, std::uint32_t position, std::uint32_t here, std::uint32_t all) {
    std::uint32_t there = here;
    for (const StackEntry& e : x.warp->stack) {
        if (e.state == EntryState::AtSync && (e.members & here) != 0)
            return true;
        if (e.state == EntryState::AtBarrier && e.pc == position + 1)
            there |= e.mask.bits;
    }
    return (all & ~there) == 0;
}

// Lanes that go on by themselves may come to a barrier one after the other; but all of a warp must come to the same one.
void checkIndependent(Exec& x, WarpContext& warp, std::uint32_t number) {
    const std::uint32_t live = warp.live.bits & ~warp.exited.bits;
    std::uint32_t position = noIndex, here = 0;
    for (const StackEntry& e : warp.stack) {
        if (e.state != EntryState::AtBarrier || e.barrier != number)
            continue;
        if (position == noIndex)
            position = e.pc - 1;
        if (e.pc - 1 == position)
            here |= e.mask.bits;
    }
    if (position != noIndex && here != live)
        tellDivergence(x, warp, position, here, live);
}

// A barrier of the whole block that opens without threads which have ended, and went another way to do so.
void tellLeftOut(Exec& x, const Barrier& b) {
    const Inst& in = x.program->code[b.index];
    if (!x.checkMemory || !x.diagnostics->ask(&othersGoAnotherWay, *x.program, in) ||
        x.diagnostics->repeated(x, DiagnosticKind::BarrierDivergence, b.index))
        return;
    x.diagnostics->add(x, DiagnosticKind::BarrierDivergence, b.index, -1, 0,
                       say::BarrierLeftOut(x.block->threads - x.block->liveThreads, x.block->threads));
}

void open(Exec& x, std::uint32_t number) {
    BlockState& block = *x.block;
    Barrier& b = block.barriers[number];
    if (b.expected == 0 && block.liveThreads < block.threads) [[unlikely]]
        tellLeftOut(x, b);
    for (std::uint32_t w = 0; x.independent && w < block.warpCount; ++w)
        checkIndependent(x, *block.warps[w], number);
    for (std::uint32_t w = 0; w < block.warpCount; ++w) {
        WarpContext& warp = *block.warps[w];
        for (StackEntry& e : warp.stack) {
            if (e.state != EntryState::AtBarrier || e.barrier != number)
                continue;
            e.state = EntryState::Ready;
            warp.clock = std::max(warp.clock, b.clock);
            ++warp.syncEpoch;
            warp.volatiles.clear();
            const Inst& in = x.program->code[e.pc - 1];
            const BarrierKind kind = in.barrier.kind;
            std::byte* rows = e.frame->rows.get();
            if (kind == BarrierKind::RedPopc) {
                for (std::uint32_t m = e.mask.bits; m; m &= m - 1)
                    reinterpret_cast<std::uint32_t*>(rows + in.dst)[std::countr_zero(m)] = b.trueCount;
            } else if (kind == BarrierKind::RedAnd || kind == BarrierKind::RedOr) {
                const bool value = kind == BarrierKind::RedAnd ? b.trueCount == b.arrived : b.trueCount > 0;
                std::uint32_t p;
                std::memcpy(&p, rows + in.dst, 4);
                p = value ? p | e.mask.bits : p & ~e.mask.bits;
                std::memcpy(rows + in.dst, &p, 4);
            }
            if (x.recorder)
                x.recorder->event(warp, EventKind::BarrierLeave, x.program->info[e.pc - 1].site, e.mask, {},
                                  warp.clock);
        }
    }
    b = {};
    ++block.epoch;
    meetForStages(block);
    ++block.openings;
}

// Who came before named another count; without one, all of the block's threads are meant.
void tellCounts(Exec& x, const Inst& in, int lane, std::uint32_t number, std::uint32_t expected) {
    const Barrier& b = x.block->barriers[number];
    const auto count = [&](std::uint32_t named) { return named ? named : (x.block->threads + 31) / 32 * 32; };
    if (count(b.expected) != count(expected) &&
        !x.diagnostics->repeated(x, DiagnosticKind::BarrierDivergence, in.index))
        x.diagnostics->add(x, DiagnosticKind::BarrierDivergence, in.index, lane, 0,
                           say::TwoCounts(number, count(expected), placeText(*x.program, b.index), count(b.expected)));
}

template <BarrierKind kind>
bool barrier(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.pc = in.index + 1;
    if (m == 0)
        return true;
    const int lane = std::countr_zero(m);
    const std::uint32_t number = rowAt<const std::uint32_t>(x, in.a)[lane];
    const std::uint32_t expected = in.b == noRow ? 0 : rowAt<const std::uint32_t>(x, in.b)[lane];
    if (number >= x.block->barriers.size()) {
        x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, 0, say::NoBarrier(number), true);
        return false;
    }
    const std::uint32_t live = x.warp->live.bits & ~x.warp->exited.bits;
    if (m != live && !x.independent && !x.apart && (live & ~m & ~endingLanes(x)) != 0 && !anyYields(*x.program) &&
        !isToldElsewhere(x, in.index, m, live))
        tellDivergence(x, *x.warp, in.index, m, live);
    Barrier& b = x.block->barriers[number];
    if (b.arrived > 0 && b.expected != expected) [[unlikely]]
        tellCounts(x, in, lane, number, expected);
    if (x.hang) [[unlikely]]
        x.hang->barrier(x, number, in.index);
    b.arrived += std::uint32_t(std::popcount(m));
    b.rounded += m == live ? 32u : std::uint32_t(std::popcount(m));
    b.expected = expected;
    b.clock = std::max(b.clock, x.warp->clock);
    b.index = in.index;
    if constexpr (kind == BarrierKind::RedPopc || kind == BarrierKind::RedAnd || kind == BarrierKind::RedOr) {
        const std::uint32_t p = predicate(x, in.c);
        b.trueCount += std::uint32_t(std::popcount(m & (in.barrier.negated ? ~p : p)));
    }
    if (x.recorder)
        x.recorder->event(*x.warp, EventKind::BarrierArrive, x.program->info[in.index].site, {m}, {},
                          x.warp->clock - 1);
    if constexpr (kind == BarrierKind::Arrive) {
        releaseBarriers(x);
        return true;
    }
    stand(x, m, EntryState::AtBarrier).barrier = number;
    if (complete(*x.block, b))
        open(x, number);
    return false;
}

// The sides of a branch may each have their own bar.warp.sync: what counts is that all members stand at one, not where.
// Lanes of one entry may name different masks (tiles of a warp); each group waits for its own members.
bool warpSync(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return true;
    WarpContext& warp = *x.warp;
    lanesMeet(x);
    warp.volatiles.clear();
    const std::uint32_t present = warp.live.bits & ~warp.exited.bits;
    const auto* named = rowAt<const std::uint32_t>(x, in.a);
    std::uint32_t waiting = 0; // lanes that miss a member
    NotNamed notNamed;
    forEachGroup(x, named, m, [&](std::uint32_t group, std::uint32_t members) {
        notNamed.look(group, members);
        if (members & present & ~(group | waitingFor(warp, members)))
            waiting |= group;
    });
    if (!passNotNamed(x, in, notNamed, in.barrier.constantMembers))
        return false;
    if (waiting == 0) {
        forEachGroup(x, named, m, [&](std::uint32_t, std::uint32_t members) {
            for (StackEntry& e : warp.stack)
                if (e.state == EntryState::AtWarpSync && e.members == members)
                    e.state = EntryState::Ready;
        });
        return true;
    }
    x.pc = in.index + 1;
    pack(x);
    const StackEntry running = warp.stack[warp.current];
    bool first = true;
    const auto entry = [&](std::uint32_t lanes, EntryState state, std::uint32_t members) {
        StackEntry e = running;
        e.mask = {lanes};
        e.state = state;
        e.members = members;
        if (std::exchange(first, false)) {
            warp.stack[warp.current] = e;
            return;
        }
        if (e.parent != noIndex)
            ++warp.stack[e.parent].children;
        warp.stack.push_back(e);
    };
    forEachGroup(x, named, m,
                 [&](std::uint32_t group, std::uint32_t members) { entry(group, EntryState::AtWarpSync, members); });
    if (x.mask & ~m) // guarded: those lanes go on
        entry(x.mask & ~m, EntryState::Ready, 0);
    releaseSyncs(warp);
    x.stop = Stop::Switch;
    return false;
}

} // namespace

void releaseBarriers(Exec& x) {
    for (std::uint32_t n = 0; n < x.block->barriers.size(); ++n)
        if (complete(*x.block, x.block->barriers[n]))
            open(x, n);
}

bool gather(Exec& x, const Inst& in, std::uint32_t members) {
    if ((members & x.warp->live.bits & ~x.warp->exited.bits & ~x.mask) == 0)
        return true;
    StackEntry& e = x.warp->stack[x.warp->current];
    if (std::exchange(e.goesAlone, false))
        return true;
    x.pc = in.index;
    pack(x);
    e.state = EntryState::AtSync;
    e.members = members;
    e.offers = false;
    x.stop = Stop::Switch;
    return false;
}

bool meetWarpgroup(Exec& x, const Inst& in) {
    BlockState& block = *x.block;
    const std::uint32_t first = x.warp->number / 4 * 4, end = std::min(first + 4, block.warpCount);
    const auto stands = [](const StackEntry& e) { return e.state == EntryState::AtGroup; };
    x.pc = in.index + 1;
    std::int64_t latest = x.warp->clock;
    for (std::uint32_t w = first; w < end; ++w) {
        const WarpContext& warp = *block.warps[w];
        if (w == x.warp->number || warp.exited == warp.live)
            continue;
        if (std::none_of(warp.stack.begin(), warp.stack.end(), stands)) {
            stand(x, x.mask, EntryState::AtGroup);
            return false;
        }
        latest = std::max(latest, warp.clock);
    }
    for (std::uint32_t w = first; w < end; ++w) {
        WarpContext& warp = *block.warps[w];
        warp.clock = std::max(warp.clock, latest);
        for (StackEntry& e : warp.stack)
            if (stands(e))
                e.state = EntryState::Ready;
    }
    ++block.openings;
    return true;
}

Handler barrierHandler(BarrierKind kind) {
    switch (kind) {
    case BarrierKind::Sync:
        return &barrier<BarrierKind::Sync>;
    case BarrierKind::Arrive:
        return &barrier<BarrierKind::Arrive>;
    case BarrierKind::RedPopc:
        return &barrier<BarrierKind::RedPopc>;
    case BarrierKind::RedAnd:
        return &barrier<BarrierKind::RedAnd>;
    case BarrierKind::RedOr:
        return &barrier<BarrierKind::RedOr>;
    }
    return nullptr;
}
Handler warpSyncHandler() {
    return &warpSync;
}

} // namespace warpglass::emulator
