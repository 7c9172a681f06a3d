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
                const std::uint32_t target = m_program.code[pc].branch.target; // a predicated exit leaves at once
                if (t.x.mask == lanes && t.x.pc != pc + 1 && !m_program.info[m_program.code[target].index].isExit &&
                    !without(Limit::Divergence)) {
                    t.unwanted = pc + 1;
                    t.endUnwanted = target;
                }
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
        Until ready = afterOperands(t, op, atIssue(t, op), from);
        if (op.is(Trait::WaitsForCopies))
            ready = later(ready, {groupsReady(t.x, m_program.code[t.x.pc]), WarpState::StallLongScoreboard});
        if (op.is(Trait::Exit))
            ready = later(ready, {t.stored, WarpState::StallDrain});
        if (op.fetch > 0 && !m_fetched[op.fetch]) {
            m_fetched[op.fetch] = true;
            if (m_setup.coldCode)
                ready = later(ready, {from + m_timing.fetch, WarpState::StallNoInstruction});
        }
        toBeIssued(t, op, ready, from);
        return;
    }
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
