// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"

#include "views/common/painted_words.h"

#include "gpu/base/csv.h"
#include "views/common/shown_words.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

struct MarksText {
    Q_DECLARE_TR_FUNCTIONS(Marks)
};

} // namespace

namespace {

constexpr qreal smallestHatched = 5; // px

// The ink of a hatch: strong enough to be seen on the fill, not so strong that a full column shouts.
QColor laneInk(LaneMark mark, const Theme& theme) {
    switch (mark) {
    case LaneMark::On:
    case LaneMark::PredicateTrue:
        return theme.textOnAccent;
    case LaneMark::Off:
    case LaneMark::PredicateFalse:
        return theme.kind == ThemeKind::Dark    ? QColor(0xe0a93a)
               : theme.kind == ThemeKind::Print ? QColor(0x8a5f00)
                                                : QColor(0xd08c00);
    case LaneMark::Away:
    case LaneMark::Exited:
    case LaneMark::Absent:
        return theme.kind == ThemeKind::Dark ? QColor(0x5b6675) : QColor(0xa3acb8);
    }
    return theme.text;
}

Hatch laneHatch(LaneMark mark) {
    switch (mark) {
    case LaneMark::On:
        return Hatch::None;
    case LaneMark::Off:
        return Hatch::Dash;
    case LaneMark::Exited:
        return Hatch::Diagonal;
    case LaneMark::Absent:
        return Hatch::Cross;
    case LaneMark::PredicateTrue:
        return Hatch::Dot;
    case LaneMark::PredicateFalse:
        return Hatch::Ring;
    case LaneMark::Away:
        return Hatch::Dash;
    }
    return Hatch::None;
}

} // namespace

QColor inkOn(const QColor& ground) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const auto luminance = [&](const QColor& c) {
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const QColor dark(0x10161c), light(0xffffff);
    const double ground05 = luminance(ground) + 0.05; // contrast is (lighter + 0.05) / (darker + 0.05)
    const double ofLight = (luminance(light) + 0.05) / ground05, ofDark = ground05 / (luminance(dark) + 0.05);
    if (std::max(ofLight, ofDark) < 4.5) // a middle grey, on which only black itself can be read
        return Qt::black;
    return ofLight >= ofDark ? light : dark;
}

void paintHatch(QPainter& painter, const QRectF& cell, Hatch hatch, const QColor& ink) {
    if (hatch == Hatch::None || cell.width() < smallestHatched || cell.height() < smallestHatched)
        return;
    const QPen pen(ink, 1);
    switch (hatch) {
    case Hatch::None:
        return;
    case Hatch::Dash: {
        const qreal inset = qMin(cell.width() * 0.18, 8.0);
        painter.setPen(pen);
        painter.drawLine(QPointF(cell.left() + inset, cell.center().y()),
                         QPointF(cell.right() - inset, cell.center().y()));
        return;
    }
    case Hatch::Diagonal:
    case Hatch::Cross: {
        painter.setPen(pen);
        // Each line is cut to the cell by hand: no clip path, which would be slow and heavy in vector files.
        const qreal h = cell.height(), step = 6;
        for (qreal x = cell.left() - h + step / 2; x < cell.right(); x += step) {
            const qreal x0 = qMax(x, cell.left()), x1 = qMin(x + h, cell.right());
            if (x1 - x0 < 1)
                continue;
            painter.drawLine(QPointF(x0, cell.bottom() - (x0 - x)), QPointF(x1, cell.bottom() - (x1 - x)));
            if (hatch == Hatch::Cross)
                painter.drawLine(QPointF(x0, cell.top() + (x0 - x)), QPointF(x1, cell.top() + (x1 - x)));
        }
        return;
    }
    case Hatch::Dot:
    case Hatch::Ring: {
        const qreal r = qMin(cell.width(), cell.height()) * 0.22;
        if (hatch == Hatch::Dot) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
        } else {
            painter.setPen(QPen(ink, 1.2));
            painter.setBrush(Qt::NoBrush);
        }
        painter.drawEllipse(cell.center(), r, r);
        return;
    }
    }
}

