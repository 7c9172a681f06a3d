// SPDX-License-Identifier: GPL-3.0-or-later
// One class whose parts all look at the same warps in the same cycle: wake, choose, issue, account, retire. It is longer
// than other files because none of them can go without handing that state over and back.
#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/timing/residency.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpglass::emulator {

namespace {

// Cycles for which mbarrier.try_wait keeps a thread: the ISA leaves them to the device, and nobody has published them.
constexpr std::int64_t suspended = 64;
// Special functions that wait at their unit. Fitted: with 16 warps that want it all the time, an H200's is never idle.
constexpr std::int64_t specialQueue = 2;

class Sm final : public RunningSm {
public:
    Sm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress)
        : m_setup(setup), m_timing(*setup.timing), m_code(*setup.code), m_program(*setup.program), m_progress(progress),
          m_memory(*setup.timing, setup.around), m_residency(setup, makeRunner), m_fetched(setup.code->fetches + 1),
          m_catchesUp(setup.without.has(Limit::Divergence) || setup.without.has(Limit::Barriers)) {
        for (auto& place : m_residency.places)
            admit(*place, 0);
    }

    std::int64_t next() const override {
        std::int64_t cycle = never;
        for (const Scheduler& q : m_residency.schedulers)
            cycle = std::min(cycle, q.next);
        return cycle;
    }

    bool advance() override {
        std::int64_t now = next();
        while (now >= never) {
            if (m_over || !somebodyDeparts())
                return false; // all have ended, or none can go on
            now = next();
        }
        m_now = now;
        for (Scheduler& q : m_residency.schedulers)
            if (q.next <= now)
                cycle(q, now);
        if (!m_ended.empty())
            retire();
        m_over |= m_setup.budget && m_result.issued >= m_setup.budget;
        return !m_over && !m_result.faulted && ((++m_rounds & 0x3fff) != 0 || !m_progress.cancelled());
    }

    std::uint64_t issued() const override { return m_result.issued; }
    bool faulted() const override { return m_result.faulted; }
    bool endless() const override { return m_endless; }

    SmResult finish(Counters& counters, bool failedElsewhere) override {
        m_result.cycles = m_now;
        for (const TimedBlock& b : m_residency.rows)
            if (b.complete)
                m_result.cycles = std::max(m_result.cycles, b.end);
        if (!m_over)
            m_result.cycles = std::max(m_result.cycles, m_drained);
        for (auto& place : m_residency.places)
            if (place->busy)
                for (auto& t : place->warps)
                    if (!t->done)
                        m_log.close(t->log, m_now);
        const bool failed = m_result.faulted || failedElsewhere;
        for (auto& place : m_residency.places) // they tell what they have found
            if (failed && place->busy)
                leave(*place);
        if (!failed && !m_progress.cancelled())
            finishUntimed();
        m_result.memory = m_memory.totals();
        if (m_setup.around.touched && m_setup.shareSectors)
            m_memory.sectors().each(
                [&](std::uint64_t s) { m_setup.around.touched->add(s, std::uint32_t(m_setup.blocks.front())); });
        for (auto& place : m_residency.places)
            if (place->runner)
                counters.add(place->runner->counters());
        m_result.stateCycles = m_log.cycles;
        m_result.residentCycles = m_log.resident;
        m_result.blocks = std::move(m_residency.rows);
        return std::move(m_result);
    }

private:
    void admit(ResidentBlock& place, std::int64_t at) {
        m_residency.admit(place, at);
        for (auto& t : place.warps) {
            prepare(*t, t->floor.cycle);
            Scheduler& q = m_residency.schedulers[t->scheduler];
            q.next = std::min(q.next, t->ready.cycle);
        }
    }

    // The block's output and diagnostics go where they are kept.
    void leave(ResidentBlock& b) {
        m_setup.leave(m_residency.rows[b.row].index, b.runner->takeOutput(), b.runner->diagnostics());
    }

