// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_paint.h"

#include "views/common/follow.h"
#include "views/common/marks.h"
#include "views/common/painted_words.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/launchtree/launchtree_text.h"

#include <algorithm>

namespace warpglass {

namespace {

// A group: its extent as a frame, inside how many of its grids run at each pixel.
void paintGroupBar(QPainter& painter, const LaunchTreePane& pane, const TreeRow& row, const QRectF& bar,
                   const QColor& colour) {
    QColor soft = colour;
    soft.setAlphaF(0.18f);
    painter.fillRect(bar, soft);
    const int columns = std::max(1, int(bar.width()));
    std::vector<int> change(std::size_t(columns) + 2, 0);
    for (const std::uint32_t launch : row.launches) {
        const Launch& one = pane.trace().launches[launch];
        if (!pane.known(one.start))
            continue;
        const int from = std::clamp(int(pane.axis.x(one.start) - bar.left()), 0, columns - 1);
        const int to = std::clamp(int(pane.axis.x(one.end) - bar.left()) + 1, from + 1, columns);
        ++change[std::size_t(from)];
        --change[std::size_t(to)];
    }
    int now = 0, peak = 1;
    for (int c = 0; c < columns; ++c)
        peak = std::max(peak, now += change[std::size_t(c)]);
    now = 0;
    for (int c = 0; c < columns; ++c) {
        now += change[std::size_t(c)];
        const double height = bar.height() * now / peak;
        if (now > 0)
            painter.fillRect(QRectF(bar.left() + c, bar.bottom() - height, 1, height), colour);
    }
}

void paintBar(QPainter& painter, const LaunchTreePane& pane, const TreeRow& row, const QRectF& rect,
              const Theme& theme) {
    // Bars grow up to the time it has come to.
    const TimeRange shown = pane.axis.window;
    const double share = pane.played ? (*pane.played - double(shown.begin.value)) / double(shown.length().value) : 1;
    const double now = pane.bars.left() + share * pane.bars.width();
    const auto placeOf = [&](Time t) {
        return std::clamp(std::min(pane.axis.x(t), now), pane.bars.left(), pane.bars.right());
    };
    const double top = rect.top() + rect.height() * 0.22, height = rect.height() * 0.56;
    const double left = placeOf(row.start);
    if (row.dropped) {
        const QRectF mark(std::min(left, pane.bars.right() - height), top, height, height);
        paintCell(painter, mark, theme.panel, Hatch::Cross, theme.wrong);
        painter.setPen(QPen(theme.wrong, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(mark);
        return;
    }
    const double right = std::max(placeOf(row.end), left + 2), complete = placeOf(row.complete);
    const QColor colour = theme.category(int(row.depth));
    if (complete > right + 1) // its own blocks are done; it still waits for its children
        paintCell(painter, QRectF(right, top + height * 0.3, complete - right, height * 0.4), theme.sunken,
                  Hatch::Diagonal, colour);
    const QRectF bar(left, top, right - left, height);
    if (row.isGroup)
        paintGroupBar(painter, pane, row, bar, colour);
    else
        paintCell(painter, bar, colour, Hatch::None, theme.text);
}

// Grids of a group that are launched by now.
std::optional<std::uint64_t> launchedSoFar(const LaunchTreePane& pane, const TreeRow& row) {
    if (!pane.played)
        return std::nullopt;
    return std::uint64_t(std::count_if(row.launches.begin(), row.launches.end(), [&](std::uint32_t launch) {
        return pane.known(pane.trace().launches[launch].start);
    }));
}

void paintLabel(QPainter& painter, const LaunchTreePane& pane, int n, const Theme& theme) {
    const TreeRow& row = pane.tree->rows[std::size_t(n)];
    const QRectF rect = pane.rowRect(n), chevron = pane.chevronOf(n);
    for (int level = 0; level < row.indent && level * pane.line * 1.1 < pane.labels.width() * 0.5; ++level) {
        painter.setPen(QPen(theme.border, 1));
        const double x = pane.labels.left() + pane.line * 0.5 + level * pane.line * 1.1;
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    }
    if (row.hasChildren)
        paintChevron(painter, chevron.center(), pane.line * 0.28, row.unfolded, theme.textMuted);
    const QRectF text(chevron.right() + 4, rect.top(), pane.labels.right() - chevron.right() - 4, rect.height());
    const QString cross = row.dropped ? QString(QChar(0x2715)) + QLatin1Char(' ') : QString();
    const QString named = fittedRowText(pane.trace(), row, launchedSoFar(pane, row), theme.body(),
                                        text.width() - textWidth(theme.body(), cross));
    const double used = paintText(painter, text, cross + named, theme.body(), row.dropped ? theme.wrong : theme.text);
    // As much of who launched it as fits whole; the rest is in the tool tip.
    const QRectF rest = text.adjusted(used + 10, 0, 0, 0);
    for (const bool withStream : {true, false})
        if (const QString who = whoText(pane.trace(), row, withStream); textWidth(theme.small(), who) <= rest.width()) {
            paintText(painter, rest, who, theme.small(), theme.textMuted);
            break;
        }
}

void paintAxis(QPainter& painter, const LaunchTreePane& pane, const Theme& theme) {
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(pane.bars.left(), pane.head.bottom()), QPointF(pane.bars.right(), pane.head.bottom()));
    const TimeAxis::Ticks ticks = pane.axis.ticks(pane.tree->totals.range.begin, pane.line * 7);
    for (const TimeAxis::Tick& tick : ticks.marks) {
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(tick.x, pane.head.bottom() - 4), QPointF(tick.x, pane.rows.bottom()));
        const QString label = timeText(tick.since, pane.trace().info.timeUnit, ticks.step);
        const double width = textWidth(theme.small(), label);
        if (tick.x + width <= pane.bars.right() + pane.line)
            paintText(painter, QRectF(tick.x + 3, pane.head.top(), width + 4, pane.head.height() - 2), label,
                      theme.small(), theme.textMuted);
    }
}

} // namespace

void paintTreeHead(QPainter& painter, const LaunchTreePane& pane, const Theme& theme) {
    const Trace& trace = pane.trace();
    const TreeTotals totals = pane.played ? treeTotals(trace, pane.played) : pane.tree->totals;
    const Launch& root = trace.launches.front();
    if (pane.title.height() > 0)
        paintHeading(painter, pane.title,
                     pane.mark + LaunchTreeText::tr("Who launched whom: %1 %2")
                                     .arg(QString::fromStdString(trace.kernelOf(root).name), shapeText(root)),
                     theme);
    const QString text = (totals.ran == 1 ? LaunchTreeText::tr("%1 grid ran, depth %2, %3 in all")
                                          : LaunchTreeText::tr("%1 grids ran, depth %2, %3 in all"))
                             .arg(numberText(totals.ran))
                             .arg(totals.depth)
                             .arg(timeText(totals.range.length(), trace.info.timeUnit));
    const QString mark = pane.title.height() > 0 ? QString() : pane.mark;
    const double width = paintText(painter, pane.totals, mark + text, theme.body(), theme.text);
    const QRectF chip =
        paintOriginChip(painter, QPointF(pane.totals.left() + width + 10, pane.totals.top() + pane.line * 0.2),
                        trace.info.timeOrigin, theme);
    if (totals.dropped > 0) {
        const QRectF room = pane.totals.adjusted(chip.right() + 14 - pane.totals.left(), 0, 0, 0);
        const QString dropped = (totals.dropped == 1 ? LaunchTreeText::tr("✕ %1 launch dropped")
                                                     : LaunchTreeText::tr("✕ %1 launches dropped"))
                                    .arg(numberText(totals.dropped));
        paintText(painter, room, dropped, fittedFont(theme.title(), dropped, room.width(), theme.small().pixelSize()),
                  theme.wrong);
    }
    paintAxis(painter, pane, theme);
}

void paintTreeRows(QPainter& painter, const LaunchTreePane& pane, const Theme& theme, std::uint32_t chosen,
                   std::optional<Time> now, std::uint32_t followed) {
    const std::vector<TreeRow>& rows = pane.tree->rows;
    for (int n = pane.firstRow; n < pane.endRow(); ++n) {
        const TreeRow& row = rows[std::size_t(n)];
        if (!pane.known(row.start))
            continue; // not launched yet
        const bool holds = std::find(row.launches.begin(), row.launches.end(), chosen) != row.launches.end();
        if (holds && (!row.isGroup || !row.unfolded))
            painter.fillRect(pane.rowRect(n), theme.accentSoft);
        paintLabel(painter, pane, n, theme);
        paintBar(painter, pane, row, pane.rowRect(n), theme);
        const bool follows = std::find(row.launches.begin(), row.launches.end(), followed) != row.launches.end();
        if (follows && (!row.isGroup || !row.unfolded))
            paintFollowed(painter, pane.rowRect(n).adjusted(pane.chevronOf(n).left() - pane.rows.left(), 1, -2, -1),
                          theme);
    }
    if (pane.firstRow > 0 || pane.endRow() < int(rows.size())) { // where in the list we are
        const double share = double(pane.visibleRows) / double(rows.size());
        const double at = double(pane.firstRow) / double(rows.size());
        painter.fillRect(QRectF(pane.rows.right() - 3, pane.rows.top() + at * pane.rows.height(), 3,
                                std::max(12.0, share * pane.rows.height())),
                         theme.border);
    }
    const double x = now ? pane.axis.x(*now) : -1;
    if (now && x >= pane.bars.left() && x <= pane.bars.right())
        paintCursorLine(painter, x, pane.head.bottom(), pane.rows.bottom(), theme.attention);
}

// A bar and a white page: the view that says more is offered there.
QRectF timelineLink(const LaunchTreePane& pane) {
    if (pane.tree->rows.size() != 1 || pane.tree->totals.dropped > 0 ||
        pane.rows.height() <= pane.rowHeight + pane.line * 3)
        return {};
    QRectF link = pane.labels.adjusted(pane.line * 0.6, pane.rowHeight + pane.line, 0, 0);
    link.setHeight(std::min(link.height(), pane.line * 5));
    return link;
}

void paintTreeNote(QPainter& painter, const LaunchTreePane& pane, const Theme& theme) {
    const TreeTotals totals = pane.played ? treeTotals(pane.trace(), pane.played) : pane.tree->totals;
    if (totals.dropped == 0) {
        if (const QRectF elsewhere = timelineLink(pane); !elsewhere.isEmpty())
            paintParagraph(&painter, elsewhere,
                           LaunchTreeText::tr("It launched no other grid. When its warps ran and waited stands in the "
                                              "timeline."),
                           theme.body(), theme.accent);
        return;
    }
    painter.fillRect(pane.note, theme.sunken);
    painter.fillRect(QRectF(pane.note.left(), pane.note.top(), 4, pane.note.height()), theme.wrong);
    const QRectF inside = pane.note.adjusted(launchTreeNoteInset.left(), launchTreeNoteInset.top(),
                                             -launchTreeNoteInset.right(), -launchTreeNoteInset.bottom());
    paintParagraph(&painter, inside, fittedSentences(droppedText(totals), theme.body(), inside.size()), theme.body(),
                   theme.text);
}

} // namespace warpglass
