// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes over time. The picture is sampled once a pixel (a few pixels for a whole block), so its cost follows the width
// of the picture and the logarithm of the number of events. Where more than one event falls on a pixel a mark above
// says so.
#include "views/common/label_row.h"
#include "views/common/painted_words.h"
#include "views/common/ticks.h"
#include "views/common/time_axis.h"
#include "views/lanes/lanes_paint.h"

namespace warpglass {

namespace {

struct Run { // one stretch of equal lanes
    qreal left, right;
    LaneMask on, exited;
    bool started = false;
};

void paintRuns(QPainter& painter, const LanesPanelPicture& p, const std::vector<Run>& runs, LaneMask live) {
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        const QRectF row = p.panel.cell(0, lane);
        for (std::size_t i = 0; i < runs.size();) {
            const auto mark = [&](const Run& r) {
                if (!live.has(lane) || !r.started)
                    return LaneMark::Absent;
                return r.exited.has(lane) ? LaneMark::Exited : r.on.has(lane) ? LaneMark::On : LaneMark::Off;
            };
            const LaneMark m = mark(runs[i]);
            std::size_t end = i + 1;
            while (end < runs.size() && mark(runs[end]) == m)
                ++end;
            const QRectF cell(runs[i].left, row.top(), runs[end - 1].right - runs[i].left, row.height());
            if (m != LaneMark::Absent || (runs[i].started && !live.has(lane)))
                paintLane(painter, cell, m, p.theme);
            i = end;
        }
    }
}

} // namespace

void paintLanesOverTime(QPainter& painter, const LanesPanelPicture& p, TimeRange visible) {
    const Theme& theme = p.theme;
    const LanesPanel& panel = p.panel;
    const Trace& trace = *p.scene.request.trace;
    if (p.scene.request.warp == noIndex || visible.end <= visible.begin)
        return;
    const qreal width = panel.cells.width();
    const bool whole = p.scene.request.wholeBlock;
    const qreal bin = whole ? 4 : 1;
    const TimeAxis axis{visible, 0, width}; // from the left edge of the cells
    const auto block = trace.blocks[p.scene.request.block];
    const std::uint32_t firstWarp = whole ? block.firstWarp : p.scene.request.warp;
    const std::uint32_t endWarp = whole ? block.firstWarp + block.warpCount : firstWarp + 1;

    std::vector<Run> runs;
    const QRectF merged(panel.heads.left(), panel.heads.bottom() - 5 * theme.fontScale, width, 3 * theme.fontScale);
    bool anyMerged = false;
    // While it plays, as far as it has come.
    const double played = p.selection.motion.playing ? exactTime(p.selection) : double(visible.end.value);
    const double share = (played - double(visible.begin.value)) / double(visible.length().value);
    const qreal shown = qBound(0.0, share, 1.0) * width;
    for (qreal x = 0; x < shown; x += bin) {
        const Time t = axis.time(x), next = axis.time(qMin(x + bin, width));
        const qreal left = panel.cells.left() + x, right = panel.cells.left() + qMin(x + bin, width);
        int on = 0, of = 0;
        std::array<std::uint8_t, 32> lanes{};
        bool many = false;
        for (std::uint32_t w = firstWarp; w < endWarp; ++w) {
            const Warp& warp = trace.warps[w];
            const auto now = trace.lanesAt(warp, t);
            many = many || trace.eventAt(warp, next - Time{1}) - trace.eventAt(warp, t) > 1;
            if (!whole) {
                const Run run{left, right, now.on, now.exited, now.started};
                if (!runs.empty() && runs.back().on == run.on && runs.back().exited == run.exited &&
                    runs.back().started == run.started)
                    runs.back().right = right;
                else
                    runs.push_back(run);
            }
            if (now.started && !now.ended) {
                on += now.on.count();
                of += lanesPerWarp;
            }
            for (int lane = 0; lane < lanesPerWarp; ++lane)
                lanes[std::size_t(lane)] += now.on.has(lane) && !now.ended;
        }
        if (many) {
            painter.fillRect(QRectF(left, merged.top(), right - left, merged.height()), theme.attention);
            anyMerged = true;
        }
        if (whole) { // five depths of the same blue: none, a quarter ... all of the warps
            const int warps = int(endWarp - firstWarp);
            for (int lane = 0; lane < lanesPerWarp; ++lane) {
                const int n = lanes[std::size_t(lane)];
                const int depth = n == 0 ? 0 : qBound(1, (4 * n + warps - 1) / warps, 4);
                QColor c = theme.laneOn;
                c.setAlphaF(depth * 0.25f);
                QRectF cell = panel.cell(0, lane);
                cell.setLeft(left);
                cell.setRight(right);
                painter.fillRect(cell, depth ? c : theme.laneOff);
            }
        }
        if (of) {
            const qreal height = panel.bars.height() * on / of;
            painter.fillRect(QRectF(left, panel.bars.bottom() - height, right - left, height),
                             on == of ? theme.good : theme.attention);
        }
    }
    if (!whole)
        paintRuns(painter, p, runs, trace.warps[firstWarp].liveLanes);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(panel.bars);
    paintText(painter,
              QRectF(panel.labels.left() - 4, panel.bars.top() - 2, panel.labels.width(), lineHeight(theme.small())),
              QStringLiteral("32"), theme.small(), theme.textMuted, Qt::AlignRight);
    if (anyMerged)
        paintText(painter, QRectF(panel.heads.left(), panel.heads.top(), width, lineHeight(theme.small())),
                  LanesText::tr("orange: several events share a pixel, zoom in to see them"), theme.small(),
                  theme.attention, Qt::AlignRight);

    // Lane numbers and the ruler.
    for (int lane = 0, every = lanesBetweenNumbers(p); lane < lanesPerWarp; lane += every)
        paintText(painter,
                  {panel.labels.left(), panel.cells.top() + (lane + 0.5) * panel.rowHeight - 8,
                   panel.labels.width() - 7 * theme.fontScale, 16},
                  QString::number(lane), theme.small(), lane == p.selection.lane ? theme.attention : theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    const TimeAxis::Ticks ticks = axis.ticks(trace.range().begin, 110 * theme.fontScale);
    LabelRow labels(panel.cells.left(), panel.cells.right());
    for (const TimeAxis::Tick& tick : ticks.marks) {
        const qreal x = panel.cells.left() + tick.x;
        painter.fillRect(QRectF(x, panel.cells.bottom(), 1, 5), theme.textMuted);
        const QString text = timeText(tick.since, trace.info.timeUnit, ticks.step);
        const qreal wide = textWidth(theme.small(), text) + 2;
        if (const auto left = labels.place(x, wide))
            paintText(painter, {*left, panel.barTexts.top(), wide, panel.barTexts.height()}, text, theme.small(),
                      theme.textMuted, Qt::AlignCenter);
    }
    const Time now = timeShown(p.selection);
    if (visible.begin <= now && now <= visible.end) {
        const qreal x = panel.cells.left() + (p.selection.motion.playing ? shown : axis.x(now));
        paintCursorLine(painter, x, panel.cells.top() - 4, panel.bars.bottom(), theme.attention, 2);
    }
    if (p.selection.lane >= 0) {
        painter.setPen(QPen(theme.attention, 1));
        painter.drawRect(QRectF(panel.cells.left() - 1, panel.cells.top() + p.selection.lane * panel.rowHeight - 1,
                                width + 2, panel.rowHeight));
    }
}

} // namespace warpglass
