// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/tiles_picture.h"

#include "views/common/marks.h"
#include "views/lanes/lane_keys.h"
#include "views/lanes/lanes_text.h"

#include <QPainter>

#include <algorithm>

namespace warpglass {

namespace {

constexpr Setting<int> shownTensor{"tensor", -1};
constexpr qreal tileCellWidth = 46, tileCellHeight = 22, tileLeastWidth = 30, tileSideWidth = 270,
                tileGap = 22; // px at scale 1
constexpr int tileBanks = 32, tileBankBytes = 4;

QColor blended(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() * share + b.redF() * (1 - share)),
                            float(a.greenF() * share + b.greenF() * (1 - share)),
                            float(a.blueF() * share + b.blueF() * (1 - share)));
}

} // namespace

TilesPicture::TilesPicture(const PaintContext& c, const QRectF& on, Tiles tiles)
    : Picture(c, on), m_tiles(std::move(tiles)),
      m_shown(std::min(shownTensor.of(c.options), int(m_tiles.tiles.size()) - 1)) {
    // Nobody chose: the largest that lanes hold.
    const auto weight = [](const LaidTile& t) { return t.known && !t.shared ? t.rows * t.columns : 0; };
    if (m_shown < 0)
        m_shown = int(std::max_element(m_tiles.tiles.begin(), m_tiles.tiles.end(),
                                       [&](const LaidTile& a, const LaidTile& b) { return weight(a) < weight(b); }) -
                      m_tiles.tiles.begin());
    layOut();
}

void TilesPicture::layOut() {
    const Theme& theme = context.theme;
    const qreal scale = theme.fontScale, small = lineHeight(theme.small());
    QRectF inside = area.adjusted(22 * scale, 14 * scale, -22 * scale, -12 * scale);
    m_title = {inside.left(), inside.top(), inside.width(), lineHeight(theme.title()) + 4 * scale};
    m_text = {inside.left(), m_title.bottom(), inside.width(), small + 4 * scale};
    inside.setTop(m_text.bottom() + 6 * scale);
    qreal x = inside.left(), y = inside.top();
    for (const LaidTile& t : m_tiles.tiles) {
        const qreal width = textWidth(theme.small(), t.operation + QStringLiteral("   ") + t.type) + 16 * scale;
        if (x > inside.left() && x + width > inside.right()) {
            x = inside.left();
            y += small + 10 * scale;
        }
        m_tensors << QRectF(x, y, std::min(width, inside.width()), small + 6 * scale);
        x += width + 8 * scale;
    }
    const qreal noteHeight = paintParagraph(nullptr, inside, note(), theme.small(), theme.text);
    m_note = {inside.left(), inside.bottom() - noteHeight, inside.width(), noteHeight};
    m_heading = {inside.left(), m_tensors.last().bottom() + 8 * scale, inside.width(), small + 2 * scale};
    inside.setTop(m_heading.bottom() + 6 * scale);
    inside.setBottom(m_note.top() - 10 * scale);
    if (inside.width() > 2.2 * tileSideWidth * scale) {
        m_side = {inside.right() - tileSideWidth * scale, inside.top(), tileSideWidth * scale, inside.height()};
        inside.setRight(m_side.left() - tileGap * scale);
    }
    const LaidTile& t = tile();
    if (!t.known || inside.height() < tileCellHeight)
        return;
    // All of it if numbers can be read in its cells, else the part around the chosen lane.
    m_across = std::clamp(int(inside.width() / (tileLeastWidth * scale)), 1, t.across());
    m_down = std::clamp(int(inside.height() / (tileCellHeight * scale)), 1, t.down());
    for (int n = 0; n < t.cells.size(); ++n)
        if (isOwn(t.cells[n])) {
            m_firstRow = std::clamp(n / t.across() - m_down / 2, 0, t.down() - m_down);
            m_firstColumn = std::clamp(n % t.across() - m_across / 2, 0, t.across() - m_across);
            break;
        }
    const qreal width = std::min(tileCellWidth * scale, inside.width() / m_across);
    m_cells = {inside.left(), inside.top(), width * m_across, tileCellHeight * scale * m_down};
    if (!m_side.isNull()) { // the whole of it above the list
        const qreal most = std::min(m_side.height() * 0.35, m_side.width());
        const qreal each = std::min(m_side.width() / t.columns, most / t.rows);
        m_whole = {m_side.left(), m_side.top(), std::max(each * t.columns, 8.0), std::max(each * t.rows, 8.0)};
        m_side.setTop(m_whole.bottom() + 14 * scale);
    }
}

