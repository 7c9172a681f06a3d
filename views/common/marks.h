// SPDX-License-Identifier: GPL-3.0-or-later
// Small things every view paints: cells that say their state by colour and by hatch, chips for the origin of a number,
// legends, text that is cut with an ellipsis instead of running over its neighbour.
#pragma once

#include "views/common/theme.h"

#include <QPainter>
#include <QVector>

namespace warpglass {

enum class Hatch {
    None,
    Dash,     // one line in the middle: waits
    Diagonal, // lines from lower left to upper right: gone, unused
    Cross,    // crossed lines: wrong, dropped
    Dot,      // a dot in the middle
    Ring,     // a ring in the middle
};

// A rounded cell. Cells under 5 px a side lose rounding and hatch: only colour is left to see at that size.
void paintCell(QPainter& painter, const QRectF& cell, const QColor& fill, Hatch hatch, const QColor& ink,
               qreal radius = 2);
// Words on a coloured ground: near black or white, whichever is farther from it in luminance (WCAG 2.2, "contrast
// ratio").
QColor inkOn(const QColor& ground);
// Only the hatch, clipped to the cell.
void paintHatch(QPainter& painter, const QRectF& cell, Hatch hatch, const QColor& ink);

// What a lane does. Off lanes wait for the others; away ones are elsewhere (another path); exited ones have ended;
// absent ones never held a thread (partial warp).
enum class LaneMark { On, Off, Exited, Absent, PredicateTrue, PredicateFalse, Away };
void paintLane(QPainter& painter, const QRectF& cell, LaneMark mark, const Theme& theme);
QColor laneColour(LaneMark mark, const Theme& theme);
QString laneMarkName(LaneMark mark); // translated, as the legend writes it

QString originName(Origin origin); // translated: "measured", "counted", "modelled"

// A pill with text; returns its rectangle. Origin chips are pills in the origin's colours.
QRectF paintChip(QPainter& painter, QPointF topLeft, const QString& text, const QColor& ink, const QColor& soft,
                 const Theme& theme);
QRectF paintOriginChip(QPainter& painter, QPointF topLeft, Origin origin, const Theme& theme);
qreal chipWidth(const QString& text, const Theme& theme);
qreal chipHeight(const Theme& theme);

// A bar showing part of a whole, on a sunken ground with a border that shows in print; fills to the right, or upward.
void paintShareBar(QPainter& painter, const QRectF& bar, double share, const QColor& fill, const Theme& theme,
                   bool upward = false);

// The mark of a row that folds: pointing down where it is open, to the right where it is folded; 2 * size wide.
void paintChevron(QPainter& painter, QPointF centre, double size, bool open, const QColor& colour);

// Text inside a rectangle, one line, elided at the right end if it does not fit; returns the width used.
qreal paintText(QPainter& painter, const QRectF& where, const QString& text, const QFont& font, const QColor& colour,
                Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
// A title: where it does not fit it gets smaller, down to leastTitle, and only then it is cut; returns the width used.
qreal paintHeading(QPainter& painter, const QRectF& where, const QString& text, const Theme& theme);
// Wraps at words (or between Chinese characters) inside the width; returns the height used. Paints nothing if painter
// is null.
qreal paintParagraph(QPainter* painter, const QRectF& where, const QString& text, const QFont& font,
                     const QColor& colour);
// A paragraph of as many whole lines as the height holds: the last of them ends in an ellipsis where more would follow, and a
// tip tells it all.
void paintShortParagraph(QPainter& painter, const QRectF& where, const QString& text, const QFont& font,
                         const QColor& colour);
// The first of these that the width holds, else the last: say the same thing, each more briefly than the one before.
QString firstThatFits(const QStringList& texts, const QFont& font, qreal width);
// A paragraph without its last sentences, as many as must go to fit in; the first stays in any case.
QString fittedSentences(const QString& text, const QFont& font, QSizeF room);
// The font, as much smaller as the text must be to fit into the width, but not below `least` px.
QFont fittedFont(QFont font, const QString& text, qreal width, int least = Theme::leastPixels);
qreal textWidth(const QFont& font, const QString& text);
qreal lineHeight(const QFont& font);

struct LegendEntry {
    LaneMark mark;
    QString text;
};
// Entries from left to right, continued on a new row where the width ends; returns the height used. Paints nothing if
// painter is null.
qreal paintLegend(QPainter* painter, const QRectF& where, const QVector<LegendEntry>& entries, const Theme& theme);

// A field of a CSV line: quoted where needed.
QString csvField(const QString& text);

} // namespace warpglass