    // Finds the warp's next instruction that is issued, doing those that are not, and when it can be issued.
    void prepare(TimedWarp& t, std::int64_t from) {
        t.issuesLeft = 0;
        for (;;) {
            if (!arrive(t.x)) {
                standStill(t);
                return;
            }
            const std::uint32_t position = m_program.code[t.x.pc].index;
            const MachineOp& op = m_code.ops[position];
            const bool early = t.round % unrolledRounds != unrolledRounds - 1; // another round goes along with this one
            if (op.slots == 0 || (op.goesRound && early)) {
                const Until ready = operands(t, op, {});
                for (const std::uint32_t r : m_code.writes(op)) {
                    t.registers[r] = ready;
                    if (m_catchesUp)
                        t.past[r].written(t.x.mask);
                }
                const bool predicated = op.predicated;
                const std::uint32_t pc = t.x.pc, lanes = t.x.mask;
                setClock(t, from);
                const StepResult r = step(t.x);
                ++m_result.issued;
                if (op.goesRound)
                    t.round = t.x.pc == pc + 1 ? 0 : t.round + 1;
                if (predicated) {
                    t.floor = later(t.floor, ready);
                    if (t.x.mask == lanes && t.x.pc != pc + 1 && !without(Limit::Divergence))
                        t.padding += op.skipped;
                }
                if (isEndless(t)) { // a loop of instructions that take no time would be run here for ever
                    t.ready.cycle = never;
                    t.op = nullptr;
                    return;
                }
                if (!after(t, r, from))
                    return;
                continue;
            }
            if (m_catchesUp) {
                const Late late = catchUp(t, op, position, from);
                if (late == Late::Stopped)
                    return;
                if (late == Late::Done)
                    continue;
            }
            t.op = &op;
            Until ready = op.addsUp && early ? t.floor : operands(t, op, t.floor);
            if (op.branch && m_program.info[position].isConditional)
                ready.cycle += ready.cycle > from ? m_timing.predicate : 0;
            if (comesAfterStores(position))
                ready = later(ready, t.data);
            if (m_program.info[position].isAsync) // who waits for groups of copies is issued when they have come
                ready = later(ready, {groupsReady(t.x, m_program.code[t.x.pc]), WarpState::StallLongScoreboard});
            if (m_program.info[position].isExit)
                ready = later(ready, {t.stored, WarpState::StallDrain});
            if (op.fetch > 0 && !m_fetched[op.fetch]) {
                m_fetched[op.fetch] = true;
                if (m_setup.coldCode)
                    ready = later(ready, {from + m_timing.fetch, WarpState::StallNoInstruction});
                else
                    ++m_result.codeLines;
            }
            t.issuesLeft = op.slots + t.padding;
            t.padding = 0;
            if (without(Limit::Issue)) { // all at once; what depends on each other takes its time still
                ready.cycle += std::int64_t(op.slots - 1) * op.gap;
                t.issuesLeft = 1;
            }
            t.nextLine = op.line;
            setPipe(t);
            t.ready = {std::max(from, ready.cycle), ready.why};
            return;
        }
    }

    bool without(Limit limit) const { return m_setup.without.has(limit); }
    LimitSet at(std::uint32_t position) const { return (*m_setup.at)[position]; }

    // The cycle of the last instruction of any lane that is left.
    static std::int64_t lastOf(const TimedWarp& t) {
        std::int64_t last = 0;
        eachLane((t.warp->live & ~t.warp->exited).bits,
                 [&](int lane) { last = std::max(last, t.laneAt[std::size_t(lane)]); });
        return last;
    }

    // The part of the warp's lanes that go along now, of those that are left.
    static double lanesOn(const TimedWarp& t) {
        const int left = std::popcount((t.warp->live & ~t.warp->exited).bits);
        return left > 0 ? std::min(1.0, double(std::popcount(t.x.mask)) / left) : 1;
    }

