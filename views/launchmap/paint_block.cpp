// SPDX-License-Identifier: GPL-3.0-or-later
// Into a block: its threads as written and, beside them, the same threads as the hardware folds them: warps of 32
// lanes. Into a warp: who each lane is, and what it does now.
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

#include <algorithm>

namespace warpglass {
namespace {

QString foldText(const ThreadLayout& t) {
    const RowFold fold = rowFold(t.block);
    const bool oneRow = t.block.y <= 1 && t.block.z <= 1;
    if (oneRow) {
        return LaunchMapText::tr("threads are numbered along x; each 32 make a warp");
    }
    if (fold.rowsPerWarp > 1) {
        return LaunchMapText::tr("x first: a warp is %1 rows of %2").arg(fold.rowsPerWarp).arg(t.block.x);
    }
    if (fold.warpsPerRow == 1) {
        return LaunchMapText::tr("x first: each row is a warp");
    }
    if (fold.warpsPerRow > 1) {
        return LaunchMapText::tr("x first: a row is %1 warps").arg(fold.warpsPerRow);
    }
    return LaunchMapText::tr("x first: warps run on from row to row");
}

// What a lane does now, as far as the trace tells.
enum class LaneNow { Unknown, NotStarted, On, Off, Exited, Absent };

struct WarpNow {
    const Warp* row = nullptr;
    Trace::LanesNow lanes;
    LaneNow of(std::uint32_t held, int lane) const {
        if (std::uint32_t(lane) >= held) {
            return LaneNow::Absent;
        }
        if (!row) {
            return LaneNow::Unknown;
        }
        if (!lanes.started) {
            return LaneNow::NotStarted;
        }
        if (lanes.ended || lanes.exited.has(lane)) {
            return LaneNow::Exited;
        }
        return lanes.on.has(lane) ? LaneNow::On : LaneNow::Off;
    }
};

WarpNow warpNow(const LaunchMapScene& s, std::uint32_t warp) {
    WarpNow now;
    now.row = s.warpRow(warp);
    if (now.row) {
        now.lanes = s.trace->lanesAt(*now.row, s.now);
    }
    return now;
}

// written: a text will stand on the cell, so what says its state must leave the middle free.
void paintWarpLane(QPainter& painter, const QRectF& cell, LaneNow now, const QColor& colour, const Theme& theme,
                   bool written = false) {
    const QRectF r =
        cell.width() >= 4 && cell.height() >= 6 ? cell.adjusted(0.5, 1, -0.5, -1) : cell.adjusted(0, 0.5, 0, -0.5);
    switch (now) {
    case LaneNow::Unknown:
    case LaneNow::On:
        paintCell(painter, r, colour, Hatch::None, theme.text);
        return;
    case LaneNow::NotStarted:
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        return;
    case LaneNow::Off:
        paintCell(painter, r, mixed(colour, theme.panel, written ? 0.8 : 0.65), written ? Hatch::None : Hatch::Dash,
                  colour);
        if (written) {
            painter.fillRect(QRectF(r.left() + 2, r.bottom() - 3, r.width() - 4, 1.5), colour);
        }
        return;
    case LaneNow::Exited:
        paintCell(painter, r, mixed(colour, theme.panel, 0.82), Hatch::Diagonal, mixed(colour, theme.panel, 0.45));
        return;
    case LaneNow::Absent:
        paintLane(painter, r, LaneMark::Absent, theme);
        return;
    }
}

QString laneNowText(LaneNow now) {
    switch (now) {
    case LaneNow::Unknown:
        return LaunchMapText::tr("not recorded");
    case LaneNow::NotStarted:
        return LaunchMapText::tr("not started");
    case LaneNow::On:
        return LaunchMapText::tr("on");
    case LaneNow::Off:
        return LaunchMapText::tr("off");
    case LaneNow::Exited:
        return LaunchMapText::tr("ended");
    case LaneNow::Absent:
        return LaunchMapText::tr("idle");
    }
    return {};
}

// The largest font up to `most` px in which the text fits the width; 0 if that would be unreadable.
int fittingPixels(const QFont& font, const QString& text, qreal width) {
    const QFont fitted = fittedFont(font, text, width);
    return textWidth(fitted, text) <= width ? fitted.pixelSize() : 0;
}

QString shortIndex(Dim3 t, Dim3 block) {
    QString text = QString::number(t.x);
    if (block.y > 1 || block.z > 1) {
        text += QLatin1Char(',') + QString::number(t.y);
    }
    if (block.z > 1) {
        text += QLatin1Char(',') + QString::number(t.z);
    }
    return text;
}

Dim3 lastIndex(Dim3 block) {
    return {block.x - 1, block.y - 1, block.z - 1};
}

// The idle lanes of the last warp, named on top of their hatching.
void paintIdleName(QPainter& painter, const LaunchMapScene& s) {
    if (s.threads.idleLanes == 0) {
        return;
    }
    const std::uint32_t last = s.threads.warps - 1;
    const QRectF region =
        s.warps.laneRect(last, int(s.threads.threadsIn(last))).united(s.warps.laneRect(last, lanesPerWarp - 1));
    const QString text =
        agreeing(LaunchMapText::tr("%1 idle {lane|lanes}: no thread, still paid for"), s.threads.idleLanes);
    const QString brief = LaunchMapText::tr("%1 idle").arg(s.threads.idleLanes);
    QFont font = s.theme.small();
    font.setBold(true);
    const QString shown = textWidth(font, text) + 16 <= region.width() ? text : brief;
    const qreal width = textWidth(font, shown) + 12, height = lineHeight(font);
    if (width > region.width() || height > s.warps.rowPitch + 2) {
        return; // the title of the panel names them anyway
    }
    const QRectF pill(region.center().x() - width / 2, region.center().y() - height / 2, width, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(s.theme.window);
    painter.drawRoundedRect(pill, 4, 4);
    paintText(painter, pill, shown, font, s.theme.text, Qt::AlignCenter);
}

} // namespace

void paintThreads(QPainter& painter, const LaunchMapScene& s) {
    if (s.layout.threads.isEmpty()) {
        return;
    }
    const Theme& theme = s.theme;
    QString title = s.block != noIndex
                        ? agreeing(LaunchMapText::tr("Block %1: %2 {thread|threads}"),
                                   indexText(s.launch->grid.at(s.block), s.launch->grid), shapeText(s.threads.block))
                        : agreeing(LaunchMapText::tr("A block: %1 {thread|threads}"), shapeText(s.threads.block));
    QFont bold = theme.body();
    bold.setBold(true);
    if (textWidth(bold, title) > s.layout.threadsTitle.width() && s.block != noIndex) {
        title =
            indexText(s.launch->grid.at(s.block), s.launch->grid) + QStringLiteral(": ") + shapeText(s.threads.block);
    }
    paintPanelTitle(painter, s.layout.threadsTitle, title, LaunchMapText::tr("as written"), std::nullopt, theme);
    const ThreadGeometry& g = s.threadCells;
    const qreal cell = std::min(g.cell.width(), g.cell.height()), gap = cell >= 4 ? std::min(1.0, cell * 0.12) : 0;
    const QString widest = shortIndex(lastIndex(s.threads.block), s.threads.block);
    QFont font = theme.small();
    const int px =
        g.cell.height() >= 11 ? std::min(fittingPixels(font, widest, g.cell.width() - 3), int(g.cell.height() - 2)) : 0;
    if (px) {
        font.setPixelSize(px);
    }
    for (const WarpRun& run : warpRuns(s.threads)) {
        const QColor colour = warpColour(run.warp, theme);
        if (gap == 0 && g.fold == 0) { // too small for cells: a bar a run
            const QRectF first = g.threadRect(run.first);
            painter.fillRect(
                QRectF(first.left(), first.top(), g.cell.width() * run.count, std::max(g.cell.height(), 1.0)), colour);
            continue;
        }
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const Dim3 t{run.first.x + i, run.first.y, run.first.z};
            const QRectF r = g.threadRect(t).adjusted(gap, gap, -gap, -gap);
            paintCell(painter, r, colour, Hatch::None, theme.text);
            if (px) {
                paintText(painter, r, shortIndex(t, s.threads.block), font, inkOn(colour), Qt::AlignCenter);
            }
        }
    }
    if (s.warpChosen && cell >= 3) { // the threads of the chosen warp
        painter.setBrush(Qt::NoBrush);
        for (const WarpRun& run : warpRuns(s.threads)) {
            if (run.warp == s.warp && g.fold == 0) {
                QRectF r = g.threadRect(run.first);
                r.setWidth(g.cell.width() * run.count);
                painter.setPen(QPen(theme.text, 1.5));
                painter.drawRect(r);
            }
        }
    }
    if (s.warpChosen && s.lane >= 0) {
        if (const auto t = s.threads.thread(s.warp, s.lane)) {
            painter.setPen(QPen(theme.attention, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(g.threadRect(*t));
        }
    }
    for (std::uint32_t z = 0; s.threads.block.z > 1 && z < s.threads.block.z; ++z) {
        const QRectF first = g.threadRect({0, 0, z});
        if (g.columns * g.cell.width() > 20) {
            paintText(painter, {first.left(), first.top() - g.gap, g.columns * g.cell.width(), g.gap},
                      QStringLiteral("z = %1").arg(z), theme.small(), theme.textMuted);
        }
    }
    const QRectF last = g.threadRect(lastIndex(s.threads.block));
    QRectF note = s.layout.threadsNote;
    note.moveTop(std::min(note.top(), last.bottom() + 4));
    if (paintParagraph(nullptr, note, foldText(s.threads), theme.small(), {}) <=
        s.layout.threadsNote.bottom() - note.top())
        paintParagraph(&painter, note, foldText(s.threads), theme.small(), theme.textMuted);
}

void paintWarps(QPainter& painter, const LaunchMapScene& s) {
    if (s.layout.warps.isEmpty()) {
        return;
    }
    const Theme& theme = s.theme;
    const ThreadLayout& t = s.threads;
    QString title = agreeing(LaunchMapText::tr("%1 {warp|warps}"), t.warps);
    if (t.idleLanes) {
        title += agreeing(LaunchMapText::tr(", %1 idle {lane|lanes} in warp %2"), t.idleLanes, t.warps - 1);
    }
    const Block* b = s.block != noIndex ? s.blockRow(s.block) : nullptr;
    const QString remark = !b ? LaunchMapText::tr("as the hardware folds them; click a block to see its lanes live")
                           : b->warpCount == 0 ? LaunchMapText::tr("lanes of this block were not recorded")
                                               : LaunchMapText::tr("lanes at %1").arg(timeOf(s, s.now));
    paintPanelTitle(painter, s.layout.warpsTitle, title, remark,
                    b && b->warpCount ? std::optional(Origin::Counted) : std::nullopt, theme);

    const WarpGeometry& g = s.warps;
    QFont font = theme.small();
    const int px = g.rowPitch >= 11 ? fittingPixels(font, shortIndex(lastIndex(t.block), t.block), g.cellWidth - 2) : 0;
    if (px) {
        font.setPixelSize(std::min(px, int(g.rowPitch - 3)));
    }
    const qreal line = lineHeight(theme.small());
    // Where rows are lower than their labels, every second is named, or fewer; the first is moved down from the title.
    const auto apart = [&](qreal room) {
        return std::max(1u, std::uint32_t(std::ceil(room / std::max(0.5, g.rowPitch))));
    };
    std::uint32_t every = apart(line * 0.92);
    if (every > 1)
        every = apart(line * 0.92 + (line - g.rowPitch) / 2);
    for (std::uint32_t w = 0; w < t.warps; ++w) {
        const QColor colour = warpColour(w, theme);
        const WarpNow now = warpNow(s, w);
        const QRectF row = g.rowRect(w);
        if (w % g.rows % every == 0) {
            QFont label = theme.small();
            label.setBold(s.warpChosen && w == s.warp);
            const qreal middle =
                std::clamp(row.center().y(), g.area.top() + line / 2, g.area.bottom() - line / 2); // not in the title
            paintText(painter, {row.left(), middle - line / 2, g.labelWidth - 4, line},
                      LaunchMapText::tr("warp %1").arg(w), label,
                      s.warpChosen && w == s.warp ? theme.text : theme.textMuted);
        }
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            const QRectF cell = g.laneRect(w, lane);
            const LaneNow state = now.of(t.threadsIn(w), lane);
            paintWarpLane(painter, cell, state, colour, theme, px > 0);
            if (px && state != LaneNow::Absent) {
                const bool full = state == LaneNow::On || state == LaneNow::Unknown;
                paintText(painter, cell, shortIndex(*t.thread(w, lane), t.block), font,
                          full ? inkOn(colour) : theme.text, Qt::AlignCenter);
            }
        }
    }
    painter.setBrush(Qt::NoBrush);
    if (s.warpChosen && s.warp < t.warps) {
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawRect(g.laneRect(s.warp, 0).united(g.laneRect(s.warp, lanesPerWarp - 1)));
        if (s.lane >= 0) {
            painter.setPen(QPen(theme.attention, 2));
            painter.drawRect(g.laneRect(s.warp, s.lane));
        }
    }
    paintIdleName(painter, s);
}

void paintLaneTable(QPainter& painter, const LaunchMapScene& s) {
    if (s.layout.lanes.isEmpty() || s.threads.warps == 0) {
        return;
    }
    const Theme& theme = s.theme;
    const ThreadLayout& t = s.threads;
    const WarpNow now = warpNow(s, s.warp);
    std::array<int, 6> number{};
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        ++number[std::size_t(now.of(t.threadsIn(s.warp), lane))];
    }
    QStringList remarks;
    for (const LaneNow state : {LaneNow::On, LaneNow::Off, LaneNow::Exited, LaneNow::NotStarted, LaneNow::Absent}) {
        if (number[std::size_t(state)]) {
            remarks << QStringLiteral("%1 %2").arg(number[std::size_t(state)]).arg(laneNowText(state));
        }
    }
    QString title = LaunchMapText::tr("Warp %1").arg(s.warp);
    if (now.row) {
        title += LaunchMapText::tr(" · slot %1, scheduler %2").arg(now.row->slot).arg(now.row->scheduler);
    }
    paintPanelTitle(painter, s.layout.lanesTitle, title, remarks.join(QStringLiteral(" · ")), std::nullopt, theme);

