// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/timing/timed_sm.h"

namespace warpglass::emulator {

SmResult TimedSm::finish(Counters& counters, bool failedElsewhere) {
    m_result.cycles = m_now;
    for (const TimedBlock& b : m_residency.rows)
        if (b.complete)
            m_result.cycles = std::max(m_result.cycles, b.end);
    if (!m_over)
        m_result.cycles = std::max({m_result.cycles, m_drained, m_memory.storesDone()});
    if (m_result.fullIssued == 0) {
        m_result.fullCycles = m_result.cycles;
        m_result.fullIssued = m_result.issued;
    }
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
    if (TouchTable* const touched = m_setup.around.touched; touched && m_setup.shareSectors) {
        touched->makeRoom(m_memory.sectors().size());
        m_memory.sectors().each(
            [&](std::uint64_t s) { touched->add(s, std::uint32_t(m_setup.blocks.front()), m_setup.around.sm); });
    }
    for (auto& place : m_residency.places) {
        if (!place->runner) // it goes on elsewhere
            continue;
        if (m_setup.spare)
            m_setup.spare->push_back(std::move(place));
        else
            counters.add(place->runner->counters());
    }
    m_result.stateCycles = m_log.cycles;
    m_result.residentCycles = m_log.resident();
    for (TimedBlock& row : m_residency.rows) // those that a launch that failed has cut off
        if (!row.complete)
            row.end = std::max({row.end, row.start, m_now});
    m_result.blocks = std::move(m_residency.rows);
    return std::move(m_result);
}

// The functional core runs straight-line pieces as a whole: one that has begun is brought to its end first.
void TimedSm::toPieceEnd(TimedWarp& t) {
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
// the rate that it has had lately, since its first instructions found other caches and other companions; and its blocks
// end one after the other, the oldest first.
void TimedSm::finishUntimed() {
    const double cyclesPerInstruction =
        m_result.issued ? std::max(1.0, double(m_log.resident()) / double(m_result.issued)) : 1;
    const double issuedLately = double(m_result.issued - m_lateIssued);
    const double cyclesPerIssue = issuedLately > 0 ? double(m_now - m_late) / issuedLately : 1;
    std::vector<ResidentBlock*> left;
    for (auto& place : m_residency.places)
        if (place->busy)
            left.push_back(place.get());
    std::sort(left.begin(), left.end(), [](const ResidentBlock* a, const ResidentBlock* b) { return a->row < b->row; });
    double behind = 0; // warp-instructions that are issued after the cut
    for (ResidentBlock* const one : left) {
        ResidentBlock& b = *one;
        const std::uint64_t before = b.runner->issued();
        const std::int64_t cut = std::max<std::int64_t>(0, m_now - b.start);
        for (auto& t : b.warps) {
            toPieceEnd(*t);
            t->warp->clock = std::max(cut, t->warp->clock); // what it was in the middle of ended behind the cut
        }
        b.state().timed = false;
        b.runner->exec().chooseWatchers();
        TimedBlock& row = m_residency.rows[b.row];
        const Turn turn = m_setup.byTurns ? Turn::Waits : b.runner->turn();
        row.issued = b.runner->issued();
        if (turn == Turn::Waits) {
            row.end = b.start + cut;
            m_setup.putAside(std::move(b.runner), {b.row, cut, cyclesPerInstruction, cyclesPerIssue});
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

} // namespace warpglass::emulator
