// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_layout.h"

#include "views/common/margins.h"
#include "views/common/marks.h"
#include "views/program/program_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

QRectF ProgramLayout::rowRect(int row) const {
    return {labels.left(), rows.top() + row * rowHeight - scroll, rows.right() - labels.left(), rowHeight};
}

QRectF ProgramLayout::upper(int row) const {
    const QRectF r = rowRect(row);
    return {rows.left(), r.top() + rowHeight * 0.14, rows.width(), rowHeight * 0.46};
}

QRectF ProgramLayout::lower(int row) const {
    const QRectF r = rowRect(row);
    return {rows.left(), r.top() + rowHeight * 0.66, rows.width(), rowHeight * 0.22};
}

int ProgramLayout::rowAt(double y) const {
    if (y < rows.top() || y >= rows.bottom())
        return -1;
    const int row = int((y - rows.top() + scroll) / rowHeight);
    return row < count ? row : -1;
}

ProgramLayout layoutProgram(const QRectF& area, const Theme& theme, const ProgramModel& model, TimeRange visible,
                            double scroll) {
    ProgramLayout l;
    l.text = lineHeight(theme.small());
    const double title = lineHeight(theme.title());
    const QRectF inner = area.adjusted(sideMargin(theme), 3 * spaceUnit(theme), -sideMargin(theme), -l.text * 0.4);
    double labelWidth = l.text * 8.5;
    constexpr std::size_t measured = 64; // rows: names that stand further down are of the same kinds
    for (std::size_t r = 0; r < std::min(measured, model.rows.size()); ++r)
        labelWidth = std::max(labelWidth, textWidth(theme.body(), rowText(model, model.rows[r])) + 16);
    labelWidth = std::min(inner.width() * 0.2, labelWidth);
    l.head = {inner.left(), inner.top(), inner.width(), title + l.text * 1.5};
    const double left = inner.left() + labelWidth, width = std::max(10.0, inner.right() - left);
    double y = l.head.bottom() + l.text * 0.3;
    l.overview = {left, y, width, l.text * 1.1};
    y = l.overview.bottom() + l.text * 0.4;
    l.ruler = {left, y, width, l.text * 1.5};
    y = l.ruler.bottom();
    l.legend = {inner.left(), inner.bottom() - l.text * 1.3, inner.width(), l.text * 1.3};
    l.rows = {left, y, width, std::max(10.0, l.legend.top() - l.text * 0.3 - y)};
    l.labels = {inner.left(), y, labelWidth, l.rows.height()};

    l.count = int(model.rows.size());
    const double least = l.text * 2.8, most = l.text * 6;
    l.rowHeight = std::floor(std::clamp(l.rows.height() / std::max(1, l.count), least, most));
    l.contentHeight = l.rowHeight * l.count;
    l.scroll = std::clamp(scroll, 0.0, l.mostScroll());
    const TimeRange all = model.range;
    l.whole = {all, left, width};
    l.axis = {visible.length().value > 0 ? timesWithin(visible, all) : all, left, width};
    if (l.axis.window.length().value < 1)
        l.axis.window = all;
    return l;
}

} // namespace warpglass
