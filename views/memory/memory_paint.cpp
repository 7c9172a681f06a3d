// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_paint.h"

#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/memory/memory_pinned.h"
#include "views/memory/memory_table.h"
#include "views/memory/memory_text.h"

#include <QPainterPath>

#include <cmath>

namespace warpglass {

namespace {

QString heading(const Trace& trace, const ShownAccess& shown) {
    const Warp& warp = trace.warps[shown.warp];
    const Block& block = trace.blockOf(warp);
    return (shown.sourceLine != 0
                ? MemoryText::tr("line %1: %2, %3 bytes a lane · warp %4 of block %5 · access %6 of %7")
                : MemoryText::tr("PTX line %1: %2, %3 bytes a lane · warp %4 of block %5 · access %6 of %7"))
        .arg(shown.sourceLine != 0 ? shown.sourceLine : shown.ptxLine)
        .arg(accessText(shown.row->space, shown.row->kind))
        .arg(shown.bytesPerLane)
        .arg(warp.warpInBlock)
        .arg(blockIndexText(trace, block))
        .arg(shown.ordinal)
        .arg(shown.total);
}

void paintLanes(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, LaneMask live,
                const Theme& theme) {
    paintText(painter,
              QRectF(layout.map.left(), layout.lanes.top(), layout.lanes.left() - layout.map.left() - 6,
                     layout.lanes.height()),
              MemoryText::tr("lanes"), theme.body(), theme.textMuted);
    const bool crowded = layout.laneWidth <= textWidth(theme.small(), "00") + 4; // numbers lie over several lanes
    const double gap = crowded ? 0.3 : 1;                                        // which must not strike them out
    int every = 4;                                                               // lanes from number to number
    while (every < lanesPerWarp && layout.laneWidth * every <= textWidth(theme.small(), "00") + 2)
        every *= 2;
    const auto cellOf = [&](int lane) { return layout.laneCell(lane).adjusted(gap, 0, -gap, 0); };
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        paintLane(painter, cellOf(lane),
                  shown.what.active.has(lane) ? LaneMark::On
                  : live.has(lane)            ? LaneMark::Off
                                              : LaneMark::Absent,
                  theme);
    for (int lane = 0; lane < lanesPerWarp; ++lane) { // over all cells: none lies over a number
        const QRectF cell = cellOf(lane);
        if (!shown.what.active.has(lane)) // a number would be struck out by the hatch of an idle lane
            continue;
        const QString number = QString::number(lane);
        const double over = (textWidth(theme.small(), number) + 2 - cell.width()) / 2;
        if (crowded && lane % every != 0)
            continue;
        const auto there = [&](int beside) { return beside < 0 || shown.what.active.has(beside); };
        if (over <= 0 || (there(lane - 1) && lane + 1 < lanesPerWarp && there(lane + 1))) // over its neighbours, too
            paintText(painter, cell.adjusted(-std::max(0.0, over), 0, std::max(0.0, over), 0), number, theme.small(),
                      theme.textOnAccent, Qt::AlignCenter);
    }
}

// Which lane is first to touch each 4-byte word of a sector; -1 for none.
void paintSector(QPainter& painter, const MemoryLayout& layout, const MemoryLayout::LineRow& row,
                 const SectorUse& sector, const ShownAccess& shown, const Trace& trace, const Theme& theme) {
    const QRectF cell = layout.sectorCell(row, int(sector.address / 32 % 4)).adjusted(1.5, 0, -1.5, 0);
    painter.fillRect(cell, theme.originModelledSoft);
    const double byteWidth = cell.width() / 32;
    for (int byte = 0; byte < 32;) { // runs of bytes that are asked for, and of those that only came along
        const bool used = (sector.bytes >> byte) & 1u;
        int end = byte + 1;
        while (end < 32 && (((sector.bytes >> end) & 1u) != 0) == used)
            ++end;
        const QRectF run(cell.left() + byte * byteWidth, cell.top(), (end - byte) * byteWidth, cell.height());
        if (used)
            painter.fillRect(run, theme.laneOn);
        else
            paintHatch(painter, run, Hatch::Diagonal, theme.originModelled);
        byte = end;
    }
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell);
    // Lane numbers where an element has room for one.
    QVector<std::uint64_t> named;
    const auto addresses = trace.addresses(*shown.row);
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!shown.what.active.has(lane))
            continue;
        const std::uint64_t address = addresses[k++];
        if (address / 32 * 32 != sector.address || named.contains(address)) // the first of those at one word
            continue;
        named.append(address);
        const QRectF word(cell.left() + double(address % 32) * byteWidth, cell.top(), shown.bytesPerLane * byteWidth,
                          cell.height());
        painter.setPen(QPen(theme.panel, 1));
        painter.drawLine(word.topLeft(), word.bottomLeft());
        const bool many = sector.lanes.count() > 8 && (sector.bytes & (sector.bytes - 1)) != 0 &&
                          shown.global.bytesDistinct < shown.global.bytesRequested;
        if (!many && word.height() >= lineHeight(theme.small()) * 0.8 &&
            word.width() > textWidth(theme.small(), QString::number(lane)) + 1)
            paintText(painter, word, QString::number(lane), theme.small(), theme.textOnAccent, Qt::AlignCenter);
    }
}

