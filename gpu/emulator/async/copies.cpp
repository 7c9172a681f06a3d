// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/copies.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/async/lane_copies.h"
#include "gpu/emulator/async/reduce.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/watch/async_proxy.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/emulator/watch/stages.h"
#include "gpu/emulator/watch/uninitialised.h"
#include "gpu/emulator/watch/watchers.h"
#include "gpu/emulator/watch/word_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warpglass::emulator {

namespace {

std::size_t inside(const BlockState& block, const CopyPiece& p) { // of the bytes that it takes
    return p.from >= block.shared.size() ? 0 : std::min<std::size_t>(p.take, block.shared.size() - p.from);
}

void keepSource(PendingCopy& copy) {
    for (CopyPiece& p : copy.pieces) {
        p.kept = copy.values.size();
        const std::size_t there = inside(*copy.source, p);
        const std::byte* from = copy.source->shared.find(p.from, there);
        copy.values.insert(copy.values.end(), from, from + there);
        copy.values.resize(p.kept + p.take);
    }
}

// The first word of what the copy reads that is no longer what it was.
std::optional<std::uint64_t> overwritten(const PendingCopy& copy) {
    for (const CopyPiece& p : copy.pieces) {
        const std::size_t there = inside(*copy.source, p);
        const std::byte* const now = there > 0 ? copy.source->shared.find(p.from, there) : nullptr;
        const std::byte* const then = copy.values.data() + p.kept;
        if (now && std::memcmp(now, then, there) != 0)
            return p.from + std::uint64_t(std::mismatch(now, now + there, then).first - now) / 4 * 4;
    }
    return std::nullopt;
}

// The bytes that a piece brings; fill behind what comes from memory.
void fetch(Exec& x, const PendingCopy& copy, const CopyPiece& p, std::vector<std::byte>& bytes) {
    bytes.resize(p.bytes);
    const std::byte* from = nullptr;
    if (copy.fromValues) {
        from = copy.values.data() + p.from;
    } else if (copy.from == MemorySpace::Shared) {
        from = copy.values.data() + p.kept;
    } else if (p.take > 0) {
        from = x.global->find(p.from, p.take, x.hint).bytes();
    }
    const std::uint32_t take = from ? p.take : 0;
    if (take > 0)
        std::memcpy(bytes.data(), from, take);
    for (std::uint32_t k = take; k < p.bytes; ++k)
        bytes[k] = std::byte(copy.fill >> 8 * ((k - take) % copy.fillBytes));
}

void put(const PendingCopy& copy, std::byte* to, const std::vector<std::byte>& bytes) {
    if (copy.operation != ptx::Operation::None) {
        const auto width = std::size_t(ptx::bytesOf(copy.type));
        for (std::size_t k = 0; k + width <= bytes.size(); k += width)
            reduceElement(to + k, bytes.data() + k, copy.operation, copy.type);
    } else if (copy.byteMask != ~0u) {
        for (std::size_t k = 0; k < bytes.size(); ++k)
            if (copy.byteMask >> (k % 16) & 1)
                to[k] = bytes[k];
    } else {
        std::memcpy(to, bytes.data(), bytes.size());
    }
}

void tellWord(Exec& x, BlockState& keeper, const PendingCopy& copy, const CopyPiece& p,
              const std::vector<std::byte>& bytes) {
    const BlockState& to = copy.target ? *copy.target : keeper;
    WarpContext* const running = x.warp;
    if (copy.asker == x.block->index)
        x.warp = x.block->warps[copy.warp].get();
    if (p.take > 0 && !copy.fromValues)
        x.word->copied(x, copy.from, AccessKind::Load, copy.source ? *copy.source : to, p.from, p.take, bytes.data(),
                       copy.position, int(p.lane));
    x.word->copied(x, copy.to, AccessKind::Store, to, p.to, p.bytes, bytes.data(), copy.position, int(p.lane));
    x.warp = running;
}

// The pieces of these lanes, in order.
void carryOut(Exec& x, BlockState& keeper, PendingCopy& copy, std::uint32_t lanes) {
    std::vector<std::byte> bytes;
    for (const CopyPiece& p : copy.pieces) {
        if (!(lanes >> p.lane & 1))
            continue;
        fetch(x, copy, p, bytes);
        if (x.word) [[unlikely]]
            tellWord(x, keeper, copy, p, bytes);
        if (copy.to == MemorySpace::Global) {
            if (const Found area = x.global->find(p.to, p.bytes, x.hint)) {
                put(copy, area.bytes(), bytes);
                area->noteWritten(p.to, p.bytes);
            }
            continue;
        }
        BlockState& target = copy.target ? *copy.target : keeper;
        if (std::byte* const to = target.shared.find(p.to, p.bytes)) {
            put(copy, to, bytes);
            markArrived(target, std::uint32_t(p.to), p.bytes);
        }
    }
    std::erase_if(copy.pieces, [&](const CopyPiece& p) { return lanes >> p.lane & 1; });
}

void checkSource(Exec& x, const PendingCopy& copy) {
    if (copy.from != MemorySpace::Shared || copy.fromValues || !copy.source || !x.checkMemory)
        return;
    const auto at = overwritten(copy);
    if (!at || x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, copy.position))
        return;
    const auto by = lastWriter(x, *copy.source, *at);
    const Message word = sharedText(x, *at, by ? x.program->code[by->position].memory.bytes : 4);
    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, copy.position, -1, sharedWindow + *at,
                       by ? say::SourceOverwrittenBy(word, x.launch->block.at(by->thread).indexText(),
                                                     placeText(*x.program, by->position))
                          : say::SourceOverwritten(word));
}

