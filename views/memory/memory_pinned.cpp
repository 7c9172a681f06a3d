// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_pinned.h"

#include "views/common/agreeing.h"
#include "views/common/pinned.h"
#include "views/memory/memory_text.h"

#include <algorithm>

namespace warpglass {

namespace {

// The warp's accesses by this line, to the same memory and of the same kind.
std::vector<const AccessRow*> alike(const Trace& trace, std::uint32_t warp, SpaceFilter filter,
                                    std::uint32_t sourceLine, std::uint32_t ptxLine, const AccessRow& like) {
    std::vector<const AccessRow*> rows = accessesOf(trace, trace.warps[warp], filter);
    const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blockOf(trace.warps[warp])));
    std::erase_if(rows, [&](const AccessRow* row) {
        const Site& site = trace.sites[trace.events.site(row->event)];
        const bool here = sourceLine ? sourceLineOf(kernel, site) == sourceLine : site.ptxLine == ptxLine;
        return !here || row->space != like.space || row->kind != like.kind;
    });
    return rows;
}

bool has(const ShownAccess& shown, const BankWord& word) {
    return std::any_of(shown.shared.words.begin(), shown.shared.words.end(),
                       [&](const BankWord& w) { return w.pass == word.pass && w.bank == word.bank; });
}

bool has(const ShownAccess& shown, const SectorUse& sector) {
    return std::any_of(shown.global.sectors.begin(), shown.global.sectors.end(),
                       [&](const SectorUse& s) { return s.address == sector.address; });
}

} // namespace

std::optional<ShownAccess> pinnedAccess(const PaintContext& context, const ShownAccess& shown, SpaceFilter filter) {
    PaintContext here = context;
    here.selection.warp = shown.warp;
    here.selection.block = context.trace->warps[shown.warp].block;
    here.selection.sourceLine = shown.sourceLine;
    here.selection.ptxLine = shown.ptxLine;
    const auto there = contextOfPinned(here);
    if (!there || there->selection.warp == noIndex || (!there->selection.sourceLine && !there->selection.ptxLine))
        return std::nullopt;
    const auto mine = alike(*context.trace, shown.warp, filter, shown.sourceLine, shown.ptxLine, *shown.row);
    const auto its = alike(*there->trace, there->selection.warp, filter, there->selection.sourceLine,
                           there->selection.ptxLine, *shown.row);
    const auto turn = std::size_t(std::find(mine.begin(), mine.end(), shown.row) - mine.begin());
    if (turn >= its.size())
        return std::nullopt;
    ShownAccess pinned = analysed(*there->trace, there->selection.warp, *its[turn]);
    const auto gone = [&](const auto& one) { return !has(shown, one); };
    const bool some = shown.isShared ? std::any_of(pinned.shared.words.begin(), pinned.shared.words.end(), gone)
                                     : std::any_of(pinned.global.sectors.begin(), pinned.global.sectors.end(), gone);
    return some ? std::optional(std::move(pinned)) : std::nullopt;
}

void paintPinnedAccess(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown,
                       const ShownAccess& pinned, const Theme& theme) {
    if (shown.isShared) {
        for (const BankWord& word : pinned.shared.words)
            if (word.pass < int(layout.passRows.size()) && !has(shown, word))
                paintPinnedFrame(painter, layout.bankCell(word.pass, word.bank).adjusted(1, 0, -1, 0), theme);
        return;
    }
    for (const SectorUse& sector : pinned.global.sectors)
        for (const MemoryLayout::LineRow& row : layout.lineRows)
            if (row.address == sector.address / 128 * 128 && !has(shown, sector))
                paintPinnedFrame(painter,
                                 layout.sectorCell(row, int(sector.address / 32 % 4)).adjusted(1.5, 0, -1.5, 0), theme);
}

QString pinnedAccessSentence(const ShownAccess& shown, const ShownAccess& pinned) {
    if (shown.isShared)
        return pinned.shared.passes == shown.shared.passes
                   ? QString()
                   : agreeing(MemoryText::tr("A needed %1 {pass|passes}."), pinned.shared.passes);
    return pinned.global.sectors.size() == shown.global.sectors.size()
               ? QString()
               : agreeing(MemoryText::tr("A moved %1 {sector|sectors}."), pinned.global.sectors.size());
}

QString pinnedAccessKey() {
    return MemoryText::tr("A alone: cooled down");
}

} // namespace warpglass
