// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/living_blocks.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/hang.h"
#include "gpu/emulator/run/other_order.h"
#include "gpu/emulator/run/sm_result.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpglass::emulator {

LivingBlocks::LivingBlocks(GridRun& run)
    : m_run(run), m_places(std::uint64_t(std::max(1, run.device.smCount)) * run.options.footprint.residentBlocks),
      m_clusters(run.launch) {
    m_counters.reset(*run.launch.program);
}

void LivingBlocks::run(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last) {
    if (m_clusters.size() > 1) {
        clusters(list, table, touchesPerBlock, last);
        m_run.add(m_counters);
        m_counters.reset(*m_run.launch.program);
        return;
    }
    std::vector<std::uint64_t> turned; // an adverse order
    if (const auto& seed = m_run.options.asked.adverse)
        for (const std::uint32_t k : otherOrder(std::uint32_t(list.size()), *seed))
            turned.push_back(list.at(k));
    const std::uint64_t places = last ? m_places : std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t k = 0; k < list.size() && !m_run.stopped(); ++k) {
        if (m_run.launch.launch == 0)
            m_run.progress.report(double(k) / double(list.size()));
        while (m_blocks.size() >= places && !m_run.stopped())
            round();
        if (m_run.stopped())
            break;
        m_blocks.push_back(begun(turned.empty() ? list.at(k) : turned[k], table, touchesPerBlock));
        if (finished(m_blocks.back()))
            m_blocks.pop_back();
        else
            m_blocks.back().runner->touch(nullptr, 0); // the table may be gone before it ends
    }
    while (last && !m_blocks.empty() && !m_run.stopped())
        round();
    m_run.add(m_counters);
    m_counters.reset(*m_run.launch.program);
}

LivingBlock LivingBlocks::begun(std::uint64_t index, TouchTable* table, std::uint64_t touchesPerBlock) {
    LivingBlock block;
    block.index = index;
    block.runner = std::move(m_spare);
    if (!block.runner)
        block.runner = std::make_unique<BlockRunner>(m_run.launch, m_run.options, m_run.memory, m_run.constants,
                                                     m_run.device, m_run.progress, &m_counters);
    block.runner->join(&m_clusters);
    block.runner->touch(table, touchesPerBlock);
    if (m_run.recordedRow(block.index) != GridRun::noRow)
        block.recorder = std::make_unique<Recorder>(m_run.options.detail.accesses, m_run.options.eventsPerWarp);
    block.runner->begin(block.index, block.recorder.get());
    block.runner->exec().apart = m_apart;
    return block;
}

// The list holds whole clusters. Nobody has a turn before all blocks of its cluster have begun.
void LivingBlocks::clusters(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last) {
    const std::uint64_t size = m_clusters.size();
    for (std::uint64_t k = 0; k < list.size() && !m_run.stopped(); ++k) {
        const std::uint64_t cluster = m_clusters.clusterOf(list.at(k));
        const std::vector<std::uint64_t> blocks = m_clusters.blocksOf(cluster);
        if (blocks[0] != list.at(k))
            continue;
        if (m_run.launch.launch == 0)
            m_run.progress.report(double(k) / double(list.size()));
        while (m_blocks.size() + size > std::max(m_places, size) && !m_run.stopped())
            round();
        for (const std::uint64_t block : blocks)
            if (!m_run.stopped())
                m_blocks.push_back(begun(block, table, touchesPerBlock));
        while (turns() == Moved::Work) { // a cluster that waits for no other one is run to its end
        }
        m_quiet = 0;
    }
    for (LivingBlock& block : m_blocks)
        block.runner->touch(nullptr, 0);
    while (last && !m_blocks.empty() && !m_run.stopped())
        round();
}

bool LivingBlocks::finished(LivingBlock& block, std::uint64_t instructions) {
    const Turn turn = instructions > 0 ? block.runner->turnOf(instructions) : block.runner->turn();
    if (turn == Turn::Waits)
        return false;
    m_run.ended(block.index, *block.runner, block.recorder.get(), [&](std::int64_t steps) {
        if (block.ended)
            block.ended(block, steps);
    });
    if (turn == Turn::Failed || m_run.progress.cancelled())
        m_run.stop();
    if (block.ownCounters)
        m_run.add(block.runner->counters());
    else
        m_spare = std::move(block.runner);
    return true;
}

void LivingBlocks::round() {
    const Moved moved = turns();
    m_quiet = moved == Moved::Nothing ? m_quiet + 1 : 0;
    if (moved != Moved::Tries)
        m_tries = 0;
    if (m_run.stopped() || (m_quiet < 2 && m_tries <= bounds.restlessInstructions))
        return;
    if (letLanesGoApart())
        m_quiet = 0, m_tries = 0;
    else
        hang();
}

// The stack lets one side of a branch run to its end, or to where both meet, before the other goes on; a lane that waits for
// one of its own warp then waits for ever. A device gives each of them its turn.
bool LivingBlocks::letLanesGoApart() {
    bool anybody = false;
    for (LivingBlock& block : m_blocks)
        anybody |= m_run.options.lanesGoApart && block.runner->letLanesGoApart();
    m_apart |= anybody;
    return anybody;
}

Moved LivingBlocks::turns() {
    Moved moved = Moved::Nothing;
    std::uint64_t issued = 0;
    for (std::size_t k = 0; k < m_blocks.size() && !m_run.stopped();) {
        LivingBlock& block = m_blocks[k];
        const std::uint64_t before = block.runner->issued();
        if (finished(block)) {
            moved = Moved::Work;
            m_blocks.erase(m_blocks.begin() + std::ptrdiff_t(k));
            continue;
        }
        issued += block.runner->issued() - before + bounds.restlessTurn * block.runner->block().warpCount;
        moved = std::max(moved, block.runner->moved());
        ++k;
    }
    if (m_run.stopped())
        return Moved::Nothing;
    m_tries += moved == Moved::Tries ? issued : 0;
    return moved;
}

void LivingBlocks::hang() {
    Hang hang = explainHang(m_run, m_blocks, m_places);
    const HangWait* const first = hang.waits.empty() ? nullptr : &hang.waits.front();
    const auto at = std::find_if(m_blocks.begin(), m_blocks.end(),
                                 [&](const LivingBlock& b) { return first && b.index == first->block; });
    LivingBlock& block = at == m_blocks.end() ? m_blocks.front() : *at;
    Exec& x = block.runner->exec();
    const auto& warps = block.runner->block().warps;
    const auto waits = std::find_if(warps.begin(), warps.begin() + block.runner->block().warpCount,
                                    [&](const auto& w) { return !w->done && w->poll.position == hang.position; });
    const bool asks = waits != warps.begin() + block.runner->block().warpCount;
    x.warp = (asks ? *waits : warps.front()).get();
    Diagnostic& told = x.diagnostics->add(x, hang.atBarrier ? DiagnosticKind::Deadlock : DiagnosticKind::EndlessLoop,
                                          hang.position, asks ? std::countr_zero(x.warp->poll.lanes.bits) : -1,
                                          asks ? x.warp->poll.address : 0, hang.sentence, true);
    if (first && first->source.line != 0)
        told.source = first->source; // the kernel's line, not a helper's
    told.waits = std::move(hang.waits);
    m_run.result.hangsOn = std::move(hang.on);
    for (LivingBlock& b : m_blocks) {
        m_run.ended(b.index, *b.runner, b.recorder.get(), {});
        if (b.ownCounters)
            m_run.add(b.runner->counters());
    }
    m_run.stop();
}

} // namespace warpglass::emulator
