// SPDX-License-Identifier: GPL-3.0-or-later
// Panes of lines, source, PTX and machine code, side by side where there is room, else one above the other, or the source
// alone where that would leave either a line or two; the machine code may be folded into a strip. In each, a margin of numbers on the
// left, so that no code ever runs under a bar. The margin is as wide as its numbers: what no line of the text has (a
// branch whose lanes part, an access) takes no room.
#pragma once

#include <QRectF>

#include <string>

namespace warpglass {

// Fitting: all three where they have room, else source and PTX.
enum class ShownText { Fitting, All, Both, Source, Ptx, Machine };

struct PaneRequest {
    int lines = 0;
    int firstLinked = 0; // 1-based; 0 = none
    int lastLinked = 0;
    int focus = 0;    // 1-based line that must be in sight unless `from` says otherwise; 0 = none
    double from = -1; // first line in sight, 0-based, may be a fraction; negative = by itself
    // The longest number of each column, in widths of a digit; 0: no line has one.
    int executions = 0, divergent = 0, sectors = 0;
    qreal code = 0; // px of the longest line that was run; 0: not known
    // Of machine code: numbers are places, lanes are not told, and a column shows what the scheduler is told.
    int places = 0; // digits of the longest place; 0: numbers of lines
    bool lanes = true;
    qreal control = 0; // px; 0: none
};

struct SourceRequest {
    QRectF area;
    qreal scale = 1;
    qreal titleHeight = 22, smallHeight = 15, lineHeight = 16;
    qreal digitWidth = 7;                                            // of the small font
    qreal warpsCaption = 34, lanesCaption = 34, sectorsCaption = 45; // widths of these captions
    qreal sentences = 0; // height of what is said of the machine code; 0: nothing is
    ShownText shown = ShownText::Fitting;
    bool foldable = true;             // false on paper: nothing can be unfolded there
    PaneRequest source, ptx, machine; // machine: without lines there is none
};

struct Pane {
    static constexpr qreal forkWidth = 13; // of the mark before the number of partings, with its gap
    QRectF whole, heading, captions, rows; // null when not shown
    // Margin, from left to right; a column that has no room is empty.
    // The share of lanes on stands beside the executions, or, where that takes too much room, below their number.
    QRectF now, numbers, executions, lanes, divergent, sectors, control, code;
    qreal lineHeight = 0;
    int lines = 0;
    double from = 0, inSight = 0;

    bool shown() const { return !whole.isNull(); }
    int lineAt(qreal y) const;  // 1-based, 0 if none
    QRectF row(int line) const; // 1-based
    QRectF in(const QRectF& column, int line) const;
    int first() const; // 1-based lines that touch the visible part: [first, end)
    int end() const;
};

struct SourceLayout {
    QRectF title, question, sentences, legend;
    QRectF fold; // the strip of the folded machine code; null: there is none
    Pane source, ptx, machine;
    bool sideBySide = true;
};

SourceLayout layoutSource(const SourceRequest& request);

} // namespace warpglass
