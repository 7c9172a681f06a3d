// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/timing/timed_sm.h"

namespace warpglass::emulator {

namespace {

WarpState throttle(Pipe pipe) {
    return pipe == Pipe::Lsu   ? WarpState::StallLgThrottle
           : pipe == Pipe::Mio ? WarpState::StallMioThrottle
                               : WarpState::StallMathPipeThrottle;
}

} // namespace

TimedSm::TimedSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
                 Progress& progress, std::shared_ptr<SmGroup> group)
    : m_setup(setup), m_timing(*setup.options.timing), m_code(setup.code), m_program(setup.program),
      m_policy(setup.options.asked.policy), m_progress(progress), m_group(std::move(group)),
      m_memory(m_timing, setup.around), m_queuesOfAll(m_timing.accessQueueOfAll),
      m_residency(setup, makeRunner, m_group ? 1 : setup.launch.cluster.count()),
      m_lanes(m_timing, setup.options.asked.without, setup.code.registerCount), m_fetched(setup.code.fetches + 1) {
    if (!m_group)
        for (auto& place : m_residency.places)
            admit(*place, 0);
}

void TimedSm::admitTogether(const SmGroup& group, std::int64_t at) {
    const auto ready = [](const TimedSm* sm) {
        return sm->m_residency.freePlace() && sm->m_residency.moreBlocks() && !sm->m_over;
    };
    while (std::all_of(group.sms.begin(), group.sms.end(), ready))
        for (TimedSm* const sm : group.sms) {
            sm->m_now = std::max(sm->m_now, at - 1); // it may have had nothing to do until now
            sm->admit(*sm->m_residency.freePlace(), at);
        }
}

bool TimedSm::advance() {
    std::int64_t now = next();
    while (now >= never) {
        if (m_over || !somebodyDeparts())
            return false; // all have ended, or none can go on
        now = next();
    }
    m_now = now;
    std::vector<Scheduler>& all = m_residency.schedulers;
    const std::size_t first = m_firstAsked;
    for (std::size_t k = first; k < all.size(); ++k)
        if (all[k].next <= now)
            cycle(all[k], now);
    for (std::size_t k = 0; k < first; ++k)
        if (all[k].next <= now)
            cycle(all[k], now);
    if (!m_ended.empty())
        retire();
    if (m_setup.budget && m_lateIssued == 0 && 4 * m_result.issued >= 3 * m_setup.budget) {
        m_late = now;
        m_lateIssued = m_result.issued;
    }
    m_over |= m_setup.budget && m_result.issued >= m_setup.budget;
    return !m_over && !m_result.faulted && ((++m_rounds & 0x3fff) != 0 || !m_progress.cancelled());
}

void TimedSm::admit(ResidentBlock& place, std::int64_t at) {
    m_residency.admit(place, at);
    for (auto& t : place.warps) {
        m_lanes.begin(*t);
        prepare(*t, t->floor.cycle());
        Scheduler& q = m_residency.schedulers[t->scheduler];
        q.next = std::min(q.next, q.passedOver == m_now + 1 ? m_now + 1 : t->ready.cycle());
    }
}

void TimedSm::leave(ResidentBlock& b) {
    m_setup.leave(m_residency.rows[b.row].index, b.runner->takeOutput(), b.runner->diagnostics());
}

std::uint32_t TimedSm::lineFrom(std::uint32_t pc) const {
    while (pc < m_program.code.size() && m_code.ops[m_program.code[pc].index].slots == 0)
        ++pc;
    return pc < m_program.code.size() ? m_code.ops[m_program.code[pc].index].line : 0;
}

void TimedSm::standStill(TimedWarp& t, std::uint32_t line) {
    t.blocked = true;
    m_lanes.stand(t, m_now);
    t.ready = {never, WarpState::StallBarrier};
    t.op = nullptr;
    t.nextLine = t.waitLine = line;
}

bool TimedSm::afterStop(TimedWarp& t, const StepResult& r, std::int64_t next) {
    ResidentBlock& b = *t.block;
    const bool opened = b.state().openings != b.openings;
    if (opened) {
        openBarriers(b, next);
        if (b.state().cluster) { // its barrier may have opened
            openCluster(next);
            if (m_group)
                for (TimedSm* const sm : m_group->sms)
                    sm->openCluster(next);
        }
    }
    if (r.stop == Stop::None)
        return true;
    if (r.stop == Stop::Fault) {
        m_result.faulted = true;
        t.ready = never;
        return false;
    }
    if (r.stop == Stop::Switch) {
        t.x.stop = Stop::None;
        if (resume(t.x, *t.warp)) {
            if (opened && r.info->isBarrier && !r.info->is.cluster) // who comes last is let go with the others
                t.floor = later(t.floor, behindBarrier(t, next));
            return true;
        }
    }
    if (r.stop == Stop::Done || t.warp->exited == t.warp->live)
        end(t, next);
    else // at a barrier it stands before what follows, as a card's samples say
        standStill(t, r.info->isBarrier ? lineFrom(std::uint32_t(r.inst - m_program.code.data()) + 1) : 0);
    return false;
}

