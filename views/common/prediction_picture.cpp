// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/prediction_picture.h"

#include "views/common/marks.h"
#include "views/common/prediction_board.h"
#include "views/common/prediction_item.h"
#include "views/common/prediction_marks.h"
#include "views/common/prediction_text.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

class PredictionPicture final : public Picture {
public:
    PredictionPicture(const View& view, const PaintContext& of, const QRectF& on,
                      std::shared_ptr<const Prediction> asked, Predicting state, const PredictionPicture* before)
        : Picture(of, on), prediction(std::move(asked)), m_shown(state != Predicting::Asked),
          m_judged(m_shown && predictionWay.of(of.options) >= 1), m_guess(Guess::from(predictionGuess.of(of.options))),
          m_judgement(judge(*prediction, m_guess)), m_verdict(verdict(*prediction, m_guess)), m_board(boardOf(false)) {
        const PredictionBoard around = boardOf(true);
        const bool same = before && before->prediction == prediction && before->m_stage;
        m_stage = view.predictionStage(of, *prediction, m_shown ? predictionWay.of(of.options) : 0, around.board,
                                       same ? before->m_stage->ground.get() : nullptr);
        if (!m_stage)
            return;
        m_board = around;
        if (prediction->asked == Asked::Number)
            return;
        m_board.cells = m_stage->cells;
        m_board.groups.fill({}, prediction->items.size());
        m_board.notes.clear();
        m_board.columns = m_stage->columns;
    }

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;

    const PredictionBoard& board() const { return m_board; }
    bool staged() const { return m_stage.has_value(); }

    const std::shared_ptr<const Prediction> prediction;

private:
    PredictionBoard boardOf(bool staged) const {
        return predictionBoard(*prediction, area, context.theme, m_shown ? Predicting::Shown : Predicting::Asked,
                               predictionPlays.of(context.options), m_verdict, staged);
    }
    Standing standing(int item) const;
    bool isMarked(int item) const; // in the view's picture
    QString wordOf(Standing standing) const;
    void paintItem(QPainter& painter, const QRectF& cell, Standing how, const QString& label) const {
        paintPredictedItem(painter, cell, {how, label, wordOf(how), isList()}, context.theme);
    }
    bool isList() const { return prediction->columns == 1 && prediction->asked != Asked::Number; }
    void paintItems(QPainter& painter) const;
    void paintLinks(QPainter& painter) const;
    void paintFoot(QPainter& painter) const;
    void paintButton(QPainter& painter, const QRectF& where, const QString& text, bool first) const;
    Change to(Predicting state) const {
        Change change = unchanged();
        predicting().set(change.options, state);
        return change;
    }
    // The board's button, and Enter.
    Change onward() const { return to(m_shown ? Predicting::Next : Predicting::Shown); }
    // What a hand at a place of a number's buttons and bars, or of the view's picture, means; and what it is at.
    std::optional<Guess> numberAt(QPointF at, QRectF& where) const;

    bool m_shown;
    bool m_judged; // while the moment is played nobody is told yet
    Guess m_guess;
    PredictionMarks m_judgement;
    QString m_verdict;
    PredictionBoard m_board;
    std::optional<PredictionStage> m_stage; // the view's own picture; else the items lie on a board
};

Standing PredictionPicture::standing(int item) const {
    if (!prediction->items[item].open)
        return Standing::Closed;
    const bool chosen = m_guess.items.contains(item), is = prediction->truth.contains(item);
    if (!m_judged)
        return chosen || predictionAnchor.of(context.options) == item ? Standing::Chosen : Standing::Open;
    if (prediction->asked == Asked::Links)
        return Standing::Open;
    return chosen && is ? Standing::Right : chosen ? Standing::Wrong : is ? Standing::Missed : Standing::RightNot;
}

// While it is played there is the picture alone; what the picture says by itself is left to it.
bool PredictionPicture::isMarked(int item) const {
    const Standing how = standing(item);
    switch (prediction->asked) {
    case Asked::Items:
        return !m_shown || m_judged;
    case Asked::One:
    case Asked::Each:
        return !m_shown || (m_judged && how != Standing::RightNot && how != Standing::Closed);
    case Asked::Links:
        return how == Standing::Chosen;
    case Asked::Number:
        return false;
    }
    return false;
}

