// SPDX-License-Identifier: GPL-3.0-or-later
// What goes where. Pure functions of an area, a line height and what there is to show.
#pragma once

#include "views/scheduler/scheduler_model.h"

#include <QRectF>

#include <array>
#include <vector>

namespace warpglass {

// Cycles to x and back.
struct CycleScale {
    CycleRange window;
    double left = 0, width = 1;

    double perCycle() const { return width / std::max(1e-9, window.length()); } // pixels
    double x(double cycle) const { return left + (cycle - window.begin) * perCycle(); }
    double at(double x) const { return window.begin + (x - left) / perCycle(); }
    // Zoomed by factor (below 1 = closer) so that what is under x stays there; at least 4 cycles, inside bounds.
    CycleRange zoomed(double x, double factor, TimeRange bounds) const;
    CycleRange shifted(double pixels, TimeRange bounds) const; // content moves right by pixels
};
CycleRange cyclesWithin(CycleRange range, TimeRange bounds);
// What is shown if nobody chose: all cycles if they can be told apart in so many pixels, else the page of them with the
// cursor. Pages turn; they do not crawl after the cursor.
CycleRange cyclesPage(TimeRange bounds, std::int64_t cursor, double pixels, double cellWidth);

// Cells are single cycles that can be told apart from this many pixels on; below, a column shows what lasted longest.
inline constexpr double leastCell = 1.5;

// Rows of warps with the strip of the scheduler below them.
struct GridLayout {
    QRectF head; // title of a pane; empty if it has none
    QRectF labels, rows, issue, ruler;
    double rowHeight = 0;
    CycleScale scale;

    QRectF row(int n) const { return {rows.left(), rows.top() + n * rowHeight, rows.width(), rowHeight}; }
    QRectF label(int n) const { return {labels.left(), rows.top() + n * rowHeight, labels.width(), rowHeight}; }
    int rowAt(double y, int count) const; // -1: none
};
// Rows get the height that is left, at most `mostRow` each; the grid takes no more than it needs.
GridLayout gridLayout(const QRectF& area, int rows, double lineHeight, bool withHead, double mostRow, CycleRange window,
                      bool withRuler = true);

enum class StepButton { BarrierBack, IssueBack, CycleBack, CycleOn, IssueOn, BarrierOn };
inline constexpr int stepButtons = 6;

struct CyclesLayout {
    QRectF title, buttons, now, overview, overviewLabel, figures, detail, legend;
    std::array<QRectF, stepButtons> button; // empty where there is no room
    bool compact = false; // rows would be too thin: no title, short legend, figures and detail in fewer lines
    GridLayout grid;
};
// buttonWidths, nowWidth: of the words in them; a button without width is left out. legendHeight, shortLegend: as they come out at this width.
CyclesLayout cyclesLayout(const QRectF& area, int rows, double lineHeight, double legendHeight, double shortLegend,
                          const std::array<double, stepButtons>& buttonWidths, double nowWidth, CycleRange window);

struct PolicyLayout {
    QRectF title, legend, note;
    std::vector<GridLayout> panes;
};
PolicyLayout policyLayout(const QRectF& area, const std::vector<int>& rows, double lineHeight, double legendHeight,
                          CycleRange window);

inline constexpr int littleSliders = 7; // three of arithmetic, four of memory
struct LittleLayout {
    QRectF title, note;
    std::array<QRectF, 2> panel; // arithmetic, memory
    std::array<QRectF, 2> heading, formula, pipe, verdict;
    std::array<QRectF, littleSliders> slider; // whole rows
    std::array<QRectF, littleSliders> track;  // the part that is dragged
};
LittleLayout littleLayout(const QRectF& area, double lineHeight);

} // namespace warpglass
