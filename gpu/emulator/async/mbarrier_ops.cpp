// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/mbarrier_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/access/lane_elements.h"
#include "gpu/emulator/async/lane_copies.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/record/shared_names.h"
#include "gpu/emulator/watch/early_reads.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/spin_loops.h"
#include "gpu/emulator/watch/stages.h"

#include <fmt/format.h>

namespace warpglass::emulator {

namespace {

std::uint32_t word(Exec& x, Row row, int lane, std::uint32_t otherwise) {
    return row == noRow ? otherwise : rowAt<const std::uint32_t>(x, row)[lane];
}

[[gnu::noinline]] void recordPhase(Exec& x, const Inst& in, const BarrierUse& use, PhaseEventKind kind,
                                   std::uint32_t lanes, std::uint32_t count, std::uint32_t missing) {
    RecordedPhase e;
    e.time = clockIn(x, *use.home.block);
    e.warp = x.block == use.home.block ? x.warp->number : noIndex;
    e.position = in.index;
    e.kind = kind;
    e.barrier = use.at;
    e.phase = asyncOf(*use.home.block).barriers[use.at].phase;
    if (kind == PhaseEventKind::Pass)
        --e.phase; // who passes was held by the one that is over
    e.count = count;
    e.missing = missing;
    e.lanes = {lanes};
    if (x.hang)
        x.hang->phase(x, *use.home.block, e);
    if (use.home.recorder)
        use.home.recorder->phase(e);
}
// Inline: most launches have nobody who asks.
inline void record(Exec& x, const Inst& in, const BarrierUse& use, PhaseEventKind kind, std::uint32_t lanes,
                   std::uint32_t count, std::uint32_t missing) {
    if (use.home.recorder || x.hang) [[unlikely]]
        recordPhase(x, in, use, kind, lanes, count, missing);
}

bool refuse(Exec& x, const Inst& in, int lane, const BarrierUse& use, const Message& what) {
    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, sharedWindow + use.at, what, true);
    return false;
}

void store(BarrierUse& use) {
    const std::uint64_t bits = use.now.word();
    if (std::byte* const at = use.home.block->shared.find(use.at, 8))
        std::memcpy(at, &bits, 8);
}

// More arrivals than the phase waits for: perhaps since a wait let the warp pass, by a phase that was over when it had
// arrived in the next one.
Message tooMany(const Exec& x, const BarrierUse& use, std::uint32_t count) {
    SharedNames names(*x.launch);
    names.look(*use.home.block);
    const Message name = mbarrierName(names, *x.program, *use.home.block, use.at);
    const BarrierNote& note = asyncOf(*use.home.block).barriers[use.at];
    const auto passed = note.passed.find(x.warp->number);
    if (use.home.block == x.block && use.now.pending == 0 && use.now.bytes > 0 && passed != note.passed.end() &&
        passed->second.arrivedIn == note.phase + 1 && passed->second.by == note.phase && note.phase > 0) {
        const std::uint32_t wait = passed->second.position;
        const auto bytes = std::uint32_t(use.now.bytes);
        if (std::optional<Diagnostics::Blamed> read = x.diagnostics->takeBlame(firstOfLine(*x.program, wait)))
            return say::ReadsAndArrivesAgain(std::move(read->what), placeText(*x.program, read->position), name,
                                             note.phase, bytes);
        return say::ArrivesAgain(name, note.phase, bytes, placeText(*x.program, wait), note.phase - 1);
    }
    return say::TooManyArrivals(count, name, use.now.pending);
}

// One lane's arrival, its bytes before it. False: told as a fault.
bool arrive(Exec& x, const Inst& in, int lane, BarrierUse& use, std::uint32_t count, std::uint32_t bytes, bool drops,
            bool mustNotEnd) {
    if (count > use.now.pending)
        return refuse(x, in, lane, use, tooMany(x, use, count));
    if (bytes > std::uint32_t(Mbarrier::mostBytes))
        return refuse(x, in, lane, use, say::MbarrierBytes(bytes));
    if (mustNotEnd && count == use.now.pending && use.now.bytes + std::int32_t(bytes) == 0)
        return refuse(x, in, lane, use, say::NoComplete);
    if (drops) {
        use.now.expected -= std::min(count, use.now.expected);
        store(use);
    }
    if (use.home.block == x.block) {
        BarrierNote& note = asyncOf(*x.block).barriers[use.at];
        note.passed[x.warp->number].arrivedIn = note.phase + 1;
        arriveForStages(x, use.at);
    }
    change(x, use.home, use.at, count, std::int32_t(bytes), clockIn(x, *use.home.block), in.index);
    return true;
}

bool initialise(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const AsyncInst& a = x.program->asyncs[in.async.site];
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, lane, use, true))
            return false;
        const std::uint32_t count = word(x, a.count, lane, 1);
        if (count == 0 || count > Mbarrier::mostArrivals)
            return refuse(x, in, lane, use, say::MbarrierCount(count, Mbarrier::mostArrivals));
        use.now = {};
        use.now.valid = true;
        use.now.pending = use.now.expected = count;
        store(use);
        markWritten(*use.home.block, use.at, 8);
        asyncOf(*use.home.block).barriers[use.at] = {};
        record(x, in, use, PhaseEventKind::Init, 1u << lane, count, count);
    }
    return true;
}

