// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_prediction.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/memory/memory_table.h"
#include "views/memory/memory_text.h"

#include <algorithm>
#include <map>

namespace warpglass {

namespace {

constexpr std::uint64_t sectorBytes = 32, lineBytes = 128, bankCount = 32, wordBytes = 4;
constexpr int fewestLines = 4, mostLines = 16; // of 128 bytes, on the board

// What an access looks like, wherever in memory it lies: sectors from the first one on, or banks and passes.
using Shape = std::vector<std::uint64_t>;

Shape shapeOf(const ShownAccess& access) {
    Shape shape{access.what.active.bits};
    if (access.isShared) {
        for (const BankWord& word : access.shared.words)
            shape.push_back(std::uint64_t(word.bank) << 32 | std::uint64_t(word.pass));
        return shape;
    }
    const auto& sectors = access.global.sectors;
    if (!sectors.empty())
        shape.push_back(sectors.front().address % lineBytes);
    for (const SectorUse& sector : sectors)
        shape.push_back(sector.address - sectors.front().address);
    return shape;
}

void askSectors(const ShownAccess& access, std::uint64_t first, Prediction& p) {
    PredictionWords& w = p.words;
    const auto& sectors = access.global.sectors;
    const std::uint64_t begin = sectors.front().address / lineBytes, end = sectors.back().address / lineBytes + 1;
    // A line more than are touched at least, so that the board does not tell where the access ends.
    const int lines = int(std::clamp<std::uint64_t>(end - begin + 1, fewestLines, mostLines));
    w.question = MemoryText::tr("Which sectors of 32 bytes are moved for this access?");
    w.given << MemoryText::tr("Lane %1 begins at 0x%2; a sector's number counts from the first line shown.")
                   .arg(access.what.active.lowest())
                   .arg(first, 0, 16);
    if (end - begin > mostLines)
        w.given
            << MemoryText::tr("The first %1 lines of 128 bytes are asked for, of %2.").arg(mostLines).arg(end - begin);
    p.columns = int(lineBytes / sectorBytes);
    for (int line = 0; line < lines; ++line)
        for (int sector = 0; sector < p.columns; ++sector) {
            PredictedItem item;
            item.label = item.name = QString::number(line * p.columns + sector);
            if (sector == 0)
                item.group = QStringLiteral("0x%1").arg((begin + std::uint64_t(line)) * lineBytes, 0, 16);
            p.items.append(item);
        }
    for (const SectorUse& sector : sectors)
        if (const std::uint64_t n = (sector.address - begin * lineBytes) / sectorBytes;
            n < std::uint64_t(p.items.size()))
            p.truth.insert(int(n));
    w.counted = MemoryText::tr("%1 of %2 sectors right");
    w.all = MemoryText::tr("All %1 sectors right");
    w.missed = MemoryText::tr("%1: moved");
    w.wrong = MemoryText::tr("%1: not moved");
    w.yes = MemoryText::tr("is moved");
    w.no = MemoryText::tr("is not moved");
    w.name = MemoryText::tr("sector %1");
    w.names = MemoryText::tr("sectors %1");
    w.truth = agreeing(MemoryText::tr("%1 {sector is|sectors are} moved for %2 {byte|bytes} that the lanes ask for: %3 "
                                      "of what is moved is used."),
                       sectors.size(), access.global.bytesDistinct, percentText(access.global.efficiency(), 1));
}

void askBanks(const ShownAccess& access, std::uint64_t first, Prediction& p) {
    PredictionWords& w = p.words;
    std::map<int, int> wordsOf; // bank: words that collide in it
    for (const BankWord& word : access.shared.words)
        if (!(word.lanes & access.shared.conflicting).empty())
            ++wordsOf[word.bank];
    w.question = MemoryText::tr("In which banks do lanes collide, asking for different words?");
    w.given << MemoryText::tr("Lane %1 begins at word %2, in bank %3.")
                   .arg(access.what.active.lowest())
                   .arg(first / wordBytes)
                   .arg(first / wordBytes % bankCount);
    p.columns = int(bankCount);
    for (int bank = 0; bank < int(bankCount); ++bank) {
        PredictedItem item;
        item.label = item.name = QString::number(bank);
        p.items.append(item);
    }
    int most = 0;
    for (const auto& [bank, words] : wordsOf) {
        p.truth.insert(bank);
        most = std::max(most, words);
    }
    w.counted = MemoryText::tr("%1 of %2 banks right");
    w.all = MemoryText::tr("All %1 banks right");
    w.missed = MemoryText::tr("%1: lanes collide");
    w.wrong = MemoryText::tr("%1: nobody collides");
    w.yes = MemoryText::tr("lanes collide");
    w.no = MemoryText::tr("nobody collides");
    w.name = MemoryText::tr("bank %1");
    w.names = MemoryText::tr("banks %1");
    w.truth = most == 0 ? MemoryText::tr("No two lanes ask one bank for different words: no conflict, passes: %1.")
                              .arg(access.shared.passes)
                        : MemoryText::tr("%1 words lie in the worst bank, and it serves one a pass: passes: %2.")
                              .arg(most)
                              .arg(access.shared.passes);
}

} // namespace

std::optional<Prediction> memoryPrediction(const Trace& trace, const Selection& selection, SpaceFilter filter) {
    const std::optional<ShownAccess> shown = shownAccess(trace, selection, filter);
    if (!shown)
        return std::nullopt;
    const Warp& warp = trace.warps[shown->warp];
    const Block& block = trace.blockOf(warp);
    const Kernel& kernel = trace.kernelOf(trace.launchOf(block));
    const auto isOnLine = [&](const Site& site) {
        return selection.ptxLine      ? site.ptxLine == selection.ptxLine
               : selection.sourceLine ? sourceLineOf(kernel, site) == selection.sourceLine
                                      : true;
    };
    // The model chose one of the line, if the warp has any.
    const bool lineAlone = isOnLine(trace.sites[shown->what.site]);
    std::map<std::uint32_t, Shape> last; // of each instruction
    for (const AccessRow* row : accessesOf(trace, warp, filter)) {
        if (lineAlone && !isOnLine(trace.sites[trace.events.site(row->event)]))
            continue;
        const ShownAccess access = analysed(trace, shown->warp, *row);
        Shape shape = shapeOf(access);
        Shape& before = last[access.ptxLine];
        const bool known = before == shape;
        before = std::move(shape);
        const bool nothing = access.isShared ? access.shared.words.empty() : access.global.sectors.empty();
        if (access.what.time <= selection.time || known || nothing)
            continue;
        const std::uint64_t first = trace.addresses(*row).front();
        Prediction p;
        p.asked = Asked::Items;
        p.moment = access.what.time;
        p.ptxLine = access.ptxLine;
        p.words.code = codeLine(kernel, access.sourceLine, access.ptxLine);
        p.words.given << MemoryText::tr("%1; bytes a lane: %2, lanes: %3; warp %4 of block %5, block of %6.")
                             .arg(accessText(row->space, row->kind))
                             .arg(access.bytesPerLane)
                             .arg(access.what.active.count())
                             .arg(warp.warpInBlock)
                             .arg(blockIndexText(trace, block),
                                  QString::fromStdString(trace.launchOf(block).block.text()));
        if (access.isShared)
            askBanks(access, first, p);
        else
            askSectors(access, first, p);
        return p;
    }
    return std::nullopt;
}

} // namespace warpglass
