// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/machine_paint.h"
#include "gpu/machine/operations.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/source/source_text.h"

#include <QPainterPath>

namespace warpglass {

namespace {

constexpr qreal step = 9, bar = 30; // px at the usual type: a scoreboard's place, the bar of 15 cycles

QPointF placeOf(const QRectF& cell, int scoreboard, const Theme& theme) {
    return {cell.left() + (scoreboard + 0.5) * step * theme.fontScale, cell.center().y()};
}

QRectF barOf(const QRectF& cell, const Theme& theme) {
    const qreal s = theme.fontScale, left = cell.left() + (scoreboards * step + 6) * s;
    return {left, cell.center().y() - 3 * s, bar * s, 6 * s};
}

} // namespace

qreal controlWidth(const Theme& theme) {
    return (scoreboards * step + 6 + bar) * theme.fontScale + textWidth(theme.small(), QStringLiteral(" 15"));
}

void paintControlCaptions(QPainter& painter, const QRectF& column, const QRectF& captions, const Theme& theme) {
    if (column.width() <= 0)
        return;
    const qreal s = theme.fontScale;
    const QRectF head(column.left(), captions.top(), column.width(), captions.height());
    paintText(painter, {head.left(), head.top(), (scoreboards * step + 4) * s, head.height()}, SourceText::tr("waits"),
              theme.small(), theme.textMuted);
    paintText(painter, {barOf(head, theme).left(), head.top(), head.right() - barOf(head, theme).left(), head.height()},
              SourceText::tr("cycles"), theme.small(), theme.textMuted);
}

void paintControl(QPainter& painter, const QRectF& cell, const machine::Control& c, const Theme& theme) {
    const qreal s = theme.fontScale, radius = 3.2 * s;
    for (int b = 0; b < scoreboards; ++b) {
        const QColor colour = theme.category(b);
        const QPointF at = placeOf(cell, b, theme);
        const bool waits = c.waits >> b & 1;
        if (c.writes == b || c.reads == b) {
            painter.setPen(QPen(colour, 1.6 * s, c.writes == b ? Qt::SolidLine : Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, radius + (waits ? 1.2 * s : 0), radius + (waits ? 1.2 * s : 0));
        }
        if (waits) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawEllipse(at, radius * 0.8, radius * 0.8);
        }
    }
    const QRectF whole = barOf(cell, theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.sunken);
    painter.drawRect(whole);
    painter.setBrush(c.stall > 4 ? theme.attention : theme.textMuted);
    painter.drawRect(QRectF(whole.left(), whole.top(), whole.width() * c.stall / mostStall, whole.height()));
    if (c.yields) { // another warp is preferred: a tick behind the bar
        painter.setPen(QPen(theme.text, 1.2));
        painter.drawLine(QPointF(whole.right() + 1.5 * s, whole.top() - s),
                         QPointF(whole.right() + 1.5 * s, whole.bottom() + s));
    }
    paintText(painter, {whole.right() + 3 * s, cell.top(), cell.right() - whole.right() - 3 * s, cell.height()},
              QString::number(c.stall), theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
}

void paintWaits(QPainter& painter, const Pane& pane, const MachineListing& machine, int row, const Theme& theme) {
    if (row < 1 || row > machine.rows.size() || pane.control.width() <= 0)
        return;
    const machine::Function& code = machine.sight->code();
    const machine::Control& waits = code.code[std::size_t(row - 1)].control;
    for (const std::uint32_t from : machine.sight->whole.awaited(machine.sight->cubin, std::size_t(row - 1))) {
        const machine::Control& sets = code.code[from].control;
        for (const int b : {int(sets.writes), int(sets.reads)}) {
            if (b >= scoreboards || !(waits.waits >> b & 1))
                continue;
            const QPointF a = placeOf(pane.in(pane.control, row), b, theme),
                          z = placeOf(pane.in(pane.control, int(from) + 1), b, theme);
            painter.setPen(QPen(theme.category(b), 1.6 * theme.fontScale));
            painter.setBrush(Qt::NoBrush);
            painter.drawLine(a, z);
        }
    }
}

QString stalledText(const MachineListing& machine, const MachineRow& row) {
    constexpr double least = 0.5; // percent
    const double share = machine.sampled   ? 100 * double(row.sampled) / double(machine.sampled)
                         : machine.stalled ? 100 * double(row.stalled) / double(machine.stalled)
                                           : 0;
    return share < least ? QString() : percentText(share);
}

QString executionsText(const MachineRow& row) {
    if (row.counted)
        return numberText(row.warps);
    if (!row.executions)
        return {};
    return row.shared ? QStringLiteral("≤ ") + numberText(row.executions) : numberText(row.executions);
}

void paintMachineMargin(QPainter& painter, const Pane& pane, const MachineListing& machine, int line,
                        const Theme& theme) {
    const MachineRow& row = machine.rows[line - 1];
    if (row.local) {
        QColor ground = theme.attention;
        ground.setAlphaF(0.16f);
        painter.fillRect(pane.row(line).adjusted(pane.control.left() - pane.rows.left(), 1, 0, -1), ground);
    }
    if (pane.executions.width() > 0)
        paintText(painter, pane.in(pane.executions, line), executionsText(row), theme.small(),
                  row.counted ? theme.text : theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    if (pane.divergent.width() > 0 && row.live)
        paintText(painter, pane.in(pane.divergent, line), QString::number(row.live), theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    if (pane.sectors.width() > 0)
        paintText(painter, pane.in(pane.sectors, line), stalledText(machine, row), theme.small(), theme.attention,
                  Qt::AlignRight | Qt::AlignVCenter);
    paintControl(painter, pane.in(pane.control, line), machine.sight->code().code[std::size_t(line - 1)].control,
                 theme);
}

void paintFold(QPainter& painter, const QRectF& strip, const Theme& theme) {
    if (strip.isNull())
        return;
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(strip, 4, 4);
    const qreal s = theme.fontScale;
    paintChevron(painter, {strip.center().x(), strip.top() + 12 * s}, 4 * s, false, theme.textMuted);
    painter.save();
    painter.translate(strip.left(), strip.top() + 24 * s);
    painter.rotate(90);
    paintText(painter, {0, -strip.width(), strip.height() - 28 * s, strip.width()}, SourceText::tr("machine code"),
              theme.small(), theme.text);
    painter.restore();
}

} // namespace warpglass