    const LaneTableGeometry& g = s.lanes;
    QFont font = theme.small();
    const int px =
        std::min(fittingPixels(font, QString(QString::number(std::max(31u, t.threads - 1)).size(), QLatin1Char('0')),
                               g.cellWidth - 3),
                 int(g.rowHeight - 1));
    font.setPixelSize(std::max(px, Theme::leastPixels));
    const QColor colour = warpColour(s.warp, theme);
    for (int row = 0; row < laneTableRows(t.block); ++row) {
        const LaneTableRow what = laneTableRow(row, t.block);
        const QString label = what == LaneTableRow::Lane     ? LaunchMapText::tr("lane")
                              : what == LaneTableRow::X      ? QStringLiteral("threadIdx.x")
                              : what == LaneTableRow::Y      ? QStringLiteral("threadIdx.y")
                              : what == LaneTableRow::Z      ? QStringLiteral("threadIdx.z")
                              : what == LaneTableRow::Linear ? LaunchMapText::tr("linear")
                                                             : LaunchMapText::tr("now");
        const QRectF first = g.cellRect(row, 0);
        paintText(painter, {g.area.left(), first.top(), g.labelWidth - 4, first.height()}, label, theme.small(),
                  theme.textMuted);
        if (what == LaneTableRow::Lane) {
            painter.fillRect(QRectF(first.left(), first.top(), g.cellWidth * lanesPerWarp, first.height()),
                             theme.sunken);
        }
        const auto numberOf = [&](int lane) {
            const auto thread = t.thread(s.warp, lane);
            return what == LaneTableRow::Lane ? QString::number(lane)
                   : !thread                  ? QStringLiteral("–")
                   : what == LaneTableRow::X  ? QString::number(thread->x)
                   : what == LaneTableRow::Y  ? QString::number(thread->y)
                   : what == LaneTableRow::Z  ? QString::number(thread->z)
                                              : QString::number(t.linear(s.warp, lane));
        };
        qreal widest = 0; // numbers that are wider than a lane stand at every second one, fourth, eighth, and so on
        for (int lane = 0; lane < lanesPerWarp && what != LaneTableRow::Now; ++lane)
            widest = std::max(widest, textWidth(font, numberOf(lane)) + 1);
        int apart = 1;
        while (apart < lanesPerWarp / 2 && widest > g.cellWidth * apart)
            apart *= 2;
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            const QRectF cell = g.cellRect(row, lane);
            const auto thread = t.thread(s.warp, lane);
            const LaneNow state = now.of(t.threadsIn(s.warp), lane);
            if (what == LaneTableRow::Now && state == LaneNow::Unknown) {
                continue;
            }
            if (what == LaneTableRow::Now) {
                paintWarpLane(painter, cell, state, colour, theme);
                continue;
            }
            if (lane % apart != 0)
                continue;
            const qreal over = std::max(0.0, (widest - cell.width()) / 2);
            paintText(painter, cell.adjusted(-over, 0, over, 0), numberOf(lane), font,
                      what == LaneTableRow::Lane || !thread ? theme.textMuted : theme.text, Qt::AlignCenter);
        }
    }
    if (!now.row) {
        const int last = laneTableRows(t.block) - 1;
        const QRectF where = g.cellRect(last, 0).united(g.cellRect(last, lanesPerWarp - 1));
        QString why = s.block == noIndex ? LaunchMapText::tr("choose a block to see what its lanes do")
                                         : LaunchMapText::tr("not recorded for this block");
        if (textWidth(theme.small(), why) > where.width())
            why = s.block == noIndex ? LaunchMapText::tr("choose a block") : laneNowText(LaneNow::Unknown);
        paintText(painter, where, why, theme.small(), theme.textMuted);
    }
    if (s.warpChosen && s.lane >= 0) {
        painter.setPen(QPen(theme.attention, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(g.cellRect(0, s.lane).united(g.cellRect(laneTableRows(t.block) - 1, s.lane)));
    }
}

} // namespace warpglass
