// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/prediction_board.h"

#include "views/common/marks.h"
#include "views/common/prediction_item.h"
#include "views/common/prediction_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr qreal leastTarget = 34; // px at the usual type: what a hand hits on a wall
constexpr qreal widestCell = 92, highestCell = 76;
constexpr std::uint64_t mostBars = 24;

Guess guessIn(const Options& options) {
    return Guess::from(predictionGuess.of(options));
}

void put(Options& options, const Guess& guess) {
    predictionGuess.set(options, guess.text());
}

void clearColumn(const Prediction& prediction, Guess& guess, int cell) {
    const int columns = std::max(1, prediction.columns);
    std::erase_if(guess.items, [&](int item) { return item % columns == cell % columns; });
}

void layItems(const Prediction& prediction, const Theme& theme, PredictionBoard& b) {
    const int count = int(prediction.items.size());
    const qreal s = theme.fontScale;
    const QRectF& in = b.board;
    const bool list = prediction.columns == 1;
    const bool grouped = std::any_of(prediction.items.begin(), prediction.items.end(),
                                     [](const PredictedItem& item) { return !item.group.isEmpty(); });
    qreal groupWidth = 0;
    for (const PredictedItem& item : prediction.items)
        if (!item.group.isEmpty())
            groupWidth = std::max(groupWidth, textWidth(theme.small(), item.group) + 12 * s);
    groupWidth = std::min(groupWidth, in.width() * 0.45);
    b.columns = std::max(1, prediction.columns);
    while (!list && !grouped && b.columns > 4 && b.columns % 2 == 0 &&
           (in.width() - groupWidth) / b.columns < leastTarget * s)
        b.columns /= 2;
    const int rows = (count + b.columns - 1) / b.columns;
    qreal width = list ? 0 : std::min((in.width() - groupWidth) / b.columns, widestCell * s);
    if (list)
        for (const PredictedItem& item : prediction.items)
            width = std::max(width, textWidth(theme.body(), item.label) + 48 * s);
    // Links need room below a row for their arcs.
    const qreal below = prediction.asked == Asked::Links ? 0.9 : 0;
    const qreal height = std::min(in.height() / (rows * (1 + below)), (list ? 44 : highestCell) * s);
    const qreal left = list ? in.left() : in.left() + groupWidth;
    for (int i = 0; i < count; ++i) {
        const int row = i / b.columns;
        const QRectF cell(left + (i % b.columns) * width, in.top() + row * height * (1 + below), width, height);
        b.cells.append(cell.adjusted(1.5, 1.5, -1.5, -1.5));
        b.groups.append(prediction.items[i].group.isEmpty()
                            ? QRectF()
                            : QRectF(in.left(), cell.top(), groupWidth - 6 * s, cell.height()));
        if (list)
            b.notes.append(QRectF(cell.right() + 12 * s, cell.top(), in.right() - cell.right() - 12 * s, height));
    }
}

void layNumber(const Prediction& prediction, const Theme& theme, bool staged, PredictionBoard& b) {
    const qreal s = theme.fontScale, high = std::min((staged ? leastTarget : 64) * s, b.board.height() * 0.5);
    const qreal wide = std::max(150 * s, textWidth(theme.title(), QString::number(prediction.most)) + 60 * s);
    b.less = QRectF(b.board.left(), b.board.top(), high, high);
    b.value = QRectF(b.less.right() + 8 * s, b.board.top(), wide, high);
    b.more = QRectF(b.value.right() + 8 * s, b.board.top(), high, high);
    if (staged) // the rest is the view's picture
        b.board.setTop(b.value.bottom() + 6 * s);
    if (staged || prediction.most > mostBars || prediction.most < 2)
        return;
    const qreal top = b.value.bottom() + 16 * s, bar = std::min(b.board.width() / qreal(prediction.most), 56 * s);
    for (std::uint64_t n = 0; n < prediction.most; ++n)
        b.bars.append(QRectF(b.board.left() + qreal(n) * bar, top, bar, std::min(64 * s, b.board.bottom() - top))
                          .adjusted(1.5, 0, -1.5, 0));
}

} // namespace

int PredictionBoard::cellAt(QPointF at) const {
    for (int i = 0; i < int(cells.size()); ++i)
        if (cells[i].adjusted(-1.5, -1.5, 1.5, 1.5).contains(at) || (i < int(notes.size()) && notes[i].contains(at)))
            return i;
    return -1;
}

int PredictionBoard::barAt(QPointF at) const {
    for (int i = 0; i < int(bars.size()); ++i)
        if (bars[i].adjusted(-1.5, 0, 1.5, 0).contains(at))
            return i;
    return -1;
}

