// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/tile_model.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/memory/memory_model.h"
#include "views/memory/memory_text.h"

#include <algorithm>
#include <bit>

namespace warpglass {

namespace {

struct TileOption {
    Setting<QString> setting;
    QStringList choices;
};
const TileOption rowsOption{{"rows", QStringLiteral("32")}, {"8", "16", "32", "64", "128"}};
const TileOption columnsOption{{"columns", QStringLiteral("32")}, {"8", "16", "32", "64", "128", "256"}};
const TileOption typeOption{{"type", QStringLiteral("f32")}, {"u8", "f16", "f32", "f64", "b128"}};
const TileOption writeOption{{"write", QStringLiteral("row")}, {"row", "row:2", "row:4", "row:8", "column"}};
const TileOption readOption{{"read", QStringLiteral("column")},
                            {"row", "row:2", "row:4", "row:8", "column", "column:2", "column:4", "column:8"}};

QString wayText(const QString& way) {
    const QStringList parts = way.split(':');
    const QString walk =
        parts[0] == QLatin1String("column") ? MemoryText::tr("down columns") : MemoryText::tr("along rows");
    return parts.size() > 1 ? MemoryText::tr("%1, %2 a lane").arg(walk, parts[1]) : walk;
}

Switch switchOf(const TileOption& option, const QString& label, const Options& options, bool isWay) {
    Switch s{QLatin1String(option.setting.key), label, {}, option.setting.standard};
    QStringList choices = option.choices;
    if (const QString now = option.setting.of(options); !choices.contains(now))
        choices << now;
    for (const QString& choice : choices)
        s.choices.append({choice, isWay ? wayText(choice) : choice});
    return s;
}

Tile::Side sideOf(const QString& way) {
    const QStringList parts = way.split(':');
    return {parts[0] == QLatin1String("column") ? TileWalk::Column : TileWalk::Row,
            parts.size() > 1 ? std::max(1u, parts[1].toUInt()) : 1};
}

QString linesText(const Trace& trace, std::uint32_t block, std::uint32_t ptxLine) {
    const Kernel& kernel = trace.kernelOf(trace.launchOf(trace.blocks[block]));
    const std::uint32_t source = sourceLineOf(kernel, ptxLine);
    return source != 0 ? MemoryText::tr("line %1").arg(source) : MemoryText::tr("PTX line %1").arg(ptxLine);
}

} // namespace

Choice<MemoryPage> memoryPage() {
    return {"show",
            MemoryText::tr("show"),
            {{MemoryPage::Access, "access", MemoryText::tr("one access")},
             {MemoryPage::Tile, "tile", MemoryText::tr("its tile, laid out better")}}};
}
Choice<TileSource> tileSource() {
    return {"tile",
            MemoryText::tr("tile"),
            {{TileSource::Recorded, "recorded", MemoryText::tr("as recorded")},
             {TileSource::Chosen, "chosen", MemoryText::tr("a pattern of yours")}}};
}

QVector<Switch> tileSwitches(const Options& options) {
    return {switchOf(rowsOption, MemoryText::tr("rows"), options, false),
            switchOf(columnsOption, MemoryText::tr("columns"), options, false),
            switchOf(typeOption, MemoryText::tr("type"), options, false),
            switchOf(writeOption, MemoryText::tr("written"), options, true),
            switchOf(readOption, MemoryText::tr("read"), options, true)};
}

Tile chosenTile(const Options& options) {
    Tile tile{.rows = std::clamp(rowsOption.setting.of(options).toUInt(), 1u, largestTileSide),
              .columns = std::clamp(columnsOption.setting.of(options).toUInt(), 1u, largestTileSide),
              .elementBytes = bytesOfType(typeOption.setting.of(options).toStdString()),
              .writer = sideOf(writeOption.setting.of(options)),
              .reader = sideOf(readOption.setting.of(options))};
    if (tile.elementBytes == 0)
        tile.elementBytes = 4;
    while (faultOf(tile) == TileFault::Shape && tile.rows > 1)
        tile.rows /= 2;
    if (faultOf(tile) == TileFault::Writer)
        tile.writer.elements = 1;
    if (faultOf(tile) == TileFault::Reader)
        tile.reader.elements = 1;
    return tile;
}

namespace {

// The line whose shared memory is looked at: that of the selection's shared access; 0: none was recorded.
struct TilePlace {
    std::uint32_t block = noIndex, line = 0;
};
TilePlace tilePlace(const PaintContext& context) {
    if (!context.trace || tileSource().of(context.options) == TileSource::Chosen)
        return {};
    const Trace& trace = *context.trace;
    const auto shown = shownAccess(trace, context.selection, SpaceFilter::Shared);
    return shown ? TilePlace{trace.warps[shown->warp].block, shown->ptxLine} : TilePlace{};
}

QString askedOf(const TilePlace& place, const Options& options) {
    if (place.line != 0)
        return QStringLiteral("%1:%2").arg(place.block).arg(place.line);
    QStringList words;
    for (const TileOption* option : {&rowsOption, &columnsOption, &typeOption, &writeOption, &readOption})
        words << option->setting.of(options);
    return words.join(' ');
}

} // namespace

ShownTilePtr shownTile(const PaintContext& context) {
    auto tile = std::make_shared<ShownTile>();
    const TilePlace place = tilePlace(context);
    if (place.line != 0)
        tile->recorded = recordedTile(*context.trace, place.block, place.line);
    tile->trace = context.trace;
    tile->asked = askedOf(place, context.options);
    tile->block = place.block;
    tile->chosen = chosenTile(context.options);
    tile->use = tile->recorded ? tile->recorded->use : useOf(tile->chosen);
    LayoutRanking ranking = rankLayouts(tile->use);
    tile->layouts = std::move(ranking.best);
    tile->layouts.insert(tile->layouts.begin(), ranking.plain);
    tile->leastWrites = ranking.leastWrites;
    tile->leastReads = ranking.leastReads;
    return tile;
}

bool shows(const ShownTile& tile, const PaintContext& context) {
    return tile.trace == context.trace && tile.asked == askedOf(tilePlace(context), context.options);
}

std::size_t ShownTile::layoutShown(const Options& options) const {
    const int chosenNow = tileLayoutOption.of(options);
    if (chosenNow >= 0 && std::size_t(chosenNow) < layouts.size())
        return std::size_t(chosenNow);
    return layouts.size() > 1 && layouts[1].passes() < layouts[0].passes() ? 1 : 0;
}

QString layoutName(const ShownTile& tile, const RankedLayout& ranked) {
    const TileLayout& layout = ranked.layout;
    switch (layout.order) {
    case TileOrder::Plain:
        return MemoryText::tr("as it is");
    case TileOrder::Padded:
        return agreeing(MemoryText::tr("rows %1 {byte|bytes} longer"), layout.padding);
    case TileOrder::Swizzled:
        return QString::fromStdString(nameOf(layout, tile.use.elementBytes));
    case TileOrder::Boxes:
        return layout.bits ? MemoryText::tr("TMA, %1-byte swizzle").arg(16u << layout.bits)
                           : MemoryText::tr("TMA, no swizzle");
    }
    return {};
}

QString tileHeadline(const ShownTile& tile, const Trace* trace) {
    if (!tile.recorded || !trace)
        return MemoryText::tr("%1 x %2 elements of %3 bytes, a pattern of yours")
            .arg(tile.chosen.rows)
            .arg(tile.chosen.columns)
            .arg(tile.chosen.elementBytes);
    const RecordedTile& recorded = *tile.recorded;
    QStringList who;
    if (recorded.writeLine != 0)
        who << MemoryText::tr("written at %1").arg(linesText(*trace, tile.block, recorded.writeLine));
    if (recorded.readLine != 0)
        who << MemoryText::tr("read at %1").arg(linesText(*trace, tile.block, recorded.readLine));
    return agreeing(
        MemoryText::tr("%1 bytes from byte %2 on, %3: %4 {request|requests} of block %5, as they were made"),
        tile.use.bytes, recorded.base, who.join(MemoryText::tr(", ")), recorded.requests,
        blockIndexText(*trace, trace->blocks[tile.block]));
}

QStringList tileSentences(const ShownTile& tile, const RankedLayout& ranked, const Trace*) {
    QStringList lines;
    const TileLayout& layout = ranked.layout;
    switch (layout.order) {
    case TileOrder::Plain:
        lines << (ranked.passes() <= tile.leastReads + tile.leastWrites
                      ? MemoryText::tr("No two lanes need different words of one bank: no layout does better.")
                      : MemoryText::tr("Row behind row: words of one column lie in one bank, or in few."));
        break;
    case TileOrder::Padded:
        lines << MemoryText::tr("Each row of %1 bytes is followed by %2 bytes that nobody uses, so that the next row "
                                "begins in another bank.")
                     .arg(layout.rowBytes)
                     .arg(layout.padding);
        break;
    case TileOrder::Swizzled:
        lines << MemoryText::tr("A byte at p lies at p ^ (p >> %1 & 0x%2): bits of the row change which bank it is in, "
                                "and nothing is lost.")
                     .arg(layout.shift)
                     .arg(((std::uint64_t(1) << layout.bits) - 1) << layout.base, 0, 16);
        break;
    case TileOrder::Boxes:
        lines << (layout.bits
                      ? MemoryText::tr(
                            "A tensor map lays boxes of %1 bytes a row one behind the other; 16 bytes change "
                            "places within %2 by the number of the 128 bytes that they lie in.")
                            .arg(layout.span)
                            .arg(16u << layout.bits)
                      : MemoryText::tr("A tensor map without swizzle lays the rows of its box one behind the other."));
        break;
    }
    const std::uint32_t wide =
        std::max(tile.recorded ? tile.recorded->writerBytes : tile.chosen.writer.elements * tile.chosen.elementBytes,
                 tile.recorded ? tile.recorded->readerBytes : tile.chosen.reader.elements * tile.chosen.elementBytes);
    if (wide >= 8)
        lines << MemoryText::tr(
                     "Lanes that take %1 bytes at once are served in %2 parts: a profiler counts parts beyond "
                     "the first as conflicts, though no layout avoids them.")
                     .arg(wide)
                     .arg(wide / 4);
    if (tile.recorded && tile.recorded->copies > 0)
        lines << agreeing(MemoryText::tr("%1 asynchronous {copy brings|copies bring} bytes into it through the same "
                                         "pipe: a profiler's conflicts may be turns of theirs."),
                          tile.recorded->copies);
    if (tile.recorded && tile.recorded->left > 0)
        lines << MemoryText::tr("%1 more requests are left out, evenly.").arg(numberText(tile.recorded->left));
    return lines;
}

QString tileCsv(const ShownTile& tile) {
    QString csv = QStringLiteral("layout,write_passes,read_passes,bytes_lost,origin\n");
    for (const RankedLayout& r : tile.layouts)
        csv += QStringLiteral("%1,%2,%3,%4,%5\n")
                   .arg(csvField(QString::fromStdString(nameOf(r.layout, tile.use.elementBytes))),
                        QString::number(r.writePasses), QString::number(r.readPasses), QString::number(r.lost),
                        QLatin1String(name(Origin::Counted)));
    return csv;
}

} // namespace warpglass
