// SPDX-License-Identifier: GPL-3.0-or-later
// Where the rows, cells and sums of a reduction tree lie. Pure functions of the tree, an area and a zoom.
#pragma once

#include "gpu/metrics/reduction_tree.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace warpglass {

// The numbers that stand in a row: before the first step (row 0), or after step i (row i + 1).
struct ReductionRow {
    std::vector<std::uint32_t> values; // [column]: row of the tree's values, or noIndex
    std::vector<bool> fresh;           // [column]: made by the step just above
};

// Row 0 holds what the first sums are made of. Each later row keeps the numbers of the one above it, with the step's
// sums in their places; a row of another kind (shared cells after global ones, registers after cells) begins with the
// sums alone.
std::vector<ReductionRow> reductionRows(const ReductionTree& tree);

struct ReductionZoom {
    double factor = 1;   // 1: all columns in the width
    double centre = 0.5; // 0 to 1: the place in the middle
    double top = 0;      // pixels scrolled down
    bool whole = false;  // on paper nobody scrolls: all steps in the height, however low they get
    bool bare = false;   // without title, legend and verdict
    bool operator==(const ReductionZoom&) const = default;
};

struct ReductionLayout {
    QRectF title, plot, side, legend, verdict; // the legend is empty where the tree needs its room
    int columns = 0, steps = 0;
    qreal pitch = 0;    // width of a column
    qreal left = 0;     // x of column 0
    qreal top = 0;      // y of row 0
    qreal cell = 0;     // height of a cell
    qreal step = 0;     // from one row of cells to the next
    ReductionZoom zoom; // as clamped

    qreal x(int column) const { return left + (column + 0.5) * pitch; } // its middle
    QRectF cellRect(int row, int column) const;
    QPointF node(int step, int column) const;
    qreal nodeRadius() const;
    QRectF sideRect(int step) const; // what is told of the step, on the right
    std::optional<int> columnAt(qreal x) const;
};
// line: height of a line of text. widest: columns never get wider than this.
ReductionLayout reductionLayout(const QRectF& area, qreal line, int columns, int steps, const ReductionZoom& zoom,
                                qreal widest);
ReductionZoom zoomedAt(const ReductionLayout& layout, QPointF at, double steps);
ReductionZoom panned(const ReductionLayout& layout, QPointF delta);
ReductionZoom framed(const ReductionLayout& layout, int column, qreal pitch);

// The sum whose node is at the point, or noIndex.
std::uint32_t sumAt(const ReductionTree& tree, const ReductionLayout& layout, QPointF at);
// The value whose cell is at the point, or noIndex.
std::uint32_t valueAt(const std::vector<ReductionRow>& rows, const ReductionLayout& layout, QPointF at);

// A copy of a sum is drawn where the sum is.
std::uint32_t drawnInput(const ReductionTree& tree, std::uint32_t value);

} // namespace warpglass