bool invalidate(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, lane, use))
            return false;
        record(x, in, use, PhaseEventKind::Inval, 1u << lane, 0, 0);
        use.now = {};
        store(use);
    }
    return true;
}

// The lanes of m whose word of a row is its first one's.
template <class T>
std::uint32_t alike(Exec& x, const T* row, std::uint32_t m) {
    if (sameInAll(x, m, row)) [[likely]]
        return m;
    const T first = row[std::countr_zero(m)];
    std::uint32_t same = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        same |= std::uint32_t(row[lane] == first) << lane;
    return same & m;
}
// The lanes of m that mean the same barrier as its first one.
std::uint32_t withFirst(Exec& x, const AsyncAddress& address, std::uint32_t m) {
    if (address.row == noRow)
        return m;
    return address.wide ? alike(x, rowAt<const std::uint64_t>(x, address.row), m)
                        : alike(x, rowAt<const std::uint32_t>(x, address.row), m);
}

// Lanes that arrive once each at one barrier, whose phase does not end before the last of them.
void arriveTogether(Exec& x, const Inst& in, const AsyncInst& a, std::uint32_t group, BarrierUse& use) {
    const auto arrivals = std::uint32_t(std::popcount(group));
    record(x, in, use, PhaseEventKind::Arrive, group, arrivals, use.now.pending - arrivals);
    if (a.dst != noRow) {
        const std::uint64_t before = use.now.word(); // whose lowest bits are the arrivals that are missing
        auto* const row = rowAt<std::uint64_t>(x, a.dst);
        if (group == ~0u) {
            for (std::uint32_t lane = 0; lane < 32; ++lane)
                row[lane] = before - lane;
        } else {
            std::uint64_t arrived = 0;
            eachLane(group, [&](int lane) { row[lane] = before - arrived++; });
        }
    }
    if (use.home.block == x.block)
        arriveForStages(x, use.at);
    change(x, use.home, use.at, arrivals, 0, clockIn(x, *use.home.block), in.index);
}