QString PredictionPicture::wordOf(Standing how) const {
    switch (how) {
    case Standing::Chosen:
    case Standing::Right:
        return prediction->words.yes;
    case Standing::Missed:
        return PredictionText::tr("missed");
    case Standing::Wrong:
        return PredictionText::tr("not so");
    case Standing::Open:
    case Standing::RightNot:
    case Standing::Closed:
        break;
    }
    return {};
}

void PredictionPicture::paintItems(QPainter& painter) const {
    const Theme& theme = context.theme;
    if (m_stage) {
        painter.save();
        painter.setClipRect(m_board.board, Qt::IntersectClip);
        m_stage->ground->paint(painter);
        const bool columns = prediction->asked == Asked::Each; // the picture names them
        for (int i = 0; i < int(prediction->items.size()); ++i)
            if (isMarked(i))
                paintStagedItem(painter, m_board.cells[i],
                                {standing(i), columns ? QString() : prediction->items[i].label}, theme);
        painter.restore();
        return;
    }
    for (int i = 0; i < int(prediction->items.size()); ++i) {
        const PredictedItem& item = prediction->items[i];
        if (!m_board.groups[i].isNull())
            paintText(painter, m_board.groups[i], item.group, theme.small(), theme.textMuted,
                      Qt::AlignRight | Qt::AlignVCenter);
        paintItem(painter, m_board.cells[i], standing(i), item.label);
        if (prediction->asked == Asked::Links) // the cell shows what stands in the element
            paintText(painter, m_board.cells[i].adjusted(4, 1, -2, -1), item.name, theme.small(),
                      standing(i) == Standing::Chosen ? theme.textOnAccent : theme.textMuted,
                      Qt::AlignLeft | Qt::AlignTop);
        if (!m_board.notes.isEmpty()) {
            const QString word = m_shown ? wordOf(standing(i)) : QString();
            const QString note = item.open ? item.note : item.closed.isEmpty() ? item.note : item.closed;
            paintText(painter, m_board.notes[i], word.isEmpty() ? note : QStringLiteral("%1 · %2").arg(word, note),
                      theme.body(), item.open ? theme.text : theme.textMuted);
        }
    }
}

// In the view's picture the sums are drawn by the view once they are there: a sign at each says how it stands.
void PredictionPicture::paintLinks(QPainter& painter) const {
    if (m_stage && m_shown && !m_judged)
        return;
    const int count = int(prediction->items.size());
    const auto drawn = [&](PredictedLink link, Standing how) {
        const auto sum = m_stage ? m_stage->sums.find(link) : std::map<PredictedLink, QPointF>::const_iterator();
        if (m_judged && m_stage && sum != m_stage->sums.end())
            paintStandingSign(painter, sum->second, how, context.theme, m_stage->sign);
        else if (link.first < count && link.second < count)
            paintPredictedLink(painter, m_board.cells[link.first], m_board.cells[link.second], how, context.theme);
    };
    if (m_judged)
        for (const PredictedLink& link : m_judgement.missedLinks)
            drawn(link, Standing::Missed);
    for (const PredictedLink& link : m_guess.links)
        drawn(link, !m_judged                               ? Standing::Chosen
                    : m_judgement.wrongLinks.contains(link) ? Standing::Wrong
                                                            : Standing::Right);
}

void PredictionPicture::paintButton(QPainter& painter, const QRectF& where, const QString& text, bool first) const {
    const Theme& theme = context.theme;
    painter.setPen(QPen(first ? theme.accent : theme.textMuted, 1));
    painter.setBrush(first ? theme.accent : theme.panel);
    painter.drawRoundedRect(where, 6 * theme.fontScale, 6 * theme.fontScale);
    paintText(painter, where, text, inBold(theme.body()), first ? theme.textOnAccent : theme.text, Qt::AlignCenter);
}

