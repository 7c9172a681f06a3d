// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/text_faults.h"

#include <limits>

namespace warpglass::samples {

namespace {

constexpr qreal hatch = 5;       // heights of letters: a shorter line is of a hatch, which lies behind them everywhere
constexpr qreal leastSeen = 1.2; // px: less of letters that touch is not seen

QString at(const QRectF& box) {
    return QStringLiteral(" at %1,%2").arg(qRound(box.x())).arg(qRound(box.y()));
}

// An opaque area that holds this box, painted between these.
bool parted(const QVector<FillPlace>& fills, const QRectF& box, int after, int before) {
    const auto first = std::upper_bound(fills.begin(), fills.end(), after,
                                        [](int order, const FillPlace& fill) { return order < fill.order; });
    for (auto fill = first; fill != fills.end() && fill->order < before; ++fill)
        if (fill->area.boundingRect().contains(box) && fill->area.contains(box))
            return true;
    return false;
}

bool faint(const QColor& colour, const Theme& theme) {
    return colour.rgb() == theme.border.rgb() || colour.rgb() == theme.sunken.rgb() ||
           colour.rgb() == theme.panel.rgb() || colour.rgb() == theme.window.rgb();
}

struct Word {
    QString text;
    QRectF seen;  // letters within clip and picture
    QRectF whole; // from the pen's place to where it goes on
    int order;
};

// The next piece of a line, in another font: letters may hang over.
bool goesOn(const Word& first, const Word& next, qreal slack) {
    return next.order == first.order + 1 && std::abs(first.whole.right() - next.whole.left()) < slack &&
           std::abs(first.whole.bottom() - next.whole.bottom()) < slack;
}

} // namespace

QStringList textFaults(const TextPlaces& device, const Theme& theme) {
    QStringList wrong;
    const qreal slack = leastSeen * device.ratio();
    const auto more = [slack](const QRectF& box) { return box.width() > slack && box.height() > slack; };
    const QRectF area(QPointF(), QSizeF(device.size() * device.ratio()));
    constexpr int last = std::numeric_limits<int>::max();
    QVector<Word> words;
    for (const TextPlace& place : device.places()) {
        if (place.text.trimmed().isEmpty())
            continue;
        const QRectF seen = place.ink.intersected(place.clip.isNull() ? area : area.intersected(place.clip));
        if (!more(seen) || parted(device.fills(), seen.adjusted(slack, slack, -slack, -slack), place.order, last))
            continue; // scrolled away, or hidden
        if (place.ink.width() - seen.width() > slack || place.ink.height() - seen.height() > slack)
            wrong << QStringLiteral("cut: \"%1\"").arg(place.text) + at(seen);
        const Word word{place.text, seen, place.whole, place.order};
        for (const Word& other : words)
            if (const QRectF both = other.seen.intersected(seen);
                more(both) && !goesOn(other, word, slack) && !parted(device.fills(), both, other.order, word.order))
                wrong << QStringLiteral("over: \"%1\" and \"%2\"").arg(other.text, word.text) + at(both);
        words.append(word);
    }
    for (const Word& word : words) {
        for (const FillPlace& fill : device.fills())
            if (fill.order > word.order && more(fill.area.boundingRect().intersected(word.seen)) &&
                more(fill.area
                         .intersected([&] {
                             QPainterPath box;
                             box.addRect(word.seen);
                             return box;
                         }())
                         .boundingRect())) {
                wrong << QStringLiteral("covered: \"%1\"").arg(word.text) + at(word.seen);
                break;
            }
        const qreal rim = std::max(slack, word.seen.height() * 0.15);
        const QRectF core = word.seen.adjusted(slack, rim, -slack, -rim);
        for (const LinePlace& line : device.lines()) {
            if (line.length < hatch * word.seen.height() || faint(line.colour, theme))
                continue;
            const bool through = std::any_of(line.pieces.begin(), line.pieces.end(), [&](const QLineF& piece) {
                return TextPlacesEngine::within(piece, core).has_value();
            });
            if (through && !parted(device.fills(), core, line.order, word.order)) {
                wrong << QStringLiteral("struck: \"%1\" by %2").arg(word.text, line.colour.name()) + at(word.seen);
                break;
            }
        }
    }
    return wrong;
}

QStringList elidedWithoutTip(const TextPlaces& device, const Picture& picture, const QVector<PaintedWord>& words) {
    QStringList wrong;
    constexpr QChar dots(0x2026);
    for (const TextPlace& place : device.places()) {
        if (!place.text.contains(dots) || place.where.isEmpty() ||
            (picture.emptiness() &&
             picture.emptiness()->actionText.contains(place.text))) // a button that asks for more
            continue;
        const QPointF middle = place.where.center() / device.ratio();
        const QString begins = place.text.section(dots, 0, 0).simplified();
        const QString tip = tipAt(picture, words, middle).simplified();
        if (begins.isEmpty() ? tip.isEmpty() : !tip.contains(begins))
            wrong << QStringLiteral("elided: \"%1\"").arg(place.text) + at(place.where);
    }
    return wrong;
}

} // namespace warpglass::samples