bool arrival(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    for (std::uint32_t left = activeMask(x, in); left;) {
        const std::uint32_t group = withFirst(x, a.barrier, left);
        left &= ~group;
        if (a.op == AsyncOp::Arrive && a.count == noRow && a.bytes == noRow && !a.noComplete) {
            BarrierUse use;
            if (!useBarrier(x, in, a.barrier, std::countr_zero(group), use)) {
                if (passedOver(x))
                    continue;
                return false;
            }
            if (std::uint32_t(std::popcount(group)) <= use.now.pending) {
                arriveTogether(x, in, a, group, use);
                continue;
            }
        }
        std::uint32_t arrivals = 0, all = 0;
        eachLane(group, [&](int lane) {
            arrivals += word(x, a.count, lane, 1);
            all += word(x, a.bytes, lane, 0);
        });
        bool first = true;
        for (std::uint32_t rest = group; rest; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            BarrierUse use;
            if (!useBarrier(x, in, a.barrier, lane, use)) {
                if (passedOver(x))
                    continue;
                return false;
            }
            const std::uint32_t count = word(x, a.count, lane, 1), bytes = word(x, a.bytes, lane, 0);
            if (count == 0)
                return refuse(x, in, lane, use, say::ArrivalsNone);
            if (first) { // told before it is done: the end of the phase comes behind it
                if (a.bytes != noRow)
                    record(x, in, use, PhaseEventKind::Expect, group, all, use.now.pending);
                record(x, in, use, PhaseEventKind::Arrive, group, arrivals,
                       use.now.pending - std::min(arrivals, use.now.pending));
                first = false;
            }
            const std::uint64_t before = use.now.word();
            if (!arrive(x, in, lane, use, count, bytes, a.op == AsyncOp::ArriveDrop, a.noComplete))
                return false;
            if (a.dst != noRow)
                rowAt<std::uint64_t>(x, a.dst)[lane] = before;
        }
    }
    return true;
}

bool expectBytes(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    const bool expects = a.op == AsyncOp::ExpectBytes;
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, lane, use))
            return false;
        const std::uint32_t bytes = word(x, a.bytes, lane, 0);
        if (bytes > std::uint32_t(Mbarrier::mostBytes))
            return refuse(x, in, lane, use, say::MbarrierCountsBytes(bytes));
        record(x, in, use, expects ? PhaseEventKind::Expect : PhaseEventKind::Copied, 1u << lane, bytes,
               use.now.pending);
        change(x, use.home, use.at, 0, expects ? std::int32_t(bytes) : -std::int32_t(bytes),
               clockIn(x, *use.home.block), in.index);
    }
    return true;
}

bool testWait(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    const AsyncInst& a = x.program->asyncs[in.async.site];
    std::uint32_t over = 0, vain = 0;
    std::uint64_t where = 0;
    bool foundDone = false;            // a phase ended just now, by work that went on beside the threads
    const auto oddOf = [&](int lane) { // the phase that is waited for
        return a.parity ? (word(x, a.count, lane, 0) & 1) != 0
                        : Mbarrier::of(rowAt<const std::uint64_t>(x, a.count)[lane]).odd;
    };
    for (std::uint32_t left = m; left;) { // those at once that wait for the same phase of the same barrier
        const int lane = std::countr_zero(left);
        const bool odd = oddOf(lane);
        std::uint32_t group = 0;
        eachLane(withFirst(x, a.barrier, left), [&](int l) { group |= std::uint32_t(oddOf(l) == odd) << l; });
        left &= ~group;
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, lane, use))
            return false;
        if (use.now.odd == odd) { // perhaps only because nobody has looked for copies
            finishFor(x, use.home, use.at);
            use.now = barrierAt(*use.home.block, use.at);
            foundDone |= use.now.odd != odd;
        }
        BarrierNote& note = asyncOf(*use.home.block).barriers[use.at];
        const std::uint32_t current = note.phase;
        auto& told = note.waits[x.warp->number];
        if (use.now.odd != odd) {
            over |= group;
            if (use.home.block == x.block)
                waitForStages(x, use.at);
            if (x.hang && use.home.block == x.block && current == 0) [[unlikely]]
                x.hang->passedEarly(x, use.at, in.index);
            if (use.home.block == x.block && current > 0) {
                BarrierNote::Passed& passed = note.passed[x.warp->number];
                passed.by = current;
                passed.position = in.index;
            }
            if (use.home.block == x.block && !x.block->timed && current > 0) // who has waited goes on when it is over
                x.warp->clock = std::max(x.warp->clock, note.over + 1);
            if (use.home.block == x.block && current > 0 && told != current + (1u << 31)) {
                record(x, in, use, PhaseEventKind::Pass, m, 0, 0);
                told = current + (1u << 31);
            }
            continue;
        }
        if (use.home.block == x.block && told != current + 1) {
            record(x, in, use, PhaseEventKind::Wait, m, 0, use.now.pending);
            told = current + 1;
        }
        vain |= group;
        where = addressOf(x, a.barrier, lane);
    }
    setPredicate(x, a.dst, m, over);
    if (vain)
        noteWait(x, in, vain, where);
    else if (foundDone && !x.block->timed)
        x.sliceEnd = 0; // while it went on, the other warps came at least to where they wait for the same
    return true;
}

