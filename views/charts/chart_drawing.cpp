// SPDX-License-Identifier: GPL-3.0-or-later
// Frame, heads of the panels and where numbers can be pointed at. The rows of bars and the names of dots are drawn by
// chart_bars and chart_plane.
#include "views/charts/chart_drawing.h"

#include "views/charts/chart_kind.h"
#include "views/charts/chart_marks.h"
#include "views/charts/chart_panels.h"
#include "views/common/marks.h"

#include <algorithm>

namespace warpglass {

namespace {

bool hasCells(const Chart& chart) {
    return chart.kind && chart.kind->marks == ChartMarks::Cells;
}

void plotPanel(ChartDrawing& d, int p) {
    if (hasCells(d.chart))
        plotCells(d, p);
    else
        d.chart.categories.isEmpty() ? plotPlane(d, p) : plotBars(d, p);
}

} // namespace

ChartDrawing drawChart(Chart chart, const QRectF& area, const Theme& theme) {
    if (hasCells(chart))
        dropCrowdedTables(chart, area, theme);
    ChartDrawing drawing{.chart = std::move(chart), .theme = theme};
    drawing.layout = chartLayout(drawing.chart, area, theme);
    for (int p = 0; p < drawing.chart.panels.size(); ++p)
        plotPanel(drawing, p);
    return drawing;
}

namespace {

void paintFrame(QPainter& painter, const ChartDrawing& d) {
    const ChartLayout& l = d.layout;
    if (!l.title.isNull()) // of what has no room nothing is shown
        paintHeading(painter, l.title, d.chart.title, d.theme);
    if (!l.subtitle.isNull())
        paintText(painter, l.subtitle, d.chart.subtitle, d.theme.small(), d.theme.textMuted);
    paintChartLegend(&painter, l.legend, d.chart, d.theme);
    qreal y = l.notes.top();
    for (const QString& note : l.notes.isNull() ? QStringList() : d.chart.notes)
        y += paintParagraph(&painter, {l.notes.left(), y, l.notes.width(), 100}, note, d.theme.small(),
                            d.theme.textMuted);
}

void paintHead(QPainter& painter, const ChartPanel& panel, const QRectF& head, const Theme& theme) {
    const qreal s = theme.fontScale, below = chipHeight(theme) + 8 * s;
    paintParagraph(&painter, {head.left(), head.top(), head.width(), head.height() - below}, panel.title,
                   chartHeadFont(theme), theme.text);
    qreal x = head.left();
    const qreal y = head.bottom() - below + 1 * s;
    if (!panel.unit.isEmpty())
        x += paintText(painter, {x, y, head.width(), chipHeight(theme)}, panel.unit, theme.small(), theme.textMuted) +
             8 * s;
    for (const Origin origin : panel.origins) {
        if (x + chipWidth(originName(origin), theme) > head.right() + 1)
            break;
        x = paintOriginChip(painter, {x, y}, origin, theme).right() + 6 * s;
    }
}

} // namespace

void paintChart(QPainter& painter, const ChartDrawing& d) {
    painter.save();
    paintFrame(painter, d);
    for (int p = 0; p < d.chart.panels.size(); ++p) {
        if (d.layout.panels[p].head.isNull())
            continue;
        paintHead(painter, d.chart.panels[p], d.layout.panels[p].head, d.theme);
        if (hasCells(d.chart))
            paintCells(painter, d, p);
        else
            d.chart.categories.isEmpty() ? paintPlane(painter, d, p) : paintBars(painter, d, p);
    }
    if (!d.chart.categories.isEmpty())
        paintRefusals(painter, d);
    painter.restore();
}

std::optional<ChartZone> ChartDrawing::zoneAt(QPointF at) const {
    std::optional<ChartZone> best;
    const qreal near = 14 * theme.fontScale;
    qreal least = near * near;
    for (const ChartZone& zone : zones) {
        if (zone.rect.contains(at) && zone.rect != zone.mark)
            return zone;
        const qreal dx = std::max({zone.rect.left() - at.x(), at.x() - zone.rect.right(), 0.0}),
                    dy = std::max({zone.rect.top() - at.y(), at.y() - zone.rect.bottom(), 0.0});
        const QPointF off = at - zone.mark.center();
        const qreal far = zone.series < 0 || zone.category >= 0 ? dx * dx + dy * dy : QPointF::dotProduct(off, off);
        if (far <= least && (zone.category < 0 || far == 0)) {
            least = far;
            best = zone;
        }
    }
    return best;
}

const ChartPoint& ChartDrawing::pointOf(const ChartZone& zone) const {
    return chart.panels[zone.panel].series[zone.series].points[zone.point];
}

int ChartDrawing::rowOf(const ChartZone& zone) const {
    if (zone.series >= 0)
        return pointOf(zone).row;
    if (zone.row >= 0)
        return zone.row;
    return zone.category >= 0 ? chart.categoryRows.value(zone.category, -1) : -1;
}

} // namespace warpglass