QRectF TilesPicture::cellRect(int row, int column) const {
    const qreal w = m_cells.width() / m_across, h = m_cells.height() / m_down;
    return {m_cells.left() + column * w, m_cells.top() + row * h, w, h};
}

TilesPicture::Hit TilesPicture::hit(QPointF at) const {
    if (!tile().known || m_across == 0 || !m_cells.contains(at))
        return {};
    return {std::min(m_down - 1, int((at.y() - m_cells.top()) / m_cells.height() * m_down)) + m_firstRow,
            std::min(m_across - 1, int((at.x() - m_cells.left()) / m_cells.width() * m_across)) + m_firstColumn};
}

// Lanes in fours as matrices have them; what lies in shared memory by its banks, sixteen bytes of them alike.
QColor TilesPicture::ground(const TileCell& cell) const {
    const Theme& theme = context.theme;
    if (tile().shared)
        return blended(theme.category(int(cell.byte / 16 % 8)), theme.panel, 0.24);
    if (isOwn(cell))
        return theme.accent;
    return cell.lane < 0 ? theme.panel
                         : blended(theme.category(cell.lane % 4), theme.panel, cell.warp == m_tiles.warp ? 0.34 : 0.14);
}

void TilesPicture::paintCells(QPainter& painter) const {
    const Theme& theme = context.theme;
    const LaidTile& t = tile();
    QFont font = theme.small();
    const QRectF one = cellRect(0, 0);
    font.setPixelSize(std::max(1, std::min(font.pixelSize(), int(one.height()) - 3)));
    const bool named = one.width() >= textWidth(font, QStringLiteral("30 128")) + 10;
    for (int row = 0; row < m_down; ++row)
        for (int column = 0; column < m_across; ++column) {
            const TileCell& cell = t.cell(row + m_firstRow, column + m_firstColumn);
            const QRectF r = cellRect(row, column).adjusted(0.5, 0.5, -0.5, -0.5);
            painter.fillRect(r, ground(cell));
            if (t.shared) {
                paintText(painter, r, QString::number(cell.byte),
                          fittedFont(font, QString::number(cell.byte), r.width()), theme.text, Qt::AlignCenter);
                continue;
            }
            if (cell.lane < 0)
                continue;
            const bool own = isOwn(cell);
            const QColor ink = own ? theme.textOnAccent : cell.warp == m_tiles.warp ? theme.text : theme.textMuted;
            const QString number = QString::number(cell.lane);
            if (!named) {
                paintText(painter, r, number, font, ink, Qt::AlignCenter);
                continue;
            }
            paintText(painter, r.adjusted(4, 0, 0, 0), number, font, ink);
            paintText(painter, r.adjusted(0, 0, -4, 0), QString::number(cell.value), font,
                      own ? theme.textOnAccent : theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
        }
    if (t.shared)
        return;
    painter.setPen(QPen(theme.text, 1.5)); // between warps
    for (int row = 0; row < m_down; ++row)
        for (int column = 0; column < m_across; ++column) {
            const int warp = t.cell(row + m_firstRow, column + m_firstColumn).warp;
            const QRectF r = cellRect(row, column);
            if (column + 1 < m_across && t.cell(row + m_firstRow, column + m_firstColumn + 1).warp != warp)
                painter.drawLine(r.topRight(), r.bottomRight());
            if (row + 1 < m_down && t.cell(row + m_firstRow + 1, column + m_firstColumn).warp != warp)
                painter.drawLine(r.bottomLeft(), r.bottomRight());
        }
}

// Each warp in a colour; the part that is shown large in a frame.
void TilesPicture::paintWhole(QPainter& painter) const {
    if (m_whole.isNull())
        return;
    const Theme& theme = context.theme;
    const LaidTile& t = tile();
    const qreal w = m_whole.width() / t.across(), h = m_whole.height() / t.down();
    painter.fillRect(m_whole, theme.sunken);
    for (int row = 0; row < t.down(); ++row)
        for (int column = 0; column < t.across(); ++column) {
            const TileCell& cell = t.cell(row, column);
            const QColor colour = t.shared         ? ground(cell)
                                  : isOwn(cell)    ? theme.accent
                                  : cell.lane >= 0 ? blended(theme.category(cell.warp % 8), theme.panel, 0.45)
                                                   : theme.panel;
            painter.fillRect(
                QRectF(m_whole.left() + column * w, m_whole.top() + row * h, std::max(w, 1.0), std::max(h, 1.0)),
                colour);
        }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1.5));
    painter.drawRect(
        QRectF(m_whole.left() + m_firstColumn * w, m_whole.top() + m_firstRow * h, m_across * w, m_down * h));
}