void PredictionPicture::paintFoot(QPainter& painter) const {
    const Theme& theme = context.theme;
    const qreal s = theme.fontScale;
    if (m_shown) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(m_board.verdict, 6 * s, 6 * s);
        painter.fillRect(QRectF(m_board.verdict.left(), m_board.verdict.top(), 5 * s, m_board.verdict.height()),
                         !m_judged             ? theme.border
                         : m_judgement.whole() ? theme.good
                                               : theme.wrong);
        const QRectF in = m_board.verdict.adjusted(16 * s, m_stage ? 5 * s : 8 * s, -8 * s, m_stage ? -5 * s : -8 * s);
        // In a place that was kept for it, long words are written smaller before they would run over.
        const qreal truth = paintParagraph(nullptr, in, prediction->words.truth, theme.body(), theme.text);
        const bool large =
            !m_stage || truth + paintParagraph(nullptr, in, m_verdict, theme.title(), theme.text) <= in.height() + 1;
        const QFont font = large ? theme.title() : inBold(theme.body());
        const qreal used = paintParagraph(m_judged ? &painter : nullptr, in, m_verdict, font, theme.text);
        if (m_judged)
            paintParagraph(&painter, in.adjusted(0, used, 0, 0), prediction->words.truth, theme.body(), theme.text);
    }
    // What the marks of the cells mean.
    const bool links = prediction->asked == Asked::Links || (prediction->asked == Asked::Number && m_stage);
    qreal x = m_board.legend.left();
    const qreal side = m_board.legend.height();
    const std::optional<bool> whole = m_judged ? std::optional(m_judgement.whole()) : std::nullopt;
    for (const auto& [how, text] : standingWords(*prediction, whole, m_stage.has_value(), !m_board.bars.isEmpty())) {
        const QRectF box(x, m_board.legend.top(), links ? 1.6 * side : side, side);
        if (links) {
            painter.setPen(QPen(standingInk(how, theme), 2.5 * s, standingLine(how)));
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
        } else {
            paintItem(painter, box.adjusted(1, 1, -1, -1), how, {});
        }
        x = box.right() + 6 * s;
        x += paintText(painter, QRectF(x, m_board.legend.top(), m_board.legend.right() - x, side), text, theme.small(),
                       theme.text) +
             18 * s;
    }
    if (!context.clickable)
        return;
    const bool ends = predictionEnds.of(context.options);
    paintButton(painter, m_board.check,
                !m_shown ? PredictionText::check()
                : ends   ? PredictionText::picture()
                         : PredictionText::next(),
                m_board.play.isNull());
    if (!m_board.play.isNull())
        paintButton(painter, m_board.play, PredictionText::play(), true);
    if (!m_board.length.isNull()) {
        paintButton(painter, m_board.shorter, QStringLiteral("−"), false);
        paintButton(painter, m_board.longer, QStringLiteral("+"), false);
        paintText(painter, m_board.length, prediction->words.length, inBold(theme.body()), theme.text, Qt::AlignCenter);
    }
    paintText(painter, m_board.keys,
              ends ? PredictionText::tr("Enter: the picture")
                   : predictionKeys(*prediction, m_shown, predictionPlays.of(context.options), staged()),
              theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
}

void PredictionPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const qreal s = theme.fontScale;
    const QRectF top(m_board.question.left(), area.top() + 12 * s, m_board.question.width(), lineHeight(theme.small()));
    const QString score = predictionScore.of(context.options);
    const qreal scoreWidth = score.isEmpty() ? 0 : textWidth(theme.small(), score) + 12 * s;
    const qreal lead = paintText(painter, top.adjusted(0, 0, -scoreWidth, 0),
                                 m_shown ? PredictionText::tr("What you predicted, and what happened")
                                         : PredictionText::tr("Predict before you look"),
                                 inBold(theme.small()), theme.accent);
    if (m_shown)
        paintOriginChip(painter, QPointF(top.left() + lead + 10 * s, top.center().y() - chipHeight(theme) / 2),
                        prediction->origin, theme);
    paintText(painter, top, score, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    paintParagraph(&painter, m_board.question, prediction->words.question, theme.title(), theme.text);
    if (!m_board.code.isNull()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.sunken);
        painter.drawRoundedRect(m_board.code, 4 * s, 4 * s);
        paintText(painter, m_board.code.adjusted(10 * s, 0, -10 * s, 0), prediction->words.code, theme.mono(),
                  theme.text);
    }
    qreal y = m_board.given.top();
    for (const QString& given : m_stage&& m_shown ? QStringList() : prediction->words.given)
        y += paintParagraph(&painter, QRectF(m_board.given.left(), y, m_board.given.width(), 0), given, theme.body(),
                            theme.text);
    if (prediction->asked != Asked::Number || m_stage)
        paintItems(painter);
    if (prediction->asked == Asked::Number)
        paintPredictedNumber(painter, m_board, *prediction, m_guess, m_shown ? Predicting::Shown : Predicting::Asked,
                             m_judged, theme);
    if (prediction->asked == Asked::Links)
        paintLinks(painter);
    paintFoot(painter);
}

void PredictionPicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    if (m_shown || !context.clickable)
        return;
    const auto frame = [&](int cell, const QColor& colour, qreal width) {
        if (cell < 0 || cell >= int(m_board.cells.size()))
            return;
        painter.setPen(QPen(colour, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(m_board.cells[cell], 4, 4);
    };
    frame(m_board.cellAt(pointer), context.theme.accent, 1.5);
    frame(predictionCursor.of(context.options), context.theme.attention, 3 * context.theme.fontScale);
}

std::optional<Guess> PredictionPicture::numberAt(QPointF at, QRectF& where) const {
    const std::uint64_t now = m_guess.number.value_or(0);
    std::optional<std::uint64_t> number;
    if (m_board.less.contains(at)) {
        where = m_board.less;
        number = now ? now - 1 : 0;
    } else if (m_board.more.contains(at)) {
        where = m_board.more;
        number = now + 1;
    } else if (m_stage) {
        return m_stage->guessAt && m_board.board.contains(at) ? m_stage->guessAt(at) : std::nullopt;
    } else if (const int bar = m_board.barAt(at); bar >= 0) {
        where = m_board.bars[bar];
        number = std::uint64_t(bar) + 1;
    }
    if (!number)
        return std::nullopt;
    Guess guess;
    guess.number = std::min(*number, prediction->most);
    return guess;
}

Spot PredictionPicture::spotAt(QPointF at) const {
    Spot spot;
    const auto button = [&](const QRectF& where, Change change) {
        spot.where = where;
        spot.click = std::move(change);
        spot.cursor = Qt::PointingHandCursor;
    };
    if (m_board.check.contains(at)) {
        button(m_board.check, onward());
    } else if (m_board.play.contains(at)) {
        button(m_board.play, to(Predicting::Play));
    } else if (const bool longer = m_board.longer.contains(at); longer || m_board.shorter.contains(at)) {
        Change change = unchanged();
        setLength(*prediction, change.options, prediction->length + (longer ? 1 : -1));
        button(longer ? m_board.longer : m_board.shorter, std::move(change));
        spot.toolTip = longer ? PredictionText::tr("Ask for more at once") : PredictionText::tr("Ask for less at once");
    } else if (const int cell = m_board.cellAt(at); cell >= 0) {
        const PredictedItem& item = prediction->items[cell];
        spot.where = m_board.cells[cell];
        spot.toolTip = m_shown ? itemName(*prediction, cell) : spokenGuess(*prediction, m_guess, cell);
        if (!m_shown && item.open) {
            Change change = unchanged();
            chooseItem(*prediction, change.options, cell);
            button(m_board.cells[cell], std::move(change));
        }
    } else if (prediction->asked == Asked::Number && !m_shown) {
        QRectF where;
        if (const auto guess = numberAt(at, where)) {
            Change change = unchanged();
            predictionGuess.set(change.options, guess->text());
            button(where, std::move(change));
        }
    }
    return spot;
}

std::optional<Change> PredictionPicture::answer(const Input& input) const {
    Change change = unchanged();
    const auto onDrag = [&](const DragInput& drag) -> std::optional<Change> {
        if (m_shown)
            return change;
        if (prediction->asked == Asked::Number) {
            QRectF where;
            if (const auto guess = numberAt(drag.to, where))
                predictionGuess.set(change.options, guess->text());
            return change;
        }
        dragItems(*prediction, change.options, m_board.cellAt(drag.from), m_board.cellAt(drag.to), drag.begins,
                  m_board.columns);
        return change;
    };
    const auto onWheel = [&](const WheelInput& wheel) -> std::optional<Change> {
        if (m_shown || prediction->asked != Asked::Number)
            return change;
        const std::uint64_t now = m_guess.number.value_or(0);
        setNumber(*prediction, change.options, wheel.steps > 0 ? now + 1 : now ? now - 1 : 0);
        return change;
    };
    const auto onKey = [&](const KeyInput& key) -> std::optional<Change> {
        if (key.key == Qt::Key_Return || key.key == Qt::Key_Enter || key.key == Qt::Key_PageDown)
            return onward();
        if (m_shown && key.key == Qt::Key_Space)
            return to(predictionPlays.of(context.options) ? Predicting::Play : Predicting::Next);
        if (key.key == Qt::Key_Escape || key.key == Qt::Key_Tab || key.key == Qt::Key_Backtab)
            return std::nullopt;
        if (!m_shown)
            keyOnBoard(*prediction, m_board, change.options, key.key);
        return change; // whatever it was, it moves nothing behind the board
    };
    return std::visit(InputCases{onWheel, onDrag, onKey}, input);
}

QString PredictionPicture::csv() const {
    if (!m_shown)
        return {}; // the table would tell
    QString csv = QStringLiteral("item,predicted,true\n");
    for (int i = 0; i < int(prediction->items.size()); ++i)
        csv += QStringLiteral("%1,%2,%3\n")
                   .arg(csvField(itemName(*prediction, i)), QString::number(int(m_guess.items.contains(i))),
                        QString::number(int(prediction->truth.contains(i))));
    return csv;
}

// Nothing but why nothing is shown.
class CoverPicture final : public Picture {
public:
    CoverPicture(const PaintContext& of, const QRectF& on, QString why) : Picture(of, on), m_why(std::move(why)) {}
    void paint(QPainter& painter) const override {
        const qreal s = context.theme.fontScale;
        const QRectF in = area.adjusted(40 * s, 40 * s, -40 * s, -40 * s);
        painter.setPen(QPen(context.theme.border, 1, Qt::DashLine));
        painter.setBrush(context.theme.sunken);
        painter.drawRoundedRect(in, 10 * s, 10 * s);
        paintHatch(painter, in, Hatch::Diagonal, context.theme.border);
        const QRectF box = in.adjusted(24 * s, in.height() * 0.35, -24 * s, 0);
        const qreal height = paintParagraph(nullptr, box.adjusted(16 * s, 0, -16 * s, 0), m_why, context.theme.title(),
                                            context.theme.text);
        painter.fillRect(QRectF(box.left(), box.top() - 12 * s, box.width(), height + 24 * s), context.theme.panel);
        paintParagraph(&painter, box.adjusted(16 * s, 0, -16 * s, 0), m_why, context.theme.title(), context.theme.text);
    }
    std::optional<Change> answer(const Input& input) const override {
        const auto* key = std::get_if<KeyInput>(&input);
        if (key && (key->key == Qt::Key_Escape || key->key == Qt::Key_Tab || key->key == Qt::Key_Backtab))
            return std::nullopt;
        return unchanged();
    }

private:
    QString m_why;
};

} // namespace

