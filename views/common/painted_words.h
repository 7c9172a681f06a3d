// SPDX-License-Identifier: GPL-3.0-or-later
// Where words stand in a picture while it is painted, and after: paintPicture listens, whoever paints text notes it. What was
// cut with an ellipsis is told whole by a tip; a cursor that is painted last leaves words out.
#pragma once

#include <QPainter>
#include <QVector>

namespace warpglass {

class Picture;

struct PaintedWord {
    QRectF where;  // in the picture's coordinates
    QString whole; // of what was cut; else empty
};

// Listens to what this thread paints, as long as it lives.
class PaintedWords {
public:
    explicit PaintedWords(const QRectF& area); // of the picture
    ~PaintedWords();
    PaintedWords(const PaintedWords&) = delete;
    PaintedWords& operator=(const PaintedWords&) = delete;

    // At a place in the painter's own coordinates.
    static void note(const QPainter& painter, const QRectF& where, const QString& whole = {});
    // Whether a list's upper or lower end, within the picture, would cut this line of words in two: they are not painted then.
    static bool cutByAList(const QPainter& painter, const QRectF& line);
    // The whole picture is such a list.
    static void scrolls();
    QVector<PaintedWord> words;

private:
    QRectF m_area;
    PaintedWords* m_outer;
};

// What is told at a point: the picture's own tip, and before it what was cut there, unless the tip says that, too.
QString tipAt(const Picture& picture, const QVector<PaintedWord>& words, QPointF at);

// A cursor, upright, from top to bottom but for the words that are painted there already: nothing strikes them out.
void paintCursorLine(QPainter& painter, qreal x, qreal top, qreal bottom, const QColor& colour, qreal width = 1.5);

} // namespace warpglass