// Of copies whose pieces have all come: the mbarrier is told, the note gets its time.
void end(Exec& x, Home home, PendingCopy copy) {
    const bool timed = copy.ready != noTime;
    std::int64_t when = timed ? copy.ready - home.block->clockBase : clockIn(x, *home.block);
    if (!timed && copy.barrier != noIndex)
        when = std::max(when, home.block->async->barriers[copy.barrier].latest);
    if (copy.note)
        complete(*copy.note, when, *home.block);
    for (const auto& work : copy.works) {
        work->done = true;
        if (work->note)
            complete(*work->note, when, *home.block);
    }
    if (copy.barrier == noIndex)
        return;
    if ((copy.reported || copy.laneBytes) && home.recorder) {
        RecordedPhase e;
        e.time = when;
        e.position = copy.position;
        e.kind = PhaseEventKind::Copied;
        e.barrier = copy.barrier;
        e.count = copy.reported + copy.laneBytes;
        e.phase = home.block->async->barriers[copy.barrier].phase;
        e.missing = barrierAt(*home.block, copy.barrier).pending;
        home.recorder->phase(e);
    }
    change(x, home, copy.barrier, std::uint32_t(std::popcount(copy.arrivals)), -std::int32_t(copy.reported), when,
           copy.position);
}

// Takes out of the list what holds, in order, and ends it.
template <class F>
void take(Exec& x, Home home, F holds) {
    AsyncState& state = *home.block->async;
    for (std::size_t k = 0; k < state.pending.size();) {
        if (!holds(state.pending[k])) {
            ++k;
            continue;
        }
        PendingCopy copy = std::move(state.pending[k]);
        state.pending.erase(state.pending.begin() + std::ptrdiff_t(k));
        x.device->kept.fetch_sub(copy.kept, std::memory_order_relaxed);
        checkSource(x, copy);
        carryOut(x, *home.block, copy, ~0u);
        end(x, home, std::move(copy));
        k = 0; // the end of one may be what another waits for
    }
}

} // namespace

Mbarrier barrierAt(const BlockState& block, std::uint32_t barrier) {
    std::uint64_t word = 0;
    if (const std::byte* const at = block.shared.find(barrier, 8))
        std::memcpy(&word, at, 8);
    return Mbarrier::of(word);
}

std::int64_t clockIn(const Exec& x, const BlockState& block) {
    return std::max<std::int64_t>(0, x.warp->clock - 1) + x.block->clockBase - block.clockBase;
}

std::uint64_t addressOf(Exec& x, const AsyncAddress& a, int lane) {
    std::uint64_t address = std::uint64_t(a.offset);
    if (a.row != noRow)
        address += a.wide ? rowAt<const std::uint64_t>(x, a.row)[lane] : rowAt<const std::uint32_t>(x, a.row)[lane];
    if (a.space == CopySpace::Own || a.space == CopySpace::Cluster)
        address &= 0xffffffffu;
    if (a.ofEvenBlock && x.block->clusterRank % 2 == 1 && std::uint32_t(address) >> clusterRankShift == 0)
        return addressAt(x, address, x.block->clusterRank - 1);
    return address;
}