PicturePtr predictionPicture(const View& view, const PaintContext& context, const QRectF& area, Predicting state,
                             const PicturePtr& previous) {
    const QString note = predictionNote.of(context.options);
    if (state != Predicting::Asked && state != Predicting::Shown)
        return std::make_shared<CoverPicture>(
            context, area, note.isEmpty() ? PredictionText::tr("Hidden until the prediction is made.") : note);
    const auto* before = dynamic_cast<const PredictionPicture*>(previous.get());
    std::shared_ptr<const Prediction> asked;
    const auto without = [](Options options) {
        clearPrediction(options);
        return options;
    };
    if (before && before->context.trace == context.trace && before->context.selection == context.selection &&
        without(before->context.options) == without(context.options))
        asked = before->prediction;
    else if (auto found = view.prediction(context))
        asked = std::make_shared<const Prediction>(std::move(*found));
    if (!asked)
        return std::make_shared<CoverPicture>(
            context, area,
            note.isEmpty() ? PredictionText::tr("There is nothing to predict in this view here.") : note);
    return std::make_shared<PredictionPicture>(view, context, area, std::move(asked), state, before);
}

const Prediction* predictionOf(const Picture* picture) {
    const auto* board = dynamic_cast<const PredictionPicture*>(picture);
    return board ? board->prediction.get() : nullptr;
}

bool predictionStaged(const Picture* picture) {
    const auto* board = dynamic_cast<const PredictionPicture*>(picture);
    return board && board->staged();
}

QRectF predictedCell(const Picture& picture, int item) {
    const auto* board = dynamic_cast<const PredictionPicture*>(&picture);
    return board && item >= 0 && item < int(board->board().cells.size()) ? board->board().cells[item] : QRectF();
}

QRectF predictionButton(const Picture& picture) {
    const auto* board = dynamic_cast<const PredictionPicture*>(&picture);
    return board ? board->board().check : QRectF();
}

} // namespace warpglass
