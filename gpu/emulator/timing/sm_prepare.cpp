// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/timing/timed_sm.h"

namespace warpglass::emulator {

// Finds the warp's next instruction that is issued, doing those that are not, and when it can be issued.
void TimedSm::prepare(TimedWarp& t, std::int64_t from) {
    t.issuesLeft = 0;
    for (;;) {
        if (t.unwanted < t.endUnwanted && prepareUnwanted(t, from))
            return;
        if (!arrive(t.x)) {
            standStill(t);
            return;
        }
        const std::uint32_t position = m_program.code[t.x.pc].index;
        const MachineOp& op = m_code.ops[position];
        if (op.slots == 0 || (op.goesAlong && isEarly(t, op))) {
            const Until ready = operands(t, op, {});
            for (const std::uint32_t r : m_code.writes(op)) {
                t.registers[r] = ready;
                m_lanes.written(t, r, t.x.mask);
            }
            const bool predicated = op.predicated;
            const std::uint32_t pc = t.x.pc, lanes = t.x.mask;
            m_lanes.setClock(t, from);
            const StepResult r = step(t.x);
            ++m_result.issued;
            if (op.goesRound)
                goRound(t, op, t.x.pc != pc + 1, m_program.code[pc].branch.target, from);
            if (predicated) {
                t.floor = later(t.floor, ready);
                const std::uint32_t target = m_program.code[pc].branch.target; // a predicated exit leaves at once
                if (t.x.mask == lanes && t.x.pc != pc + 1 && !m_program.info[m_program.code[target].index].isExit &&
                    m_lanes.takeUnwanted()) {
                    t.unwanted = pc + 1;
                    t.endUnwanted = target;
                }
            }
            if (isEndless(t)) { // a loop of instructions that take no time would be run here for ever
                t.ready = never;
                t.op = nullptr;
                return;
            }
            if (!after(t, r, from))
                return;
            continue;
        }
        if (m_lanes.goApart()) [[unlikely]] {
            const Late late = catchUp(t, op, position, from);
            if (late == Late::Stopped)
                return;
            if (late == Late::Done)
                continue;
        }
        Until ready = afterOperands(t, op, atIssue(t, op), from);
        if (op.underWay > 0 && t.loads >= op.underWay) // no register for it before an earlier one is used
            ready = later(ready, {t.loaded[(t.loads - op.underWay) % ptxas.wordsUnderWay], op.wait});
        if (op.is(Trait::WaitsForCopies))
            ready = later(ready, {groupsReady(t.x, m_program.code[t.x.pc]), WarpState::StallLongScoreboard});
        if (op.products >= waitsForProducts) [[unlikely]]
            ready = later(ready, {t.productGroups[op.products - waitsForProducts], WarpState::StallShortScoreboard});
        if (op.is(Trait::Exit))
            ready = later(ready, {t.stored, WarpState::StallDrain});
        if (op.fetch > 0 && !m_fetched[op.fetch]) {
            m_fetched[op.fetch] = true;
            if (m_setup.options.asked.coldCode)
                ready = later(ready, {from + m_timing.fetch, WarpState::StallNoInstruction});
        }
        toBeIssued(t, op, ready, from);
        if (op.is(Trait::AfterStores) && ready.cycle() == t.data.cycle())
            t.waitLine = t.dataLine;
        return;
    }
}

// Behind a round that goes along with others. If it was the last of three, and ptxas could not know that, two have gone
// together, and the third when these were through: what four leave over it takes by two and by one. It waits as long as
// they did, but no longer than for L2: beyond that they have waited for others, who then do not wait for it.
void TimedSm::goRound(TimedWarp& t, const MachineOp& op, bool again, std::uint32_t first, std::int64_t now) {
    if (again) {
        ++t.round;
        return;
    }
    if (!op.roundsKnown && t.round == 2 && t.loads > 0) {
        Until last;
        for (std::uint32_t k = first; &m_code.ops[k] != &op; ++k)
            for (const std::uint32_t w : m_code.writes(m_code.ops[k]))
                last = later(last, t.registers[w]);
        if (last.cycle() > now)
            t.floor = later(
                t.floor, {last.cycle() + std::min<std::int64_t>(last.cycle() - t.firstLoad, m_timing.l2), last.why()});
    }
    t.round = t.loads = 0;
}

// The same of what no lane wants. False: there is no more of it.
bool TimedSm::prepareUnwanted(TimedWarp& t, std::int64_t from) {
    for (; t.unwanted < t.endUnwanted; ++t.unwanted) {
        const MachineOp& op = m_code.ops[m_program.code[t.unwanted].index];
        if (op.slots > 0) {
            toBeIssued(t, op, atIssue(t, op), from);
            return true;
        }
        const Until ready = operands(t, op, {});
        for (const std::uint32_t r : m_code.writes(op))
            t.registers[r] = ready;
    }
    return false;
}

} // namespace warpglass::emulator