QString TilesPicture::bytesOf(int elements) const {
    const std::uint32_t bits = tile().bits;
    return bits < 8 ? QString() : LanesText::tr("%1 B").arg(elements * int(bits) / 8);
}

// What the chosen lane holds, and what it reached in memory.
void TilesPicture::paintSide(QPainter& painter) const {
    if (m_side.isNull() || !tile().known)
        return;
    const Theme& theme = context.theme;
    const LaidTile& t = tile();
    const qreal height = lineHeight(theme.small()) + 3 * theme.fontScale;
    QRectF line = m_side;
    line.setHeight(lineHeight(theme.body()) + 4 * theme.fontScale);
    const QFont mono = theme.smallMono();
    if (t.shared) {
        paintParagraph(&painter, m_side, LanesText::tr("Byte within the tile; colours are the banks of 16 bytes."),
                       theme.small(), theme.textMuted);
        return;
    }
    paintText(painter, line, LanesText::tr("Warp %1, lane %2 holds").arg(m_tiles.warp).arg(m_tiles.lane), theme.body(),
              theme.text);
    line = {m_side.left(), line.bottom(), m_side.width(), height};
    const int each = t.cellRows * t.cellColumns;
    const qreal kept = m_tiles.accesses.isEmpty() ? 0 : height * (std::min<qsizetype>(m_tiles.accesses.size(), 4) + 2);
    for (int n = 0; n < t.cells.size(); ++n) {
        if (!isOwn(t.cells[n]))
            continue;
        if (line.bottom() + height > m_side.bottom() - kept) {
            paintText(painter, line, QStringLiteral("…"), theme.small(), theme.textMuted);
            line.translate(0, height);
            break;
        }
        const int value = t.cells[n].value;
        const QString values = each > 1 ? LanesText::tr("values %1 to %2").arg(value).arg(value + each - 1)
                                        : LanesText::tr("value %1").arg(value);
        paintText(painter, line, t.elements(n / t.across(), n % t.across()), mono, theme.text);
        paintText(painter, line, values + QStringLiteral("  ") + bytesOf(each), theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
        line.translate(0, height);
    }
    if (m_tiles.accesses.isEmpty())
        return;
    line.translate(0, height / 2);
    paintText(painter, line, LanesText::tr("In memory, the first time"), theme.body(), theme.text);
    line.translate(0, height);
    for (const TileAccess& a : m_tiles.accesses) {
        if (line.bottom() > m_side.bottom())
            return;
        paintText(painter, line, QStringLiteral("0x%1").arg(a.address, 0, 16), mono, theme.text);
        paintText(painter, line, (a.isStore ? LanesText::tr("stores %1 B") : LanesText::tr("loads %1 B")).arg(a.bytes),
                  theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
        line.translate(0, height);
    }
}

void TilesPicture::paintTensors(QPainter& painter) const {
    const Theme& theme = context.theme;
    for (int n = 0; n < m_tensors.size(); ++n) {
        const bool shown = n == m_shown;
        painter.setPen(QPen(shown ? theme.accent : theme.border, 1));
        painter.setBrush(shown ? theme.accentSoft : theme.panel);
        painter.drawRoundedRect(m_tensors[n], 4, 4);
        paintText(painter, m_tensors[n].adjusted(8, 0, -8, 0),
                  m_tiles.tiles[n].operation + QStringLiteral("   ") + m_tiles.tiles[n].type, theme.small(),
                  theme.text);
    }
}

QString TilesPicture::note() const {
    if (!tile().known)
        return LanesText::tr("How this tensor lies is not known here.");
    if (tile().shared)
        return LanesText::tr(
            "Each cell holds neighbours that lie together in shared memory: the number is their first byte.");
    QString text =
        LanesText::tr("Each cell is held by one lane: the lane's number, then its first value, as Triton counts a "
                      "lane's registers. Click a cell, or use the arrow keys, to choose a lane.");
    if (tile().holders > 1)
        text += u' ' +
                LanesText::tr(
                    "Each element is held %1 times; the chosen lane is told where it is one of them, else the first.")
                    .arg(tile().holders);
    if (tile().shape.size() > 2)
        text += u' ' + LanesText::tr("The last two dimensions are shown, at the beginning of the others.");
    return text;
}

void TilesPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const LaidTile& t = tile();
    paintHeading(painter, m_title, LanesText::tr("Which lane holds which element of the tile"), theme);
    QString line = m_tiles.place + QStringLiteral(": ") + m_tiles.text;
    if (!m_tiles.program.isEmpty())
        line += QStringLiteral("   ") + LanesText::tr("program (%1)").arg(m_tiles.program);
    paintText(painter, m_text, line, theme.small(), theme.textMuted);
    paintTensors(painter);
    QString heading = t.shared ? LanesText::tr("in shared memory") + QStringLiteral("   ") + t.layout : t.layout;
    if (t.valuesALane)
        heading = LanesText::tr("%1 values a lane").arg(t.valuesALane) + QStringLiteral("   ") + heading;
    paintText(painter, m_heading, heading, theme.small(), theme.textMuted);
    if (t.known && m_across > 0) {
        paintCells(painter);
        paintWhole(painter);
    }
    paintSide(painter);
    paintParagraph(&painter, m_note, note(), theme.small(), theme.textMuted);
}

void TilesPicture::paintOverlay(QPainter& painter, QPointF at) const {
    const Hit under = hit(at);
    if (under.row < 0)
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(context.theme.text, 1.5));
    painter.drawRect(cellRect(under.row - m_firstRow, under.column - m_firstColumn));
}