void TimedSm::openCluster(std::int64_t now) {
    m_now = std::max(m_now, now - 1);
    for (auto& place : m_residency.places)
        if (place->busy && place->state().openings != place->openings)
            openBarriers(*place, now);
}

// Warps that a barrier has let go.
void TimedSm::openBarriers(ResidentBlock& b, std::int64_t now) {
    b.openings = b.state().openings;
    for (auto& w : b.warps) {
        TimedWarp& t = *w;
        if (t.done || !t.blocked)
            continue;
        t.x.stop = Stop::None;
        m_lanes.meet(t, now);
        if (!resume(t.x, *t.warp))
            continue;
        t.blocked = false;
        // A warpgroup's meeting is told to cost nothing: its instructions have their times.
        const MachineOp& op = m_code.ops[m_program.code[t.x.pc - 1].index];
        t.floor = op.is(Trait::Barrier)       ? behindBarrier(t, now)
                  : op.is(Trait::ClusterWait) ? Until{b.state().cluster->opens, WarpState::StallBarrier}
                                              : Until{now, WarpState::StallBarrier};
        m_lanes.goOn(t, now);
        prepare(t, now);
        wake(t);
    }
}

void TimedSm::wake(TimedWarp& t) {
    Scheduler& q = m_residency.schedulers[t.scheduler];
    q.next = std::min(q.next, q.passedOver == m_now + 1 ? m_now + 1 : std::max(m_now + 1, t.ready.cycle()));
    q.tell(t);
}

void TimedSm::end(TimedWarp& t, std::int64_t at) {
    if (t.done)
        return;
    t.done = t.warp->done = true;
    t.ready = never;
    m_ended.push_back({&t, at});
}

// Warps that have ended leave; the next block takes the place of one whose last warp has.
void TimedSm::retire() {
    for (std::size_t k = 0; k < m_ended.size(); ++k) { // a block that begins may end at once
        const auto [t, at] = m_ended[k];
        ResidentBlock& b = *t->block;
        m_log.close(t->log, at);
        if (!m_residency.retire(*t, at))
            continue;
        b.runner->end();
        leave(b);
        if (m_group)
            admitTogether(*m_group, at);
        else if (m_residency.moreBlocks() && !m_over)
            admit(b, at);
        if (m_result.fullIssued == 0 && !b.busy && m_residency.rows.size() > m_residency.places.size()) {
            m_result.fullCycles = at;
            m_result.fullIssued = m_result.issued;
        }
    }
    m_ended.clear();
}

// What those of its warps wait for from this cycle on of whom that is new.
void TimedSm::lookAnew(Scheduler& q, std::int64_t now) {
    for (TimedWarp* const t : q.told) {
        t->told = false;
        lookAt(q, *t, now);
    }
    q.told.clear();
}

// Of those that are ready, the one that the policy picks. The others are written down as what they do.
TimedSm::Choice TimedSm::choose(const Scheduler& q, std::int64_t now) {
    Choice choice;
    Candidate best;
    const auto passOver = [&](std::uint32_t k) {
        m_log.enter(q.awake[k]->log, WarpState::Eligible, q.awake[k]->nextLine, now);
    };
    for (std::uint32_t k = 0; k < q.awake.size(); ++k) {
        TimedWarp& t = *q.awake[k];
        const std::int64_t free = freeFor(q, t);
        if (free > now) {
            m_log.enter(t.log, throttle(t.pipe), t.nextLine, now);
            choice.next = std::min(choice.next, free);
            continue;
        }
        const Candidate c{t.age, t.age, t.lastIssued};
        if (choice.warp == noIndex || goesBefore(m_policy, c, best, q.last)) {
            choice.others = choice.warp != noIndex;
            if (choice.others)
                passOver(choice.warp);
            choice.warp = k;
            best = c;
        } else {
            choice.others = true;
            passOver(k);
        }
    }
    return choice;
}

