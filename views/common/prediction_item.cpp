// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/prediction_item.h"

#include "views/common/marks.h"

#include <algorithm>

namespace warpglass {

void paintTick(QPainter& painter, const QRectF& in, const QColor& ink) {
    const qreal r = std::min(in.width(), in.height()) / 2;
    const QPointF c = in.center();
    painter.setPen(QPen(ink, std::max<qreal>(1.5, r * 0.34), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(
        QPolygonF{{c.x() - r * 0.8, c.y()}, {c.x() - r * 0.2, c.y() + r * 0.6}, {c.x() + r * 0.8, c.y() - r * 0.6}});
}

void paintX(QPainter& painter, const QRectF& in, const QColor& ink) {
    const qreal r = std::min(in.width(), in.height()) / 2 * 0.7;
    const QPointF c = in.center();
    painter.setPen(QPen(ink, std::max<qreal>(1.5, r * 0.4), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(c - QPointF(r, r), c + QPointF(r, r));
    painter.drawLine(c - QPointF(r, -r), c + QPointF(r, -r));
}

void paintPredictedItem(QPainter& painter, const QRectF& cell, const PredictedItemLook& look, const Theme& theme) {
    const Standing how = look.how;
    const qreal s = theme.fontScale;
    QColor fill = theme.panel, ink = theme.text;
    QPen frame(theme.textMuted, 1);
    switch (how) {
    case Standing::Chosen:
        fill = theme.accent;
        ink = theme.textOnAccent;
        break;
    case Standing::Right:
        fill = theme.good;
        ink = inkOn(theme.good);
        break;
    case Standing::Wrong:
        fill = theme.wrong;
        ink = inkOn(theme.wrong);
        break;
    case Standing::Missed:
        frame = QPen(theme.good, 3 * s, Qt::DashLine);
        break;
    case Standing::Closed:
        fill = theme.sunken;
        ink = theme.textMuted;
        frame = QPen(theme.border, 1);
        break;
    case Standing::Open:
    case Standing::RightNot:
        break;
    }
    painter.setPen(frame);
    painter.setBrush(fill);
    painter.drawRoundedRect(
        cell.adjusted(frame.widthF() / 2, frame.widthF() / 2, -frame.widthF() / 2, -frame.widthF() / 2), 4 * s, 4 * s);
    if (how == Standing::Closed)
        paintHatch(painter, cell, Hatch::Diagonal, theme.border);
    const bool list = look.list;
    const QString& word = look.word;
    const qreal line = lineHeight(theme.small());
    const bool words =
        !list && !word.isEmpty() && cell.height() > 2.5 * line && textWidth(theme.small(), word) < cell.width() - 4 * s;
    const bool marked = how != Standing::Open && how != Standing::Closed;
    const qreal size = std::min<qreal>({14 * s, cell.width() * 0.42, cell.height() * 0.4});
    QRectF text = cell;
    if (list)
        text = cell.adjusted(10 * s, 0, -size - 14 * s, 0);
    else if (words)
        text = QRectF(cell.left(), cell.top() + 2 * s, cell.width(), cell.height() - line - 4 * s);
    else if (marked && cell.height() > 1.9 * line)
        text = QRectF(cell.left(), cell.top(), cell.width(), cell.height() * 0.58);
    const QFont font = list || cell.height() > 1.6 * lineHeight(theme.body()) ? inBold(theme.body()) : theme.small();
    paintText(painter, text, look.label, font, ink, list ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
    if (words)
        paintText(painter, QRectF(cell.left(), cell.bottom() - line - 3 * s, cell.width(), line), word, theme.small(),
                  ink, Qt::AlignCenter);
    QRectF mark(cell.right() - size - 3 * s, cell.top() + 3 * s, size * 0.8, size * 0.8);
    if (list)
        mark = QRectF(cell.right() - size - 8 * s, cell.center().y() - size / 2, size, size);
    else if (!words)
        mark = QRectF(cell.center().x() - size * 0.45, cell.bottom() - size - 2 * s, size * 0.9, size * 0.9);
    if (how == Standing::Right || how == Standing::RightNot || how == Standing::Chosen)
        paintTick(painter,
                  how == Standing::RightNot ? mark.adjusted(size * 0.12, size * 0.12, -size * 0.12, -size * 0.12)
                                            : mark,
                  how == Standing::RightNot ? theme.textMuted : ink);
    else if (how == Standing::Wrong)
        paintX(painter, mark, ink);
    else if (how == Standing::Missed)
        paintText(painter, mark.adjusted(-4, -4, 4, 4), QStringLiteral("!"), inBold(theme.body()), theme.good,
                  Qt::AlignCenter);
}

void paintStagedItem(QPainter& painter, const QRectF& cell, const PredictedItemLook& look, const Theme& theme) {
    const qreal s = theme.fontScale, line = lineHeight(theme.small());
    const bool upright = cell.height() > 1.2 * cell.width();
    const auto named = [&](const QRectF& in, const QColor& ink) {
        if (in.height() >= line * 0.72 && textWidth(theme.small(), look.label) <= in.width() - 4 * s)
            paintText(painter, in.adjusted(2 * s, 0, -2 * s, 0), look.label, theme.small(), ink,
                      upright ? Qt::AlignHCenter | Qt::AlignTop : Qt::AlignLeft | Qt::AlignVCenter);
    };
    const QRectF inside = cell.adjusted(0.5, 0.5, -0.5, -0.5);
    // Where a hand painted, or would.
    const qreal share = upright ? std::min(cell.height() * 0.45, 22 * s) : std::min(cell.width() * 0.28, 30 * s);
    const QRectF field = upright ? QRectF(cell.left(), cell.bottom() - share, cell.width(), share)
                                 : QRectF(cell.right() - share, cell.top(), share, cell.height());
    const qreal size = std::min<qreal>({14 * s, field.width() * 0.8, field.height() * 0.8});
    const QRectF mark(field.center() - QPointF(size / 2, size / 2), QSizeF(size, size));
    switch (look.how) {
    case Standing::Open:
        painter.setPen(QPen(theme.textMuted, 1));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(inside, 2, 2);
        named(cell, theme.textMuted);
        break;
    case Standing::Chosen:
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(inside, 2, 2);
        named(cell, theme.textOnAccent);
        paintTick(painter, mark, theme.textOnAccent);
        break;
    case Standing::Closed:
        painter.fillRect(inside, theme.sunken);
        paintHatch(painter, inside, Hatch::Diagonal, theme.border);
        break;
    case Standing::Right:
        painter.fillRect(field, theme.good);
        paintTick(painter, mark, inkOn(theme.good));
        break;
    case Standing::RightNot:
        painter.fillRect(field, theme.panel);
        paintTick(painter, mark.adjusted(size * 0.15, size * 0.15, -size * 0.15, -size * 0.15), theme.textMuted);
        break;
    case Standing::Wrong:
        painter.fillRect(field, theme.wrong);
        paintX(painter, mark, inkOn(theme.wrong));
        painter.setPen(QPen(theme.wrong, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell);
        break;
    case Standing::Missed:
        painter.fillRect(field, theme.panel);
        paintText(painter, field, QStringLiteral("!"), inBold(theme.small()), theme.good, Qt::AlignCenter);
        painter.setPen(QPen(theme.good, 2, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell);
        break;
    }
}

} // namespace warpglass
