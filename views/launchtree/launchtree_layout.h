// SPDX-License-Identifier: GPL-3.0-or-later
// Where the launch tree's parts lie: a pane a trace, the tree on the left, the same rows as bars on the right.
#pragma once

#include "views/common/picture.h"
#include "views/common/time_axis.h"
#include "views/launchtree/launchtree_model.h"

namespace warpglass {

// The view's own state: rows that were opened or closed by hand, and how far the list is scrolled, in pixels.
inline const Setting<QString> unfoldedGroups{"unfolded"}, closedRows{"closed"};
inline const Setting<double> treeScroll{"scroll"};
inline constexpr QMarginsF launchTreeNoteInset{14, 6, 10, 4}; // of the words about dropped launches

// The rows of a trace with these folded and unfolded.
struct UnfoldedTree {
    TracePtr trace;
    QString unfolded, closed; // as the options hold them: ids with commas
    std::vector<TreeRow> rows;
    TreeTotals totals;
};
using UnfoldedTreePtr = std::shared_ptr<const UnfoldedTree>;

// One trace's part of the picture.
struct LaunchTreePane {
    UnfoldedTreePtr tree;
    QString mark{}; // of two that are compared: which it is
    QRectF title, totals, note, head, rows, labels, bars;
    double line = 16, rowHeight = 20;
    TimeRange whole; // what there is to be seen; the axis shows it or a part of it
    TimeAxis axis;   // of the bars
    int firstRow = 0, visibleRows = 0;
    std::optional<double> played; // while it plays: the time it has come to, after which there is nothing yet

    bool known(Time t) const { return !played || double(t.value) <= *played; }

    const Trace& trace() const { return *tree->trace; }
    int endRow() const { return std::min(int(tree->rows.size()), firstRow + visibleRows); }
    QRectF rowRect(int n) const {
        return {rows.left(), rows.top() + (n - firstRow) * rowHeight, rows.width(), rowHeight};
    }
    QRectF chevronOf(int n) const; // where the row's fold mark is
    double indentOf(int level) const { return std::min(level * line * 1.1, labels.width() * 0.5); }
    double mostScroll() const { return std::max(0, int(tree->rows.size()) - visibleRows) * rowHeight; }
    // The row at a point of the rows, or -1.
    int rowAt(QPointF at) const;
};

// One pane, or two on one scale with the second trace below the first; none without a trace. Trees of the last panes
// are used again where they are the same.
std::vector<LaunchTreePane> launchTreePanes(const QRectF& area, const PaintContext& context,
                                            const std::vector<LaunchTreePane>& last = {});

} // namespace warpglass