    // Lanes that are off leave their part of the slot: first to the other side of their own warp's branch, and when the
    // warp is together again, to other warps, which then issue two in one cycle.
    void share(Scheduler& q, TimedWarp& t, std::int64_t now) const {
        constexpr double most = 256; // slots that nobody has wanted so far
        const double on = lanesOn(t);
        t.spared += 1 - on;
        if (on == 1) {
            q.spared = std::min(most, q.spared + t.spared);
            t.spared = 0;
        }
        if (q.spared >= 1 && m_ready.size() > 1) {
            q.next = now;
            q.spared -= 1;
        } else if (q.spared <= -1) {
            q.next = now + 2;
            q.spared += 1;
        }
    }

    // What the kernel reads and events are given. It never goes back, though lanes are brought up to date.
    void setClock(TimedWarp& t, std::int64_t cycle) const {
        const std::int64_t clock = cycle - t.block->start;
        t.warp->clock = m_catchesUp ? std::max(t.warp->clock, clock) : clock;
    }

    enum class Late { No, Done, Stopped };

    // What only a limit that is taken away has kept the lanes from doing earlier is done as of the cycle in which they
    // would have come to it. The other side of a branch went along with this one and took no issue slot of its own; a
    // warp behind a barrier took slots that stood empty since it had come there.
    Late catchUp(TimedWarp& t, const MachineOp& op, std::uint32_t position, std::int64_t from) {
        const InstInfo& info = m_program.info[position];
        if (info.isExit || info.isBarrier || info.isAsync || info.opClass == OpClass::Fence ||
            info.opClass == OpClass::Async)
            return Late::No;
        const std::uint32_t lanes = t.x.mask;
        const std::int64_t all = lastOf(t);
        std::int64_t own = without(Limit::Divergence) ? 0 : all;
        eachLane(lanes, [&](int lane) { own = std::max(own, t.laneAt[std::size_t(lane)]); });
        Until ready{own + 1};
        for (const std::uint32_t r : m_code.awaited(op)) // what other lanes have written there is not waited for
            ready = later(ready, t.past[r].of(lanes, t.registers[r]));
        if (comesAfterStores(position))
            ready = later(ready, t.data);
        if (op.branch && info.isConditional)
            ready.cycle += ready.cycle > own + 1 ? m_timing.predicate : 0;
        const std::int64_t last = ready.cycle + std::int64_t(op.slots - 1) * op.gap;
        if (last >= from)
            return Late::No;
        Scheduler& q = m_residency.schedulers[t.scheduler];
        if (own != all)
            t.spared -= lanesOn(t) * op.slots;
        if (own == all) {
            if (from - q.used - t.emptyBefore < op.slots && !without(Limit::Issue))
                return Late::No;
            q.used += op.slots;
            m_result.slotsIssued += op.slots;
        }
        setClock(t, last);
        const StepResult r = step(t.x);
        ++m_result.issued;
        for (const std::uint32_t w : m_code.stored(op))
            t.data = later(t.data, t.registers[w]);
        std::int64_t done = last + op.latency;
        if (op.pipe == Pipe::Lsu || op.pipe == Pipe::Mio)
            done = access(t, info, r, last, position);
        for (const std::uint32_t w : m_code.writes(op))
            t.past[w].write(lanes, {done, op.wait});
        const std::int64_t at = op.branch ? last + m_timing.branch - 1 : last;
        eachLane(lanes, [&](int lane) { t.laneAt[std::size_t(lane)] = at; });
        if (isEndless(t)) {
            t.ready.cycle = never;
            t.op = nullptr;
            return Late::Stopped;
        }
        return after(t, r, from) ? Late::Done : Late::Stopped;
    }

    // No more in time then: the functional core finds out and tells.
    bool isEndless(const TimedWarp& t) {
        const bool now = t.warp->issued >= t.x.limit;
        m_endless |= now;
        m_over |= now;
        return now;
    }

