// SPDX-License-Identifier: GPL-3.0-or-later
// Rows come first: what stands round them gives way, from the outside, until a row can be told from the next.
#include "views/scheduler/scheduler_layout.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {
constexpr double fewestCycles = 4;
}

CycleRange cyclesWithin(CycleRange range, TimeRange bounds) {
    const double least = double(bounds.begin.value), most = double(bounds.end.value);
    const double length = std::min(range.length(), most - least);
    const double begin = std::clamp(range.begin, least, most - length);
    return {begin, begin + length};
}

CycleRange CycleScale::zoomed(double x, double factor, TimeRange bounds) const {
    const double share = std::clamp((x - left) / width, 0.0, 1.0);
    const double all = double(bounds.length().value);
    const double length = std::clamp(window.length() * factor, std::min(fewestCycles, all), all);
    const double fixed = window.begin + share * window.length();
    return cyclesWithin({fixed - share * length, fixed + (1 - share) * length}, bounds);
}

CycleRange CycleScale::shifted(double pixels, TimeRange bounds) const {
    const double by = -pixels / perCycle();
    return cyclesWithin({window.begin + by, window.end + by}, bounds);
}

CycleRange cyclesPage(TimeRange bounds, std::int64_t cursor, double pixels, double cellWidth) {
    const std::int64_t page = std::max<std::int64_t>(8, std::int64_t(pixels / cellWidth));
    if (bounds.length().value <= page)
        return {double(bounds.begin.value), double(bounds.end.value)};
    const std::int64_t inside = std::clamp(cursor, bounds.begin.value, bounds.end.value - 1) - bounds.begin.value;
    const std::int64_t begin = bounds.begin.value + inside / page * page;
    return cyclesWithin({double(begin), double(begin + page)}, bounds);
}

int GridLayout::rowAt(double y, int count) const {
    if (y < rows.top() || rowHeight <= 0)
        return -1;
    const int n = int((y - rows.top()) / rowHeight);
    return n < count ? n : -1;
}

GridLayout gridLayout(const QRectF& area, int rows, double lineHeight, bool withHead, double mostRow, CycleRange window,
                      bool withRuler) {
    GridLayout g;
    const double label = std::min(lineHeight * 8.5, area.width() * 0.25);
    double y = area.top();
    if (withHead) {
        g.head = QRectF(area.left(), y, area.width(), lineHeight * 1.5);
        y += lineHeight * 1.5;
    }
    const double rulerHeight = withRuler ? lineHeight * 1.2 : 0, issueHeight = lineHeight * 1.25, gap = 3;
    g.ruler = QRectF(area.left() + label, y, area.width() - label, rulerHeight);
    y += rulerHeight;
    const double room = std::max(0.0, area.bottom() - y - issueHeight - gap);
    g.rowHeight = rows > 0 ? std::min(mostRow, room / rows) : 0;
    g.labels = QRectF(area.left(), y, label, g.rowHeight * rows);
    g.rows = QRectF(area.left() + label, y, area.width() - label, g.rowHeight * rows);
    g.issue = QRectF(g.rows.left(), g.rows.bottom() + gap, g.rows.width(), issueHeight);
    g.scale = {window, g.rows.left(), std::max(1.0, g.rows.width())};
    return g;
}