bool pendingCount(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    eachLane(activeMask(x, in), [&](int lane) {
        rowAt<std::uint32_t>(x, a.dst)[lane] = Mbarrier::of(rowAt<const std::uint64_t>(x, a.count)[lane]).pending;
    });
    return true;
}

bool arriveAfterCopies(Exec& x, const Inst& in) {
    const AsyncInst& a = x.program->asyncs[in.async.site];
    const std::uint32_t m = activeMask(x, in);
    for (std::uint32_t left = m; left;) { // lanes of one instruction may mean different barriers
        BarrierUse use;
        if (!useBarrier(x, in, a.barrier, std::countr_zero(left), use))
            return false;
        const std::uint32_t same = withFirst(x, a.barrier, left);
        left &= ~same;
        if (!a.noIncrement) {
            use.now.pending += std::uint32_t(std::popcount(same));
            store(use);
        }
        record(x, in, use, PhaseEventKind::Arrive, same, std::uint32_t(std::popcount(same)), use.now.pending);
        if (use.home.block == x.block)
            arriveForStages(x, use.at);
        PendingCopy copy = newCopy(x, in, same, AsyncCopyKind::Lanes);
        copy.note = nullptr;
        copy.barrier = use.at;
        copy.arrivals = same;
        if (x.recorder)
            copy.laneBytes = tellLanes(x, same, use.at);
        if (!ask(x, in, *use.home.block, std::move(copy)))
            return false;
    }
    return true;
}

} // namespace

bool useBarrier(Exec& x, const Inst& in, const AsyncAddress& address, int lane, BarrierUse& use, bool anew) {
    std::uint64_t at = addressOf(x, address, lane);
    if (address.space == CopySpace::Generic) {
        if (windowOf(at) != Window::Shared) {
            x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, at,
                               say::MbarrierElsewhere(fmt::format("{:#x}", at)), true);
            return false;
        }
        at -= sharedWindow;
    }
    const std::byte* bytes = sharedBytes(x, in, lane, at, 8, AccessKind::Atomic, use.home);
    if (!bytes)
        return false;
    use.at = sharedOffset(at);
    if (use.at % 8 != 0)
        return faultMisaligned(x, in, lane, use.at, 8);
    use.now = barrierAt(*use.home.block, use.at);
    if (anew || use.now.valid)
        return true;
    x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, sharedWindow + use.at, say::NoMbarrier(use.at),
                       true);
    return false;
}

Handler mbarrierHandler(AsyncOp op) {
    switch (op) {
    case AsyncOp::Init:
        return &initialise;
    case AsyncOp::Inval:
        return &invalidate;
    case AsyncOp::Arrive:
    case AsyncOp::ArriveDrop:
        return &arrival;
    case AsyncOp::ExpectBytes:
    case AsyncOp::CompleteBytes:
        return &expectBytes;
    case AsyncOp::TestWait:
    case AsyncOp::TryWait:
        return &testWait;
    case AsyncOp::PendingCount:
        return &pendingCount;
    default:
        return nullptr;
    }
}
Handler arriveAfterCopiesHandler() {
    return &arriveAfterCopies;
}

} // namespace warpglass::emulator
