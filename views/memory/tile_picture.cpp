// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/tile_picture.h"

#include "views/common/agreeing.h"
#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/memory/memory_text.h"

#include <algorithm>

namespace warpglass {

namespace {

constexpr int banks = 32;
constexpr std::uint64_t wordBytes = 4, lineBytes = banks * wordBytes;

QString passesText(const RankedLayout& r) {
    return MemoryText::tr("written in %1, read in %2 passes").arg(r.writePasses).arg(r.readPasses);
}

} // namespace

TilePicture::TilePicture(const PaintContext& of, const QRectF& on, ShownTilePtr shown)
    : Picture(of, on), tile(std::move(shown)), layout(tile->layoutShown(of.options)) {
    const Theme& theme = of.theme;
    const double unit = spaceUnit(theme), side = sideMargin(theme), small = lineHeight(theme.small()),
                 body = lineHeight(theme.body()), s = theme.fontScale;
    const QRectF inner = on.adjusted(side, 2 * unit, -side, -2 * unit);
    m_title = {inner.left(), inner.top(), inner.width(), lineHeight(theme.title())};
    m_sub = {inner.left(), m_title.bottom() + unit / 2, inner.width(), small};
    const double top = m_sub.bottom() + 2 * unit;
    const bool isBeside = inner.width() > 760 * s;
    const double wide = isBeside ? std::min(inner.width() * 0.36, 330 * s) : inner.width();
    m_tableRow = body + unit / 2;
    const double tableHigh = m_tableRow * double(tile->layouts.size() + 2) + small;
    const int wordLines = isBeside ? 3 : 2;
    m_words = {inner.left(), inner.bottom() - wordLines * body * 1.15, inner.width(), wordLines * body * 1.15};
    const double bottom = m_words.top() - unit;
    if (isBeside)
        m_table = {inner.right() - wide, top, wide, std::max(0.0, bottom - top)};
    else
        m_table = {inner.left(), std::max(top, bottom - std::min(tableHigh, (bottom - top) * 0.45)), wide, 0};
    if (!isBeside)
        m_table.setBottom(bottom);
    const QRectF room(inner.left(), top, isBeside ? inner.width() - wide - 4 * unit : inner.width(),
                      (isBeside ? bottom : m_table.top() - 2 * unit) - top);
    // As it is, and beside it the other one where both can be read.
    std::vector<std::size_t> which;
    if (layout != 0 && room.width() > 2 * 32 * 7 * s)
        which.push_back(0);
    which.push_back(layout);
    const double gap = 4 * unit, each = (room.width() - gap * double(which.size() - 1)) / double(which.size());
    for (std::size_t n = 0; n < which.size(); ++n) {
        Map map;
        map.layout = which[n];
        const double left = room.left() + double(n) * (each + gap);
        map.head = {left, room.top(), each, body + small};
        map.banks = {left, map.head.bottom() + unit, each, small};
        map.cell = each / banks;
        const double high = std::max(0.0, room.bottom() - map.banks.bottom() - small);
        const std::uint64_t size = tile->use.bytes + tile->layouts[map.layout].lost;
        const int all = int(std::min<std::uint64_t>((size + lineBytes - 1) / lineBytes, 4096));
        map.row =
            std::clamp(high / std::max(1, all), std::min(high, small * 0.45), std::min(map.cell * 1.6, small * 1.6));
        map.shown = std::clamp(int(high / std::max(1.0, map.row)), 0, all);
        map.hidden = all - map.shown;
        map.lines = {left, map.banks.bottom(), each, map.row * map.shown};
        fill(map);
        m_maps.push_back(std::move(map));
    }
}

// What lies in each word, and what the slowest request takes: of those that read, or, where none read, that write.
void TilePicture::fill(Map& map) const {
    const auto cells = std::size_t(map.shown) * banks;
    map.words.assign(cells, nothing);
    map.lanes.assign(cells, -1);
    map.conflicts.assign(cells, false);
    const TileLayout& how = tile->layouts[map.layout].layout;
    for (std::uint64_t byte = 0; byte < tile->use.bytes; byte += wordBytes)
        if (const std::uint64_t word = how.place(byte, tile->use.rows) / wordBytes; word < cells)
            map.words[word] = byte;
    const auto& requests = tile->use.reads.empty() ? tile->use.writes : tile->use.reads;
    // The same request in all layouts: the one that is slowest as the tile is.
    const std::uint32_t worst = worstOf(requests, tile->layouts[0].layout, tile->use.rows);
    if (worst == noIndex)
        return;
    const PlacedRequest placed = warpglass::placed(requests[worst], how, tile->use.rows);
    std::size_t k = 0;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        if (!requests[worst].active.has(lane))
            continue;
        const std::uint64_t at = placed.places[k++];
        for (std::uint64_t word = at / wordBytes; word <= (at + requests[worst].bytesPerLane - 1) / wordBytes; ++word)
            if (word < cells && map.lanes[word] < 0) {
                map.lanes[word] = lane;
                map.conflicts[word] = placed.served.conflicting.has(lane);
            }
    }
}

