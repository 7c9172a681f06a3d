// SPDX-License-Identifier: GPL-3.0-or-later
// views/common: what every view shares: theme, selection, the View base class, export, and small painting helpers.
#pragma once

#include "gpu/trace/tables.h"

#include <QColor>
#include <QFont>
#include <QString>

namespace warpglass {

// Projector: light with all contrast there is, for a wall in a room that is not dark: no tint that a lamp washes out.
enum class ThemeKind { Light, Dark, Print, Projector };

// All colours and fonts of the program. A plain value: painting takes one and asks nobody else, so the same inputs give
// the same pixels. Colours of states come from the Okabe-Ito palette (safe for colour-blind readers) and never stand
// alone: each also has a hatch or a glyph (see marks.h).
struct Theme {
    ThemeKind kind = ThemeKind::Light;
    qreal fontScale = 1.0; // of the whole window; presentation mode sets 1.6 or more

    QColor window, panel, sunken, border;                     // backgrounds and lines
    QColor text, textMuted, textOnAccent, accent, accentSoft; // accentSoft: selected rows
    QColor laneOn, laneOff, laneExited, lanePredicateFalse, attention, good, wrong;
    QColor originMeasured, originCounted, originModelled; // chips
    QColor originMeasuredSoft, originCountedSoft, originModelledSoft;

    QColor category(int n) const; // 8 distinguishable colours, repeated: SMs, warps, series
    QColor state(WarpState s) const;
    QColor origin(Origin o) const;
    QColor originSoft(Origin o) const;

    // The scale of type. Sizes are in pixels of 1/96 inch, so that every device gives the same layout; where words have less
    // room, they come down by fittedFont (marks.h), not by a number of the view's own.
    QFont small() const;                  // 11.3 px * fontScale: 8.5 pt
    QFont body() const;                   // 13.3: 10 pt
    QFont title() const;                  // 16, bold: 12 pt
    QFont figure() const;                 // 24, bold: the number that is the picture's answer
    QFont mono() const;                   // 12: code
    QFont smallMono() const;              // code among small words
    QFont leastTitle() const;             // what a title comes down to before it is cut
    static constexpr int leastPixels = 8; // smaller, nothing is read
    QString styleSheet() const;           // for widgets

    static Theme make(ThemeKind kind, qreal fontScale = 1.0);
    static Theme named(const QString& name, qreal fontScale = 1.0); // "light", "dark", "print", "projector"
};

} // namespace warpglass
