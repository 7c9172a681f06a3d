// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_sm.h"

#include <bit>

namespace warpglass::emulator {

// The cycle of the last instruction of any lane that is left.
std::int64_t TimedSm::lastOf(const TimedWarp& t) {
    std::int64_t last = 0;
    eachLane((t.warp->live & ~t.warp->exited).bits,
             [&](int lane) { last = std::max(last, t.laneAt[std::size_t(lane)]); });
    return last;
}

// The part of the warp's lanes that go along now, of those that are left.
double TimedSm::lanesOn(const TimedWarp& t) {
    const int left = std::popcount((t.warp->live & ~t.warp->exited).bits);
    return left > 0 ? std::min(1.0, double(std::popcount(t.x.mask)) / left) : 1;
}

// Lanes that are off leave their part of the slot: to other warps, which then issue two in one cycle; where none is
// ready, to the other side of their own warp's branch. What that side takes beyond this is made up for when the warp is
// together again.
void TimedSm::share(Scheduler& q, TimedWarp& t, bool others, std::int64_t now) const {
    constexpr double most = 256; // slots that nobody has wanted so far
    const double on = lanesOn(t);
    t.spared += 1 - on;
    if (on == 1 || (others && t.spared > 0)) {
        q.spared = std::min(most, q.spared + t.spared);
        t.spared = 0;
    }
    if (q.spared >= 1 && others) {
        q.next = now;
        q.spared -= 1;
    } else if (q.spared <= -1) {
        q.next = now + 2;
        q.spared += 1;
    }
}

// What only a limit that is taken away has kept the lanes from doing earlier is done as of the cycle in which they
// would have come to it. The other side of a branch went along with this one and took no issue slot of its own; a
// warp behind a barrier took slots that stood empty since it had come there.
TimedSm::Late TimedSm::catchUp(TimedWarp& t, const MachineOp& op, std::uint32_t position, std::int64_t from) {
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
    ready = afterOperands(t, op, ready, own + 1);
    const std::int64_t last = ready.cycle() + std::int64_t(op.slots - 1) * op.gap;
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
        t.ready = never;
        t.op = nullptr;
        return Late::Stopped;
    }
    return after(t, r, from) ? Late::Done : Late::Stopped;
}

} // namespace warpglass::emulator