    // When all that op reads is there, and no earlier than `until`.
    Until operands(const TimedWarp& t, const MachineOp& op, Until until) const {
        for (const std::uint32_t r : m_code.awaited(op))
            until = later(until, t.registers[r]);
        if (m_catchesUp)
            for (const std::uint32_t r : m_code.awaited(op))
                until = later(until, t.past[r].of(t.x.mask, {}));
        return until;
    }

    // Whether ptxas leaves stores to shared memory before it.
    bool comesAfterStores(std::uint32_t position) const {
        const InstInfo& info = m_program.info[position];
        return m_code.ops[position].branch || info.isBarrier || info.isExit || info.opClass == OpClass::Fence ||
               info.opClass == OpClass::Vote || info.opClass == OpClass::Shuffle ||
               (info.isMemory && info.space == MemorySpace::Shared && info.access != AccessKind::Store);
    }

    void standStill(TimedWarp& t) {
        t.blocked = true;
        if (m_catchesUp && lastOf(t) + 1 >= m_now) // else it is still making use of earlier ones
            t.emptyBefore = m_now - m_residency.schedulers[t.scheduler].used;
        t.ready = {never, WarpState::StallBarrier};
        t.op = nullptr;
        t.nextLine = 0;
    }

    // After a step: false if the warp cannot go on by itself now (blocked, done, failed).
    bool after(TimedWarp& t, const StepResult& r, std::int64_t next) {
        ResidentBlock& b = *t.block;
        if (b.state().epoch != b.epoch) {
            openBarriers(b, next);
            if (b.state().cluster) // its barrier may have opened
                for (auto& place : m_residency.places)
                    if (place->busy && place->state().epoch != place->epoch)
                        openBarriers(*place, next);
        }
        if (r.stop == Stop::None)
            return true;
        if (r.stop == Stop::Fault) {
            m_result.faulted = true;
            t.ready.cycle = never;
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
    void openBarriers(ResidentBlock& b, std::int64_t now) {
        b.epoch = b.state().epoch;
        for (auto& w : b.warps) {
            TimedWarp& t = *w;
            if (t.done || !t.blocked)
                continue;
            t.x.stop = Stop::None;
            if (m_catchesUp) // what it does as of earlier comes after the barrier all the same
                setClock(t, now);
            if (!resume(t.x, *t.warp))
                continue;
            t.blocked = false;
            t.floor = {std::max(now, m_barrier) + m_timing.barrier, WarpState::StallBarrier};
            if (!without(Limit::Barriers))
                t.laneAt.fill(now);
            prepare(t, now);
            wake(t);
        }
    }

    void wake(TimedWarp& t) {
        Scheduler& q = m_residency.schedulers[t.scheduler];
        q.next = std::min(q.next, std::max(m_now + 1, t.ready.cycle));
    }

    void end(TimedWarp& t, std::int64_t at) {
        if (t.done)
            return;
        t.done = t.warp->done = true;
        t.ready.cycle = never;
        m_ended.push_back({&t, at});
    }

    // Warps that have ended leave; the next block takes the place of one whose last warp has.
    void retire() {
        for (std::size_t k = 0; k < m_ended.size(); ++k) { // a block that begins may end at once
            const auto [t, at] = m_ended[k];
            ResidentBlock& b = *t->block;
            m_log.close(t->log, at);
            if (!m_residency.retire(*t, at))
                continue;
            b.runner->end();
            leave(b);
            if (m_residency.moreBlocks() && !m_over)
                admit(b, at);
        }
        m_ended.clear();
    }

    // Of the warp's next issue: sequences begin on the unit for special functions.
    static void setPipe(TimedWarp& t) {
        t.pipe = t.op->special > 0 && int(t.issuesLeft) > t.op->slots - t.op->special ? Pipe::Xu : t.op->pipe;
    }

    static WarpState throttle(Pipe pipe) {
        return pipe == Pipe::Lsu   ? WarpState::StallLgThrottle
               : pipe == Pipe::Mio ? WarpState::StallMioThrottle
                                   : WarpState::StallMathPipeThrottle;
    }

    // One cycle of one scheduler: what each of its warps does, and which of them issues.
    void cycle(Scheduler& q, std::int64_t now) {
        m_ready.clear();
        std::int64_t next = never;
        std::uint32_t last = ~0u;
        for (std::uint32_t k = 0; k < q.warps.size(); ++k) {
            TimedWarp& t = *q.warps[k];
            if (t.ready.cycle > now) {
                m_log.enter(t.log, t.ready.why, t.nextLine, now);
                next = std::min(next, t.ready.cycle);
                continue;
            }
            const Pipe pipe = t.pipe;
            std::int64_t free = q.free[std::size_t(pipe)];
            if (pipe == Pipe::Lsu || pipe == Pipe::Mio)
                free = std::max(free, m_memory.free(pipe));
            if (pipe == Pipe::Xu) // special functions wait in a queue of their own, not at the scheduler
                free -= specialQueue * m_timing.interval[std::size_t(Pipe::Xu)];
            if (free > now) {
                m_log.enter(t.log, throttle(pipe), t.nextLine, now);
                next = std::min(next, free);
                continue;
            }
            m_log.enter(t.log, WarpState::Eligible, t.nextLine, now);
            if (t.age == q.last)
                last = k;
            m_ready.push_back({k, t.age, t.lastIssued});
        }
        if (m_ready.empty()) {
            q.next = next;
            return;
        }
        TimedWarp& t = *q.warps[m_ready[std::size_t(pick(m_setup.policy, m_ready, last))].warp];
        q.last = t.age;
        q.next = without(Limit::Issue) ? now : now + 1;
        if (without(Limit::Divergence) && !without(Limit::Issue))
            share(q, t, now);
        issue(q, t, now);
    }

    void issue(Scheduler& q, TimedWarp& t, std::int64_t now) {
        const MachineOp& op = *t.op;
        m_log.enter(t.log, WarpState::Selected, op.line, now);
        t.lastIssued = now;
        ++m_result.slotsIssued;
        ++q.used;
        const Pipe pipe = t.pipe;
        std::int64_t begins = now;
        if (pipe != Pipe::None) {
            std::int64_t& free = q.free[std::size_t(pipe)];
            begins = std::max(now, free);
            const std::int64_t busy = op.busy ? op.busy : m_timing.interval[std::size_t(pipe)];
            free = begins + busy;
            if (without(Limit::Divergence)) {
                double& spared = q.sparedOfPipe[std::size_t(pipe)];
                spared += double(busy) * (1 - lanesOn(t));
                free -= std::int64_t(spared);
                spared -= double(std::int64_t(spared));
            }
        }
        if (t.issuesLeft > 1) {
            --t.issuesLeft;
            setPipe(t);
            t.ready = {begins + op.gap, WarpState::StallWait};
            return;
        }
        const std::uint32_t position = m_program.code[t.x.pc].index;
        if (m_program.info[position].isBarrier)
            m_barrier = std::max(now, m_barrier) + m_timing.barrierArrival;
        const InstInfo& info = m_program.info[position];
        setClock(t, now);
        const std::uint32_t lanes = t.x.mask;
        if (m_catchesUp) { // all meet at a barrier in time, but where it costs nothing, nobody gets later by that
            const std::int64_t at = info.isBarrier && without(Limit::Barriers) ? std::min(now, lastOf(t) + 1) : now;
            eachLane(lanes, [&](int lane) { t.laneAt[std::size_t(lane)] = at; });
        }
        const StepResult r = step(t.x);
        ++m_result.issued;
        isEndless(t);
        for (const std::uint32_t source : m_code.stored(op))
            t.data = later(t.data, t.registers[source]);
        std::int64_t ready = (op.addsUp ? operands(t, op, {begins}).cycle : begins) + op.latency;
        if (op.goesRound)
            t.round = 0;
        if (info.opClass == OpClass::Async)
            ready = asynchronous(t, *r.inst, now, position);
        else if (op.pipe == Pipe::Lsu || op.pipe == Pipe::Mio)
            ready = access(t, info, r, now, position);
        for (const std::uint32_t w : m_code.writes(op)) {
            t.registers[w] = {ready, op.wait};
            if (m_catchesUp)
                t.past[w].written(lanes);
        }
        std::int64_t next = now + 1;
        if (op.branch) {
            t.floor = {now + m_timing.branch, WarpState::StallBranchResolving};
        } else if (info.opClass == OpClass::Fence) {
            fence(t, info, now);
        }
        if (!after(t, r, next))
            return;
        prepare(t, next);
    }

    void fence(TimedWarp& t, const InstInfo& info, std::int64_t now) {
        // Between the threads of a block or cluster, or between two ways to one memory: nothing has to reach L2.
        const bool inside = info.is.scope == ptx::Scope::Cta || info.is.scope == ptx::Scope::Cluster ||
                            (info.source && info.source->has(ptx::Modifier::Proxy));
        if (info.is.opcode == ptx::Opcode::Nanosleep)
            t.floor = {now + std::int64_t(100 * m_setup.cyclesPerNs), WarpState::StallSleeping};
        else
            t.floor = {inside ? now + 20 : std::max(now + m_timing.fence, t.stored), WarpState::StallMembar};
    }

    // Copies are given the cycle in which they will have come, and nobody waits for them here. Who asks an mbarrier in
    // vain asks again when a copy that it knows of has come, or after a while.
    std::int64_t asynchronous(TimedWarp& t, const Inst& in, std::int64_t now, std::uint32_t position) {
        BlockState& b = *t.x.block;
        const AsyncInst& a = m_program.asyncs[in.async.site];
        const auto tell = [&](BlockState& keeper) {
            if (!keeper.async)
                return;
            std::int64_t lanes = now; // this warp's copies of a few bytes: cp.async.mbarrier.arrive waits for them
            for (PendingCopy& copy : keeper.async->pending) {
                if (copy.asker != b.index || copy.warp != t.warp->number)
                    continue;
                if (copy.ready == std::numeric_limits<std::int64_t>::max())
                    copy.ready = copy.arrivals ? lanes : comes(t, copy, now, position, a.op);
                if (!copy.bulk)
                    lanes = std::max(lanes, copy.ready);
            }
        };
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
                t.floor = {std::min(wake, now + suspended),
                           wake < never ? WarpState::StallLongScoreboard : WarpState::StallBarrier};
            }
            t.x.polls = {};
        }
        if (a.op == AsyncOp::CommitLanes || a.op == AsyncOp::CommitBulk || a.op == AsyncOp::WaitLanes ||
            a.op == AsyncOp::WaitBulk || a.op == AsyncOp::CopyLanes)
            return now + 1;
        return now + m_timing.shared;
    }

