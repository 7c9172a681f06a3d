// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/event_counts.h"

#include "gpu/metrics/memory_access.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpglass {

namespace {

constexpr std::uint64_t mostEvents = 50'000; // whose accesses take a tenth of a second to work out

void addAccess(InstructionCount& row, const Trace& trace, const AccessRow& access, LaneMask active) {
    const unsigned bytes = unsigned(access.bytesPerElement) * access.elements;
    row.requests += 1;
    row.bytesRequested += std::uint64_t(bytes) * std::uint64_t(active.count());
    if (row.access == AccessKind::Atomic)
        row.turns += std::uint64_t(lanesAtOneWord(trace.addresses(access)));
    if (access.space == MemorySpace::Shared) {
        const SharedAccess shared = analyseShared(active, trace.addresses(access), bytes, access.kind);
        row.passes += std::uint64_t(shared.passes);
        row.idealPasses += std::uint64_t(shared.idealPasses);
    } else if (access.space != MemorySpace::Texture) {
        const GlobalAccess global = analyseGlobal(active, trace.addresses(access), bytes);
        row.sectors += global.sectors.size();
        row.lines += std::uint64_t(global.lines);
        row.bytesDistinct += std::uint64_t(global.bytesDistinct);
    }
}

} // namespace

EventCounts countEvents(const Trace& trace, std::uint32_t launch) {
    EventCounts found;
    const Launch& l = trace.launches[launch];
    found.all = l.grid.count() * warpsFor(l.block.count());
    std::set<std::uint32_t> lossy;
    for (const Loss& loss : trace.losses)
        lossy.insert(loss.warp);
    std::map<std::tuple<std::uint32_t, MemorySpace, AccessKind>, InstructionCount> rows;
    std::uint64_t events = 0;
    for (const Block& block : trace.blocksOf(l))
        for (std::uint32_t w = block.firstWarp; w < block.firstWarp + block.warpCount; ++w) {
            const Warp& warp = trace.warps[w];
            if (lossy.count(w) || (found.warps > 0 && events + warp.eventCount > mostEvents))
                continue;
            events += warp.eventCount;
            found.warps += 1;
            for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
                const Event e = trace.event(warp, n);
                if (e.site >= trace.sites.size() || e.kind == EventKind::Path || e.kind == EventKind::BarrierLeave)
                    continue; // no instruction of its own
                const AccessRow* access =
                    e.kind == EventKind::Access ? trace.accessOfEvent(warp.firstEvent + n) : nullptr;
                const std::uint32_t line = trace.sites[e.site].ptxLine;
                InstructionCount& row = rows[{line, access ? access->space : MemorySpace::Global,
                                              access ? access->kind : AccessKind::Load}];
                row.launch = launch;
                row.ptxLine = line;
                row.executions += 1;
                row.lanes += std::uint64_t(e.active.count());
                if (e.kind == EventKind::Branch) {
                    row.isBranch = row.isConditional = true;
                    row.takenLanes += std::uint64_t(e.taken.count());
                    row.divergent += !e.taken.empty() && e.taken != e.active;
                }
                if (!access)
                    continue;
                row.isMemory = true;
                row.space = access->space;
                row.access = access->kind;
                addAccess(row, trace, *access, e.active);
            }
        }
    for (const auto& [where, row] : rows)
        found.rows.push_back(row);
    return found;
}

} // namespace warpglass