void TilePicture::paintMap(QPainter& painter, const Map& map) const {
    const Theme& theme = context.theme;
    const QFont small = theme.small();
    const RankedLayout& ranked = tile->layouts[map.layout];
    const double line = lineHeight(theme.body());
    QFont bold = theme.body();
    bold.setBold(true);
    const QString name = layoutName(*tile, ranked);
    paintText(painter, {map.head.left(), map.head.top(), map.head.width(), line}, name,
              fittedFont(bold, name, map.head.width()), theme.text);
    paintText(painter, {map.head.left(), map.head.top() + line, map.head.width(), map.head.height() - line},
              passesText(ranked), small, theme.textMuted);
    const int step = map.cell > textWidth(small, "00") + 3 ? 1 : map.cell * 4 > textWidth(small, "00") + 3 ? 4 : 8;
    for (int bank = 0; bank < banks; bank += step)
        paintText(painter, {map.banks.left() + bank * map.cell, map.banks.top(), map.cell * step, map.banks.height()},
                  QString::number(bank), small, theme.textMuted, step > 1 ? Qt::AlignLeft : Qt::AlignHCenter);
    const double edge = map.cell > 5 && map.row > 5 ? 0.5 : 0;
    const bool numbers = map.row >= lineHeight(small) * 0.8 && map.cell > textWidth(small, "00") + 2;
    const std::uint32_t rowBytes = std::max(1u, tile->use.rowBytes);
    for (int n = 0; n < map.shown; ++n)
        for (int bank = 0; bank < banks; ++bank) {
            const auto at = std::size_t(n) * banks + std::size_t(bank);
            const QRectF cell = map.cellAt(n, bank).adjusted(edge, edge, -edge, -edge);
            if (map.words[at] == nothing) { // lost
                paintHatch(painter, cell, Hatch::Diagonal, theme.border);
                continue;
            }
            // Rows of the tile are told apart, so that it is seen where they go.
            painter.fillRect(cell, map.words[at] / rowBytes % 2 ? theme.border : theme.sunken);
            if (map.lanes[at] < 0)
                continue;
            const QColor colour = map.conflicts[at] ? theme.attention : theme.laneOn;
            paintCell(painter, cell, colour, Hatch::None, theme.panel, 1);
            if (numbers)
                paintText(painter, cell, QString::number(map.lanes[at]), small, inkOn(colour), Qt::AlignCenter);
        }
    if (map.hidden > 0)
        paintText(painter, {map.lines.left(), map.lines.bottom(), map.lines.width(), lineHeight(small)},
                  agreeing(MemoryText::tr("%1 more {line|lines} of 128 bytes below"), map.hidden), small,
                  theme.textMuted);
}

void TilePicture::paintTable(QPainter& painter) const {
    const Theme& theme = context.theme;
    const QFont small = theme.small(), body = theme.body();
    const double number = std::max(textWidth(small, MemoryText::tr("bytes lost")) + 8, m_table.width() * 0.17);
    const double names = m_table.width() - 3 * number;
    const auto row = [&](double y, const QStringList& texts, const QFont& font, const QColor& ink) {
        paintText(painter, {m_table.left() + 4, y, names - 8, m_tableRow}, texts[0],
                  fittedFont(font, texts[0], names - 8), ink);
        for (int n = 1; n < texts.size(); ++n)
            paintText(painter, {m_table.left() + names + (n - 1) * number, y, number - 6, m_tableRow}, texts[n],
                      fittedFont(font, texts[n], number - 6), ink, Qt::AlignRight | Qt::AlignVCenter);
    };
    double y = m_table.top();
    row(y,
        {MemoryText::tr("passes, by layout"), MemoryText::tr("write"), MemoryText::tr("read"),
         MemoryText::tr("bytes lost")},
        small, theme.textMuted);
    y += m_tableRow;
    for (std::size_t n = 0; n < tile->layouts.size() && y + m_tableRow <= m_table.bottom() + 1; ++n) {
        const RankedLayout& r = tile->layouts[n];
        if (n == layout)
            painter.fillRect(QRectF(m_table.left(), y, m_table.width(), m_tableRow), theme.accentSoft);
        row(y, {layoutName(*tile, r), numberText(r.writePasses), numberText(r.readPasses), numberText(r.lost)}, body,
            theme.text);
        y += m_tableRow;
    }
    if (y + m_tableRow <= m_table.bottom() + 1) {
        painter.fillRect(QRectF(m_table.left(), y, m_table.width(), 1), theme.border);
        row(y,
            {MemoryText::tr("without any conflict"), numberText(tile->leastWrites), numberText(tile->leastReads), {}},
            body, theme.textMuted);
    }
}

void TilePicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const double chip = chipWidth(originName(Origin::Counted), theme) + 10;
    const double used =
        paintHeading(painter, m_title.adjusted(0, 0, -chip, 0),
                     MemoryText::tr("How the tile lies in the banks, and how it would lie better"), theme);
    paintOriginChip(painter, {m_title.left() + used + 10, m_title.center().y() - chipHeight(theme) / 2},
                    Origin::Counted, theme);
    const QString sub = tileHeadline(*tile, context.trace.get());
    paintText(painter, m_sub, sub, fittedFont(theme.small(), sub, m_sub.width()), theme.textMuted);
    for (const Map& map : m_maps)
        paintMap(painter, map);
    paintTable(painter);
    paintShortParagraph(painter, m_words,
                        (QStringList{MemoryText::tr("Marked is what the lanes of the slowest request take.")} +
                         tileSentences(*tile, tile->layouts[layout], context.trace.get()))
                            .join(' '),
                        theme.body(), theme.text);
}

std::optional<Change> TilePicture::showing(std::size_t other) const {
    Change change = unchanged();
    tileLayoutOption.set(change.options, int(other));
    return change.options == context.options ? std::nullopt : std::optional(change);
}

Spot TilePicture::spotAt(QPointF at) const {
    Spot spot;
    if (m_table.contains(at)) {
        const auto row = std::size_t(std::max(0.0, (at.y() - m_table.top()) / m_tableRow));
        if (row >= 1 && row <= tile->layouts.size()) {
            spot.where = {m_table.left(), m_table.top() + double(row) * m_tableRow, m_table.width(), m_tableRow};
            spot.toolTip = tileSentences(*tile, tile->layouts[row - 1], context.trace.get()).join('\n');
            spot.click = showing(row - 1);
        }
        return spot;
    }
    for (const Map& map : m_maps) {
        if (!map.lines.contains(at))
            continue;
        const int line = std::min(int((at.y() - map.lines.top()) / map.row), map.shown - 1),
                  bank = std::min(int((at.x() - map.lines.left()) / map.cell), banks - 1);
        const auto cell = std::size_t(line) * banks + std::size_t(bank);
        spot.where = map.cellAt(line, bank);
        if (map.words[cell] == nothing) {
            spot.toolTip = MemoryText::tr("bank %1: four bytes that nobody uses").arg(bank);
            return spot;
        }
        spot.toolTip = MemoryText::tr("bank %1: row %2 of the tile, byte %3")
                           .arg(bank)
                           .arg(map.words[cell] / tile->use.rowBytes)
                           .arg(map.words[cell] % tile->use.rowBytes);
        if (map.lanes[cell] >= 0)
            spot.toolTip += "\n" + (map.conflicts[cell]
                                        ? MemoryText::tr("lane %1 takes it, in turn with others").arg(map.lanes[cell])
                                        : MemoryText::tr("lane %1 takes it").arg(map.lanes[cell]));
        return spot;
    }
    return spot;
}

std::optional<Change> TilePicture::answer(const Input& input) const {
    const auto* key = std::get_if<KeyInput>(&input);
    if (!key || (key->key != Qt::Key_Up && key->key != Qt::Key_Down))
        return std::nullopt;
    const int next = int(layout) + (key->key == Qt::Key_Down ? 1 : -1);
    return showing(std::size_t(std::clamp(next, 0, int(tile->layouts.size()) - 1)));
}

} // namespace warpglass