void paintCell(QPainter& painter, const QRectF& cell, const QColor& fill, Hatch hatch, const QColor& ink,
               qreal radius) {
    if (cell.width() < smallestHatched || cell.height() < smallestHatched || radius <= 0) {
        painter.fillRect(cell, fill);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(cell, radius, radius);
    }
    paintHatch(painter, cell, hatch, ink);
}

QColor laneColour(LaneMark mark, const Theme& theme) {
    switch (mark) {
    case LaneMark::On:
    case LaneMark::PredicateTrue:
        return theme.laneOn;
    case LaneMark::Off:
        return theme.laneOff;
    case LaneMark::PredicateFalse:
        return theme.lanePredicateFalse;
    case LaneMark::Away:
        return theme.kind == ThemeKind::Dark ? QColor(0x3a3222) : QColor(0xf8f0dc);
    case LaneMark::Exited:
    case LaneMark::Absent:
        return theme.laneExited;
    }
    return theme.border;
}

void paintLane(QPainter& painter, const QRectF& cell, LaneMark mark, const Theme& theme) {
    paintCell(painter, cell, laneColour(mark, theme), laneHatch(mark), laneInk(mark, theme));
}

QString laneMarkName(LaneMark mark) {
    switch (mark) {
    case LaneMark::On:
        return MarksText::tr("on");
    case LaneMark::Off:
        return MarksText::tr("waits for the others");
    case LaneMark::Exited:
        return MarksText::tr("has ended");
    case LaneMark::Absent:
        return MarksText::tr("holds no thread");
    case LaneMark::PredicateTrue:
        return MarksText::tr("jumps");
    case LaneMark::PredicateFalse:
        return MarksText::tr("goes straight on");
    case LaneMark::Away:
        return MarksText::tr("on another path");
    }
    return {};
}

QString originName(Origin origin) {
    switch (origin) {
    case Origin::Measured:
        return MarksText::tr("measured");
    case Origin::Counted:
        return MarksText::tr("counted");
    case Origin::Modelled:
        return MarksText::tr("modelled");
    }
    return {};
}

qreal textWidth(const QFont& font, const QString& text) {
    return QFontMetricsF(font).horizontalAdvance(text);
}
qreal lineHeight(const QFont& font) {
    return std::ceil(QFontMetricsF(font).height() * 1.15);
}

qreal chipWidth(const QString& text, const Theme& theme) {
    QFont f = theme.small();
    f.setBold(true);
    return std::ceil(textWidth(f, text) + 14 * theme.fontScale);
}

qreal chipHeight(const Theme& theme) {
    return std::ceil(lineHeight(theme.small()) + 3 * theme.fontScale);
}

QRectF paintChip(QPainter& painter, QPointF topLeft, const QString& text, const QColor& ink, const QColor& soft,
                 const Theme& theme) {
    QFont f = theme.small();
    f.setBold(true);
    const QRectF chip(topLeft, QSizeF(chipWidth(text, theme), chipHeight(theme)));
    painter.setPen(theme.kind == ThemeKind::Print ? QPen(ink, 1) : QPen(Qt::NoPen));
    painter.setBrush(soft);
    painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2);
    painter.setFont(f);
    painter.setPen(ink);
    painter.drawText(chip, Qt::AlignCenter, shown(text));
    PaintedWords::note(painter, chip);
    return chip;
}

QRectF paintOriginChip(QPainter& painter, QPointF topLeft, Origin origin, const Theme& theme) {
    return paintChip(painter, topLeft, originName(origin), theme.origin(origin), theme.originSoft(origin), theme);
}

void paintShareBar(QPainter& painter, const QRectF& bar, double share, const QColor& fill, const Theme& theme,
                   bool upward) {
    painter.fillRect(bar, theme.kind == ThemeKind::Print ? theme.panel : theme.sunken);
    const double s = qBound(0.0, share, 1.0);
    if (s > 0) {
        QRectF part = bar;
        if (!upward) {
            part.setWidth(qMax(1.0, bar.width() * s));
        } else {
            part.setTop(bar.bottom() - qMax(1.0, bar.height() * s));
        }
        painter.fillRect(part, fill);
    }
    if (theme.kind == ThemeKind::Print) {
        painter.setPen(QPen(theme.border, 0.7));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar);
    }
}

