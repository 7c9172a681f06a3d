// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/count_rows.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/ptx/source_lines.h"

#include <algorithm>
#include <cmath>

namespace warpglass::emulator {

namespace {

void tell(InstructionCount& row, const MemoryCount& m) {
    row.requests = m.requests;
    row.bytesDistinct = m.bytesDistinct;
    row.bytesRequested = m.bytesRequested;
    row.sectors = m.sectors;
    row.lines = m.lines;
    row.passes = m.passes;
    row.idealPasses = m.idealPasses;
    row.turns = m.turns;
}

// The rows of an instruction that was counted by space and caller. What was executed is shared out as its requests are, and
// its lanes as their bytes; the first row has the rest, too: executions in which no lane took part.
void addSplit(std::vector<InstructionCount>& rows, InstructionCount whole, const std::vector<SplitCount>& split,
              const Program& program, const Kernel& kernel) {
    std::map<std::pair<std::uint32_t, MemorySpace>, MemoryCount> parts; // by the caller's line
    MemoryCount all;
    for (const SplitCount& s : split) {
        const std::uint32_t line =
            s.caller == noIndex ? 0 : sourceLineOf(kernel, std::uint32_t(program.info[s.caller].source->line));
        parts[{line, s.space}].add(s.count);
        all.add(s.count);
    }
    const auto share = [](std::uint64_t of, std::uint64_t part, std::uint64_t sum, std::uint64_t most) {
        return std::min(sum == 0 ? 0 : std::uint64_t(std::llround(double(part) * (double(of) / double(sum)))), most);
    };
    const std::size_t first = rows.size();
    std::uint64_t executions = whole.executions, lanes = whole.lanes; // not shared out yet
    for (const auto& [place, count] : parts) {
        InstructionCount row = whole;
        row.callerLine = place.first;
        row.space = place.second;
        row.executions = share(std::min(whole.executions, all.requests), count.requests, all.requests, executions);
        row.lanes = share(whole.lanes, count.bytesRequested, all.bytesRequested, lanes);
        executions -= row.executions;
        lanes -= row.lanes;
        tell(row, count);
        rows.push_back(row);
    }
    rows[first].executions += executions;
    rows[first].lanes += lanes;
}

} // namespace

void addCounts(Trace& trace, std::uint32_t launch, const LaunchRecord& l) {
    const Program& p = *l.program;
    const Counters& c = l.result.counters;
    const Kernel& kernel = trace.kernels[l.kernel];
    const std::size_t first = trace.counts.size();
    for (std::size_t k = 0; k < p.code.size(); ++k) {
        const InstInfo& info = p.info[k];
        const std::uint32_t piece = p.code[k].piece;
        const auto executions = std::int64_t(c.pieceExecutions[piece]) + c.executionsFix[k];
        if (!info.source || executions <= 0)
            continue;
        InstructionCount row;
        row.launch = launch;
        row.ptxLine = std::uint32_t(info.source->line);
        row.executions = std::uint64_t(executions);
        row.lanes = std::uint64_t(std::int64_t(c.pieceLanes[piece]) + c.lanesFix[k]);
        row.isBranch = info.isBranch;
        row.isConditional = info.isConditional;
        row.divergent = c.branch[k].divergent;
        row.takenLanes = c.branch[k].takenLanes;
        if (info.isBranch && !info.isConditional)
            row.takenLanes = row.lanes;
        row.isMemory = info.isMemory;
        if (info.isMemory) {
            row.space = info.space;
            row.access = info.access;
            tell(row, c.memory[k]);
        }
        if (c.split[k].empty())
            trace.counts.push_back(row);
        else
            addSplit(trace.counts, row, c.split[k], p, kernel);
    }
    std::stable_sort(trace.counts.begin() + std::ptrdiff_t(first), trace.counts.end(),
                     [](const InstructionCount& a, const InstructionCount& b) { return a.ptxLine < b.ptxLine; });
}

void SitesOfKernel::take(Trace& trace, const RecordedBlock& block) {
    m_ofBlock.resize(block.called.size());
    for (const auto& [call, number] : block.called) {
        const auto [at, isNew] = m_called.try_emplace(call, std::uint32_t(trace.sites.size()));
        m_ofBlock[number] = at->second;
        if (!isNew)
            continue;
        Site site = m_program->sites[m_program->info[call.first].site];
        for (const ptx::Place& place : ptx::sourceChain(*m_module, *m_program->info[call.second].source))
            site.where.push_back(sourcePlace(*m_module, place));
        trace.sites.push_back(std::move(site));
    }
}

} // namespace warpglass::emulator
