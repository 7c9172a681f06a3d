// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/painted_words.h"

#include "views/common/picture.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpglass {

namespace {
thread_local PaintedWords* listening = nullptr;
}

PaintedWords::PaintedWords(const QRectF& area) : m_area(area), m_outer(std::exchange(listening, this)) {}

PaintedWords::~PaintedWords() {
    listening = m_outer;
}

void PaintedWords::note(const QPainter& painter, const QRectF& where, const QString& whole) {
    if (listening)
        listening->words.append({painter.worldTransform().mapRect(where), whole});
}

void PaintedWords::scrolls() {
    if (listening)
        listening->m_area.adjust(0, -2, 0, 2); // its ends are no longer the picture's own
}

bool PaintedWords::cutByAList(const QPainter& painter, const QRectF& line) {
    if (!listening || !painter.hasClipping())
        return false;
    const QTransform& to = painter.worldTransform();
    const QRectF box = to.mapRect(line), clip = to.mapRect(painter.clipBoundingRect());
    constexpr qreal seen = 1; // px: less is no cut
    return (box.top() + seen < clip.top() && clip.top() > listening->m_area.top() + 1) ||
           (box.bottom() - seen > clip.bottom() && clip.bottom() < listening->m_area.bottom() - 1);
}

QString tipAt(const Picture& picture, const QVector<PaintedWord>& words, QPointF at) {
    QString tip = picture.spotAt(at).toolTip;
    for (const PaintedWord& word : words)
        if (!word.whole.isEmpty() && word.where.contains(at) && !tip.contains(word.whole))
            tip = tip.isEmpty() ? word.whole : word.whole + QLatin1Char('\n') + tip;
    return tip;
}

void paintCursorLine(QPainter& painter, qreal x, qreal top, qreal bottom, const QColor& colour, qreal width) {
    constexpr qreal air = 2;
    painter.setPen(QPen(colour, width));
    std::vector<std::pair<qreal, qreal>> words; // from, to
    if (listening) {
        const QTransform back = painter.worldTransform().inverted();
        for (const PaintedWord& word : std::as_const(listening->words))
            if (const QRectF box = back.mapRect(word.where).adjusted(-air, 0, air, 0);
                box.left() < x && x < box.right())
                words.emplace_back(box.top(), box.bottom());
    }
    std::sort(words.begin(), words.end());
    for (const auto& [from, to] : words) {
        if (from > top)
            painter.drawLine(QPointF(x, top), QPointF(x, std::min(from, bottom)));
        top = std::max(top, to);
        if (top >= bottom)
            return;
    }
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
}

} // namespace warpglass
