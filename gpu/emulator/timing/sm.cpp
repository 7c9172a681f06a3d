// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/timing/resident.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

class Sm {
public:
    Sm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress)
        : m_setup(setup), m_timing(*setup.timing), m_code(*setup.code), m_program(*setup.program), m_progress(progress),
          m_memory(*setup.timing, setup.around), m_schedulers(std::size_t(setup.timing->schedulers)),
          m_fetched(setup.code->fetches + 1) {
        const std::size_t count = std::min<std::size_t>(setup.residentBlocks, setup.blocks.size());
        for (std::size_t k = 0; k < count; ++k) {
            auto slot = std::make_unique<Slot>();
            slot->runner = makeRunner();
            for (std::uint32_t w = 0; w < slot->runner->block().warpCount; ++w) {
                auto warp = std::make_unique<TimedWarp>();
                warp->x = slot->runner->exec();
                warp->x.program = setup.program;
                warp->warp = slot->runner->block().warps[w].get();
                warp->slot = slot.get();
                warp->scores.resize(m_code.registerCount);
                slot->warps.push_back(std::move(warp));
            }
            m_slots.push_back(std::move(slot));
        }
    }

    SmResult run(Counters& counters) {
        for (auto& slot : m_slots)
            admit(*slot, 0);
        loop();
        m_result.cycles = m_now;
        for (const TimedBlock& b : m_result.blocks)
            if (b.complete)
                m_result.cycles = std::max(m_result.cycles, b.end);
        if (!m_over)
            m_result.cycles = std::max(m_result.cycles, m_drained);
        closeStates();
        for (auto& slot : m_slots) // a failed one tells what it has found
            if (m_result.faulted && slot->busy)
                m_setup.leave(m_result.blocks[slot->row].index, slot->runner->takeOutput(),
                              slot->runner->diagnostics());
        if (!m_result.faulted && !m_progress.cancelled())
            finishUntimed();
        m_result.memory = m_memory.totals();
        if (m_setup.around.touched && m_setup.shareSectors)
            m_memory.sectors().each(
                [&](std::uint64_t s) { m_setup.around.touched->add(s, std::uint32_t(m_setup.blocks.front())); });
        for (auto& slot : m_slots)
            counters.add(slot->runner->counters());
        return std::move(m_result);
    }