// Nothing is done, but what it would have written is there only after as long: an H200's load of shared memory that no lane
// wants takes the way of any other, and who reads its register waits for it (unwanted_shared_load, chain_unwanted). What
// accesses global memory ptxas jumps over instead (of all reductions, only the branches of those in global memory diverge in
// the counters of the reference launches): the memory is not asked then.
inline void TimedSm::issueUnwanted(Scheduler& q, TimedWarp& t, std::int64_t begins, std::int64_t now) {
    const MachineOp& op = *t.op;
    std::int64_t ready = begins + op.latency;
    if (op.pipe == Pipe::Mio) {
        m_memory.through(q.mioPort);
        ready = m_memory.unwanted(now, op.pipe);
        queues(q, op.pipe, false);
    }
    storesLater(t, op);
    for (const std::uint32_t w : m_code.writes(op))
        t.registers[w] = {ready, op.wait};
    ++t.unwanted;
    if (t.unwanted == t.endUnwanted || !prepareUnwanted(t, now + 1))
        prepare(t, now + 1);
}

inline void TimedSm::issue(Scheduler& q, TimedWarp& t, std::int64_t now) {
    const MachineOp& op = *t.op;
    m_log.select(t.log, op.line, now);
    t.lastIssued = now;
    ++m_result.slotsIssued;
    m_lanes.slot(t);
    const Pipe pipe = t.pipe;
    std::int64_t begins = now;
    if (pipe != Pipe::None) {
        std::int64_t& free = q.free[std::size_t(pipe)];
        begins = std::max(now, free);
        if (pipe == Pipe::Lsu || pipe == Pipe::Mio)
            m_firstAsked = t.scheduler + 1 < m_residency.schedulers.size() ? t.scheduler + 1 : 0;
        const std::int64_t busy = op.busy ? op.busy : m_timing.interval[std::size_t(pipe)];
        free = begins + busy - m_lanes.sparedOf(t, pipe, busy);
    }
    if (t.issuesLeft > 1) {
        --t.issuesLeft;
        setPipe(t);
        t.ready = {begins + op.gap, WarpState::StallWait};
        t.waitLine = t.nextLine;
        return;
    }
    if (t.unwanted < t.endUnwanted) {
        issueUnwanted(q, t, begins, now);
        return;
    }
    const std::uint32_t position = m_program.code[t.x.pc].index;
    if (op.is(Trait::Barrier)) {
        t.barrierResult = op.latency;
        m_barrier = std::max(now, m_barrier) + m_timing.barrierArrival;
    }
    if (op.is(Trait::ClusterArrive))
        arriveAtCluster(t, op, now);
    m_lanes.setClock(t, now);
    const std::uint32_t lanes = t.x.mask;
    m_lanes.issued(t, op.is(Trait::Barrier), lanes, now);
    const StepResult r = step(t.x);
    ++m_result.issued;
    isEndless(t);
    if (op.products == 0) // sums are none that is stored
        storesLater(t, op);
    const Until awaited = op.defers ? operands(t, op, begins) : Until{begins};
    const std::int64_t late = awaited.cycle() - begins;
    std::int64_t ready = begins + op.latency;
    if (op.goesRound)
        t.round = t.loads = 0;
    const bool asks = pipe == Pipe::Lsu || pipe == Pipe::Mio;
    if (asks)
        m_memory.through(q.portOf(pipe));
    if (op.is(Trait::Asynchronous))
        ready = asynchronous(t, *r.inst, now, position);
    else if (asks)
        ready = access(t, *r.info, r, now, position);
    if (asks)
        queues(q, pipe, !op.is(Trait::Asynchronous) && (r.access || op.is(Trait::Shuffle)));
    ready += late;
    if (op.products == asksForProduct) [[unlikely]] {
        t.products = std::max(t.products, ready);
    } else if (op.products == groupsProducts) [[unlikely]] {
        std::shift_right(t.productGroups.begin(), t.productGroups.end(), 1);
        t.productGroups[0] = t.products; // one unit makes them in their order
    }
    if (op.underWay > 0) {
        if (t.loads == 0)
            t.firstLoad = now;
        t.loaded[t.loads++ % ptxas.wordsUnderWay] = ready;
    }
    // Who needs what has been put behind a load waits for that load, unless its own latency is the longer part.
    const WarpState wait = late > op.latency ? awaited.why() : op.wait;
    for (const std::uint32_t w : m_code.writes(op)) {
        t.registers[w] = {ready, wait};
        m_lanes.written(t, w, lanes);
    }
    std::int64_t next = now + 1;
    if (op.branch) {
        t.floor = {now + m_timing.branch, WarpState::StallBranchResolving};
    } else if (op.is(Trait::Fence)) {
        fence(t, op, now);
    } else if (op.is(Trait::ClusterWait) && r.stop == Stop::None && t.x.block->cluster) {
        t.floor = later(t.floor, {t.x.block->cluster->opens, WarpState::StallBarrier}); // it had opened before
    }
    const bool loops = op.atomic.loops && r.access && t.x.access.space == MemorySpace::Shared;
    if (op.alone || loops)
        t.floor = later(t.floor, later(Until{now + op.gap}, {ready, op.wait}));
    if (!after(t, r, next))
        return;
    prepare(t, next);
}

