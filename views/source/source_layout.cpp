// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_layout.h"

#include <QtGlobal>

#include <cmath>

namespace warpglass {

namespace {

double firstInSight(const PaneRequest& r, double inSight) {
    const double last = qMax(0.0, r.lines - inSight);
    if (r.from >= 0)
        return qMin(r.from, last);
    // From a little above the kernel; further down only if the line to be seen would be out of sight.
    double from = r.firstLinked ? r.firstLinked - 3.0 : 0;
    if (r.focus && (r.focus - 1 < from || r.focus > from + inSight - 1))
        from = r.focus - inSight / 2;
    return qBound(0.0, from, last);
}

Pane layoutPane(const SourceRequest& r, const PaneRequest& p, QRectF area) {
    const qreal s = r.scale;
    Pane pane;
    pane.whole = area;
    pane.lines = p.lines;
    pane.lineHeight = r.lineHeight;
    pane.heading = {area.left(), area.top(), area.width(), r.lineHeight + 4 * s};
    pane.captions = {area.left(), pane.heading.bottom(), area.width(), r.smallHeight + 2 * s};
    pane.rows = {area.left(), pane.captions.bottom(), area.width(),
                 qMax(qreal(0), area.bottom() - pane.captions.bottom())};
    pane.inSight = pane.rows.height() / r.lineHeight;
    pane.from = firstInSight(p, pane.inSight);

    const bool roomy = area.width() >= 480 * s, some = area.width() >= 300 * s;
    const int digits = p.places ? p.places : qMax(2, int(std::to_string(qMax(1, p.lines)).size()));
    qreal x = area.left();
    const auto column = [&](qreal width, qreal gap) {
        const QRectF c(x, pane.rows.top(), width, pane.rows.height());
        x += width > 0 ? width + gap : 0;
        return c;
    };
    const auto letters = [&](int count) { return count * r.digitWidth; };
    pane.now = column(12 * s, 0);
    pane.numbers = column(letters(digits), 6 * s);
    pane.executions =
        column((some || !p.lanes) && p.executions ? qMax(letters(p.executions), r.warpsCaption) : 0, 7 * s);
    if (pane.executions.width() > 0 && !roomy && p.lanes)
        pane.lanes = pane.executions; // below the number
    else
        pane.lanes = column(p.executions && p.lanes ? qMax(34 * s, r.lanesCaption) : 0, 5 * s);
    pane.divergent = column(some && p.divergent ? Pane::forkWidth * s + letters(p.divergent) : 0, 5 * s);
    pane.sectors = column(
        (area.width() >= 360 * s || !p.lanes) && p.sectors ? qMax(letters(p.sectors), r.sectorsCaption) : 0, 4 * s);
    pane.control = column(p.control, 4 * s);
    x += 5 * s;
    pane.code = {x, pane.rows.top(), qMax(qreal(0), area.right() - x), pane.rows.height()};
    return pane;
}

// What a pane's longest line needs, with its margin.
qreal needOf(const SourceRequest& r, const PaneRequest& p, qreal width) {
    const Pane pane = layoutPane(r, p, {0, 0, width, 100 * r.lineHeight});
    return pane.code.left() + p.code + 10 * r.scale; // the place in the text stands at the right
}

// Of two panes beside each other that of the first: half, or more where the other one's code leaves room, or less.
qreal firstWidth(const SourceRequest& r, qreal both) {
    const qreal half = both / 2, least = 300 * r.scale;
    if (r.source.code <= 0 || r.ptx.code <= 0)
        return half;
    const qreal first = needOf(r, r.source, half), second = needOf(r, r.ptx, half);
    if (first > half && second < half)
        return qMin(first, both - qMax(second, qMin(least, half)));
    if (second > half && first < half)
        return qMax(qMax(first, qMin(least, half)), both - second);
    return half;
}

constexpr qreal strip = 24; // of what is folded

ShownText shownIn(const SourceRequest& r, qreal width) {
    const bool machine = r.machine.lines > 0;
    if (machine && r.source.lines == 0 && r.ptx.lines == 0)
        return ShownText::Machine;
    if (r.shown == ShownText::Fitting)
        return machine && width >= 1120 * r.scale ? ShownText::All : ShownText::Both;
    return r.shown == ShownText::All && !machine ? ShownText::Both : r.shown;
}

void layOutBeside(const SourceRequest& r, QRectF area, ShownText shown, SourceLayout& out) {
    const qreal s = r.scale, between = 26 * s;
    if (shown == ShownText::All) {
        const bool three = area.width() >= 900 * s; // else the PTX goes, which the view's switch still brings
        const qreal most = three ? area.width() * 0.34 : area.width() / 2;
        const qreal width = qMin(most, qMax(230 * s, needOf(r, r.machine, most)));
        out.machine = layoutPane(r, r.machine, {area.right() - width, area.top(), width, area.height()});
        area.setRight(area.right() - width - between);
        if (!three) {
            out.source = layoutPane(r, r.source, area);
            return;
        }
    } else if (r.machine.lines > 0 && r.foldable) {
        out.fold = {area.right() - strip * s, area.top(), strip * s, area.height()};
        area.setRight(out.fold.left() - 8 * s);
    }
    const qreal panes = area.width() - between, width = firstWidth(r, panes);
    out.source = layoutPane(r, r.source, {area.left(), area.top(), width, area.height()});
    out.ptx = layoutPane(r, r.ptx, {area.right() - (panes - width), area.top(), panes - width, area.height()});
}

} // namespace

int Pane::lineAt(qreal y) const {
    if (!shown() || y < rows.top() || y >= rows.bottom())
        return 0;
    const int line = int(std::floor(from + (y - rows.top()) / lineHeight)) + 1;
    return line >= 1 && line <= lines ? line : 0;
}

QRectF Pane::row(int line) const {
    return {rows.left(), rows.top() + (line - 1 - from) * lineHeight, rows.width(), lineHeight};
}

QRectF Pane::in(const QRectF& column, int line) const {
    const QRectF r = row(line);
    return {column.left(), r.top(), column.width(), r.height()};
}

int Pane::first() const {
    return qMax(1, int(std::floor(from)) + 1);
}
int Pane::end() const {
    return qMin(lines, int(std::ceil(from + inSight))) + 1;
}

SourceLayout layoutSource(const SourceRequest& r) {
    const qreal s = r.scale;
    SourceLayout out;
    const qreal side = r.area.width() < 500 * s ? 10 * s : 16 * s;
    QRectF area = r.area.adjusted(side, 12 * s, -side, -10 * s);
    // Code comes first: where panes one above the other would each show fewer lines than this, the title goes, then the
    // PTX, which the view's own switch still brings.
    constexpr double leastLines = 4;
    const qreal frames = 2 * (r.lineHeight + r.smallHeight + 6 * s) + 10 * s; // headings and captions of two panes
    const ShownText shown = shownIn(r, area.width());
    const bool several = shown == ShownText::Both || shown == ShownText::All;
    const bool stacked = several && area.width() < 640 * s;
    const qreal sentences = r.sentences > 0 && area.height() >= 300 * s ? r.sentences + 6 * s : 0;
    const qreal legend = r.smallHeight + 10 * s + sentences, title = r.titleHeight + r.smallHeight + 10 * s;
    const bool titled = !stacked || area.height() - legend - title - frames >= 2 * leastLines * r.lineHeight;
    if (titled) {
        out.title = {area.left(), area.top(), area.width(), r.titleHeight};
        out.question = {area.left(), out.title.bottom(), area.width(), r.smallHeight + 2 * s};
        area.setTop(out.question.bottom() + 8 * s);
    }
    const bool both = !stacked || area.height() - legend - frames >= 2 * leastLines * r.lineHeight;
    out.legend = {area.left(), area.bottom() - r.smallHeight - 4 * s, area.width(), r.smallHeight + 4 * s};
    area.setBottom(out.legend.top() - 6 * s);
    if (sentences > 0) {
        out.sentences = {area.left(), area.bottom() - r.sentences, area.width(), r.sentences};
        area.setBottom(out.sentences.top() - 6 * s);
    }
    if (shown == ShownText::Source || (several && !both)) {
        out.source = layoutPane(r, r.source, area);
    } else if (shown == ShownText::Ptx) {
        out.ptx = layoutPane(r, r.ptx, area);
    } else if (shown == ShownText::Machine) {
        out.machine = layoutPane(r, r.machine, area);
    } else if (!stacked) {
        layOutBeside(r, area, shown, out);
    } else { // the second below: PTX, or the machine code
        out.sideBySide = false;
        const qreal between = 10 * s, height = (area.height() - between) * 0.55;
        const QRectF below(area.left(), area.top() + height + between, area.width(), area.height() - height - between);
        out.source = layoutPane(r, r.source, {area.left(), area.top(), area.width(), height});
        (shown == ShownText::All ? out.machine : out.ptx) =
            layoutPane(r, shown == ShownText::All ? r.machine : r.ptx, below);
    }
    return out;
}

} // namespace warpglass
