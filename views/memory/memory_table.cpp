// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_table.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/memory/memory_text.h"

#include <algorithm>

namespace warpglass {

namespace {

double headHeight(const Theme& theme) {
    return lineHeight(theme.body()) * 2.0 + lineHeight(theme.small()) * 1.6;
}
double rowHeight(const Theme& theme) {
    return lineHeight(theme.body()) * 1.7;
}

// Left edges of the columns as shares of the width: line, access, requests, a request, efficiency.
constexpr double columns[] = {0.0, 0.13, 0.43, 0.61, 0.77, 1.0};

QRectF column(const QRectF& row, int n) {
    const double gap = 6;
    return {row.left() + columns[n] * row.width(), row.top(), (columns[n + 1] - columns[n]) * row.width() - gap,
            row.height()};
}

bool isShown(const AccessLine& line, const ShownAccess& shown) {
    return shown.row && line.ptxLine == shown.ptxLine && line.sourceLine == shown.sourceLine &&
           line.space == shown.row->space;
}

// Which rows stand there: all, or as many as there is room for beside a row for what is left, the shown access among them.
struct Rows {
    int first = 0, end = 0;
};
Rows rowsOf(const QRectF& where, const std::vector<AccessLine>& lines, const ShownAccess& shown, const Theme& theme) {
    const int room = int((where.height() - headHeight(theme) + 0.5) / rowHeight(theme)), count = int(lines.size());
    if (count <= room)
        return {0, count};
    const int most = std::max(0, room - 1);
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const AccessLine& l) { return isShown(l, shown); });
    const int chosen = at == lines.end() ? 0 : int(at - lines.begin());
    const int first = std::max(0, chosen - most + 1);
    return {first, first + most};
}

QString shortAccess(MemorySpace space, AccessKind kind) {
    const QString what = kind == AccessKind::Load    ? MemoryText::tr("load")
                         : kind == AccessKind::Store ? MemoryText::tr("store")
                                                     : MemoryText::tr("atomic");
    const QString where = space == MemorySpace::Shared    ? MemoryText::tr("shared")
                          : space == MemorySpace::Local   ? MemoryText::tr("local")
                          : space == MemorySpace::Texture ? MemoryText::tr("texture")
                                                          : MemoryText::tr("global");
    return MemoryText::tr("%1, %2").arg(what, where);
}

} // namespace

QString accessText(MemorySpace space, AccessKind kind) {
    QString where = space == MemorySpace::Shared    ? MemoryText::tr("shared memory")
                    : space == MemorySpace::Local   ? MemoryText::tr("local memory")
                    : space == MemorySpace::Texture ? MemoryText::tr("a texture or surface")
                                                    : MemoryText::tr("global memory");
    switch (kind) {
    case AccessKind::Load:
        return MemoryText::tr("load from %1").arg(where);
    case AccessKind::Store:
        return MemoryText::tr("store to %1").arg(where);
    case AccessKind::Atomic:
        return MemoryText::tr("atomic on %1").arg(where);
    }
    return where;
}

