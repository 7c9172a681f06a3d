// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_model.h"

#include <algorithm>
#include <iterator>

namespace warpglass {

namespace {

// Parameters and constants are no sectors; which ones textures and surfaces touch is not known.
bool isDrawn(MemorySpace space) {
    return space == MemorySpace::Global || space == MemorySpace::Shared || space == MemorySpace::Local;
}

bool passes(const AccessRow& row, SpaceFilter filter) {
    if (row.shuffle || !isDrawn(row.space))
        return false;
    switch (filter) {
    case SpaceFilter::All:
        return true;
    case SpaceFilter::Global:
        return row.space != MemorySpace::Shared;
    case SpaceFilter::Shared:
        return row.space == MemorySpace::Shared;
    }
    return true;
}

} // namespace

std::vector<const AccessRow*> accessesOf(const Trace& trace, const Warp& warp, SpaceFilter filter) {
    std::vector<const AccessRow*> found;
    auto row = std::lower_bound(trace.accesses.begin(), trace.accesses.end(), warp.firstEvent,
                                [](const AccessRow& a, std::uint64_t event) { return a.event < event; });
    for (; row != trace.accesses.end() && row->event < warp.firstEvent + warp.eventCount; ++row)
        if (passes(*row, filter))
            found.push_back(&*row);
    return found;
}

namespace {

std::uint32_t chooseWarp(const Trace& trace, const Selection& selection, SpaceFilter filter) {
    if (selection.warp != noIndex && selection.warp < trace.warps.size())
        return selection.warp;
    for (const AccessRow& row : trace.accesses) {
        if (!passes(row, filter))
            continue;
        const std::uint32_t warp = trace.warpOfEvent(row.event);
        const Block& block = trace.blockOf(trace.warps[warp]);
        if (selection.block != noIndex ? trace.warps[warp].block == selection.block : block.launch == selection.launch)
            return warp;
    }
    return noIndex;
}

} // namespace

ShownAccess analysed(const Trace& trace, std::uint32_t warpRow, const AccessRow& row) {
    const Warp& warp = trace.warps[warpRow];
    ShownAccess shown;
    shown.event = row.event;
    shown.warp = warpRow;
    shown.row = &row;
    shown.what = trace.events.get(row.event, warp.start);
    shown.bytesPerLane = unsigned(row.bytesPerElement) * row.elements;
    shown.isShared = row.space == MemorySpace::Shared;
    const Launch& launch = trace.launchOf(trace.blockOf(warp));
    if (shown.what.site < trace.sites.size()) {
        shown.ptxLine = trace.sites[shown.what.site].ptxLine;
        shown.sourceLine = sourceLineOf(trace.kernelOf(launch), trace.sites[shown.what.site]);
    }
    if (row.kind == AccessKind::Atomic)
        shown.lanesAtOneWord = lanesAtOneWord(trace.addresses(row));
    if (shown.isShared)
        shown.shared = analyseShared(shown.what.active, trace.addresses(row), shown.bytesPerLane, row.kind);
    else
        shown.global = analyseGlobal(shown.what.active, trace.addresses(row), shown.bytesPerLane);
    return shown;
}

std::optional<ShownAccess> shownAccess(const Trace& trace, const Selection& selection, SpaceFilter filter) {
    const std::uint32_t warpRow = chooseWarp(trace, selection, filter);
    if (warpRow == noIndex)
        return std::nullopt;
    const Warp& warp = trace.warps[warpRow];
    std::vector<const AccessRow*> rows = accessesOf(trace, warp, filter);
    if (rows.empty())
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blockOf(warp)));
    // Of the PTX line; of those that it makes for the source line, as a header's function does for several.
    const auto take = [&](auto&& isThere) {
        std::vector<const AccessRow*> some;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
                     [&](const AccessRow* row) { return isThere(trace.sites[trace.events.site(row->event)]); });
        if (!some.empty())
            rows = std::move(some);
    };
    if (selection.ptxLine != 0)
        take([&](const Site& site) { return site.ptxLine == selection.ptxLine; });
    if (selection.sourceLine != 0)
        take([&](const Site& site) { return sourceLineOf(kernel, site) == selection.sourceLine; });
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < rows.size() && trace.events.time(rows[i]->event, warp.start) <= selection.time; ++i)
        chosen = i;
    ShownAccess shown = analysed(trace, warpRow, *rows[chosen]);
    shown.ordinal = int(chosen) + 1;
    shown.total = int(rows.size());
    return shown;
}

bool hasAccess(const Trace& trace, const Selection& selection, SpaceFilter filter) {
    const std::uint32_t warp = chooseWarp(trace, selection, filter);
    return warp != noIndex && !accessesOf(trace, trace.warps[warp], filter).empty();
}

std::optional<std::uint64_t> neighbourAccess(const Trace& trace, const ShownAccess& now, SpaceFilter filter, int step) {
    const auto rows = accessesOf(trace, trace.warps[now.warp], filter);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i]->event == now.event) {
            const std::ptrdiff_t next = std::ptrdiff_t(i) + step;
            if (next < 0 || next >= std::ptrdiff_t(rows.size()))
                return std::nullopt;
            return rows[std::size_t(next)]->event;
        }
    return std::nullopt;
}

std::vector<AccessLine> accessLines(const Trace& trace, std::uint32_t launch, SpaceFilter filter) {
    std::vector<AccessLine> lines;
    if (launch >= trace.launches.size())
        return lines;
    const Kernel& kernel = trace.kernelOf(trace.launches[launch]);
    for (const InstructionCount& count : trace.countsOf(launch)) {
        const bool shared = count.space == MemorySpace::Shared;
        if (!count.isMemory || count.requests == 0 || count.space == MemorySpace::Param ||
            count.space == MemorySpace::Constant)
            continue;
        if (count.space == MemorySpace::Texture && filter != SpaceFilter::All)
            continue;
        if ((filter == SpaceFilter::Global && shared) || (filter == SpaceFilter::Shared && !shared))
            continue;
        AccessLine line;
        line.ptxLine = count.ptxLine;
        line.sourceLine = sourceLineOf(kernel, count);
        line.space = count.space;
        line.kind = count.access;
        line.requests = count.requests;
        line.sectors = count.sectors;
        line.passes = count.passes;
        line.idealPasses = count.idealPasses;
        line.lanesAtOneWord = double(count.turns) / double(count.requests);
        line.perRequest = double(shared ? count.passes : count.sectors) / double(count.requests);
        if (shared)
            line.efficiency = count.passes == 0 ? 0 : 100.0 * double(count.idealPasses) / double(count.passes);
        else
            line.efficiency =
                count.sectors == 0 ? 0 : 100.0 * double(count.bytesDistinct) / (32.0 * double(count.sectors));
        lines.push_back(line);
    }
    // As the source has them, those without a line last: what a header's function does stands at the line that calls it.
    std::stable_sort(lines.begin(), lines.end(), [](const AccessLine& a, const AccessLine& b) {
        return a.sourceLine - 1 < b.sourceLine - 1; // 0 is the last
    });
    return lines;
}

} // namespace warpglass