// One cycle of one scheduler: what each of its warps does, and which of them issues.
void TimedSm::cycle(Scheduler& q, std::int64_t now) {
    if (!q.told.empty())
        lookAnew(q, now);
    if (q.nextWake <= now)
        q.wakeUp(now);
    const auto [warp, others, next] = choose(q, now);
    if (warp == noIndex) {
        q.next = std::min(q.nextWake, next);
        return;
    }
    TimedWarp& chosen = *q.awake[warp];
    q.sleep(warp);
    q.last = chosen.age;
    q.next = m_lanes.nextIssue(chosen, others, now, now + m_timing.issueSlot);
    issue(q, chosen, now);
    if (q.next != now + 1) {
        q.tell(chosen);
        return;
    }
    if (!q.told.empty())
        lookAnew(q, q.next);
    lookAt(q, chosen, q.next);
    if (q.awake.empty() && q.nextWake < never) { // until then there is nobody to issue
        q.passedOver = q.next;
        q.next = std::max(q.next, q.nextWake);
    }
}

// Nobody can be issued any more: lanes that wait for their siblings at a barrier may be those it waits for.
bool TimedSm::somebodyDeparts() {
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

std::int64_t TimedSm::fenced(const TimedWarp& t, FenceKind kind, std::int64_t now) {
    const DeviceTiming::Fence& f = m_timing.fences[std::size_t(kind)];
    std::int64_t& free = m_fences[std::size_t(kind)];
    free = std::max(free, now) + f.turn;
    const std::int64_t stored = t.stored > 0 ? std::max(t.stored, m_memory.fenceable()) : 0; // by others of the SM, too
    const std::int64_t before = std::max(stored, m_copied > now ? m_copied : 0);
    return std::max({now + f.alone, free, before > 0 && f.stored > 0 ? before + f.stored : 0});
}

void TimedSm::fence(TimedWarp& t, const MachineOp& op, std::int64_t now) {
    if (op.fence == FenceKind::Sleep)
        t.floor = {now + std::int64_t(m_timing.sleepNs * m_setup.around.cyclesPerNs), WarpState::StallSleeping};
    else
        t.floor = {fenced(t, op.fence, now), WarpState::StallMembar};
}

// What the warp has stored is to be seen first. The last of all lets those of all blocks go.
void TimedSm::arriveAtCluster(TimedWarp& t, const MachineOp& op, std::int64_t now) {
    ClusterState* const cluster = t.x.block->cluster.get();
    if (!cluster)
        return;
    m_barrier = std::max(now, m_barrier) + m_timing.barrierArrival;
    if (op.fence != FenceKind::Count_)
        t.floor = later(t.floor, {fenced(t, op.fence, now), WarpState::StallMembar});
    cluster->arrived = std::max({cluster->arrived, m_barrier, t.floor.cycle()});
    const auto doublings = std::bit_width(cluster->members.size() / 2);
    cluster->opens =
        cluster->arrived + m_timing.clusterBarrier + m_timing.clusterBarrierStep * std::max(0, int(doublings) - 1);
}

std::unique_ptr<RunningSm>
startSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress) {
    return std::make_unique<TimedSm>(setup, makeRunner, progress);
}

std::vector<std::unique_ptr<RunningSm>> startGroup(std::span<const SmSetup* const> setups,
                                                   const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
                                                   Progress& progress) {
    std::vector<std::unique_ptr<RunningSm>> all;
    const auto group = std::make_shared<SmGroup>();
    for (const SmSetup* const setup : setups) {
        auto sm = std::make_unique<TimedSm>(*setup, makeRunner, progress, group);
        group->sms.push_back(sm.get());
        all.push_back(std::move(sm));
    }
    TimedSm::admitTogether(*group, 0);
    return all;
}

SmResult runSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
               Counters& counters, Progress& progress) {
    TimedSm sm(setup, makeRunner, progress);
    while (sm.advance()) {
    }
    return sm.finish(counters, false);
}

} // namespace warpglass::emulator
