// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/agreeing.h"
#include "views/common/follow.h"
#include "views/common/pinned.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_paint.h"

namespace warpglass {

LaneMark markOf(const LaneSplit& split, int lane, BranchLayer layer) {
    if (split.absent.has(lane))
        return LaneMark::Absent;
    if (split.exited.has(lane))
        return LaneMark::Exited;
    if (split.away.has(lane))
        return LaneMark::Away;
    if (split.chosen.has(lane))
        return layer == BranchLayer::Ptx ? LaneMark::PredicateTrue : LaneMark::On;
    return layer == BranchLayer::Ptx ? LaneMark::PredicateFalse : LaneMark::Off;
}

QString placeName(const Branch& branch, BranchLayer layer) {
    if (layer == BranchLayer::Source && branch.sourceLine)
        return LanesText::tr("line %1").arg(branch.sourceLine);
    return LanesText::tr("PTX line %1").arg(branch.ptxLine);
}

QString partName(const Branch& branch, BranchLayer layer) {
    if (layer != BranchLayer::Source || branch.part == 0)
        return {};
    return branch.part <= 26 ? QString(QChar(u'a' + branch.part - 1)) : QStringLiteral(".%1").arg(branch.part);
}

QVector<LegendEntry> legendFor(const LanesScene& scene, bool generic) {
    QVector<LegendEntry> legend;
    const auto& branches = scene.branches();
    if (scene.request.layer == BranchLayer::Ptx) {
        legend << LegendEntry{LaneMark::PredicateTrue, LanesText::tr("predicate true: jumps")}
               << LegendEntry{LaneMark::PredicateFalse, LanesText::tr("predicate false: goes straight on")};
    } else if (generic || branches.empty() || !branches[scene.chosen].fallLine || !branches[scene.chosen].jumpLine) {
        legend << LegendEntry{LaneMark::On, LanesText::tr("enters")}
               << LegendEntry{LaneMark::Off, LanesText::tr("does not, and waits")};
    } else if (branches[scene.chosen].backward) {
        legend << LegendEntry{LaneMark::On, LanesText::tr("goes round again")}
               << LegendEntry{LaneMark::Off, LanesText::tr("leaves the loop")};
    } else {
        const Branch& b = branches[scene.chosen];
        legend << LegendEntry{LaneMark::On, LanesText::tr("goes on at line %1").arg(b.fallLine)}
               << LegendEntry{LaneMark::Off, LanesText::tr("goes to line %1, or waits there").arg(b.jumpLine)};
    }
    legend << LegendEntry{LaneMark::Away, LanesText::tr("on another path")}
           << LegendEntry{LaneMark::Exited, laneMarkName(LaneMark::Exited)}
           << LegendEntry{LaneMark::Absent, laneMarkName(LaneMark::Absent)};
    return legend;
}

void paintPanelHeading(QPainter& painter, const LanesPanelPicture& p, const QString& kernelName) {
    const Theme& theme = p.theme;
    const Trace& trace = *p.scene.request.trace;
    QFont bold = theme.body();
    bold.setBold(true);
    const qreal used = paintText(painter, p.panel.heading, kernelName, bold, theme.text);
    QString where;
    if (p.scene.request.warp != noIndex) {
        const Block& block = trace.blocks[p.scene.request.block];
        if (p.scene.request.wholeBlock)
            where = agreeing(LanesText::tr("block %1 · %2 {warp|warps} summed"), block.index, block.warpCount);
        else
            where =
                LanesText::tr("block %1 · warp %2").arg(block.index).arg(trace.warps[p.scene.request.warp].warpInBlock);
    }
    QRectF rest = p.panel.heading;
    rest.setLeft(rest.left() + used + 14 * theme.fontScale);
    paintText(painter, rest, where, theme.small(), theme.textMuted);
}

int lanesBetweenNumbers(const LanesPanelPicture& p) {
    int every = 4;
    while (every * p.panel.rowHeight < lineHeight(p.theme.small()) * 1.1)
        every *= 2;
    return every;
}

namespace {

void paintLaneNumbers(QPainter& painter, const LanesPanelPicture& p) {
    const qreal line = lineHeight(p.theme.small());
    const int every = lanesBetweenNumbers(p);
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        const bool selected = lane == p.selection.lane;
        if (lane % every && !selected)
            continue;
        if (!selected && p.selection.lane >= 0 && std::abs(lane - p.selection.lane) * p.panel.rowHeight < line * 0.9)
            continue; // room for the selected one
        const QRectF row(p.panel.labels.left(), p.panel.cells.top() + (lane + 0.5) * p.panel.rowHeight - line / 2,
                         p.panel.labels.width() - 7 * p.theme.fontScale, line);
        QFont f = p.theme.small();
        f.setBold(selected);
        paintText(painter, row, QString::number(lane), f, selected ? p.theme.attention : p.theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

// One cell of the sum over a block: parts from left to right, as many as warps do the one or the other.
void paintSummed(QPainter& painter, const QRectF& cell, const BlockColumn& c, int lane, BranchLayer layer,
                 const Theme& theme) {
    const auto l = std::size_t(lane);
    const std::array<std::pair<int, LaneMark>, 4> parts{
        {{c.chosen[l], layer == BranchLayer::Ptx ? LaneMark::PredicateTrue : LaneMark::On},
         {c.other[l], layer == BranchLayer::Ptx ? LaneMark::PredicateFalse : LaneMark::Off},
         {c.away[l], LaneMark::Away},
         {c.exited[l], LaneMark::Exited}}};
    int total = 0;
    for (const auto& [n, mark] : parts)
        total += n;
    if (total == 0) {
        paintLane(painter, cell, LaneMark::Absent, theme);
        return;
    }
    qreal x = cell.left();
    for (const auto& [n, mark] : parts) {
        if (n == 0)
            continue;
        const qreal width = cell.width() * n / total;
        paintLane(painter, {x, cell.top(), width, cell.height()}, mark, theme);
        x += width;
    }
}

QString columnNumber(const LanesPanelPicture& p, int column) {
    const SceneColumn c = p.scene.column(column);
    return numberText(std::uint64_t(c.step) + 1) + partName(p.scene.branches()[c.branch], p.scene.request.layer);
}

// longest: of the numbers of all columns.
void paintHead(QPainter& painter, const LanesPanelPicture& p, int column, int every, const QString& longest) {
    if (column % every && column != p.current)
        return;
    if (column != p.current && p.current >= 0 && every > 1 && std::abs(column - p.current) < every)
        return;
    const SceneColumn c = p.scene.column(column);
    const Theme& theme = p.theme;
    QRectF cell = p.panel.columnRect(column);
    cell.setLeft(cell.left() - p.panel.columnWidth * (every - 1) / 2);
    cell.setRight(cell.right() + p.panel.columnWidth * (every - 1) / 2);
    const bool now = column == p.current;
    QFont f = theme.small();
    f.setBold(now);
    const QColor ink = now ? theme.attention : theme.textMuted;
    QRectF lower(cell.left(), p.panel.heads.bottom() - lineHeight(theme.small()) - 2 * theme.fontScale, cell.width(),
                 lineHeight(theme.small()));
    const QString number = columnNumber(p, column);
    // All heads are worded alike: as the widest can be, beside which there is a space.
    QFont widest = theme.small();
    widest.setBold(true);
    const bool worded =
        textWidth(widest, LanesText::tr("step %1").arg(longest)) + textWidth(widest, QStringLiteral(" ")) <=
        cell.width() + p.panel.gap();
    const QString text = worded ? LanesText::tr("step %1").arg(number) : number;
    paintText(painter, lower.adjusted(-20, 0, 20, 0), text, f, ink, Qt::AlignCenter);
    if (p.scene.request.allBranches) {
        const Branch& b = p.scene.branches()[c.branch];
        QString place = placeName(b, p.scene.request.layer);
        if (textWidth(f, place) > cell.width() + p.panel.gap())
            place = QStringLiteral("L%1").arg(
                p.scene.request.layer == BranchLayer::Source && b.sourceLine ? b.sourceLine : b.ptxLine);
        if (textWidth(f, place) <= cell.width() + p.panel.gap() + 2)
            paintText(painter, lower.translated(0, -lineHeight(theme.small())).adjusted(-20, 0, 20, 0), place, f, ink,
                      Qt::AlignCenter);
    }
}

struct BarFacts {
    int used = 0, of = lanesPerWarp;
    bool diverges = false;
};

// Of the first so many lanes.
BarFacts barOf(const LanesScene& scene, int column, int lanes) {
    int used = 0;
    if (!scene.request.wholeBlock) {
        const LaneSplit s = scene.splitOf(column);
        for (int lane = 0; lane < lanes; ++lane)
            used += s.chosen.has(lane);
        return {used, lanesPerWarp, s.diverges() && lanes == lanesPerWarp};
    }
    const BlockColumn& c = scene.sums(column);
    for (int lane = 0; lane < lanes; ++lane)
        used += c.chosen[std::size_t(lane)];
    return {used, c.warps * lanesPerWarp, c.divergent > 0 && lanes == lanesPerWarp};
}

// What is still to be decided: the place alone, which tells nothing.
void paintToCome(QPainter& painter, const LanesPanelPicture& p, int column, int from) {
    painter.setPen(QPen(p.theme.border, 1));
    painter.setBrush(p.theme.panel);
    for (int lane = from; lane < lanesPerWarp; ++lane)
        painter.drawRoundedRect(p.panel.cell(column, lane).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

// Lanes of a column that are drawn.
int lanesShown(const LanesPanelPicture& p, int column) {
    return p.play.playing && column == p.current ? p.play.lanes : lanesPerWarp;
}

void paintBar(QPainter& painter, const LanesPanelPicture& p, int column) {
    const Theme& theme = p.theme;
    if (p.panel.bars.height() < 1)
        return;
    const BarFacts facts = barOf(p.scene, column, lanesShown(p, column));
    QRectF bar = p.panel.bars;
    const QRectF cell = p.panel.columnRect(column);
    bar.setLeft(cell.left());
    bar.setRight(cell.right());
    const QColor fill = facts.diverges ? theme.attention : theme.good;
    paintShareBar(painter, bar, facts.of ? double(facts.used) / facts.of : 0, fill, theme, true);
    QFont f = theme.small();
    f.setBold(true);
    // In brief where "32/32" has no room: all columns alike, not "16" beside "8/32".
    const bool brief = textWidth(f, QStringLiteral("%1/%1").arg(facts.of)) > cell.width() + p.panel.gap() - 2;
    const QString text = brief ? QString::number(facts.used) : QStringLiteral("%1/%2").arg(facts.used).arg(facts.of);
    if (textWidth(f, text) > cell.width() + p.panel.gap() - 2)
        return;
    QRectF where = p.panel.barTexts;
    where.setLeft(cell.left() - 4);
    where.setRight(cell.right() + 4);
    paintText(painter, where, text, f, facts.diverges ? theme.attention : theme.text, Qt::AlignCenter);
}

} // namespace

void paintColumns(QPainter& painter, const LanesPanelPicture& p) {
    const Theme& theme = p.theme;
    paintLaneNumbers(painter, p);
    const int first = p.panel.firstColumn();
    const int end = p.play.playing ? qMin(p.panel.endColumn(), p.current + 1) : p.panel.endColumn();
    // Heads: all of them if the longest fits, else every n-th.
    QString longest = numberText(std::int64_t(p.panel.columns));
    for (int column = first; column < end; ++column)
        if (const QString number = columnNumber(p, column); number.size() > longest.size())
            longest = number;
    const qreal wide = textWidth(theme.small(), longest) + 6 * theme.fontScale;
    int every = 1;
    for (int step : {1, 2, 5, 10, 20, 50, 100})
        if ((every = step) * p.panel.columnWidth >= wide)
            break;
    painter.save();
    painter.setClipRect(QRectF(p.panel.cells.left() - 2, p.panel.heads.top(), p.panel.cells.width() + 4,
                               p.panel.barTexts.bottom() - p.panel.heads.top()));
    for (int column = first; column < end; ++column) {
        if (p.scene.request.wholeBlock) {
            const BlockColumn& c = p.scene.sums(column);
            for (int lane = 0; lane < lanesShown(p, column); ++lane)
                paintSummed(painter, p.panel.cell(column, lane), c, lane, p.scene.request.layer, theme);
        } else {
            const LaneSplit split = p.scene.splitOf(column);
            for (int lane = 0; lane < lanesShown(p, column); ++lane)
                paintLane(painter, p.panel.cell(column, lane), markOf(split, lane, p.scene.request.layer), theme);
            if (p.pinned && column < p.pinned->count()) {
                const LaneSplit was = p.pinned->splitOf(column);
                for (int lane = 0; lane < lanesShown(p, column); ++lane)
                    if (was.chosen.has(lane) && !split.chosen.has(lane))
                        paintPinnedFrame(painter, p.panel.cell(column, lane), theme.laneOn); // where it was on
            }
        }
        paintBar(painter, p, column);
    }
    for (int column = qMax(first, p.current); p.play.playing && column < p.panel.endColumn(); ++column)
        paintToCome(painter, p, column, column == p.current ? p.play.lanes : 0);
    painter.restore();
    // Heads may stand out a little at either end: not clipped, but only for columns that are wholly in sight.
    for (int column = first; column < end; ++column) {
        const QRectF r = p.panel.columnRect(column);
        if (r.center().x() > p.panel.cells.left() && r.center().x() < p.panel.cells.right())
            paintHead(painter, p, column, every, longest);
    }
    if (p.current >= first && p.current < end) {
        painter.setPen(QPen(theme.attention, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(
            p.panel.columnRect(p.current).adjusted(-2, -2, 2, 1) & p.panel.cells.adjusted(-3, -3, 3, 2), 3, 3);
    }
    if (p.selection.lane >= 0) {
        painter.setPen(QPen(theme.attention, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(p.panel.cells.left() - 2,
                                p.panel.cells.top() + p.selection.lane * p.panel.rowHeight - 1,
                                p.panel.cells.width() + 3, p.panel.rowHeight));
    }
    if (!p.panel.scroll.isNull()) {
        const QRectF& s = p.panel.scroll;
        painter.fillRect(s, theme.sunken);
        const qreal begin = p.panel.from / p.panel.columns, length = p.panel.inSight / p.panel.columns;
        painter.fillRect(QRectF(s.left() + begin * s.width(), s.top(), qMax(6.0, length * s.width()), s.height()),
                         theme.textMuted);
    }
}

void paintFollowedLane(QPainter& painter, const LanesPanelPicture& p) {
    if (p.followed < 0)
        return;
    const LanesPanel& panel = p.panel;
    paintFollowed(painter,
                  QRectF(panel.cells.left() - 2, panel.cells.top() + p.followed * panel.rowHeight - 1,
                         panel.cells.width() + 3, panel.rowHeight + 1),
                  p.theme);
    if (!panel.paths.isNull() && p.paths && p.play.lanes == lanesPerWarp) {
        const QRectF row = panel.pathRow(p.followed);
        const QVector<qreal> edges = pathEdges(*p.paths, panel, p.pathScale);
        if (!p.paths->segments.empty())
            paintFollowFrame(
                painter, QRectF(edges.front() - 2, row.top() - 1, edges.back() - edges.front() + 1, row.height() + 2),
                p.theme);
    }
}

} // namespace warpglass