void paintChevron(QPainter& painter, QPointF centre, double size, bool open, const QColor& colour) {
    const QPointF down[] = {{-size, -size / 2}, {0, size / 2}, {size, -size / 2}};
    QPointF points[3];
    for (int i = 0; i < 3; ++i)
        points[i] = centre + (open ? down[i] : QPointF(down[i].y(), down[i].x()));
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(points, 3);
}

// A box of this size in another one.
static QRectF placed(QRectF box, const QRectF& where, Qt::Alignment alignment) {
    box.moveCenter(where.center());
    if (!(alignment & Qt::AlignHCenter))
        alignment& Qt::AlignRight ? box.moveRight(where.right()) : box.moveLeft(where.left());
    if (!(alignment & Qt::AlignVCenter))
        alignment& Qt::AlignBottom ? box.moveBottom(where.bottom()) : box.moveTop(where.top());
    return box;
}

// Whether a list's end would cut a line's letters, which are lower than it. Those of another font, as ideographs are, stand a
// little aside.
static bool cutByAList(const QPainter& painter, const QRectF& line, const QString& text, const QFontMetricsF& metrics) {
    constexpr char16_t ideographs = 0x2e80;
    const bool mixed = std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= ideographs; });
    const qreal aside = mixed ? 0.2 * metrics.height() : 0;
    if (!PaintedWords::cutByAList(painter, line.adjusted(0, -aside, 0, aside)))
        return false;
    const QRectF letters = metrics.tightBoundingRect(text).translated(line.left(), line.top() + metrics.ascent());
    return PaintedWords::cutByAList(painter, letters.adjusted(0, -aside, 0, aside));
}

qreal paintText(QPainter& painter, const QRectF& where, const QString& words, const QFont& font, const QColor& colour,
                Qt::Alignment alignment) {
    const QString text = shown(words);
    const QFontMetricsF metrics(font);
    const qreal width = metrics.horizontalAdvance(text);
    painter.setFont(font);
    painter.setPen(colour);
    const QRectF line = placed(QRectF(0, 0, width, metrics.height()), where, alignment);
    if (cutByAList(painter, line, text, metrics))
        return qMin(where.width(), width);
    if (width <= where.width() + 0.5) {
        painter.drawText(where, int(alignment) | Qt::TextSingleLine | Qt::TextDontClip, text);
        PaintedWords::note(painter, line);
        return width;
    }
    const QString cut = metrics.elidedText(text, Qt::ElideRight, where.width());
    painter.drawText(where, int(alignment) | Qt::TextSingleLine, cut);
    PaintedWords::note(painter, where, text);
    return qMin(where.width(), metrics.horizontalAdvance(cut));
}

qreal paintHeading(QPainter& painter, const QRectF& where, const QString& text, const Theme& theme) {
    const QFont font = fittedFont(theme.title(), text, where.width() + 0.5, theme.leastTitle().pixelSize());
    return paintText(painter, where, text, font, theme.text);
}

QFont fittedFont(QFont font, const QString& text, qreal width, int least) {
    while (font.pixelSize() > least && textWidth(font, text) > width)
        font.setPixelSize(font.pixelSize() - 1);
    return font;
}

// A name out of a file may go on for ever. Nobody reads it, and where a line has no place to end, Qt looks for one up to
// the end of the text, for every line: of a long word its beginning and its end are left.
static QString withoutLongWords(const QString& text) {
    constexpr qsizetype longest = 400, first = 300, last = 60;
    constexpr QChar ellipsis(0x2026), ideographs(0x2e80);
    if (text.size() <= longest)
        return text;
    QString result;
    qsizetype begin = 0;
    for (qsizetype at = 0; at <= text.size(); ++at) {
        if (at < text.size() && !text[at].isSpace() && text[at] < ideographs)
            continue;
        const QString word = text.mid(begin, at - begin);
        result += word.size() > longest ? word.first(first) + ellipsis + word.last(last) : word;
        if (at < text.size())
            result += text[at];
        begin = at + 1;
    }
    return result;
}

