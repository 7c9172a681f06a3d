// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_sm.h"

namespace warpglass::emulator {

// What only a limit that is taken away has kept the lanes from doing earlier is done as of the cycle in which they
// would have come to it.
TimedSm::Late TimedSm::catchUp(TimedWarp& t, const MachineOp& op, std::uint32_t position, std::int64_t from) {
    const InstInfo& info = m_program.info[position];
    if (info.isExit || info.isBarrier || info.isAsync || info.opClass == OpClass::Fence ||
        info.opClass == OpClass::Async)
        return Late::No;
    const std::uint32_t lanes = t.x.mask;
    const std::int64_t own = m_lanes.ownOf(t, lanes);
    Until ready{own + 1};
    for (const std::uint32_t r : m_code.awaited(op)) // what other lanes have written there is not waited for
        ready = later(ready, t.lanes->past[r].of(lanes, t.registers[r]));
    ready = afterOperands(t, op, ready, own + 1);
    const std::int64_t last = ready.cycle() + op.ahead + std::int64_t(op.slots - 1) * op.gap;
    if (last >= from || !m_lanes.takesSlots(t, own, from, op.slots, m_result))
        return Late::No;
    m_lanes.setClock(t, last);
    const StepResult r = step(t.x);
    ++m_result.issued;
    storesLater(t, op);
    std::int64_t done = last + op.latency;
    if (op.pipe == Pipe::Lsu || op.pipe == Pipe::Mio) {
        m_memory.through(0);
        done = access(t, info, r, last, position);
        m_memory.began(); // it takes no place in a queue
    }
    for (const std::uint32_t w : m_code.writes(op))
        t.lanes->past[w].write(lanes, {done, op.wait});
    LaneTimes::put(t, lanes, op.branch ? last + m_timing.branch - 1 : last);
    if (isEndless(t)) {
        t.ready = never;
        t.op = nullptr;
        return Late::Stopped;
    }
    return after(t, r, from) ? Late::Done : Late::Stopped;
}

} // namespace warpglass::emulator