PredictionBoard predictionBoard(const Prediction& prediction, const QRectF& area, const Theme& theme, Predicting state,
                                bool plays, const QString& verdict, bool staged) {
    PredictionBoard b;
    const qreal s = theme.fontScale, line = lineHeight(theme.body()), gap = 10 * s;
    const QRectF in = area.adjusted(20 * s, 12 * s, -20 * s, -12 * s);
    qreal y = in.top() + lineHeight(theme.small()) + 4 * s;
    b.question =
        QRectF(in.left(), y, in.width(),
               paintParagraph(nullptr, {0, 0, in.width(), 0}, prediction.words.question, theme.title(), theme.text));
    y = b.question.bottom() + gap * 0.6;
    if (!prediction.words.code.isEmpty()) {
        b.code = QRectF(in.left(), y, in.width(), lineHeight(theme.mono()) + 8 * s);
        y = b.code.bottom() + gap * 0.6;
    }
    qreal givenHeight = 0;
    for (const QString& given : prediction.words.given)
        givenHeight += paintParagraph(nullptr, {0, 0, in.width(), 0}, given, theme.body(), theme.text);
    b.given = QRectF(in.left(), y, in.width(), givenHeight);
    const auto told = [&](const QString& text, const QFont& font) {
        return text.isEmpty() ? 0 : paintParagraph(nullptr, {0, 0, in.width() - 24 * s, 0}, text, font, theme.text);
    };
    if (staged) {
        // Of what was right and what not; the picture needs the height more than the words do.
        const qreal lines = in.width() > 640 * s ? 1 : 2;
        const qreal height = lines * lineHeight(theme.title()) + told(prediction.words.truth, theme.body()) + 12 * s;
        b.given.setHeight(std::max(givenHeight, height));
        if (state == Predicting::Shown) {
            b.verdict = b.given;
            b.given.setHeight(0);
        }
        y += std::max(givenHeight, height) + gap;
    } else {
        y = b.given.bottom() + gap;
    }

    qreal bottom = in.bottom();
    const qreal button = 2.2 * line;
    const auto widthOf = [&](const QString& text) { return textWidth(theme.body(), text) + 40 * s; };
    if (state == Predicting::Asked) {
        b.check = QRectF(in.left(), bottom - button, widthOf(PredictionText::check()), button);
    } else {
        if (plays)
            b.play = QRectF(in.left(), bottom - button, widthOf(PredictionText::play()), button);
        b.check = QRectF(plays ? b.play.right() + gap : in.left(), bottom - button,
                         std::max(widthOf(PredictionText::next()), widthOf(PredictionText::picture())), button);
    }
    qreal used = b.check.right();
    if (state == Predicting::Asked && prediction.longest > 1) {
        const qreal side = std::min(button, leastTarget * s);
        const QRectF row(used + 2 * gap, bottom - button + (button - side) / 2, side, side);
        b.shorter = row;
        b.length = QRectF(row.right() + gap * 0.5, row.top(),
                          textWidth(inBold(theme.body()), prediction.words.length) + 8 * s, side);
        b.longer = row.translated(b.length.right() + gap * 0.5 - row.left(), 0);
        used = b.longer.right();
    }
    b.keys = QRectF(used + 2 * gap, b.check.top(), in.right() - used - 2 * gap, button);
    bottom -= button + gap;
    const qreal legend = lineHeight(theme.small()) + 4 * s;
    b.legend = QRectF(in.left(), bottom - legend, in.width(), legend);
    bottom = b.legend.top() - gap * 0.6;
    if (state == Predicting::Shown && !staged) {
        const qreal height = told(verdict, theme.title()) + told(prediction.words.truth, theme.body()) + 16 * s;
        b.verdict = QRectF(in.left(), bottom - height, in.width(), height);
        bottom = b.verdict.top() - gap;
    }
    b.board = QRectF(in.left(), y, in.width(), std::max(bottom - y, 2 * line));
    if (prediction.asked == Asked::Number)
        layNumber(prediction, theme, staged, b);
    else
        layItems(prediction, theme, b);
    return b;
}

void chooseItem(const Prediction& prediction, Options& options, int cell) {
    if (cell < 0 || cell >= int(prediction.items.size()) || !prediction.items[cell].open)
        return;
    Guess guess = guessIn(options);
    predictionCursor.set(options, cell);
    if (prediction.asked == Asked::Items) {
        if (!guess.items.erase(cell))
            guess.items.insert(cell);
    } else if (prediction.asked == Asked::One) {
        guess.items = {cell};
    } else if (prediction.asked == Asked::Each) {
        const bool was = guess.items.contains(cell);
        clearColumn(prediction, guess, cell);
        if (!was)
            guess.items.insert(cell);
    } else if (const int anchor = predictionAnchor.of(options); anchor < 0) {
        predictionAnchor.set(options, cell);
    } else {
        predictionAnchor.clear(options);
        const PredictedLink link{std::min(anchor, cell), std::max(anchor, cell)};
        if (anchor != cell && !guess.links.erase(link))
            guess.links.insert(link);
    }
    put(options, guess);
}

