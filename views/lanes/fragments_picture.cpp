// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/fragments_picture.h"

#include "views/common/marks.h"
#include "views/lanes/lane_keys.h"
#include "views/lanes/lanes_text.h"

#include <QPainter>

#include <algorithm>

namespace warpglass {

using ptx::MatrixRole;
using Kind = ptx::MatrixForm::Kind;

namespace {

constexpr qreal widestCell = 46, tallestCell = 24, gap = 22, laneWidth = 230; // px at scale 1

QColor mixed(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(float(a.redF() * share + b.redF() * (1 - share)),
                            float(a.greenF() * share + b.greenF() * (1 - share)),
                            float(a.blueF() * share + b.blueF() * (1 - share)));
}

QString rangeText(std::uint32_t first, std::uint32_t last) {
    return first == last ? QStringLiteral("[%1]").arg(first) : QStringLiteral("[%1..%2]").arg(first).arg(last);
}

// A name of one letter, for elements: rows of ldmatrix are a matrix M.
QString letterOf(const FragmentMatrix& m) {
    switch (m.role) {
    case MatrixRole::A:
        return QStringLiteral("A");
    case MatrixRole::B:
        return QStringLiteral("B");
    case MatrixRole::C:
        return QStringLiteral("C");
    case MatrixRole::D:
        break;
    }
    return QStringLiteral("D");
}

} // namespace

FragmentsPicture::FragmentsPicture(const PaintContext& c, const QRectF& on, Fragments fragments)
    : Picture(c, on), m_fragments(std::move(fragments)) {
    layOut();
}

void FragmentsPicture::layOut() {
    const Theme& theme = context.theme;
    const qreal scale = theme.fontScale, small = lineHeight(theme.small());
    QRectF inside = area.adjusted(22 * scale, 14 * scale, -22 * scale, -12 * scale);
    m_title = {inside.left(), inside.top(), inside.width(), lineHeight(theme.title()) + 4 * scale};
    m_text = {inside.left(), m_title.bottom(), inside.width(), small + 4 * scale};
    const qreal noteHeight = paintParagraph(nullptr, inside, note(), theme.small(), theme.text);
    m_note = {inside.left(), inside.bottom() - noteHeight, inside.width(), noteHeight};
    inside.setTop(m_text.bottom() + 10 * scale);
    inside.setBottom(m_note.top() - 10 * scale);
    if (inside.width() > 2.4 * laneWidth * scale) {
        m_lane = {inside.right() - laneWidth * scale, inside.top(), laneWidth * scale, inside.height()};
        inside.setRight(m_lane.left() - gap * scale);
    }
    const qreal space = gap * scale, heading = small + 2 * scale;
    const auto& all = m_fragments.matrices;
    const bool product = all.size() == 3;
    // A product: B above D, A to its left. One matrix alone: from the left.
    const FragmentMatrix& last = all.last();
    const int across = (product ? all[0].across() : 0) + last.across();
    const int down = (product ? all[1].down() : 0) + last.down();
    const qreal width = qMax(2.0, qMin(widestCell * scale, (inside.width() - (product ? space : 0)) / qMax(1, across)));
    const qreal height =
        qMax(2.0, qMin(tallestCell * scale,
                       (inside.height() - (product ? 2 : 1) * heading - (product ? space / 2 : 0)) / qMax(1, down)));
    const auto place = [&](const FragmentMatrix& m, qreal x, qreal y) {
        Place p;
        p.heading = {x, y, qMax(m.across() * width, 150 * scale), heading};
        p.cells = {x, y + heading, m.across() * width, m.down() * height};
        m_places << p;
    };
    if (!product) {
        place(last, inside.left(), inside.top());
        return;
    }
    const qreal x = inside.left() + all[0].across() * width + space;
    const qreal y = inside.top() + heading + all[1].down() * height + space / 2;
    place(all[0], inside.left(), y);
    place(all[1], x, inside.top());
    place(last, x, y);
}

QRectF FragmentsPicture::cellRect(int matrix, int row, int column) const {
    const FragmentMatrix& m = m_fragments.matrices[matrix];
    const QRectF& all = m_places[matrix].cells;
    const qreal w = all.width() / m.across(), h = all.height() / m.down();
    return {all.left() + column * w, all.top() + row * h, w, h};
}

FragmentsPicture::Hit FragmentsPicture::hit(QPointF at) const {
    for (int i = 0; i < m_places.size(); ++i) {
        const FragmentMatrix& m = m_fragments.matrices[i];
        const QRectF& all = m_places[i].cells;
        if (m.inShared || !all.contains(at))
            continue;
        const int column = qMin(m.across() - 1, int((at.x() - all.left()) / all.width() * m.across()));
        const int row = qMin(m.down() - 1, int((at.y() - all.top()) / all.height() * m.down()));
        if (m.cell(row, column).lane >= 0)
            return {i, row, column};
    }
    return {};
}

QString FragmentsPicture::registerName(const FragmentMatrix& matrix, int reg) const {
    return reg < matrix.registers.size() ? matrix.registers[reg] : QStringLiteral("r%1").arg(reg);
}

QString FragmentsPicture::elementsOf(const FragmentMatrix& matrix, int lane, int reg) const {
    const auto each = ptx::fragmentOf(m_fragments.form, matrix.role).perRegister();
    const auto thread = std::uint32_t(lane) +
                        (m_fragments.form.kind == Kind::AsyncProduct ? 32u * std::uint32_t(m_fragments.warp) : 0u);
    const ptx::MatrixCell first = cellOf(m_fragments.form, matrix.role, thread, std::uint32_t(reg) * each);
    const ptx::MatrixCell last = cellOf(m_fragments.form, matrix.role, thread, std::uint32_t(reg) * each + each - 1);
    return letterOf(matrix) + rangeText(first.row, last.row) + rangeText(first.column, last.column);
}

void FragmentsPicture::paintMatrix(QPainter& painter, int matrix) const {
    const Theme& theme = context.theme;
    const FragmentMatrix& m = m_fragments.matrices[matrix];
    const Place& place = m_places[matrix];
    QString shown = QStringLiteral("%1   %2 x %3   .%4")
                        .arg(m.name, QString::number(m.allRows), QString::number(m.allColumns),
                             QLatin1String(ptx::name(typeOf(m_fragments.form, m.role))));
    if (const int together = m.cellRows * m.cellColumns; together > 1 && !m.inShared)
        shown += QStringLiteral("   ") + LanesText::tr("%1 in a cell").arg(together);
    if (m.rows < m.allRows)
        shown += QStringLiteral("   ") + LanesText::tr("rows %1 to %2").arg(m.firstRow).arg(m.firstRow + m.rows - 1);
    if (m.columns < m.allColumns)
        shown += QStringLiteral("   ") + LanesText::tr("columns 0 to %1").arg(m.columns - 1);
    paintText(painter, place.heading, shown, theme.small(), theme.text);
    if (m.inShared) {
        painter.setPen(QPen(theme.border, 1, Qt::DashLine));
        painter.setBrush(theme.sunken);
        painter.drawRect(place.cells);
        paintParagraph(&painter, place.cells.adjusted(8, 6, -8, -6),
                       LanesText::tr("In shared memory: the descriptor says where. No lane holds it."), theme.small(),
                       theme.textMuted);
        return;
    }
    const int chosen = lane();
    const QRectF one = cellRect(matrix, 0, 0);
    QFont font = theme.small();
    font.setPixelSize(qMax(1, qMin(font.pixelSize(), int(one.height()) - 3)));
    const bool written = one.height() >= 9 * theme.fontScale && one.width() >= textWidth(font, QStringLiteral("30"));
    const bool named = written && one.width() >= textWidth(font, QStringLiteral("30 r10")) + 6;
    for (int row = 0; row < m.down(); ++row)
        for (int column = 0; column < m.across(); ++column) {
            const FragmentCell cell = m.cell(row, column);
            if (cell.lane < 0)
                continue;
            const QRectF r = cellRect(matrix, row, column).adjusted(0.5, 0.5, -0.5, -0.5);
            const bool own = cell.lane == chosen;
            painter.fillRect(r, own ? theme.accent : mixed(theme.category(cell.lane % 4), theme.panel, 0.24));
            if (!written)
                continue;
            const QColor ink = own ? theme.textOnAccent : theme.text;
            const QString number = QString::number(cell.lane);
            if (!named) {
                paintText(painter, r, number, font, ink, Qt::AlignCenter);
                continue;
            }
            paintText(painter, r.adjusted(4, 0, 0, 0), number, font, ink);
            paintText(painter, r.adjusted(0, 0, -4, 0), QStringLiteral("r%1").arg(cell.reg), font,
                      own ? theme.textOnAccent : theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
        }
}

void FragmentsPicture::paintLane(QPainter& painter) const {
    if (m_lane.isNull())
        return;
    const Theme& theme = context.theme;
    const qreal height = lineHeight(theme.small()) + 3 * theme.fontScale;
    QRectF line = m_lane;
    line.setHeight(lineHeight(theme.body()) + 4 * theme.fontScale);
    paintText(painter, line, LanesText::tr("Lane %1 holds").arg(lane()), theme.body(), theme.text);
    line = {m_lane.left(), line.bottom(), m_lane.width(), height};
    const QFont mono = theme.smallMono();
    for (const FragmentMatrix& m : m_fragments.matrices) {
        if (m.inShared)
            continue;
        const int count = int(ptx::fragmentOf(m_fragments.form, m.role).registers);
        for (int reg = 0; reg < count; ++reg) {
            if (line.bottom() + height > m_lane.bottom()) {
                paintText(painter, line, QStringLiteral("…"), theme.small(), theme.textMuted);
                return;
            }
            paintText(painter, line, elementsOf(m, lane(), reg), mono, theme.text);
            paintText(painter, line, registerName(m, reg), mono, theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
            line.translate(0, height);
        }
        line.translate(0, height / 2);
    }
}

QString FragmentsPicture::note() const {
    const ptx::MatrixForm& form = m_fragments.form;
    QString text =
        LanesText::tr("Each cell is one register of one lane: the lane's number, then the number of the "
                      "register. Click a cell, or use the arrow keys, to choose a lane. Colours repeat every "
                      "four lanes.");
    if (form.wmma)
        text += u' ' + LanesText::tr("wmma leaves open which lane holds what: this is how the emulator does it, as mma "
                                     "would.");
    if (m_fragments.quad >= 0)
        text += u' ' + LanesText::tr("The instruction makes four products side by side, of eight lanes each: this is "
                                     "the one of the chosen lane.");
    if (form.kind == Kind::AsyncProduct)
        text += u' ' + LanesText::tr("Four warps make it, sixteen rows each: these are the rows of warp %1.")
                           .arg(m_fragments.warp);
    return text;
}

void FragmentsPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    paintHeading(painter, m_title, LanesText::tr("Which lane holds which element of the matrices"), theme);
    paintText(painter, m_text, LanesText::tr("PTX line %1: %2").arg(m_fragments.line).arg(m_fragments.text),
              theme.small(), theme.textMuted);
    for (int i = 0; i < m_places.size(); ++i)
        paintMatrix(painter, i);
    paintLane(painter);
    paintParagraph(&painter, m_note, note(), theme.small(), theme.textMuted);
}

void FragmentsPicture::paintOverlay(QPainter& painter, QPointF at) const {
    const Hit under = hit(at);
    if (under.matrix < 0)
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(context.theme.text, 1.5));
    painter.drawRect(cellRect(under.matrix, under.row, under.column));
}

Spot FragmentsPicture::spotAt(QPointF at) const {
    Spot spot;
    const Hit under = hit(at);
    if (under.matrix < 0)
        return spot;
    const FragmentMatrix& m = m_fragments.matrices[under.matrix];
    const FragmentCell cell = m.cell(under.row, under.column);
    spot.where = cellRect(under.matrix, under.row, under.column);
    spot.toolTip = LanesText::tr("%1 is in register %2 of lane %3")
                       .arg(elementsOf(m, cell.lane, cell.reg), registerName(m, cell.reg), QString::number(cell.lane));
    Selection chosen = context.selection;
    chosen.lane = cell.lane;
    spot.click = selecting(chosen);
    return spot;
}

std::optional<Change> FragmentsPicture::answer(const Input& input) const {
    const auto to = laneByKey(input, lane());
    if (!to)
        return std::nullopt;
    Change change = unchanged();
    change.selection.lane = *to;
    return change;
}

QString FragmentsPicture::csv() const {
    QString text = QStringLiteral("matrix,row,column,lane,register,name\n");
    for (const FragmentMatrix& m : m_fragments.matrices) {
        if (m.inShared)
            continue;
        for (int row = 0; row < m.down(); ++row)
            for (int column = 0; column < m.across(); ++column) {
                const FragmentCell cell = m.cell(row, column);
                if (cell.lane < 0)
                    continue;
                for (int i = 0; i < m.cellRows; ++i)
                    for (int j = 0; j < m.cellColumns; ++j)
                        text += QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                                    .arg(letterOf(m))
                                    .arg(m.firstRow + row * m.cellRows + i)
                                    .arg(column * m.cellColumns + j)
                                    .arg(cell.lane)
                                    .arg(cell.reg)
                                    .arg(csvField(registerName(m, cell.reg)));
            }
    }
    return text;
}

} // namespace warpglass