std::shared_ptr<CopyNote> newNote(const Exec& x, const Inst& in, std::uint32_t lanes, AsyncCopyKind kind) {
    auto note = std::make_shared<CopyNote>();
    note->kind = kind;
    note->warp = x.warp->number;
    note->position = in.index;
    note->lanes = {lanes};
    note->issued = note->complete = clockIn(x, *x.block);
    note->base = x.block->clockBase;
    return note;
}
void complete(CopyNote& note, std::int64_t when, const BlockState& keeper) {
    note.complete = std::max(note.issued, when + keeper.clockBase - note.base);
}

PendingCopy newCopy(Exec& x, const Inst& in, std::uint32_t lanes, AsyncCopyKind kind) {
    PendingCopy copy;
    copy.asker = x.block->index;
    copy.warp = x.warp->number;
    copy.position = in.index;
    if (x.recorder)
        copy.note = newNote(x, in, lanes, kind);
    return copy;
}

void watchSource(Exec& x, const Inst& in, int lane, const PendingCopy& copy) {
    const auto isInside = [](const CopyPiece& p) { return p.take != 0; };
    const auto first = std::find_if(copy.pieces.begin(), copy.pieces.end(), isInside);
    if (!x.checkFirstUse || first == copy.pieces.end() ||
        std::any_of(first, copy.pieces.end(),
                    [&](const CopyPiece& p) { return isInside(p) && holdsWritten(x, p.from, p.take); }))
        return;
    hintUninitialised(x, in, lane, first->from, MemorySpace::Global);
}

bool ask(Exec& x, const Inst& in, BlockState& keeper, PendingCopy copy) {
    for (const CopyPiece& p : copy.pieces) {
        copy.reads.add(p.from, p.take);
        copy.writes.add(p.to, p.bytes);
    }
    if (!copy.pieces.empty())
        writeByProxy(x, in, copy.target ? *copy.target : keeper, copy);
    if (copy.barrier != noIndex)
        copy.phase = asyncOf(keeper).barriers[copy.barrier].phase;
    if (x.hang) [[unlikely]]
        x.hang->copy(x, keeper, copy);
    for (const CopyPiece& p : copy.pieces) {
        if (copy.note)
            copy.note->bytes += p.bytes;
        if (copy.to != MemorySpace::Shared || copy.operation != ptx::Operation::None)
            continue;
        SharedNotes& notes = copy.target ? copy.target->notes : keeper.notes;
        const SharedNotes::Range range = notes.range(p.to, p.bytes);
        for (std::size_t cell = range.first; cell < range.end; ++cell)
            notes.write(cell, WriteNote{}); // not yet written: whoever reads it now is told
    }
    if (copy.from == MemorySpace::Shared && !copy.fromValues) {
        for (const CopyPiece& p : copy.pieces)
            readByProxy(x, in, int(p.lane), *copy.source, p.from, p.take, say::TheCopy);
        keepSource(copy);
    }
    if (x.touched)
        touchByCopy(x, copy);
    if (x.use || x.afterLaunches)
        noteCopy(x, copy);
    if (copy.note) {
        copy.note->from = copy.from;
        copy.note->to = copy.to;
        copy.note->barrier = copy.barrier;
        for (const CopyPiece& p : copy.pieces)
            if (copy.to == MemorySpace::Shared || (copy.from == MemorySpace::Shared && !copy.fromValues))
                copy.note->place =
                    std::min(copy.note->place, sharedOffset(copy.to == MemorySpace::Shared ? p.to : p.from));
        if (x.recorder && !copy.pieces.empty())
            x.recorder->copy(copy.note);
    }
    copy.kept = sizeof copy + copy.pieces.size() * sizeof(CopyPiece) + copy.values.size();
    const std::uint64_t bytes = copy.kept;
    asyncOf(keeper).pending.push_back(std::move(copy));
    return keep(x, in, std::countr_zero(x.mask), bytes);
}

