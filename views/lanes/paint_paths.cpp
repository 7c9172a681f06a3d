// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of one divergent execution, drawn on the same 32 rows as the columns: what runs is filled, who waits is
// hatched.
#include "views/common/ticks.h"
#include "views/lanes/lanes_paint.h"

namespace warpglass {

QVector<qreal> pathEdges(const Serialised& paths, const LanesPanel& panel, double scale) {
    if (scale > 0) {
        QVector<qreal> edges{panel.paths.left()};
        for (const PathSegment& s : paths.segments)
            edges << edges.back() + panel.paths.width() * double((s.end - s.begin).value) / scale;
        return edges;
    }
    QVector<double> lengths;
    for (const PathSegment& s : paths.segments)
        lengths << (paths.timed ? double((s.end - s.begin).value) : 1.0);
    // A lone path is not drawn as a wall.
    const qreal width = lengths.size() == 1 ? qMin(panel.paths.width(), 20 * panel.tableRow) : panel.paths.width();
    return stretchEdges(lengths, panel.paths.left(), width, qMin<qreal>(46, panel.paths.width() / 5));
}

namespace {

// Where the lanes' rows are low, the type comes down first, then the last sentences go.
void paintHint(QPainter& painter, const LanesPanelPicture& p, const QString& text) {
    painter.setPen(QPen(p.theme.border, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(p.panel.paths.adjusted(0, 0, -1, -1), 6, 6);
    QFont font = p.theme.body();
    qreal margin = 14 * p.theme.fontScale;
    const auto inside = [&] { return p.panel.paths.adjusted(margin, margin, -margin, -margin); };
    if (fittedSentences(text, font, inside().size()) != text) {
        font = p.theme.small();
        margin = 8 * p.theme.fontScale;
    }
    paintParagraph(&painter, inside(), fittedSentences(text, font, inside().size()), font, p.theme.textMuted);
}

} // namespace

void paintPaths(QPainter& painter, const LanesPanelPicture& p) {
    const Theme& theme = p.theme;
    const LanesPanel& panel = p.panel;
    if (panel.paths.isNull() || (p.play.playing && (p.pathColumn < 0 || p.play.lanes < lanesPerWarp)))
        return; // while lanes decide there is no path yet
    QFont bold = theme.small();
    bold.setBold(true);
    const int step = p.pathColumn >= 0 ? int(p.scene.column(p.pathColumn).step) + 1 : 0;
    const bool together = p.paths && p.paths->together;
    if (!p.paths || (together && p.paths->segments.empty())) {
        paintText(painter, panel.pathHeading, LanesText::tr("one path"), bold, theme.text);
        paintHint(painter, p,
                  p.pathColumn >= 0
                      ? LanesText::tr("In step %1 all lanes that are on go the same way. The warp walks one path, and "
                                      "no lane waits for another. "
                                      "Click a step in which they part.")
                            .arg(numberText(std::int64_t(step)))
                      : LanesText::tr("In no step do the lanes of this warp part: it always walks one path."));
        return;
    }
    const Serialised& paths = *p.paths;
    const QString number = numberText(std::int64_t(step));
    paintText(painter, panel.pathHeading,
              together ? firstThatFits({LanesText::tr("step %1: one path, to the same scale").arg(number),
                                        LanesText::tr("one path, to the same scale"), LanesText::tr("one path")},
                                       bold, panel.pathHeading.width())
                       : firstThatFits({LanesText::tr("step %1: its paths, one after the other").arg(number),
                                        LanesText::tr("step %1: its paths").arg(number)},
                                       bold, panel.pathHeading.width()),
              bold, theme.text);
    if (paths.segments.empty()) {
        paintHint(
            painter, p,
            LanesText::tr("The lanes part here and meet again at once: neither side has an instruction of its own."));
        return;
    }
    const QVector<qreal> edges = pathEdges(paths, panel, p.pathScale);
    // To one scale both are walked at one pace: the shorter one is there first.
    const qreal whole = p.pathScale > 0 ? panel.paths.width() : edges.back() - edges.front();
    const qreal walked = edges.front() + p.play.paths * whole;
    const LaneMask taking = paths.active;
    LaneSplit split; // of the lanes that have no part in this
    if (p.pathColumn >= 0)
        split = p.scene.splitOf(p.pathColumn);
    for (int i = 0; i < int(paths.segments.size()); ++i) {
        const PathSegment& segment = paths.segments[std::size_t(i)];
        const qreal left = edges[i];
        const qreal all = edges[i + 1] - edges[i] - 3, width = qMin(all, walked - left);
        if (width < 0.6)
            continue;
        const bool done = width >= all;
        for (int lane = 0; lane < lanesPerWarp; ++lane) {
            const QRectF row = panel.pathRow(lane);
            const LaneMark mark = segment.on.has(lane)     ? LaneMark::On
                                  : taking.has(lane)       ? LaneMark::Off
                                  : split.exited.has(lane) ? LaneMark::Exited
                                  : split.absent.has(lane) ? LaneMark::Absent
                                                           : LaneMark::Away;
            paintLane(painter, {left, row.top(), width, row.height()}, mark, theme);
        }
        const QString place = segment.sourceLine ? LanesText::tr("line %1").arg(segment.sourceLine)
                                                 : LanesText::tr("PTX line %1").arg(segment.ptxLine);
        QRectF head(left, panel.pathHeads.top(), all, panel.pathHeads.height());
        if (all >= 26 * theme.fontScale)
            paintText(painter, head, place, theme.small(),
                      segment.sourceLine == p.selection.sourceLine ? theme.attention : theme.textMuted,
                      Qt::AlignCenter);
        const int on = segment.on.count();
        if (panel.pathBars.height() < 1)
            continue;
        paintShareBar(painter, {left, panel.pathBars.top(), width, panel.pathBars.height()}, on / 32.0,
                      on == lanesPerWarp ? theme.good : theme.attention, theme, true);
        QString text = QStringLiteral("%1/32").arg(on);
        if (paths.timed) {
            const QString timed = text + QStringLiteral(" · ") +
                                  timeText(segment.end - segment.begin, p.scene.request.trace->info.timeUnit);
            if (textWidth(bold, timed) <= width)
                text = timed;
        }
        if (done && textWidth(bold, text) <= width + 3)
            paintText(painter, {left - 3, panel.pathTexts.top(), width + 6, panel.pathTexts.height()}, text, bold,
                      theme.attention, Qt::AlignCenter);
        const bool here =
            p.play.playing ? !done : paths.timed && p.selection.time >= segment.begin && p.selection.time < segment.end;
        if (here) {
            painter.setPen(QPen(theme.attention, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(left, panel.paths.top(), width, panel.paths.height()).adjusted(-2, -2, 2, 1),
                                    3, 3);
        }
    }
}

} // namespace warpglass