private:
    BlockState& block(Slot& s) { return s.runner->block(); }

    // The next block takes the slot.
    void admit(Slot& s, std::int64_t at) {
        const std::uint64_t index = m_setup.blocks[m_nextBlock++];
        m_lastAdmitted =
            std::max(double(at), m_lastAdmitted + std::max(m_setup.blockInterval,
                                                           m_timing.warpInterval * double(block(s).warpCount)));
        s.start = std::int64_t(m_lastAdmitted) + (m_nextBlock <= m_slots.size() ? 0 : m_timing.blockStart);
        s.recorder = m_setup.recorderOf(index);
        s.runner->begin(index, s.recorder);
        BlockState& b = block(s);
        b.sm = m_setup.sm;
        b.clockBase = s.start;
        b.nsPerCycle = 1 / m_setup.cyclesPerNs;
        s.left = b.warpCount;
        s.epoch = b.epoch;
        s.busy = true;
        s.row = m_result.blocks.size();
        TimedBlock row;
        row.index = index;
        row.start = s.start;
        for (std::uint32_t w = 0; w < b.warpCount; ++w) {
            TimedWarp& t = *s.warps[w];
            const auto free = std::uint32_t(std::countr_one(m_taken));
            m_taken |= std::uint64_t(1) << (free & 63);
            row.slots |= std::uint64_t(1) << (free & 63);
            t.hardwareSlot = free;
            t.x.recorder = s.recorder;
            t.age = m_age++;
            t.lastIssued = -1;
            t.stored = 0;
            t.slotsLeft = t.padding = 0;
            t.blocked = t.done = false;
            std::fill(t.scores.begin(), t.scores.end(), Score{});
            t.floor = s.start + std::int64_t(double(w) * m_timing.warpInterval / 2);
            t.floorReason = WarpState::StallNoInstruction;
            t.states = s.recorder ? s.recorder->statesOf(w, b.warpCount) : nullptr;
            t.since = s.start;
            t.state = WarpState::StallNoInstruction;
            t.line = 0;
            Scheduler& q = m_schedulers[free % m_schedulers.size()];
            q.warps.push_back(&t);
            resume(t.x, *t.warp);
            prepare(t, t.floor);
            q.next = std::min(q.next, t.readyAt);
        }
        m_result.blocks.push_back(row);
    }

    // Finds the warp's next instruction that takes a slot, doing those that take none, and when it can be issued.
    void prepare(TimedWarp& t, std::int64_t from) {
        t.slotsLeft = 0;
        for (;;) {
            if (!arrive(t.x)) {
                standStill(t);
                return;
            }
            const std::uint32_t position = m_program.code[t.x.pc].index;
            const MachineOp& op = m_code.ops[position];
            if (op.slots == 0) {
                std::int64_t ready = 0;
                WarpState wait = WarpState::StallWait;
                latest(t, op, ready, wait);
                for (const std::uint32_t r : m_code.writes(op))
                    t.scores[r] = {ready, wait};
                const bool predicated = op.predicated;
                const std::uint32_t pc = t.x.pc, lanes = t.x.mask;
                t.warp->clock = from - t.slot->start;
                const StepResult r = step(t.x);
                ++m_result.issued;
                if (predicated) {
                    if (ready > t.floor) {
                        t.floor = ready;
                        t.floorReason = wait;
                    }
                    if (t.x.mask == lanes && t.x.pc != pc + 1)
                        t.padding += op.skipped;
                }
                if (!after(t, r, from))
                    return;
                continue;
            }
            t.op = &op;
            std::int64_t ready = t.floor;
            WarpState wait = t.floorReason;
            latest(t, op, ready, wait);
            if (op.branch && m_program.info[position].isConditional)
                ready += ready > from ? m_timing.predicate : 0;
            if (m_program.info[position].isExit && t.stored > ready) {
                ready = t.stored;
                wait = WarpState::StallDrain;
            }
            if (op.fetch > 0 && !m_fetched[op.fetch]) {
                m_fetched[op.fetch] = true;
                if (from + m_timing.fetch > ready) {
                    ready = from + m_timing.fetch;
                    wait = WarpState::StallNoInstruction;
                }
            }
            t.slotsLeft = op.slots + t.padding;
            t.padding = 0;
            t.nextLine = op.line;
            setPipe(t);
            t.readyAt = std::max(from, ready);
            t.reason = wait;
            return;
        }
    }

    void latest(const TimedWarp& t, const MachineOp& op, std::int64_t& ready, WarpState& wait) const {
        for (const std::uint32_t r : m_code.reads(op))
            if (t.scores[r].ready > ready) {
                ready = t.scores[r].ready;
                wait = t.scores[r].wait;
            }
    }

    void standStill(TimedWarp& t) {
        t.blocked = true;
        t.readyAt = never;
        t.op = nullptr;
        t.nextLine = 0;
        t.reason = WarpState::StallBarrier;
    }

    // After a step: false if the warp cannot go on by itself now (blocked, done, failed).
    bool after(TimedWarp& t, const StepResult& r, std::int64_t next) {
        Slot& s = *t.slot;
        if (block(s).epoch != s.epoch)
            openBarriers(s, next);
        if (r.stop == Stop::None)
            return true;
        if (r.stop == Stop::Fault) {
            m_result.faulted = true;
            t.readyAt = never;
            return false;
        }
        if (r.stop == Stop::Switch) {
            t.x.stop = Stop::None;
            if (resume(t.x, *t.warp))
                return true;
        }
        if (r.stop == Stop::Done || t.warp->exited == t.warp->live)
            end(t, next);
        else
            standStill(t);
        return false;
    }

    // Warps that a barrier has let go.
    void openBarriers(Slot& s, std::int64_t now) {
        s.epoch = block(s).epoch;
        for (auto& w : s.warps) {
            TimedWarp& t = *w;
            if (t.done || !t.blocked)
                continue;
            t.x.stop = Stop::None;
            if (!resume(t.x, *t.warp))
                continue;
            t.blocked = false;
            t.floor = std::max(now, m_barrier) + m_timing.barrier;
            t.floorReason = WarpState::StallBarrier;
            prepare(t, now);
            wake(t);
        }
    }

    void wake(TimedWarp& t) {
        Scheduler& q = m_schedulers[t.hardwareSlot % m_schedulers.size()];
        q.next = std::min(q.next, std::max(m_now + 1, t.readyAt));
    }

    void end(TimedWarp& t, std::int64_t at) {
        if (t.done)
            return;
        t.done = t.warp->done = true;
        t.readyAt = never;
        m_ended.push_back({&t, at});
    }

    // Warps that have ended leave their scheduler; blocks whose last warp has, their slot.
    void retire() {
        for (std::size_t k = 0; k < m_ended.size(); ++k) {
            TimedWarp& t = *m_ended[k].first;
            const std::int64_t at = m_ended[k].second;
            Slot& s = *t.slot;
            close(t, at);
            Scheduler& q = m_schedulers[t.hardwareSlot % m_schedulers.size()];
            std::erase(q.warps, &t);
            if (s.recorder)
                s.recorder->end(t.warp->number, t.warp->live, at - s.start);
            if (--s.left > 0)
                continue;
            TimedBlock& row = m_result.blocks[s.row];
            row.end = at;
            row.complete = true;
            row.issued = s.runner->issued();
            m_taken &= ~row.slots;
            s.busy = false;
            m_setup.leave(row.index, s.runner->takeOutput(), s.runner->diagnostics());
            if (m_nextBlock < m_setup.blocks.size() && !m_over)
                admit(s, at);
        }
        m_ended.clear();
    }

    void state(TimedWarp& t, WarpState now, std::uint32_t line, std::int64_t at) {
        if (t.state == now && t.line == line)
            return;
        close(t, at);
        t.state = now;
        t.line = line;
        t.since = std::max(t.since, at); // a block that is to begin later has no state before that
    }

    void close(TimedWarp& t, std::int64_t at) {
        if (at <= t.since)
            return;
        m_result.stateCycles[std::size_t(t.state)] += std::uint64_t(at - t.since);
        m_result.residentCycles += std::uint64_t(at - t.since);
        if (t.states)
            t.states->push_back({{t.since}, {at}, t.state, t.line});
        t.since = at;
    }

    void closeStates() {
        for (auto& s : m_slots)
            if (s->busy)
                for (auto& t : s->warps)
                    if (!t->done)
                        close(*t, m_now);
    }

    // Of the warp's next slot: sequences begin on the unit for special functions.
    static void setPipe(TimedWarp& t) {
        t.pipe = t.op->special > 0 && int(t.slotsLeft) > t.op->slots - t.op->special ? Pipe::Xu : t.op->pipe;
    }

    static WarpState throttle(Pipe pipe) {
        return pipe == Pipe::Lsu   ? WarpState::StallLgThrottle
               : pipe == Pipe::Mio ? WarpState::StallMioThrottle
                                   : WarpState::StallMathPipeThrottle;
    }

    void loop() {
        std::uint64_t rounds = 0;
        for (;;) {
            std::int64_t now = never;
            for (const Scheduler& q : m_schedulers)
                now = std::min(now, q.next);
            if (now >= never) {
                if (!somebodyDeparts())
                    return; // all have ended, or none can go on
                continue;
            }
            m_now = now;
            for (Scheduler& q : m_schedulers)
                if (q.next <= now)
                    cycle(q, now);
            if (!m_ended.empty())
                retire();
            m_over |= m_setup.budget && m_result.issued >= m_setup.budget;
            if (m_over || m_result.faulted)
                break;
            if ((++rounds & 0x3fff) == 0 && m_progress.cancelled())
                break;
        }
    }

    // One cycle of one scheduler: what each of its warps does, and which of them issues.
    void cycle(Scheduler& q, std::int64_t now) {
        m_ready.clear();
        std::int64_t next = never;
        std::uint64_t& lastAge = m_lastAge[std::size_t(&q - m_schedulers.data())];
        std::uint32_t last = ~0u;
        for (std::uint32_t k = 0; k < q.warps.size(); ++k) {
            TimedWarp& t = *q.warps[k];
            if (t.readyAt > now) {
                state(t, t.reason, t.nextLine, now);
                next = std::min(next, t.readyAt);
                continue;
            }
            const Pipe pipe = t.pipe;
            std::int64_t free = q.free[std::size_t(pipe)];
            if (pipe == Pipe::Lsu || pipe == Pipe::Mio)
                free = std::max(free, m_memory.free(pipe));
            if (free > now) {
                state(t, throttle(pipe), t.nextLine, now);
                next = std::min(next, free);
                continue;
            }
            state(t, WarpState::Eligible, t.nextLine, now);
            if (t.age == lastAge)
                last = k;
            m_ready.push_back({k, t.age, t.lastIssued});
        }
        if (m_ready.empty()) {
            q.next = next;
            return;
        }
        TimedWarp& t = *q.warps[m_ready[std::size_t(pick(m_setup.policy, m_ready, last))].warp];
        lastAge = t.age;
        q.next = now + 1;
        issue(q, t, now);
    }

    void issue(Scheduler& q, TimedWarp& t, std::int64_t now) {
        const MachineOp& op = *t.op;
        state(t, WarpState::Selected, op.line, now);
        t.lastIssued = now;
        ++m_result.slotsIssued;
        const Pipe pipe = t.pipe;
        if (pipe != Pipe::None)
            q.free[std::size_t(pipe)] = now + m_timing.interval[std::size_t(pipe)];
        if (t.slotsLeft > 1) {
            --t.slotsLeft;
            setPipe(t);
            t.readyAt = now + op.gap;
            t.reason = WarpState::StallWait;
            return;
        }
        const std::uint32_t position = m_program.code[t.x.pc].index;
        if (m_program.info[position].isBarrier)
            m_barrier = std::max(now, m_barrier) + m_timing.barrierArrival;
        const InstInfo& info = m_program.info[position];
        t.warp->clock = now - t.slot->start;
        const StepResult r = step(t.x);
        ++m_result.issued;
        m_over |= t.warp->issued >= t.x.limit; // endless: the functional core finds out and tells
        std::int64_t ready = now + op.latency;
        if (op.pipe == Pipe::Lsu || op.pipe == Pipe::Mio)
            ready = access(t, info, r, now, position);
        for (const std::uint32_t w : m_code.writes(op))
            t.scores[w] = {ready, op.wait};
        std::int64_t next = now + 1;
        if (op.branch) {
            t.floor = now + m_timing.branch;
            t.floorReason = WarpState::StallBranchResolving;
        } else if (info.opClass == OpClass::Fence) {
            fence(t, info, now);
        }
        if (!after(t, r, next))
            return;
        prepare(t, next);
    }

    void fence(TimedWarp& t, const InstInfo& info, std::int64_t now) {
        if (info.is.opcode == ptx::Opcode::Nanosleep) {
            t.floor = now + std::int64_t(100 * m_setup.cyclesPerNs);
            t.floorReason = WarpState::StallSleeping;
        } else {
            t.floor = info.is.scope == ptx::Scope::Cta ? now + 20 : std::max(now + m_timing.fence, t.stored);
            t.floorReason = WarpState::StallMembar;
        }
    }

    std::int64_t access(TimedWarp& t, const InstInfo& info, const StepResult& r, std::int64_t now,
                        std::uint32_t position) {
        if (info.opClass == OpClass::Shuffle)
            return m_memory.shuffle(now);
        const AccessSummary& a = t.x.access;
        if (!r.access && info.opClass != OpClass::Atomic)
            return now + 1;
        if (a.active.empty())
            return now + 1;
        std::int64_t done = now;
        switch (a.space) {
        case MemorySpace::Shared:
            done = m_memory.shared(now, a, t.x.address);
            break;
        case MemorySpace::Global:
            done = m_memory.global(now, a, t.x.address, std::uint32_t(block(*t.slot).index), position,
                                   m_code.ops[position].strong, m_code.ops[position].combined);
            break;
        case MemorySpace::Local:
            done = m_memory.local(now, a);
            break;
        case MemorySpace::Constant:
            done = now + m_timing.constant;
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

    // Nobody can be issued any more: lanes that wait for their siblings at a barrier may be those it waits for.
    bool somebodyDeparts() {
        bool any = false;
        for (auto& s : m_slots) {
            if (!s->busy)
                continue;
            for (auto& w : s->warps) {
                TimedWarp& t = *w;
                if (t.done || !t.blocked)
                    continue;
                if (t.x.independent || !departEarly(*t.warp))
                    continue;
                t.x.stop = Stop::None;
                if (!resume(t.x, *t.warp))
                    continue;
                t.blocked = false;
                prepare(t, m_now + 1);
                wake(t);
                any = true;
                break;
            }
            if (!m_ended.empty())
                retire();
        }
        return any;
    }

    // The functional core runs straight-line pieces as a whole: one that has begun is brought to its end first.
    void toPieceEnd(TimedWarp& t) {
        while (!t.done && !t.blocked) {
            if (!arrive(t.x))
                return;
            if (t.x.pc == m_program.runs[m_program.code[t.x.pc].piece].first) {
                pack(t.x);
                return;
            }
            const StepResult r = step(t.x);
            if (r.stop != Stop::None) // stands at a barrier or has ended: its stack says so
                return;
        }
    }

    // What the budget did not reach, and what can never go on: run, or told, by the functional core. Its times are
    // those of the average instruction.
    void finishUntimed() {
        const double cyclesPerInstruction =
            m_result.issued ? std::max(1.0, double(m_result.residentCycles) / double(m_result.issued)) : 1;
        for (auto& slot : m_slots) {
            Slot& s = *slot;
            if (!s.busy)
                continue;
            for (auto& t : s.warps) {
                toPieceEnd(*t);
                t->warp->clock = std::max<std::int64_t>(0, m_now - s.start);
            }
            const std::int64_t cut = std::max<std::int64_t>(0, m_now - s.start);
            bool ok = true;
            const std::int64_t length = s.runner->finish(ok);
            TimedBlock& row = m_result.blocks[s.row];
            row.issued = s.runner->issued();
            row.end =
                s.start + cut + std::int64_t(double(std::max<std::int64_t>(0, length - cut)) * cyclesPerInstruction);
            if (s.recorder)
                s.recorder->stretchAfter(cut, cyclesPerInstruction);
            m_setup.leave(row.index, s.runner->takeOutput(), s.runner->diagnostics());
            if (!ok) {
                m_result.faulted = true;
                return;
            }
        }
    }

    const SmSetup& m_setup;
    const DeviceTiming& m_timing;
    const MachineCode& m_code;
    const Program& m_program;
    Progress& m_progress;
    MemoryPath m_memory;
    std::vector<Scheduler> m_schedulers;
    std::array<std::uint64_t, 8> m_lastAge{~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull};
    std::vector<std::unique_ptr<Slot>> m_slots;
    std::vector<std::pair<TimedWarp*, std::int64_t>> m_ended;
    std::vector<Candidate> m_ready;
    std::size_t m_nextBlock = 0;
    double m_lastAdmitted = -1e9;
    std::uint64_t m_taken = 0, m_age = 0;
    std::vector<bool> m_fetched;           // [MachineOp::fetch]
    std::int64_t m_drained = 0;            // atomics that nobody waits for
    std::int64_t m_now = 0, m_barrier = 0; // the barrier unit is free from then on
    bool m_over = false;                   // no more in time
    SmResult m_result;
};

} // namespace

SmResult runSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
               Counters& counters, Progress& progress) {
    return Sm(setup, makeRunner, progress).run(counters);
}

} // namespace warpglass::emulator