void finishGroups(Exec& x, std::uint32_t lanes, std::uint32_t keep, bool all) {
    AsyncState& state = asyncOf(*x.block);
    const auto& open = state.warps[x.warp->number].bulk;
    for (PendingCopy& copy : state.pending) {
        if (copy.asker != x.block->index || copy.warp != x.warp->number || !copy.bulk || copy.pieces.empty() ||
            copy.barrier != noIndex)
            continue;
        std::uint32_t done = 0;
        for (const CopyPiece& p : copy.pieces)
            if ((lanes >> p.lane & 1) && (all || copy.group[p.lane] + keep < open[p.lane]))
                done |= 1u << p.lane;
        if (done) {
            checkSource(x, copy);
            carryOut(x, *x.block, copy, done);
        }
    }
    take(x, {x.block, x.recorder}, [&](const PendingCopy& copy) {
        return copy.pieces.empty() && copy.arrivals == 0 && copy.asker == x.block->index;
    });
}

void finishFor(Exec& x, Home home, std::uint32_t barrier) {
    if (!home.block->async)
        return;
    const std::int64_t now = home.block->timed ? x.block->clockBase + x.warp->clock : noTime;
    for (const PendingCopy& copy : home.block->async->pending)
        if (copy.barrier == barrier && copy.arrivals && !copy.commits && (now == noTime || copy.ready <= now) &&
            copy.asker == home.block->index)
            finishLanes(x, home, copy.warp, copy.arrivals, WaitedBy::Mbarrier); // what these lanes' arrival waits for
    take(x, home,
         [&](const PendingCopy& copy) { return (now == noTime || copy.ready <= now) && copy.barrier == barrier; });
}

// Of the cluster's copies that are under way nothing reads from this block's memory any more, nor writes there.
static void leaveCopies(Exec& x) {
    for (auto& member : x.block->cluster->members)
        if (member.home.block && member.home.block != x.block && member.home.block->async)
            for (PendingCopy& copy : member.home.block->async->pending) {
                if (copy.target == x.block)
                    copy.pieces.clear();
                if (copy.source == x.block) {
                    checkSource(x, copy);
                    copy.source = nullptr;
                }
            }
}

void finishBlock(Exec& x) {
    const auto everything = [](const PendingCopy&) { return true; };
    if (x.block->cluster) // others read this block's memory, or are told by its copies
        for (auto& member : x.block->cluster->members)
            if (member.home.block && member.home.block != x.block && member.home.block->async)
                take(x, member.home, [&](const PendingCopy& copy) { return copy.asker == x.block->index; });
    if (x.block->cluster)
        leaveCopies(x);
    if (x.block->async) {
        finishAllLanes(x);
        take(x, {x.block, x.recorder}, everything);
    }
}

std::int64_t groupsReady(const Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    if (!x.block->async)
        return 0;
    if (a.op == AsyncOp::WaitLanes)
        return laneGroupsReady(x, a.kept());
    if (a.op != AsyncOp::WaitBulk)
        return 0;
    const auto& open = x.block->async->warps[x.warp->number].bulk;
    std::int64_t ready = 0;
    for (const PendingCopy& copy : x.block->async->pending) {
        if (copy.asker != x.block->index || copy.warp != x.warp->number || !copy.bulk || copy.barrier != noIndex ||
            copy.ready == noTime)
            continue;
        for (const CopyPiece& p : copy.pieces)
            if ((x.mask >> p.lane & 1) && (a.halt || copy.group[p.lane] + a.keep < open[p.lane]))
                ready = std::max(ready, copy.ready);
    }
    return ready;
}

void change(Exec& x, Home home, std::uint32_t barrier, std::uint32_t arrivals, std::int32_t bytes, std::int64_t when,
            std::uint32_t position) {
    Mbarrier b = barrierAt(*home.block, barrier);
    b.pending -= std::min(arrivals, b.pending);
    b.bytes += bytes;
    BarrierNote& note = asyncOf(*home.block).barriers[barrier];
    if (!home.block->timed) // steps of several warps: the end comes behind all that led to it
        when = std::max(when, note.latest);
    note.latest = when;
    const bool over = b.turnPhase();
    const std::uint64_t word = b.word();
    if (std::byte* const at = home.block->shared.find(barrier, 8))
        std::memcpy(at, &word, 8);
    if (!over)
        return;
    note.over = when;
    endPhaseForStages(*home.block, barrier);
    ++home.block->epoch; // what was written before can be read behind the wait
    if (x.block != home.block)
        ++x.block->epoch;
    if (home.recorder) {
        RecordedPhase e;
        e.time = when;
        e.position = position;
        e.kind = PhaseEventKind::Complete;
        e.barrier = barrier;
        e.phase = note.phase;
        home.recorder->phase(e);
    }
    ++note.phase;
}

} // namespace warpglass::emulator
