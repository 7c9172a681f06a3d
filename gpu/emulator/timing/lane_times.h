// SPDX-License-Identifier: GPL-3.0-or-later
// How the lanes of the warps of an SM go through time. Those of a device go in step: nothing is kept, and nothing costs more or
// less. Where divergence or barriers cost nothing they go apart: each is where its own instructions alone would have brought
// it, and what only such a limit has kept it from doing earlier is done as of then (TimedSm::catchUp). Who is which is settled
// here when the SM begins; nobody else knows of these two limits.
#pragma once

#include "gpu/device/limit.h"
#include "gpu/emulator/timing/residency.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warpglass::emulator {

class LaneTimes {
public:
    LaneTimes(const DeviceTiming& timing, LimitSet without, std::uint32_t registers)
        : m_sides(without.has(Limit::Divergence)), m_meetings(without.has(Limit::Barriers)),
          m_apart(m_sides || m_meetings), m_slots(timing.issueSlot > 0), m_registers(registers),
          m_schedulers(m_apart ? std::size_t(timing.schedulers) : 0) {}

    bool goApart() const { return m_apart; }
    // Code behind a predicate takes slots, wanted or not.
    bool takeUnwanted() const { return !m_sides; }

    // The warp begins: it has its floor.
    void begin(TimedWarp& t) const;
    // It stands at a barrier.
    void stand(const TimedWarp& t, std::int64_t now) {
        if (m_apart && lastOf(t) + 1 >= now) [[unlikely]] // else it is still making use of earlier empty slots
            t.lanes->emptyBefore = now - m_schedulers[t.scheduler].used;
    }
    // Its barrier opens: what it does as of earlier comes behind the barrier all the same.
    void meet(const TimedWarp& t, std::int64_t now) const {
        if (m_apart) [[unlikely]]
            setClock(t, now);
    }
    // It goes on behind its barrier.
    void goOn(const TimedWarp& t, std::int64_t now) const {
        if (m_apart && !m_meetings) [[unlikely]]
            t.lanes->at.fill(now);
    }
    // What the kernel reads and events are given. It never goes back, though lanes are brought up to date.
    void setClock(const TimedWarp& t, std::int64_t cycle) const {
        const std::int64_t clock = cycle - t.block->start;
        t.warp->clock = m_apart ? std::max(t.warp->clock, clock) : clock;
    }

    // An issue slot of its scheduler is its.
    void slot(const TimedWarp& t) {
        if (m_apart) [[unlikely]]
            ++m_schedulers[t.scheduler].used;
    }
    // Cycles of its pipe, of so many, that lanes which are off have left to others.
    std::int64_t sparedOf(const TimedWarp& t, Pipe pipe, std::int64_t busy) {
        return m_sides ? spareOf(t, pipe, busy) : 0;
    }
    // The cycle in which its scheduler may issue again: lanes that are off leave their part of the slot. To other warps, which
    // then issue two in one cycle; where none is ready (others), to the other side of their own warp's branch. What that side
    // takes beyond this is made up for when the warp is together again.
    std::int64_t nextIssue(const TimedWarp& t, bool others, std::int64_t now, std::int64_t next) {
        return m_sides && m_slots ? share(t, others, now, next) : next;
    }
    void issued(const TimedWarp& t, bool barrier, std::uint32_t lanes, std::int64_t now) const {
        if (m_apart)
            [[unlikely]] // all meet at a barrier in time, but where it costs nothing, nobody gets later by that
            put(t, lanes, barrier && m_meetings ? std::min(now, lastOf(t) + 1) : now);
    }
    void written(const TimedWarp& t, std::uint32_t reg, std::uint32_t lanes) const {
        if (m_apart) [[unlikely]]
            t.lanes->past[reg].written(lanes);
    }
    // When what its lanes have written as of earlier is there, too.
    template <typename Registers>
    Until behindPast(const TimedWarp& t, const Registers& registers, Until until) const {
        if (m_apart) [[unlikely]]
            for (const std::uint32_t r : registers)
                until = later(until, t.lanes->past[r].of(t.x.mask, {}));
        return until;
    }

    // Of lanes that may be late, the cycle behind which their next instruction comes.
    std::int64_t ownOf(const TimedWarp& t, std::uint32_t lanes) const;
    // Their next instruction has taken so many slots as of `own`, or could not: none stood empty.
    bool takesSlots(const TimedWarp& t, std::int64_t own, std::int64_t from, std::uint32_t slots, SmResult& result);
    static void put(const TimedWarp& t, std::uint32_t lanes, std::int64_t at) {
        eachLane(lanes, [&](int lane) { t.lanes->at[std::size_t(lane)] = at; });
    }

private:
    static double lanesOn(const TimedWarp& t);
    static std::int64_t lastOf(const TimedWarp& t);
    std::int64_t spareOf(const TimedWarp& t, Pipe pipe, std::int64_t busy);
    std::int64_t share(const TimedWarp& t, bool others, std::int64_t now, std::int64_t next);

    struct Slots {             // of a scheduler
        std::int64_t used = 0; // so far
        double spared = 0;     // parts of them, and of each pipe's cycles, that lanes which are off have left to others
        std::array<double, std::size_t(Pipe::Count_)> sparedOfPipe{};
    };
    const bool m_sides, m_meetings; // of a branch, at a barrier: they do not wait for each other
    const bool m_apart, m_slots;    // one of these; there are no more slots than cycles
    const std::uint32_t m_registers;
    std::vector<Slots> m_schedulers;
};

} // namespace warpglass::emulator