void dragItems(const Prediction& prediction, Options& options, int from, int to, bool begins, int columns) {
    const auto open = [&](int cell) {
        return cell >= 0 && cell < int(prediction.items.size()) && prediction.items[cell].open;
    };
    Guess guess = guessIn(options);
    if (prediction.asked == Asked::One) {
        if (open(to))
            guess.items = {to};
    } else if (prediction.asked == Asked::Each) {
        for (const int cell : {begins ? from : to, to})
            if (open(cell)) {
                clearColumn(prediction, guess, cell);
                guess.items.insert(cell);
            }
    } else if (prediction.asked == Asked::Items) {
        // The first cell decides whether the drag marks or clears.
        if (begins)
            predictionBrush.set(options, !open(from) || !guess.items.contains(from));
        const auto paint = [&](int cell) {
            if (!open(cell))
                return;
            if (predictionBrush.of(options))
                guess.items.insert(cell);
            else
                guess.items.erase(cell);
        };
        paint(from);
        paint(to);
        // A quick hand skips low cells: of a single row or column those between are meant, too.
        const bool line = columns == 1 || columns >= int(prediction.items.size());
        for (int cell = std::min(from, to) + 1; line && from >= 0 && cell < std::max(from, to); ++cell)
            paint(cell);
    } else {
        if (begins) {
            predictionReach.clear(options);
            predictionAnchor.clear(options); // of clicks
            predictionFrom.set(options, open(from) ? from : -1);
        }
        const int anchor = predictionFrom.of(options), reach = predictionReach.of(options);
        const auto link = [&](int end) { return PredictedLink{std::min(anchor, end), std::max(anchor, end)}; };
        if (anchor < 0 || !open(to) || to == reach)
            return put(options, guess);
        if (reach >= 0)
            guess.links.erase(link(reach)); // the drag only passed there
        predictionReach.clear(options);
        if (to != anchor && guess.links.insert(link(to)).second)
            predictionReach.set(options, to);
    }
    if (open(to))
        predictionCursor.set(options, to);
    put(options, guess);
}

void setNumber(const Prediction& prediction, Options& options, std::optional<std::uint64_t> number) {
    Guess guess;
    if (number)
        guess.number = std::min(*number, prediction.most);
    put(options, guess);
}

bool setLength(const Prediction& prediction, Options& options, int length) {
    if (prediction.longest < 2)
        return false;
    predictionLength.set(options, std::clamp(length, 1, prediction.longest));
    return true;
}

bool keyOnBoard(const Prediction& prediction, const PredictionBoard& board, Options& options, int key) {
    const bool number = prediction.asked == Asked::Number;
    const std::optional<std::uint64_t> now = guessIn(options).number;
    if (number && key >= Qt::Key_0 && key <= Qt::Key_9) {
        setNumber(prediction, options, now.value_or(0) * 10 + std::uint64_t(key - Qt::Key_0));
        return true;
    }
    const int last = int(prediction.items.size()) - 1;
    const auto move = [&](int by) {
        const int at = predictionCursor.of(options);
        predictionCursor.set(options, at < 0 ? 0 : std::clamp(at + by, 0, std::max(0, last)));
    };
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const bool back = key == Qt::Key_Left || key == Qt::Key_Up, row = key == Qt::Key_Up || key == Qt::Key_Down;
        if (number) {
            const bool less = key == Qt::Key_Left || key == Qt::Key_Down;
            setNumber(prediction, options,
                      less ? std::max<std::uint64_t>(now.value_or(0), 1) - 1 : now.value_or(0) + 1);
        } else {
            const int by = row ? board.columns : 1;
            const int at = predictionCursor.of(options) + (back ? -by : by);
            if (!row || (at >= 0 && at <= last)) // up and down stay in the column
                move(back ? -by : by);
        }
        return true;
    }
    case Qt::Key_Home:
        if (!number)
            predictionCursor.set(options, 0);
        return true;
    case Qt::Key_End:
        if (!number)
            predictionCursor.set(options, last);
        return true;
    case Qt::Key_Space:
        if (!number)
            chooseItem(prediction, options, std::max(0, predictionCursor.of(options)));
        return true;
    case Qt::Key_Backspace:
        if (number && now && *now >= 10)
            setNumber(prediction, options, *now / 10);
        else
            put(options, {});
        return true;
    case Qt::Key_Delete:
        predictionAnchor.clear(options);
        put(options, {});
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key, without Shift
        return setLength(prediction, options, prediction.length + 1);
    case Qt::Key_Minus:
        return setLength(prediction, options, prediction.length - 1);
    case Qt::Key_A:
        if (prediction.asked == Asked::Items) {
            Guess guess = guessIn(options);
            const bool all = int(guess.items.size()) == prediction.openItems();
            guess.items.clear();
            for (int i = 0; !all && i <= last; ++i)
                if (prediction.items[i].open)
                    guess.items.insert(i);
            put(options, guess);
        }
        return true;
    default:
        return false;
    }
}

} // namespace warpglass
