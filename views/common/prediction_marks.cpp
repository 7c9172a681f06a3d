// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/prediction_marks.h"

#include "views/common/marks.h"
#include "views/common/prediction_text.h"
#include "views/common/ticks.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

QColor standingInk(Standing how, const Theme& theme) {
    return how == Standing::Wrong ? theme.wrong : how == Standing::Chosen ? theme.accent : theme.good;
}

Qt::PenStyle standingLine(Standing how) {
    return how == Standing::Missed ? Qt::DashLine : how == Standing::Wrong ? Qt::DotLine : Qt::SolidLine;
}

void paintStandingSign(QPainter& painter, QPointF at, Standing how, const Theme& theme, qreal radius) {
    const QColor ink = standingInk(how, theme);
    const qreal s = theme.fontScale, r = radius * s;
    const QRectF node(at.x() - r, at.y() - r, 2 * r, 2 * r);
    const QRectF inside = node.adjusted(r * 0.4, r * 0.4, -r * 0.4, -r * 0.4);
    painter.setPen(QPen(ink, 1.5 * s, standingLine(how) == Qt::SolidLine ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(how == Standing::Missed ? theme.panel : ink);
    painter.drawEllipse(node);
    if (how == Standing::Wrong)
        paintX(painter, inside, inkOn(ink));
    else if (how == Standing::Missed)
        paintText(painter, node, QStringLiteral("!"), inBold(theme.small()), ink, Qt::AlignCenter);
    else if (how == Standing::Right)
        paintTick(painter, inside, inkOn(ink));
    else
        paintText(painter, node, QStringLiteral("+"), inBold(theme.small()), inkOn(ink), Qt::AlignCenter);
}

void paintPredictedLink(QPainter& painter, const QRectF& a, const QRectF& b, Standing how, const Theme& theme) {
    const qreal s = theme.fontScale;
    const QPointF from(a.center().x(), a.bottom()), to(b.center().x(), b.bottom());
    const bool row = a.top() == b.top();
    const qreal depth = row ? std::min(a.height() * 0.75, 8 * s + std::abs(to.x() - from.x()) * 0.3) : a.height() * 0.5;
    QPainterPath path(from);
    path.cubicTo(from + QPointF(0, depth * 1.3), to + QPointF(0, depth * 1.3), to);
    painter.setPen(QPen(standingInk(how, theme), 2.5 * s, standingLine(how)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    // What is not so stands at its end, right under the cell: in the middle it would cover a thread that did add.
    const bool atEnd = row && how == Standing::Wrong;
    paintStandingSign(painter, atEnd ? to + QPointF(0, 7 * s) : path.pointAtPercent(0.5), how, theme);
}

void paintPredictedNumber(QPainter& painter, const PredictionBoard& board, const Prediction& prediction,
                          const Guess& guess, Predicting state, bool judged, const Theme& theme) {
    const qreal s = theme.fontScale;
    const std::uint64_t given = guess.number.value_or(0);
    for (int n = 0; n < int(board.bars.size()); ++n) {
        const bool chosen = std::uint64_t(n) < given, is = std::uint64_t(n) < prediction.number;
        const Standing how = !judged        ? (chosen ? Standing::Chosen : Standing::Open)
                             : chosen && is ? Standing::Right
                             : chosen       ? Standing::Wrong
                             : is           ? Standing::Missed
                                            : Standing::Open;
        const QString word = how == Standing::Chosen || how == Standing::Right ? prediction.words.yes : QString();
        paintPredictedItem(painter, board.bars[n], {how, QString::number(n + 1), word, false}, theme);
    }
    for (const auto& [where, text] :
         {std::pair(board.less, QStringLiteral("−")), std::pair(board.more, QStringLiteral("+"))}) {
        if (state == Predicting::Shown)
            break;
        painter.setPen(QPen(theme.textMuted, 1));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(where, 6 * s, 6 * s);
        paintText(painter, where, text, inBold(theme.title()), theme.text, Qt::AlignCenter);
    }
    const bool right = guess.number == prediction.number;
    painter.setPen(QPen(judged ? (right ? theme.good : theme.wrong) : theme.accent, 2 * s));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(board.value, 6 * s, 6 * s);
    QFont large = inBold(theme.title());
    large.setPixelSize(std::max(large.pixelSize(), int(board.value.height() * 0.5)));
    paintText(painter, board.value, guess.number ? numberText(given) : QStringLiteral("?"), large, theme.text,
              Qt::AlignCenter);
    if (!judged)
        return;
    const QRectF mark(board.value.right() + 10 * s, board.value.top(), 24 * s, board.value.height());
    right ? paintTick(painter, mark, theme.good) : paintX(painter, mark, theme.wrong);
    const qreal left = mark.right() + 14 * s;
    if (!right)
        paintText(painter, QRectF(left, mark.top(), board.question.right() - left, mark.height()),
                  numberText(prediction.number), large, theme.good);
}

QVector<QPair<Standing, QString>> standingWords(const Prediction& prediction, std::optional<bool> whole, bool staged,
                                                bool bars) {
    const PredictionWords& w = prediction.words;
    QVector<QPair<Standing, QString>> entries;
    if (prediction.asked == Asked::Number && staged && whole) {
        entries.append({Standing::Right, PredictionText::tr("what happened")});
        if (!*whole)
            entries.append({Standing::Wrong, PredictionText::tr("what was predicted")});
        return entries;
    }
    if (prediction.asked == Asked::Number && (!bars || !whole))
        return entries;
    if (!whole) {
        entries.append({Standing::Chosen, w.yes});
        if (prediction.asked == Asked::Items)
            entries.append({Standing::Open, w.no});
        return entries;
    }
    entries.append({Standing::Right, PredictionText::tr("right: %1").arg(w.yes)});
    if (prediction.asked == Asked::Items)
        entries.append({Standing::RightNot, PredictionText::tr("right: %1").arg(w.no)});
    entries.append({Standing::Missed, PredictionText::tr("missed: %1").arg(w.yes)});
    entries.append({Standing::Wrong, PredictionText::tr("not so: %1").arg(w.no)});
    return entries;
}

QString predictionKeys(const Prediction& prediction, bool shown, bool plays, bool staged) {
    if (shown)
        return plays ? PredictionText::tr("Space: play on · Enter: next question · Esc: no more")
                     : PredictionText::tr("Enter: next question · Esc: no more");
    switch (prediction.asked) {
    case Asked::Items:
        return PredictionText::tr("click or drag, or arrows and Space · A: all · Enter: check");
    case Asked::One:
        return prediction.longest > 1
                   ? PredictionText::tr("click, or arrows and Space · + and −: how many · Enter: check")
                   : PredictionText::tr("click, or arrows and Space · Enter: check");
    case Asked::Each:
        return PredictionText::tr("click or drag, or arrows and Space · + and −: how many · Enter: check");
    case Asked::Number:
        return staged ? PredictionText::tr("click or drag in the picture, or digits and arrows · Enter: check")
                      : PredictionText::tr("digits, or arrows up and down · Enter: check");
    case Asked::Links:
        return PredictionText::tr("drag from one to the other, or arrows and Space at both · Enter: check");
    }
    return {};
}

} // namespace warpglass
