// SPDX-License-Identifier: GPL-3.0-or-later
// What goes where in the divergence view: rectangles from sizes, without a trace and without a painter.
//
//   title and question                              switches are the window's
//   [ panel ............................ ] [ panel of the second trace ]
//     heading
//       column heads          |  path heads
//     0 cells: a row a lane,  |  the paths one after the other,
//     4 a column a step       |  on the same rows
//     : bars, their texts     |  bars, their texts
//     summary
//     table of branches
//   legend
#pragma once

#include <QRectF>
#include <QVector>

namespace warpglass {

struct LanesPanelRequest {
    int columns = 0;    // all of them, not only those that fit
    bool paths = false; // a second part with the serialised paths
    int tableRows = 0;  // without the head row
    bool fill = false;  // a time axis: the cells take the whole width, whatever the number of columns
    int summaryRows = 1;
    int current = -1; // column that must be in sight unless `from` says otherwise
};

struct LanesRequest {
    QRectF area;
    qreal scale = 1;                                           // of the fonts
    qreal titleHeight = 22, bodyHeight = 18, smallHeight = 15; // line heights
    qreal legendHeight = 20;
    qreal noteHeight = 0;              // a paragraph under the title
    QVector<LanesPanelRequest> panels; // one or two
    qreal columnWidth = 0;             // px; 0 = as wide as fits
    double from = -1;                  // first column in sight, may be a fraction; negative = keep `current` in sight
    bool bare = false;                 // lanes and paths alone: no words around them, no bars
};

struct LanesPanel {
    QRectF whole, heading, labels, heads, cells, bars, barTexts, summary, table;
    QRectF scroll;                                             // thin strip: which part is in sight; null if all is
    QRectF pathHeading, pathHeads, paths, pathBars, pathTexts; // null without paths
    qreal rowHeight = 0, columnWidth = 0, tableRow = 0;
    int columns = 0, tableRows = 0; // table rows that fit
    double from = 0;                // first column in sight
    double inSight = 0;             // columns that fit

    QRectF cell(int column, int lane) const; // without the gap to its neighbours; may lie outside `cells`
    QRectF columnRect(int column) const;     // from top of cells to bottom of cells
    QRectF pathRow(int lane) const;
    int columnAt(qreal x) const; // -1 if none
    int laneAt(qreal y) const;   // -1 if none
    int firstColumn() const;     // first and one past the last that touch the visible part
    int endColumn() const;
    qreal gap() const; // between two cells
};

struct LanesLayout {
    QRectF title, question, note, legend;
    QVector<LanesPanel> panels;
};

LanesLayout layoutLanes(const LanesRequest& request);

// Edges of n stretches drawn one after the other in [left, left + width]: each gets at least `least` where that fits,
// the rest is dealt out by length. n + 1 values, ascending.
QVector<qreal> stretchEdges(const QVector<double>& lengths, qreal left, qreal width, qreal least);

// The column under the pointer stays where it is when the width of columns changes.
double fromAfterZoom(double from, qreal pointerOffset, qreal oldWidth, qreal newWidth);
// No empty space after the last column or before the first.
double clampedFrom(double from, int columns, double inSight);

inline constexpr qreal widestColumn = 46, narrowestColumn = 5; // px at scale 1

} // namespace warpglass