    std::int64_t comes(TimedWarp& t, const PendingCopy& copy, std::int64_t now, std::uint32_t position, AsyncOp op) {
        if (op == AsyncOp::CopyLanes)
            return t.x.access.active.empty()
                       ? now + m_timing.shared
                       : m_memory.global(now, t.x.access, t.x.address, std::uint32_t(t.block->state().index), position,
                                         m_program.info[position].is.cache == ptx::CacheOperator::Cg, false,
                                         at(position));
        const bool store = copy.to == MemorySpace::Global;
        std::int64_t done = now;
        for (const CopyPiece& p : copy.pieces) {
            if (copy.from == MemorySpace::Shared && !store)
                done = std::max(done, m_memory.betweenSms(now, p.bytes));
            else if (p.take > 0)
                done = std::max(done, m_memory.bulk(now, store ? p.to : p.from, p.bytes, store,
                                                    std::uint32_t(t.block->state().index), position));
        }
        if (store)
            m_drained = std::max(m_drained, done);
        return done;
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
            done = m_memory.shared(now, a, t.x.address, at(position));
            break;
        case MemorySpace::Global:
            done = m_memory.global(now, a, t.x.address, std::uint32_t(t.block->state().index), position,
                                   m_code.ops[position].strong, m_code.ops[position].combined, at(position));
            break;
        case MemorySpace::Local:
        case MemorySpace::Texture: // as a hit in L1: which lines it touches is not known
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
        bool departed = false;
        for (auto& place : m_residency.places) {
            if (!place->busy)
                continue;
            for (auto& w : place->warps) {
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
                departed = true;
                break;
            }
            if (!m_ended.empty())
                retire();
        }
        return departed;
    }