// The lane, and its warp where that is recorded.
std::optional<Change> TilesPicture::choosing(const TileCell& cell) const {
    Selection chosen = context.selection;
    chosen.lane = cell.lane;
    const Trace& trace = *context.trace;
    if (const std::uint32_t warp = warpToShow(chosen, trace); warp != noIndex && cell.warp != m_tiles.warp) {
        const Block& block = trace.blockOf(trace.warps[warp]);
        for (std::uint32_t n = 0; n < block.warpCount; ++n)
            if (int(trace.warps[block.firstWarp + n].warpInBlock) == cell.warp)
                chosen.warp = block.firstWarp + n;
    }
    return selecting(chosen);
}

Spot TilesPicture::spotAt(QPointF at) const {
    Spot spot;
    for (int n = 0; n < m_tensors.size(); ++n)
        if (m_tensors[n].contains(at)) {
            spot.where = m_tensors[n];
            spot.toolTip = m_tiles.tiles[n].layout;
            spot.cursor = Qt::PointingHandCursor;
            if (n != m_shown) {
                Change change = unchanged();
                shownTensor.set(change.options, n);
                spot.click = change;
            }
            return spot;
        }
    const Hit under = hit(at);
    if (under.row < 0)
        return spot;
    const LaidTile& t = tile();
    const TileCell& cell = t.cell(under.row, under.column);
    spot.where = cellRect(under.row - m_firstRow, under.column - m_firstColumn);
    const QString elements = t.elements(under.row, under.column);
    if (t.shared) {
        spot.toolTip =
            LanesText::tr("%1 lies at byte %2 of the tile, bank %3")
                .arg(elements, QString::number(cell.byte), QString::number(cell.byte / tileBankBytes % tileBanks));
        return spot;
    }
    if (cell.lane < 0)
        return spot;
    const int each = t.cellRows * t.cellColumns;
    const QString values =
        each > 1 ? QStringLiteral("%1..%2").arg(cell.value).arg(cell.value + each - 1) : QString::number(cell.value);
    spot.toolTip = LanesText::tr("%1: warp %2, lane %3, values %4")
                       .arg(elements, QString::number(cell.warp), QString::number(cell.lane), values);
    spot.click = choosing(cell);
    return spot;
}

std::optional<Change> TilesPicture::answer(const Input& input) const {
    const auto to = laneByKey(input, m_tiles.lane);
    if (!to)
        return std::nullopt;
    Change change = unchanged();
    change.selection.lane = *to;
    return change;
}

QString TilesPicture::csv() const {
    QString text = QStringLiteral("tensor,type,elements,warp,lane,value,byte\n");
    for (int n = 0; n < m_tiles.tiles.size(); ++n) {
        const LaidTile& t = m_tiles.tiles[n];
        for (int at = 0; at < t.cells.size(); ++at) {
            const TileCell& cell = t.cells[at];
            QStringList fields{QString::number(n), csvField(t.operation + u' ' + t.type),
                               csvField(t.elements(at / t.across(), at % t.across()))};
            for (const std::int64_t number :
                 {std::int64_t(cell.warp), std::int64_t(cell.lane), std::int64_t(cell.value), cell.byte})
                fields << (number < 0 ? QString() : QString::number(number));
            text += fields.join(u',') + u'\n';
        }
    }
    return text;
}

} // namespace warpglass
