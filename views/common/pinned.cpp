// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/pinned.h"

#include "views/common/beside.h"
#include "views/common/line_match.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpglass {

namespace {

class PinnedText {
    Q_DECLARE_TR_FUNCTIONS(Pinned)
};

} // namespace

std::optional<PaintContext> contextOfPinned(const PaintContext& context) {
    if (!context.pinned || !context.trace || context.pinned->launches.empty() || context.trace->launches.empty())
        return std::nullopt;
    PaintContext both = context;
    both.other = context.pinned;
    both.otherShift.reset();
    PaintContext a = contextOfOther(both);
    a.selection.sourceLine = a.selection.ptxLine = 0;
    const auto kernelOf = [](const Trace& trace, const Selection& s) -> const Kernel& {
        return trace.kernelOf(trace.launches[std::min<std::size_t>(s.launch, trace.launches.size() - 1)]);
    };
    const Kernel &mine = kernelOf(*context.trace, context.selection), &its = kernelOf(*a.trace, a.selection);
    if (context.selection.sourceLine)
        a.selection.sourceLine = matchLines(its.source, mine.source).lineOfA(context.selection.sourceLine);
    if (context.selection.ptxLine && its.source.empty())
        a.selection.ptxLine = matchLines(its.ptx, mine.ptx).lineOfA(context.selection.ptxLine);
    return a;
}

std::optional<TimeRange> pinnedRange(const PaintContext& context) {
    if (!context.pinned || !context.trace || context.pinned->info.timeUnit != context.trace->info.timeUnit)
        return std::nullopt;
    const Time length = context.pinned->range().length(), begin = context.trace->range().begin;
    return length.value > 0 ? std::optional(TimeRange{begin, begin + length}) : std::nullopt;
}

QColor pinnedColour(const Theme& theme) {
    return theme.category(1);
}

void paintPinnedFrame(QPainter& painter, const QRectF& where, const Theme& theme) {
    paintPinnedFrame(painter, where, pinnedColour(theme));
}

void paintPinnedFrame(QPainter& painter, const QRectF& where, const QColor& colour) {
    if (where.isEmpty())
        return;
    QColor soft = colour;
    soft.setAlphaF(0.10F);
    painter.fillRect(where, soft);
    painter.setBrush(Qt::NoBrush);
    QPen pen(colour, 1);
    pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.drawRect(where.adjusted(0.5, 0.5, -0.5, -0.5));
}

void paintPinnedSpan(QPainter& painter, const QRectF& row, double from, double to, const QString& text,
                     const Theme& theme) {
    const double left = std::max(from, row.left()), right = std::min(to, row.right());
    if (to < row.left() || from > row.right() || row.height() < 3)
        return;
    paintPinnedFrame(painter, {left, row.top(), std::max(2.0, right - left), row.height()}, theme);
    const bool beyond = to > row.right();
    const QString label = beyond ? text + QStringLiteral(" ▸") : text;
    const double width = textWidth(theme.small(), label) + 6;
    double x = right + 3; // behind the bar, else in it at its end
    if (beyond || x + width > row.right())
        x = std::max(row.left(), right - width);
    if (row.height() < lineHeight(theme.small()) * 0.8)
        return;
    const QRectF patch(x, row.top() + 1, width, row.height() - 2);
    painter.fillRect(patch, theme.window);
    paintText(painter, patch.adjusted(3, 0, 0, 0), label, theme.small(), theme.text);
}

QString pinnedLengthText(const PaintContext& context) {
    return PinnedText::tr("A %1").arg(timeText(context.pinned->range().length(), context.pinned->info.timeUnit));
}

} // namespace warpglass