    // The functional core runs straight-line pieces as a whole: one that has begun is brought to its end first.
    void toPieceEnd(TimedWarp& t) {
        while (!t.done && !t.blocked) {
            if (!arrive(t.x))
                return;
            if (t.x.pc == m_program.pieces[m_program.code[t.x.pc].piece].first) {
                pack(t.x);
                return;
            }
            const StepResult r = step(t.x);
            if (r.stop != Stop::None) // stands at a barrier or has ended: its stack says so
                return;
        }
    }

    // What the budget did not reach, and what can never go on: run, or told, by the functional core. The SM goes on at
    // the rate that it has had, and its blocks end one after the other, the oldest first.
    void finishUntimed() {
        const double cyclesPerInstruction =
            m_result.issued ? std::max(1.0, double(m_log.resident) / double(m_result.issued)) : 1;
        const double cyclesPerIssue = m_result.issued ? double(m_now) / double(m_result.issued) : 1;
        std::vector<ResidentBlock*> left;
        for (auto& place : m_residency.places)
            if (place->busy)
                left.push_back(place.get());
        std::sort(left.begin(), left.end(),
                  [](const ResidentBlock* a, const ResidentBlock* b) { return a->row < b->row; });
        double behind = 0; // warp-instructions that are issued after the cut
        for (ResidentBlock* const one : left) {
            ResidentBlock& b = *one;
            const std::uint64_t before = b.runner->issued();
            const std::int64_t cut = std::max<std::int64_t>(0, m_now - b.start);
            for (auto& t : b.warps) {
                toPieceEnd(*t);
                t->warp->clock = cut;
            }
            b.state().timed = false;
            TimedBlock& row = m_residency.rows[b.row];
            const Turn turn = b.runner->turn();
            row.issued = b.runner->issued();
            if (turn == Turn::Waits) {
                row.end = b.start + cut;
                m_setup.putAside(std::move(b.runner), b.row, cut, cyclesPerInstruction);
                continue;
            }
            behind += double(row.issued - before);
            const auto steps = double(std::max<std::int64_t>(0, b.runner->steps() - cut));
            const double rest = std::max(steps, behind * cyclesPerIssue);
            row.end = b.start + cut + std::int64_t(rest);
            if (b.recorder)
                b.recorder->stretchAfter(cut, steps > 0 ? rest / steps : 1);
            leave(b);
            if (turn == Turn::Failed) {
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
    Residency m_residency;
    StateLog m_log;
    std::vector<std::pair<TimedWarp*, std::int64_t>> m_ended;
    std::vector<Candidate> m_ready;
    std::vector<bool> m_fetched;           // [MachineOp::fetch]
    bool m_catchesUp;                      // some limit that kept lanes waiting is taken away
    std::int64_t m_drained = 0;            // atomics that nobody waits for
    std::int64_t m_now = 0, m_barrier = 0; // the barrier unit is free from then on
    std::uint64_t m_rounds = 0;
    bool m_over = false, m_endless = false; // no more in time; since a warp does not end
    SmResult m_result;
};

} // namespace

std::unique_ptr<RunningSm>
startSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress) {
    return std::make_unique<Sm>(setup, makeRunner, progress);
}

SmResult runSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
               Counters& counters, Progress& progress) {
    Sm sm(setup, makeRunner, progress);
    while (sm.advance()) {
    }
    return sm.finish(counters, false);
}

} // namespace warpglass::emulator
