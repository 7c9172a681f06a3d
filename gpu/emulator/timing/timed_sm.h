// SPDX-License-Identifier: GPL-3.0-or-later
// One class whose parts all look at the same warps in the same cycle. Its own header, for its own files:
//   sm.cpp         cycles: wake, choose, issue, account, retire
//   sm_prepare.cpp what a warp's next instruction waits for
//   sm_late.cpp    what is done as of an earlier cycle, where a limit that kept lanes waiting is taken away
//   sm_access.cpp  when what an instruction asked of the memory has come
//   sm_finish.cpp  what is left when time is over
#pragma once

#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/timing/lane_times.h"
#include "gpu/emulator/timing/residency.h"
#include "gpu/emulator/timing/sm.h"

#include <algorithm>
#include <utility>

namespace warpglass::emulator {

class TimedSm;
struct SmGroup { // of the blocks of each cluster
    std::vector<TimedSm*> sms;
};

class TimedSm final : public RunningSm {
public:
    TimedSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress,
            std::shared_ptr<SmGroup> group = {});
    // The next clusters take places, if all SMs of the group have one.
    static void admitTogether(const SmGroup& group, std::int64_t at);

    std::int64_t next() const override {
        std::int64_t cycle = never;
        for (const Scheduler& q : m_residency.schedulers)
            cycle = std::min(cycle, q.next);
        return cycle;
    }
    bool advance() override;
    std::uint64_t issued() const override { return m_result.issued; }
    std::size_t living(std::int64_t cycle) const override {
        return std::size_t(std::count_if(m_residency.places.begin(), m_residency.places.end(), [&](const auto& place) {
            return place && place->busy && place->start <= cycle;
        }));
    }
    bool faulted() const override { return m_result.faulted; }
    bool endless() const override { return m_endless; }
    SmResult finish(Counters& counters, bool failedElsewhere) override;

private:
    LimitSet at(std::uint32_t position) const { return (*m_setup.at)[position]; }

    // Blocks and warps.
    void admit(ResidentBlock& place, std::int64_t at);
    void retire();
    void leave(ResidentBlock& b); // its output and diagnostics go where they are kept
    void openBarriers(ResidentBlock& b, std::int64_t now);
    void openCluster(std::int64_t now); // those of its places whose cluster's barrier has opened
    // When those go on whose barrier has opened.
    Until behindBarrier(const TimedWarp& t, std::int64_t now) const {
        return {std::max(now, m_barrier) + m_timing.barrier + t.barrierResult, WarpState::StallBarrier};
    }
    bool somebodyDeparts();
    void wake(TimedWarp& t);
    void standStill(TimedWarp& t, std::uint32_t line = 0);
    std::uint32_t lineFrom(std::uint32_t pc) const; // of the first instruction from there on that is issued
    void end(TimedWarp& t, std::int64_t at);
    bool isEndless(const TimedWarp& t) {
        if (t.warp->issued < t.x.limit) [[likely]]
            return false;
        m_endless = m_over = true; // no more in time then: the functional core finds out and tells
        return true;
    }

    // A cycle.
    // What the warp waits for from this cycle on.
    [[gnu::always_inline]] void lookAt(Scheduler& q, TimedWarp& t, std::int64_t now) {
        if (t.ready.cycle() > now) {
            m_log.enter(t.log, t.ready.why(), t.waitLine, now);
            q.waitsUntil(t, t.ready.cycle());
        } else {
            q.wakeUp(t);
        }
    }
    void lookAnew(Scheduler& q, std::int64_t now);
    struct Choice {
        std::uint32_t warp = noIndex; // place in Scheduler::awake
        bool others = false;          // could be issued, too
        std::int64_t next = never;    // from when on the pipe of one takes it that does not now
    };
    Choice choose(const Scheduler& q, std::int64_t now);
    void cycle(Scheduler& q, std::int64_t now);
    // The cycle from which the warp's pipe takes its next instruction.
    [[gnu::always_inline]] std::int64_t freeFor(const Scheduler& q, const TimedWarp& t) const {
        const std::int64_t free = q.free[std::size_t(t.pipe)];
        if (t.pipe == Pipe::Lsu || t.pipe == Pipe::Mio)
            return std::max(free, q.queues.of(t.pipe).free());
        if (t.pipe == Pipe::Tensor && t.op->queued)
            return 0;
        return t.pipe == Pipe::Xu ? free - m_timing.specialQueue * m_timing.interval[std::size_t(Pipe::Xu)] : free;
    }
    void issue(Scheduler& q, TimedWarp& t, std::int64_t now);
    // The access that was just asked for waits in queues until it begins. passes: what comes from one scheduler passes every other
    // cycle.
    void queues(Scheduler& q, Pipe pipe, bool passes) {
        const std::int64_t begins = m_memory.began();
        AccessQueue& ofAll = m_queuesOfAll.of(pipe);
        q.queues.of(pipe).enter(ofAll.free());
        ofAll.enter(begins);
        if (passes)
            q.portOf(pipe) =
                std::max(q.portOf(pipe), begins + m_timing.interval[std::size_t(pipe)] * m_memory.passed());
    }
    void issueUnwanted(Scheduler& q, TimedWarp& t, std::int64_t begins, std::int64_t now);
    // After a step: false if the warp cannot go on by itself now (blocked, done, failed).
    [[gnu::always_inline]] bool after(TimedWarp& t, const StepResult& r, std::int64_t next) {
        return (r.stop == Stop::None && t.block->state().openings == t.block->openings) || afterStop(t, r, next);
    }
    bool afterStop(TimedWarp& t, const StepResult& r, std::int64_t next);
    std::int64_t fenced(const TimedWarp& t, FenceKind kind, std::int64_t now); // when such a fence is through
    void fence(TimedWarp& t, const MachineOp& op, std::int64_t now);
    void arriveAtCluster(TimedWarp& t, const MachineOp& op, std::int64_t now);
    // Of the warp's next issue: sequences begin on the unit for special functions.
    static void setPipe(TimedWarp& t) {
        t.pipe = t.unwanted < t.endUnwanted && t.op->pipe == Pipe::Lsu                  ? Pipe::None
                 : t.op->special > 0 && int(t.issuesLeft) > t.op->slots - t.op->special ? Pipe::Xu
                 : t.op->alone && t.issuesLeft > 1                                      ? Pipe::Alu
                                                                                        : t.op->pipe;
    }