CyclesLayout cyclesLayout(const QRectF& area, int rows, double lineHeight, double legendHeight, double shortLegend,
                          const std::array<double, stepButtons>& buttonWidths, double nowWidth, CycleRange window) {
    CyclesLayout l;
    const double gap = lineHeight * 0.6;
    const QRectF inner = area.adjusted(gap * 1.8, gap, -gap * 1.8, -gap);
    double y = inner.top();
    const auto take = [&](double height, double after) {
        const QRectF rect(inner.left(), y, inner.width(), height);
        y += height + after;
        return rect;
    };
    const double label = std::min(lineHeight * 8.5, inner.width() * 0.25);
    const double gridExtras = lineHeight * 2.5 + 3; // ruler and strip
    constexpr double goodRow = 17, leastRow = 11;
    // What the rows are left, below title, buttons and overview and above the rest.
    const auto roomWith = [&](bool compact, double legend, double figures, double detail) {
        const double above = lineHeight * (compact ? 3.4 : 5.1) + gap * (compact ? 1.4 : 1.9);
        return inner.height() - above - legend - (figures + detail) * lineHeight - gap * 3 - gridExtras;
    };
    const double explained = inner.width() < lineHeight * 42 ? 4.9 : 4.0; // the explanations wrap to three lines
    l.compact = roomWith(false, legendHeight, explained, 5.0) < rows * goodRow;
    double legend = l.compact ? shortLegend : legendHeight, figures = l.compact ? 2.4 : explained;
    double detail = l.compact ? 2.9 : 5.0;
    const auto lacks = [&](double row) { return roomWith(true, legend, figures, detail) < rows * row; };
    constexpr double thinnestRow = 4; // cells can still be told apart by their colours
    if (l.compact && lacks(leastRow))
        detail = 0; // the pointer still tells it
    if (l.compact && lacks(thinnestRow))
        figures = 0;
    if (l.compact && lacks(thinnestRow))
        legend = 0; // a legend without its last row would name some of the colours only
    if (!l.compact)
        l.title = take(lineHeight * 1.7, gap * 0.5);
    l.buttons = take(lineHeight * 1.7, gap * 0.8);
    // Buttons from the left: back, what is now, on. What does not fit is left out from the outside.
    double needed = nowWidth;
    for (double w : buttonWidths)
        needed += w > 0 ? w + 6 : 0;
    int skip = 0;
    while (skip < stepButtons / 2 && needed > inner.width()) {
        needed -= buttonWidths[skip] + buttonWidths[stepButtons - 1 - skip] + 12;
        ++skip;
    }
    double x = inner.left();
    for (int b = 0; b < stepButtons; ++b) {
        if (b == stepButtons / 2) {
            l.now = QRectF(x, l.buttons.top(), nowWidth, l.buttons.height());
            x += nowWidth + 6;
        }
        if (b < skip || b >= stepButtons - skip || buttonWidths[b] <= 0)
            continue;
        l.button[b] = QRectF(x, l.buttons.top(), buttonWidths[b], l.buttons.height());
        x += buttonWidths[b] + 6;
    }
    const QRectF strip = take(lineHeight * 1.7, gap * 0.6);
    l.overviewLabel = QRectF(strip.left(), strip.top(), label, strip.height());
    l.overview = strip.adjusted(label, 0, 0, 0);

    const double room = gridExtras + roomWith(l.compact, legend, figures, detail);
    const QRectF place(inner.left(), y, inner.width(), std::max(gridExtras + lineHeight, room));
    l.grid = gridLayout(place, rows, lineHeight, false, lineHeight * (rows <= 4 ? 4.2 : 2.8), window);
    y = l.grid.issue.bottom() + gap;
    const auto takeWhole = [&](double height) { // of what has no room nothing is shown
        return height > 0 && y + height <= inner.bottom() + 1 ? take(height, gap) : QRectF();
    };
    l.legend = takeWhole(legend);
    l.figures = takeWhole(figures * lineHeight);
    l.detail = QRectF(inner.left(), y, inner.width(), detail > 0 ? std::max(0.0, inner.bottom() - y) : 0.0);
    return l;
}