void paintMemoryTable(QPainter& painter, const QRectF& where, const std::vector<AccessLine>& lines,
                      const ShownAccess& shown, const Theme& theme) {
    const double line = lineHeight(theme.body());
    const QString heading = MemoryText::tr("Whole launch, by instruction");
    paintText(painter, QRectF(where.left(), where.top(), where.width(), line * 1.6), heading, theme.title(),
              theme.text);
    const double chip = chipWidth(originName(Origin::Counted), theme);
    if (textWidth(theme.title(), heading) + chip + 12 < where.width())
        paintOriginChip(painter, QPointF(where.right() - chip, where.top() + line * 0.2), Origin::Counted, theme);
    const QRectF head(where.left(), where.top() + line * 2, where.width(), lineHeight(theme.small()) * 1.4);
    const QString names[] = {MemoryText::tr("line"), MemoryText::tr("access"), MemoryText::tr("requests"),
                             MemoryText::tr("a request"), MemoryText::tr("efficiency")};
    for (int i = 0; i < 5; ++i)
        paintText(painter, column(head, i), names[i], theme.small(), theme.textMuted,
                  (i == 2 || i == 3 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    double y = where.top() + headHeight(theme);
    if (lines.empty())
        paintParagraph(&painter, QRectF(where.left(), y + line * 0.3, where.width(), where.bottom() - y),
                       MemoryText::tr("This recording holds single accesses, and no counts of the whole launch."),
                       theme.small(), theme.textMuted);
    const Rows rows = rowsOf(where, lines, shown, theme);
    for (int n = rows.first; n < rows.end; ++n, y += rowHeight(theme)) {
        const AccessLine& a = lines[std::size_t(n)];
        const QRectF row(where.left(), y, where.width(), rowHeight(theme));
        if (isShown(a, shown))
            painter.fillRect(row, theme.accentSoft);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(row.bottomLeft(), row.bottomRight());
        const QString ptx = QString("·%1").arg(a.ptxLine);
        const QRectF lineCell = column(row, 0).adjusted(4, 0, 0, 0);
        const double used = paintText(painter, lineCell, a.sourceLine != 0 ? QString::number(a.sourceLine) : ptx,
                                      theme.body(), theme.text);
        const auto same = std::count_if(lines.begin(), lines.end(),
                                        [&](const AccessLine& other) { return other.sourceLine == a.sourceLine; });
        if (a.sourceLine != 0 && same > 1 && used + 4 + textWidth(theme.small(), ptx) < lineCell.width())
            paintText(painter, lineCell.adjusted(used + 4, 0, 0, 0), ptx, theme.small(), theme.textMuted);
        const QRectF what = column(row, 1);
        const double said = paintText(painter, what, shortAccess(a.space, a.kind), theme.body(), theme.text);
        if (a.lanesAtOneWord > 1) // has no column of its own: few kernels do that
            paintText(painter, what.adjusted(said + 6, 0, 0, 0),
                      MemoryText::tr("%1 lanes a word").arg(decimalText(a.lanesAtOneWord, 1)), theme.small(),
                      theme.attention);
        paintText(painter, column(row, 2), numberText(a.requests), theme.body(), theme.text,
                  Qt::AlignRight | Qt::AlignVCenter);
        if (a.space == MemorySpace::Texture) { // requests are all that is known
            paintText(painter, column(row, 3).united(column(row, 4)), MemoryText::tr("layout not published"),
                      theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
            continue;
        }
        paintText(painter, column(row, 3), decimalText(a.perRequest, 1), theme.body(), theme.text,
                  Qt::AlignRight | Qt::AlignVCenter);
        const QRectF cell = column(row, 4);
        const QString percent = percentText(a.efficiency, 1);
        const double textSpace = textWidth(theme.small(), "100.0 %") + 6;
        const double share = a.efficiency / 100;
        if (cell.width() > textSpace + 12)
            paintShareBar(painter,
                          QRectF(cell.left(), cell.center().y() - line * 0.3, cell.width() - textSpace, line * 0.6),
                          share,
                          share > 0.75  ? theme.good
                          : share > 0.4 ? theme.laneOn
                                        : theme.attention,
                          theme);
        paintText(painter, cell, percent, theme.small(), theme.text, Qt::AlignRight | Qt::AlignVCenter);
    }
    const int left = int(lines.size()) - (rows.end - rows.first);
    if (left > 0 && y + rowHeight(theme) <= where.bottom() + 0.5)
        paintText(painter, QRectF(where.left(), y, where.width(), rowHeight(theme)),
                  MemoryText::tr("and %1 more: choose a line in the source").arg(left), theme.small(), theme.textMuted);
}

int memoryTableRowAt(const QRectF& where, const std::vector<AccessLine>& lines, const ShownAccess& shown, QPointF at,
                     const Theme& theme) {
    if (!where.contains(at) || at.y() < where.top() + headHeight(theme))
        return -1;
    const Rows rows = rowsOf(where, lines, shown, theme);
    const int row = rows.first + int((at.y() - where.top() - headHeight(theme)) / rowHeight(theme));
    return row < rows.end ? row : -1;
}

QString memoryTableCsv(const std::vector<AccessLine>& lines) {
    QString csv = "ptx_line,source_line,space,access,requests,sectors,passes,ideal_passes,per_request,efficiency_pct,"
                  "origin,lanes_at_one_word\n";
    for (const AccessLine& a : lines) {
        if (a.space == MemorySpace::Texture) { // what is not known stays empty
            csv += QString("%1,%2,%3,%4,%5,,,,,,counted,\n")
                       .arg(a.ptxLine)
                       .arg(a.sourceLine)
                       .arg(name(a.space), name(a.kind))
                       .arg(a.requests);
            continue;
        }
        csv += QString("%1,%2,%3,%4,%5,%6,%7,%8,%9,")
                   .arg(a.ptxLine)
                   .arg(a.sourceLine)
                   .arg(name(a.space), name(a.kind))
                   .arg(a.requests)
                   .arg(a.sectors)
                   .arg(a.passes)
                   .arg(a.idealPasses)
                   .arg(a.perRequest, 0, 'f', 4) +
               QString("%1,counted,%2\n")
                   .arg(a.efficiency, 0, 'f', 4)
                   .arg(a.lanesAtOneWord > 0 ? QString::number(a.lanesAtOneWord, 'f', 4) : QString());
    }
    return csv;
}

} // namespace warpglass
