// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/grid_run.h"
#include "gpu/base/parallel.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/living_blocks.h"
#include "gpu/emulator/run/sm_result.h"
#include "gpu/emulator/state/own_sums.h"
#include "gpu/emulator/watch/global_races.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace warpglass::emulator {

void GridRun::leave(std::uint64_t block, std::string output, std::vector<Diagnostic> diagnostics) {
    if (output.empty() && diagnostics.empty())
        return;
    const std::lock_guard lock(m_mutex);
    m_leftovers.push_back({block, std::move(output), std::move(diagnostics)});
}

GridRun::GridRun(const LaunchState& state, const GridOptions& how, GlobalMemory& global,
                 const std::vector<std::byte>& consts, DeviceState& on, Progress& told)
    : launch(state), options(how), memory(global), constants(consts), device(on), progress(told) {}
GridRun::~GridRun() = default;

LivingBlocks& GridRun::living() {
    if (!m_living)
        m_living = std::make_unique<LivingBlocks>(*this);
    return *m_living;
}

void GridRun::add(const Counters& counters) {
    const std::lock_guard lock(m_mutex);
    result.counters.add(counters);
}

void GridRun::ended(std::uint64_t block, BlockRunner& runner, Recorder* recorder,
                    const std::function<void(std::int64_t)>& told) {
    const std::int64_t steps = runner.steps();
    result.steps[block] = steps;
    if (result.timed)
        result.timed->issued[block] = std::uint32_t(runner.issued());
    if (told)
        told(steps);
    if (recorder)
        result.recorded[recordedRow(block)] = std::move(recorder->block());
    if (options.races)
        options.races->ended(block);
    leave(block, runner.takeOutput(), runner.diagnostics());
}

void GridRun::work(const BlockList& list, std::atomic<std::uint64_t>& next, std::uint64_t chunk, TouchTable* table,
                   std::uint64_t touchesPerBlock) {
    BlockRunner runner(launch, options, memory, constants, device, progress);
    runner.touch(table, touchesPerBlock);
    runner.exec().concurrent = true;
    OwnSums sums;
    if (mayKeepSums(*launch.program) && !runner.exec().watched && !options.use)
        runner.exec().ownSums = &sums;
    Clusters clusters(launch); // of one block each: larger ones never come here
    runner.join(&clusters);
    while (!m_stop.load(std::memory_order_relaxed)) {
        const std::uint64_t first = next.fetch_add(chunk);
        if (first >= list.size())
            break;
        if (launch.launch == 0)
            progress.report(double(first) / double(list.size()));
        for (std::uint64_t k = first; k < std::min(first + chunk, list.size()); ++k) {
            const std::uint64_t b = list.at(k);
            Recorder recorder(options.detail.accesses, options.eventsPerWarp);
            Recorder* const events = recordedRow(b) != noRow ? &recorder : nullptr;
            runner.begin(b, events);
            Turn turn = runner.turn();
            while (turn == Turn::Waits && runner.moved() != Moved::Nothing)
                turn = runner.turn();
            m_needsOrder = m_needsOrder || turn == Turn::Waits;
            ended(b, runner, events, {});
            if (turn != Turn::Ended || progress.cancelled()) {
                m_stop = true;
                break;
            }
        }
        sums.bringAll();
    }
    add(runner.counters());
}

std::uint64_t GridRun::recordedRow(std::uint64_t block) const {
    const auto chosen = std::lower_bound(options.chosen.begin(), options.chosen.end(), block);
    return chosen != options.chosen.end() && *chosen == block ? std::uint64_t(chosen - options.chosen.begin()) : noRow;
}

void GridRun::blocks(const BlockList& list, TouchTable* table, std::uint64_t touchesPerBlock, bool last) {
    const std::uint64_t n = list.size();
    const bool inOrder = launch.program->ordered || launch.cluster.count() > 1 || options.races;
    const auto threads = std::uint64_t(inOrder || n < 4 ? 1 : std::max(1, options.threads));
    if (threads == 1 || !living().empty()) {
        living().run(list, table, touchesPerBlock, last);
        return;
    }
    const std::uint64_t chunk = std::clamp<std::uint64_t>(n / (threads * 16), 1, 64);
    std::atomic<std::uint64_t> next{0};
    parallelFor(threads, int(threads), [&](std::size_t) { work(list, next, chunk, table, touchesPerBlock); });
}

void GridRun::finish() {
    std::sort(m_leftovers.begin(), m_leftovers.end(),
              [](const Leftover& a, const Leftover& b) { return a.block < b.block; });
    for (Leftover& l : m_leftovers) {
        result.output += l.output;
        for (const Diagnostic& d : l.diagnostics)
            result.faulted |= d.fatal;
        mergeDiagnostics(result.diagnostics, std::move(l.diagnostics));
    }
    result.faulted |= m_needsOrder; // the whole run is repeated on one host thread, where blocks can take turns
    result.cancelled = progress.cancelled();
    const std::vector<Piece>& pieces = launch.program->pieces;
    for (std::size_t p = 0; p < pieces.size(); ++p)
        result.warpInstructions += result.counters.pieceExecutions[p] * (pieces[p].end - pieces[p].first);
}

} // namespace warpglass::emulator
