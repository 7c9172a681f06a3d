// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_layout.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/launchtree/launchtree_text.h"

#include <algorithm>

namespace warpglass {

namespace {

std::set<std::string> idsOf(const QString& list) {
    std::set<std::string> ids;
    for (const QString& id : list.split(QLatin1Char(','), Qt::SkipEmptyParts))
        ids.insert(id.toStdString());
    return ids;
}

UnfoldedTreePtr treeOf(const TracePtr& trace, const Options& options, const std::vector<LaunchTreePane>& last) {
    const QString unfolded = unfoldedGroups.of(options), closed = closedRows.of(options);
    for (const LaunchTreePane& pane : last)
        if (pane.tree->trace == trace && pane.tree->unfolded == unfolded && pane.tree->closed == closed)
            return pane.tree;
    return std::make_shared<UnfoldedTree>(
        UnfoldedTree{trace, unfolded, closed, treeRows(*trace, idsOf(unfolded), idsOf(closed)), treeTotals(*trace)});
}

constexpr double leastHeight = 9; // lines: heading, totals, ruler and two rows

bool isLow(double height, double line) {
    return height < leastHeight * line;
}

LaunchTreePane paneOf(UnfoldedTreePtr tree, const QRectF& area, const PaintContext& context, TimeRange whole) {
    const double line = lineHeight(context.theme.body());
    LaunchTreePane pane;
    pane.tree = std::move(tree);
    pane.line = line;
    // Where there is little height the heading, which names the kernel of the first row, gives way to the rows.
    const bool low = isLow(area.height(), line);
    pane.title = QRectF(area.left(), area.top(), area.width(), low ? 0 : line * 1.6);
    pane.totals = QRectF(area.left(), pane.title.bottom(), area.width(), line * (low ? 1.3 : 1.5));
    double noteHeight = 0; // as high as its words need, but rows come before the last of them
    if (pane.tree->totals.dropped > 0) {
        const QMarginsF inset = launchTreeNoteInset;
        const QRectF room(0, 0, area.width() - inset.left() - inset.right(), 0);
        noteHeight = paintParagraph(nullptr, room, droppedText(pane.tree->totals), context.theme.body(), {}) +
                     inset.top() + inset.bottom();
        noteHeight = std::min(noteHeight, std::max(line * 3.2, area.height() * 0.3));
    }
    pane.note = QRectF(area.left(), area.bottom() - noteHeight, area.width(), noteHeight);
    const double between = low ? 0 : line * 0.4;
    pane.head = QRectF(area.left(), pane.totals.bottom() + between, area.width(), line * (low ? 1.2 : 1.4));
    pane.rows = QRectF(area.left(), pane.head.bottom(), area.width(), pane.note.top() - pane.head.bottom() - between);
    pane.rowHeight = line * (low ? 1.25 : 1.75);
    const double treeWidth = std::min(std::max(line * 17, area.width() * 0.45), area.width() * 0.62);
    pane.labels = QRectF(pane.rows.left(), pane.rows.top(), treeWidth - line, pane.rows.height());
    pane.bars = QRectF(pane.rows.left() + treeWidth, pane.rows.top(), std::max(line * 2, area.width() - treeWidth),
                       pane.rows.height());
    if (context.selection.motion.playing)
        pane.played = exactTime(context.selection);
    const TimeRange visible = context.selection.visible;
    pane.whole = whole;
    pane.axis = {visible.length().value > 0 ? visible : whole, pane.bars.left(), pane.bars.width()};
    pane.visibleRows = int(pane.rows.height() / pane.rowHeight);
    const int most = std::max(0, int(pane.tree->rows.size()) - pane.visibleRows);
    pane.firstRow = std::clamp(int(treeScroll.of(context.options) / pane.rowHeight + 0.5), 0, most);
    return pane;
}

} // namespace

QRectF LaunchTreePane::chevronOf(int n) const {
    const QRectF row = rowRect(n);
    return {labels.left() + indentOf(tree->rows[std::size_t(n)].indent), row.top() + (row.height() - line) / 2, line,
            line};
}

int LaunchTreePane::rowAt(QPointF at) const {
    if (!rows.contains(at))
        return -1;
    const int n = firstRow + int((at.y() - rows.top()) / rowHeight);
    return n < int(tree->rows.size()) ? n : -1;
}

std::vector<LaunchTreePane> launchTreePanes(const QRectF& area, const PaintContext& context,
                                            const std::vector<LaunchTreePane>& last) {
    if (!context.trace)
        return {};
    const double gap = lineHeight(context.theme.body());
    const bool low = isLow(area.height() / (context.other ? 2 : 1), gap);
    const double margin = gap * (low ? 0.3 : 0.8);
    const QRectF inner = area.adjusted(gap * 1.2, margin, -gap * 1.2, -margin);
    const UnfoldedTreePtr first = treeOf(context.trace, context.options, last);
    TimeRange range = context.trace->range();
    if (!context.other)
        return {paneOf(first, inner, context, range)};
    // Both strategies on one scale, aligned, one above the other: lengths can be compared by eye.
    const TimeRange second = context.other->range();
    const Time shift = shiftToOther(context);
    range = {std::min(range.begin, second.begin - shift), std::max(range.end, second.end - shift)};
    const double half = (inner.height() - gap * (low ? 0.4 : 1.5)) / 2;
    std::vector<LaunchTreePane> both{
        paneOf(first, QRectF(inner.left(), inner.top(), inner.width(), half), context, range),
        paneOf(treeOf(context.other, context.options, last),
               QRectF(inner.left(), inner.bottom() - half, inner.width(), half), context,
               {range.begin + shift, range.end + shift})};
    for (std::size_t i = 0; i < both.size(); ++i)
        both[i].mark = compared(i);
    if (both[1].played)
        *both[1].played += double(shift.value);
    return both;
}

} // namespace warpglass