// Its lines, one below the other; returns their height.
static qreal layOut(QTextLayout& layout, qreal width) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    qreal y = 0;
    const qreal height = lineHeight(layout.font());
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, y});
        y += height;
    }
    layout.endLayout();
    return y;
}

static void paintLine(QPainter& painter, const QTextLine& line, QPointF at) {
    const QRectF box = line.naturalTextRect().translated(at);
    if (PaintedWords::cutByAList(painter, box))
        return;
    line.draw(&painter, at);
    PaintedWords::note(painter, box);
}

qreal paintParagraph(QPainter* painter, const QRectF& where, const QString& text, const QFont& font,
                     const QColor& colour) {
    QTextLayout layout(withoutLongWords(shown(text)), font);
    const qreal height = layOut(layout, where.width());
    if (painter) {
        painter->setPen(colour);
        for (int i = 0; i < layout.lineCount(); ++i)
            paintLine(*painter, layout.lineAt(i), where.topLeft());
    }
    return height;
}

void paintShortParagraph(QPainter& painter, const QRectF& where, const QString& text, const QFont& font,
                         const QColor& colour) {
    QTextLayout layout(withoutLongWords(shown(text)), font);
    layOut(layout, where.width());
    const int lines = int((where.height() + 0.5) / lineHeight(font));
    painter.setPen(colour);
    for (int i = 0; i < std::min(lines, layout.lineCount()); ++i) {
        const QTextLine line = layout.lineAt(i);
        if (i + 1 < lines || lines >= layout.lineCount()) {
            paintLine(painter, line, where.topLeft());
            continue;
        }
        const QRectF last(where.left(), where.top() + line.y(), where.width(), lineHeight(font));
        const QString rest = layout.text().mid(line.textStart());
        painter.setFont(font);
        painter.drawText(last, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetricsF(font).elidedText(rest, Qt::ElideRight, where.width()));
        PaintedWords::note(painter, last, layout.text());
    }
}

QString firstThatFits(const QStringList& texts, const QFont& font, qreal width) {
    for (const QString& text : texts)
        if (textWidth(font, text) <= width + 0.5)
            return text;
    return texts.isEmpty() ? QString() : texts.back();
}

QString fittedSentences(const QString& text, const QFont& font, QSizeF room) {
    constexpr QChar fullStop(0x3002); // the Chinese one
    QString said = text;
    while (paintParagraph(nullptr, QRectF(QPointF(), room), said, font, {}) > room.height() + 0.5) {
        const qsizetype end = std::max(said.lastIndexOf(QLatin1String(". ")), said.lastIndexOf(fullStop, -2));
        if (end < 0)
            return said;
        said.truncate(end + 1);
    }
    return said;
}

qreal paintLegend(QPainter* painter, const QRectF& where, const QVector<LegendEntry>& entries, const Theme& theme) {
    const QFont font = theme.small();
    const qreal row = lineHeight(font) + 4 * theme.fontScale;
    const qreal cellWidth = 14 * theme.fontScale, cellHeight = 11 * theme.fontScale, gap = 6 * theme.fontScale;
    qreal x = where.left(), y = where.top();
    for (const LegendEntry& entry : entries) {
        const qreal width = cellWidth + gap + textWidth(font, entry.text) + 3 * gap;
        if (x > where.left() && x + width - 3 * gap > where.right()) {
            x = where.left();
            y += row;
        }
        if (painter) {
            paintLane(*painter, {x, y + (row - cellHeight) / 2, cellWidth, cellHeight}, entry.mark, theme);
            paintText(*painter, {x + cellWidth + gap, y, where.right() - x - cellWidth - gap, row}, entry.text, font,
                      theme.textMuted);
        }
        x += width;
    }
    return y + row - where.top();
}

QString csvField(const QString& text) {
    return QString::fromStdString(csvField(std::string_view(text.toStdString())));
}

} // namespace warpglass