    // The next instruction.
    void goRound(TimedWarp& t, const MachineOp& op, bool again, std::uint32_t first, std::int64_t now);
    void prepare(TimedWarp& t, std::int64_t from);
    bool prepareUnwanted(TimedWarp& t, std::int64_t from);
    // Inline what every instruction comes to: calls would take as long as they do.
    [[gnu::always_inline]] void toBeIssued(TimedWarp& t, const MachineOp& op, Until ready, std::int64_t from) const {
        t.op = &op;
        t.issuesLeft = op.slots;
        t.nextLine = t.waitLine = op.line;
        setPipe(t);
        t.ready = {std::max(from, ready.cycle() + op.ahead), ready.why()};
    }
    // When all that op reads is there, and no earlier than `until`.
    [[gnu::always_inline]] Until operands(const TimedWarp& t, const MachineOp& op, Until until) const {
        for (const std::uint32_t r : m_code.awaited(op))
            until = later(until, t.registers[r]);
        return m_lanes.behindPast(t, m_code.awaited(op), until);
    }
    // Another round of the unrolled loop goes along with this one.
    static bool isEarly(const TimedWarp& t, const MachineOp& op) { return t.round + 1 < op.rounds; }
    // When the warp may issue op, as far as what op reads is concerned.
    [[gnu::always_inline]] Until atIssue(const TimedWarp& t, const MachineOp& op) const {
        return op.defers && isEarly(t, op) ? t.floor : operands(t, op, t.floor);
    }
    // A store to shared memory that is not waited for: what follows waits in its place (MachineCode::awaited).
    void storesLater(TimedWarp& t, const MachineOp& op) const {
        for (const std::uint32_t source : m_code.stored(op)) {
            const Until data = later(t.data, t.registers[source]);
            if (data.cycle() != t.data.cycle())
                t.dataLine = op.line;
            t.data = data;
        }
    }
    // What an instruction whose operands are there at `ready` waits for beside them, if it could be issued from `from` on.
    [[gnu::always_inline]] Until afterOperands(const TimedWarp& t, const MachineOp& op, Until ready,
                                               std::int64_t from) const {
        if (op.branch && op.is(Trait::Conditional) && ready.cycle() > from)
            ready = {ready.cycle() + m_timing.predicate, ready.why()};
        return op.is(Trait::AfterStores) ? later(ready, t.data) : ready;
    }

    // Where lanes go apart.
    enum class Late { No, Done, Stopped };
    Late catchUp(TimedWarp& t, const MachineOp& op, std::uint32_t position, std::int64_t from);

    // When what was asked for has come.
    std::int64_t access(TimedWarp& t, const InstInfo& info, const StepResult& r, std::int64_t now,
                        std::uint32_t position);
    std::int64_t shared(TimedWarp& t, std::int64_t now, std::uint32_t position);
    void tryInVain(TimedWarp& t, std::uint32_t position, std::int64_t now);
    // Those whose phase is over, or will be, by what has just been done or asked for and is seen then.
    void wakeTrying(std::int64_t now, std::int64_t seen);
    std::int64_t asynchronous(TimedWarp& t, const Inst& in, std::int64_t now, std::uint32_t position);
    std::int64_t comes(TimedWarp& t, const PendingCopy& copy, std::int64_t now, std::uint32_t position);
    std::int64_t lanesCome(TimedWarp& t, std::int64_t now,
                           std::uint32_t position); // of cp.async, which t has just asked for

    // The end.
    void toPieceEnd(TimedWarp& t);
    void finishUntimed();

    const SmSetup& m_setup;
    const DeviceTiming& m_timing;
    const MachineCode& m_code;
    const Program& m_program;
    const SchedulingPolicy m_policy;
    Progress& m_progress;
    const std::shared_ptr<SmGroup> m_group; // nullptr: clusters, if there are any, are on this SM as a whole
    MemoryPath m_memory;
    AccessQueues m_queuesOfAll;
    Residency m_residency;
    LaneTimes m_lanes;
    StateLog m_log;
    std::vector<std::pair<TimedWarp*, std::int64_t>> m_ended;
    std::vector<bool> m_fetched;           // [MachineOp::fetch]
    std::int64_t m_drained = 0;            // atomics that nobody waits for
    std::int64_t m_copied = 0;             // what bulk copies fetch: fences wait for that of all warps (release/*)
    std::int64_t m_now = 0, m_barrier = 0; // the barrier unit is free from then on
    std::array<std::int64_t, std::size_t(FenceKind::Count_)> m_fences{}; // the same of fences
    std::uint64_t m_rounds = 0;
    // Of the schedulers, the one that may be first to ask the units they share: behind the one that has last had one of them.
    std::size_t m_firstAsked = 0;
    bool m_over = false, m_endless = false; // no more in time; since a warp does not end
    std::int64_t m_late = 0;                // when three quarters of the budget were used up
    std::uint64_t m_lateIssued = 0;         // what had been issued then
    SmResult m_result;
};

} // namespace warpglass::emulator