PolicyLayout policyLayout(const QRectF& area, const std::vector<int>& rows, double lineHeight, double legendHeight,
                          CycleRange window) {
    PolicyLayout l;
    const double gap = lineHeight * 0.6;
    const QRectF inner = area.adjusted(gap * 1.8, gap, -gap * 1.8, -gap);
    // Rows come first: where they would be thinner than this, rulers but the first go, then title, note and legend.
    constexpr double leastRow = 9;
    double least = gap * double(rows.size()), most = 0;
    for (int count : rows) {
        least += lineHeight * 3.0 + count * leastRow;
        most += lineHeight * 1.2;
    }
    const bool tight = inner.height() - lineHeight * 1.7 - gap * 0.6 < least + most;
    const double needed = least + (tight ? lineHeight * 1.2 : most);
    double top = inner.top();
    if (!tight) {
        l.title = QRectF(inner.left(), top, inner.width(), lineHeight * 1.7);
        top = l.title.bottom() + gap * 0.6;
    }
    double bottom = inner.bottom();
    if (const double note = lineHeight * 1.3; bottom - top - note - legendHeight - gap * 1.4 >= needed) {
        l.note = QRectF(inner.left(), bottom - note, inner.width(), note);
        bottom = l.note.top() - gap * 0.4;
    }
    if (bottom - top - legendHeight - gap >= needed) {
        l.legend = QRectF(inner.left(), bottom - legendHeight, inner.width(), legendHeight);
        bottom = l.legend.top() - gap;
    }
    const double ruler = tight ? lineHeight * 1.2 : 0; // the first pane's own
    const double each = rows.empty() ? 0 : (bottom - top - ruler - gap * double(rows.size() - 1)) / double(rows.size());
    double y = top;
    for (int count : rows) {
        const bool first = l.panes.empty();
        const QRectF pane(inner.left(), y, inner.width(), each + (first ? ruler : 0));
        l.panes.push_back(gridLayout(pane, count, lineHeight, true, lineHeight * 1.7, window, !tight || first));
        y = l.panes.back().issue.bottom() + gap;
    }
    return l;
}

LittleLayout littleLayout(const QRectF& area, double lineHeight) {
    LittleLayout l;
    const double gap = lineHeight;
    const QRectF inner = area.adjusted(gap * 1.1, gap * 0.6, -gap * 1.1, -gap * 0.6);
    l.title = QRectF(inner.left(), inner.top(), inner.width(), lineHeight * 1.7);
    l.note = QRectF(inner.left(), inner.bottom() - lineHeight * 2.7, inner.width(), lineHeight * 2.7);
    QRectF room(inner.left(), l.title.bottom() + gap * 0.5, inner.width(),
                l.note.top() - gap * 0.6 - l.title.bottom() - gap * 0.5);
    const double width = (room.width() - gap) / 2;
    // Where it is low, first where the figures come from goes, then the room between the sliders, then the verdicts: the
    // sum is what the page is for.
    const double heading = lineHeight * 1.5, formula = lineHeight * 3.2;
    double verdict = lineHeight * (width - 2 * gap < lineHeight * 26 ? 4.5 : 3.3), row = lineHeight * 1.75;
    const auto lacks = [&] { return room.height() < gap * 1.2 + heading + 4 * row + formula + verdict; };
    if (lacks()) {
        l.note = {};
        room.setBottom(inner.bottom());
    }
    if (lacks())
        row = std::max(lineHeight * 1.1, (room.height() - gap * 1.2 - heading - formula - verdict) / 4);
    if (lacks())
        verdict = 0;
    if (lacks())
        row = std::max(lineHeight * 0.9, (room.height() - gap * 1.2 - heading - formula) / 4);
    int slider = 0;
    for (std::size_t p = 0; p < 2; ++p) {
        l.panel[p] = QRectF(room.left() + double(p) * (width + gap), room.top(), width, room.height());
        const QRectF in = l.panel[p].adjusted(gap, gap * 0.6, -gap, -gap * 0.6);
        double y = in.top();
        const auto take = [&](double height) {
            const QRectF rect(in.left(), y, in.width(), height);
            y += height;
            return rect;
        };
        l.heading[p] = take(heading);
        const int count = p == 0 ? 3 : 4;
        for (int s = 0; s < count; ++s, ++slider) {
            const QRectF where = take(row);
            l.slider[slider] = where;
            const double label = std::min(where.width() * 0.52, lineHeight * 12);
            const double value = lineHeight * 3.2;
            l.track[slider] = where.adjusted(label, 0, -value, 0);
        }
        if (p == 0) // both panels' formulas on one height
            y += row;
        l.formula[p] = take(formula);
        l.verdict[p] = verdict > 0 ? take(verdict) : QRectF();
        l.pipe[p] = QRectF(in.left(), y + gap * 0.4, in.width(), std::max(0.0, in.bottom() - y - gap * 0.4));
    }
    return l;
}

} // namespace warpglass