void paintEdges(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                int chosenLane, const Theme& theme) {
    const auto addresses = trace.addresses(*shown.row);
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!shown.what.active.has(lane))
            continue;
        const std::uint64_t address = addresses[k++];
        const bool chosen = lane == chosenLane;
        for (const auto& row : layout.lineRows) {
            if (address / 128 * 128 != row.address || (&row != &layout.lineRows.front() && !chosen))
                continue;
            const QPointF from(layout.laneCell(lane).center().x(), layout.lanes.bottom());
            const QPointF to(row.cells.left() +
                                 (double(address - row.address) + shown.bytesPerLane / 2.0) * layout.byteWidth,
                             row.cells.top());
            QPainterPath path(from);
            path.cubicTo(from + QPointF(0, 18), to - QPointF(0, 18), to);
            painter.setPen(QPen(chosen ? theme.attention : theme.textMuted, chosen ? 2.0 : 0.8));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
        }
    }
}

void paintGlobal(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                 int chosenLane, const Theme& theme) {
    paintEdges(painter, layout, shown, trace, chosenLane, theme);
    double labelled =
        layout.map.top() - lineHeight(theme.small()); // rows that are lower than a label: not all have one
    for (const auto& row : layout.lineRows) {
        if (row.label.center().y() - labelled >= lineHeight(theme.small()) * 0.9) {
            paintText(painter, row.label, QString("0x%1").arg(row.address & 0xffffffffu, 6, 16, QLatin1Char('0')),
                      theme.small(), theme.textMuted);
            labelled = row.label.center().y();
        }
        for (int sector = 0; sector < 4; ++sector) {
            painter.setPen(QPen(theme.border, 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(layout.sectorCell(row, sector).adjusted(1.5, 0, -1.5, 0));
        }
        for (const SectorUse& sector : shown.global.sectors)
            if (sector.address / 128 * 128 == row.address)
                paintSector(painter, layout, row, sector, shown, trace, theme);
    }
}

QString lanesText(LaneMask lanes) {
    if (lanes == LaneMask::all())
        return MemoryText::tr("all");
    QString text = QString::number(lanes.lowest());
    return lanes.count() > 1 ? text + QChar(0x2026) : text;
}

void paintShared(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, int chosenLane,
                 const Theme& theme) {
    const QFont small = theme.small();
    const double step = layout.bankWidth > textWidth(small, "00") + 4 ? 1 : 4;
    for (int bank = 0; bank < 32; bank += int(step))
        paintText(painter,
                  QRectF(layout.lanes.left() + bank * layout.bankWidth, layout.lanes.bottom() + lineHeight(small) * 0.8,
                         layout.bankWidth * step, lineHeight(small)),
                  QString::number(bank), small, theme.textMuted, step > 1 ? Qt::AlignLeft : Qt::AlignHCenter);
    paintText(painter,
              QRectF(layout.map.left(), layout.lanes.bottom() + lineHeight(small) * 0.8,
                     layout.lanes.left() - layout.map.left() - 6, lineHeight(small)),
              MemoryText::tr("banks"), small, theme.textMuted);
    double labelled = layout.lanes.bottom() + lineHeight(small) * 1.3; // as above; the first lies under "banks"
    for (std::size_t pass = 0; pass < layout.passRows.size(); ++pass) {
        const QRectF& row = layout.passRows[pass];
        if (row.center().y() - labelled >= lineHeight(small) * 0.9) {
            paintText(painter, QRectF(layout.map.left(), row.top(), row.left() - layout.map.left() - 6, row.height()),
                      MemoryText::tr("pass %1").arg(pass + 1), small, theme.textMuted);
            labelled = row.center().y();
        }
        for (int bank = 0; bank < 32; ++bank)
            painter.fillRect(layout.bankCell(int(pass), bank).adjusted(1, 0, -1, 0), theme.sunken);
    }
    for (const BankWord& word : shown.shared.words) {
        const QRectF cell = layout.bankCell(word.pass, word.bank).adjusted(1, 0, -1, 0);
        const bool conflict = !(word.lanes & shown.shared.conflicting).empty();
        paintCell(painter, cell, conflict ? theme.attention : theme.laneOn, conflict ? Hatch::Diagonal : Hatch::None,
                  theme.panel);
        if (word.lanes.has(chosenLane >= 0 ? chosenLane : 32 - 1) && chosenLane >= 0) {
            painter.setPen(QPen(theme.text, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(cell);
        }
        const QString text = lanesText(word.lanes);
        if (cell.height() >= lineHeight(small) * 0.8 && cell.width() > textWidth(small, text)) {
            const QRectF patch(cell.center().x() - textWidth(small, text) / 2 - 1,
                               cell.center().y() - lineHeight(small) / 2 + 1, textWidth(small, text) + 2,
                               lineHeight(small) - 2);
            painter.fillRect(patch & cell,
                             conflict ? theme.attention : theme.laneOn); // the hatch must not cross the number
            paintText(painter, cell, text, small, theme.textOnAccent, Qt::AlignCenter);
        }
    }
}

QString banksSentence(const ShownAccess& shown) {
    const int lanes = shown.what.active.count(), passes = shown.shared.passes;
    if (!shown.shared.conflicting.empty())
        return agreeing(MemoryText::tr("%1 {pass|passes} where %2 would do: up to %3 {lane needs|lanes need} different "
                                       "words of one bank and wait for "
                                       "each other."),
                        passes, shown.shared.idealPasses, passes / std::max(1, shown.shared.idealPasses));
    if (lanes == 1 && passes == 1)
        return MemoryText::tr("One lane is served in one pass.");
    if (passes == 1)
        return MemoryText::tr("%1 lanes are served in one pass: no two of them need different words of one bank.")
            .arg(lanes);
    return MemoryText::tr("%1 lanes are served in %2 passes: no two of them need different words of one bank.")
        .arg(lanes)
        .arg(passes);
}

QString sectorsSentence(const ShownAccess& shown) {
    const std::size_t sectors = shown.global.sectors.size();
    return agreeing(MemoryText::tr("Asked for %1 {byte|bytes} (%2 different {one|ones}), moved %3 {sector|sectors} of "
                                   "32 bytes = %4 bytes in %5 {line|lines}: %6 of what moves is used."),
                    shown.global.bytesRequested, shown.global.bytesDistinct, sectors, 32 * sectors, shown.global.lines,
                    percentText(shown.global.efficiency(), 2));
}

void paintSummary(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const ShownAccess* pinned,
                  const Theme& theme) {
    const double line = lineHeight(theme.body());
    QString text;
    double share = 0;
    if (shown.isShared) {
        share = shown.shared.passes > 0 ? double(shown.shared.idealPasses) / shown.shared.passes : 0;
        text = banksSentence(shown);
    } else {
        share = shown.global.efficiency() / 100;
        text = sectorsSentence(shown);
    }
    if (shown.lanesAtOneWord > 1)
        text += QLatin1Char(' ') +
                MemoryText::tr("Up to %1 lanes change the same word, one after the other.").arg(shown.lanesAtOneWord);
    if (pinned)
        text = (text + QLatin1Char(' ') + pinnedAccessSentence(shown, *pinned)).trimmed();
    const double words = 20 + line * 6 + chipWidth(originName(Origin::Counted), theme); // beside the bar
    const QRectF bar(layout.summary.left(), layout.summary.top(),
                     std::max(line, std::min(layout.summary.width() * 0.55, layout.summary.width() - words)),
                     line * 0.7);
    paintShareBar(painter, bar, share, share > 0.75 ? theme.good : share > 0.4 ? theme.laneOn : theme.attention, theme);
    paintText(painter, QRectF(bar.right() + 10, bar.top() - line * 0.25, line * 6, line * 1.2),
              percentText(share * 100, 1), theme.title(), theme.text);
    if (const QPointF at(bar.right() + 10 + line * 6, bar.top() - line * 0.2);
        at.x() + chipWidth(originName(Origin::Counted), theme) <= layout.summary.right() + 1)
        paintOriginChip(painter, at, Origin::Counted, theme);
    const QRectF below(layout.summary.left(), bar.bottom() + line * 0.5, layout.summary.width(),
                       layout.summary.bottom() - bar.bottom() - line * 0.5);
    if (below.height() >= line) // else the share stands alone
        paintShortParagraph(painter, below, text, theme.body(), theme.text);
}

void paintKey(QPainter& painter, const QRectF& where, bool shared, bool pinned, const Theme& theme) {
    struct Entry {
        QColor fill;
        Hatch hatch;
        QColor ink;
        QString text;
    };
    QVector<Entry> entries;
    if (shared)
        entries = {{theme.laneOn, Hatch::None, theme.panel, MemoryText::tr("served")},
                   {theme.attention, Hatch::Diagonal, theme.panel, MemoryText::tr("shares its bank: one pass each")}};
    else
        entries = {
            {theme.laneOn, Hatch::None, theme.panel, MemoryText::tr("asked for")},
            {theme.originModelledSoft, Hatch::Diagonal, theme.originModelled, MemoryText::tr("moved with it, unused")},
            {theme.window, Hatch::None, theme.border, MemoryText::tr("not moved")}};
    if (pinned)
        entries.append({QColor(), Hatch::None, theme.border, pinnedAccessKey()});
    const double size = lineHeight(theme.small()) * 0.8;
    const auto widthOf = [&](const Entry& entry) { return size * 1.4 + 6 + textWidth(theme.small(), entry.text) + 4; };
    double all = -size * 1.5;
    for (const Entry& entry : entries)
        all += widthOf(entry) + size * 1.5;
    const double row = all > where.width() ? lineHeight(theme.small()) * 1.25 : where.height();
    double x = where.left(), y = where.top() + row / 2;
    for (const Entry& entry : entries) {
        if (x > where.left() && x + widthOf(entry) > where.right()) {
            x = where.left();
            y += row;
        }
        if (y + size / 2 > where.bottom())
            return;
        const QRectF cell(x, y - size / 2, size * 1.4, size);
        if (entry.fill.isValid()) {
            paintCell(painter, cell, entry.fill, entry.hatch, entry.ink);
            painter.setPen(QPen(theme.border, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(cell);
        } else {
            paintPinnedFrame(painter, cell, theme);
        }
        const double words = std::min(widthOf(entry) - cell.width(), where.right() - cell.right()) - 6;
        paintText(painter, QRectF(cell.right() + 6, y - row / 2, words, row), entry.text, theme.small(),
                  theme.textMuted);
        x += widthOf(entry) + size * 1.5;
    }
}

// The lane, and the bytes or the bank that it asks for.
void paintFollowedLane(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                       int followed, const Theme& theme) {
    paintFollowed(painter, layout.laneCell(followed), theme);
    if (!shown.what.active.has(followed))
        return;
    if (shown.isShared) {
        for (const BankWord& word : shown.shared.words)
            if (word.lanes.has(followed))
                paintFollowFrame(painter, layout.bankCell(word.pass, word.bank), theme);
        return;
    }
    std::size_t k = 0; // addresses are those of the lanes that are on
    for (int lane = 0; lane < followed; ++lane)
        k += shown.what.active.has(lane);
    const std::uint64_t address = trace.addresses(*shown.row)[k];
    for (const auto& row : layout.lineRows)
        if (address / 128 * 128 == row.address)
            paintFollowFrame(painter,
                             QRectF(row.cells.left() + double(address - row.address) * layout.byteWidth,
                                    row.cells.top(), std::max(4.0, shown.bytesPerLane * layout.byteWidth),
                                    row.cells.height()),
                             theme);
}

} // namespace

void paintMemoryPicture(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                        int chosenLane, int followedLane, const Theme& theme, const ShownAccess* pinned) {
    if (!layout.title.isEmpty())
        paintHeading(painter, layout.title,
                     shown.isShared ? MemoryText::tr("Which banks serve this access")
                                    : MemoryText::tr("Which sectors this access moves"),
                     theme);
    // Where it has no room: without the warp and which access it is, then without the bytes.
    const QString whole = heading(trace, shown), what = whole.section(QStringLiteral(" · "), 0, 0);
    const QString brief = what.left(std::max(what.lastIndexOf(QLatin1String(", ")), what.lastIndexOf(QChar(0xff0c))));
    paintText(painter, layout.heading, firstThatFits({whole, what, brief}, theme.body(), layout.heading.width()),
              theme.body(), theme.text);
    paintLanes(painter, layout, shown, trace.warps[shown.warp].liveLanes, theme);
    if (shown.isShared)
        paintShared(painter, layout, shown, chosenLane, theme);
    else
        paintGlobal(painter, layout, shown, trace, chosenLane, theme);
    if (pinned)
        paintPinnedAccess(painter, layout, shown, *pinned, theme);
    if (followedLane >= 0)
        paintFollowedLane(painter, layout, shown, trace, followedLane, theme);
    paintSummary(painter, layout, shown, pinned, theme);
    if (!layout.legend.isEmpty())
        paintKey(painter, layout.legend, shown.isShared, pinned != nullptr, theme);
}

namespace {

// Lanes 0 to the last that has asked, those alone that access at all.
LaneMask askedSoFar(const ShownAccess& shown, double way) {
    return shown.what.active & LaneMask::firstLanes(int(std::ceil(way * lanesPerWarp - 1e-9)));
}

void paintStagedSectors(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                        LaneMask asked, const Theme& theme) {
    for (const auto& row : layout.lineRows) {
        paintText(painter, row.label, QString("0x%1").arg(row.address & 0xffffffffu, 6, 16, QLatin1Char('0')),
                  theme.small(), theme.textMuted);
        painter.setPen(QPen(theme.border, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        for (int sector = 0; sector < 4; ++sector)
            painter.drawRect(layout.sectorCell(row, sector).adjusted(1.5, 0, -1.5, 0));
        for (const SectorUse& sector : shown.global.sectors)
            if (sector.address / 128 * 128 == row.address && !(sector.lanes & asked).empty())
                paintSector(painter, layout, row, sector, shown, trace, theme);
    }
    const auto addresses = trace.addresses(*shown.row);
    std::size_t k = 0;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.textMuted, 0.8));
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!shown.what.active.has(lane))
            continue;
        const std::uint64_t address = addresses[k++];
        const MemoryLayout::LineRow& first = layout.lineRows.front();
        if (!asked.has(lane) || address / 128 * 128 != first.address) // lines further down would be crossed out
            continue;
        const QPointF from(layout.laneCell(lane).center().x(), layout.lanes.bottom());
        painter.drawLine(
            from, {first.cells.left() + (double(address - first.address) + shown.bytesPerLane / 2.0) * layout.byteWidth,
                   first.cells.top()});
    }
}

void paintStagedPasses(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, double way,
                       const Theme& theme) {
    const int served = int(std::ceil(way * double(layout.passRows.size()) - 1e-9));
    paintText(painter,
              QRectF(layout.map.left(), layout.map.top(), layout.lanes.left() - layout.map.left() - 6,
                     lineHeight(theme.small())),
              MemoryText::tr("banks"), theme.small(), theme.textMuted);
    for (int pass = 0; pass < served; ++pass) {
        const QRectF& row = layout.passRows[std::size_t(pass)];
        if (row.height() >= lineHeight(theme.small()) * 0.7)
            paintText(painter, QRectF(layout.map.left(), row.top(), row.left() - layout.map.left() - 6, row.height()),
                      MemoryText::tr("pass %1").arg(pass + 1), theme.small(), theme.textMuted);
        for (int bank = 0; bank < 32; ++bank)
            painter.fillRect(layout.bankCell(pass, bank).adjusted(1, 0, -1, 0), theme.sunken);
    }
    for (const BankWord& word : shown.shared.words) {
        if (word.pass >= served)
            continue;
        const bool conflict = !(word.lanes & shown.shared.conflicting).empty();
        paintCell(painter, layout.bankCell(word.pass, word.bank).adjusted(1, 0, -1, 0),
                  conflict ? theme.attention : theme.laneOn, conflict ? Hatch::Diagonal : Hatch::None, theme.panel);
    }
}

} // namespace

void paintMemoryStage(QPainter& painter, const MemoryLayout& layout, const ShownAccess& shown, const Trace& trace,
                      double way, const Theme& theme) {
    paintLanes(painter, layout, shown, trace.warps[shown.warp].liveLanes, theme);
    if (shown.isShared)
        paintStagedPasses(painter, layout, shown, way, theme);
    else
        paintStagedSectors(painter, layout, shown, trace, askedSoFar(shown, way), theme);
}

} // namespace warpglass
