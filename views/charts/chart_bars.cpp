// SPDX-License-Identifier: GPL-3.0-or-later
// Panels of horizontal bars: rows with a name, bars side by side or stacked, numbers where there is room.
#include "views/charts/chart_marks.h"
#include "views/charts/chart_panels.h"
#include "views/common/marks.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpglass {

namespace {

NumberAxis axisOf(const Chart& chart, const ChartPanel& panel, const QRectF& plot, const Theme& theme) {
    NumberAxis axis{.scale = {}, .begin = plot.left(), .length = plot.width(), .marks = {}};
    NumberScale& scale = axis.scale;
    scale.logarithmic = chart.logarithmic && !panel.linear && panel.smallest > 0;
    if (scale.logarithmic) {
        scale.from = std::pow(10, std::floor(std::log10(panel.smallest) - 0.15));
        scale.to = panel.maximum * 1.05;
    } else if (panel.top) {
        scale.to = std::max(*panel.top, panel.maximum);
    } else {
        scale.to = panel.maximum > 0 ? panel.maximum * 1.02 : 1;
    }
    axis.marks = marksBelow(scale, plot.width(), theme);
    return axis;
}

QRectF rowRect(const ChartDrawing& d, const ChartLayout::Panel& at, int category) {
    return {at.labels.left(), at.plot.top() + category * d.layout.rowHeight, at.labels.width(), d.layout.rowHeight};
}

double barWidth(const ChartDrawing& d, const ChartPanel& panel) {
    return d.chart.stacked ? d.layout.thickness : d.layout.thickness / std::max(1, int(panel.series.size()));
}

void addZones(ChartDrawing& d, int p) {
    const ChartPanel& panel = d.chart.panels[p];
    const ChartLayout::Panel& at = d.layout.panels[p];
    const NumberAxis& axis = d.plots[p].axis;
    const int series = std::max(1, int(panel.series.size()));
    const double width = barWidth(d, panel);
    if (!at.labels.isNull())
        for (int c = 0; c < d.chart.categories.size(); ++c)
            d.zones.append({.rect = rowRect(d, at, c), .mark = rowRect(d, at, c), .category = c});
    std::map<int, double> stack;
    for (int n = 0; n < panel.series.size(); ++n)
        for (int i = 0; i < panel.series[n].points.size(); ++i) {
            const ChartPoint& point = panel.series[n].points[i];
            const double below = d.chart.stacked ? stack[int(point.x)] : 0;
            const double key = point.x + (d.chart.stacked ? 0 : (n - (series - 1) / 2.0) * width);
            const qreal middle = at.plot.top() + (key + 0.5) * d.layout.rowHeight;
            const qreal thick = width * d.layout.rowHeight;
            const qreal start = d.chart.stacked ? axis.pixel(below) : at.plot.left(), end = axis.pixel(below + point.y);
            stack[int(point.x)] += point.y;
            const QRectF mark(start, middle - thick / 2, std::max<qreal>(end - start, 1), thick);
            const QRectF rect =
                d.chart.stacked ? mark : QRectF(at.plot.left(), mark.top(), at.values.right() - at.plot.left(), thick);
            d.zones.append({.rect = rect, .mark = mark, .panel = p, .series = n, .point = i, .category = int(point.x)});
        }
}

// Without what stands in parentheses behind them (Nsight's word for a state), if they are still told apart.
QStringList briefNames(const QStringList& names) {
    static const QRegularExpression remark(QStringLiteral(" ?[(（].*$"));
    QStringList brief = names;
    brief.replaceInStrings(remark, QString());
    return QSet<QString>(brief.begin(), brief.end()).size() == brief.size() && !brief.contains(QString()) ? brief
                                                                                                          : names;
}

void paintRowNames(QPainter& painter, const ChartDrawing& d, const ChartLayout::Panel& at) {
    const qreal line = lineHeight(d.theme.small());
    const QStringList brief = briefNames(d.chart.categories);
    for (int c = 0; c < d.chart.categories.size(); ++c) {
        const QRectF row = rowRect(d, at, c);
        if (d.layout.rowHeight < line * 0.8 && c % int(std::ceil(line / std::max(d.layout.rowHeight, 0.5))) != 0)
            continue;
        const qreal height = std::max(d.layout.rowHeight, line);
        const QRectF where(row.left(), row.center().y() - height / 2, row.width() + 2 * d.theme.fontScale, height);
        paintText(painter, where, firstThatFits({d.chart.categories[c], brief[c]}, d.theme.small(), where.width()),
                  d.theme.small(), d.theme.text, Qt::AlignRight | Qt::AlignVCenter);
    }
}

void paintBar(QPainter& painter, const ChartDrawing& d, const ChartZone& zone) {
    const qreal s = d.theme.fontScale;
    const ChartSeries& series = d.chart.panels[zone.panel].series[zone.series];
    painter.fillRect(zone.mark, series.colour);
    paintPattern(painter, zone.mark, series.pattern, softInkOn(series.colour), 6 * s);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(series.colour.darker(d.theme.kind == ThemeKind::Dark ? 80 : 118), 0.6 * s));
    painter.drawRect(zone.mark);
    if (!d.chart.stacked)
        paintWhisker(painter, d.plots[zone.panel].axis, d.pointOf(zone), zone.mark.center().y(), false, d.theme);
}

// In the bar if it is stacked, else behind its end; nothing if it is too thin: hovering tells.
void paintValue(QPainter& painter, const ChartDrawing& d, const ChartZone& zone) {
    const qreal s = d.theme.fontScale;
    const ChartPoint& point = d.pointOf(zone);
    const QRectF& mark = zone.mark;
    QFont font = d.theme.small();
    const qreal line = lineHeight(font);
    if (mark.height() < line * 0.62)
        return;
    if (d.chart.stacked) {
        const qreal width = textWidth(font, point.text);
        if (mark.width() < width + 8 * s || mark.height() < line * 0.9)
            return;
        const QColor& colour = d.chart.panels[zone.panel].series[zone.series].colour;
        const QRectF pill(mark.center().x() - width / 2 - 3 * s, mark.center().y() - line / 2, width + 6 * s, line);
        painter.fillRect(pill, colour); // no hatch behind the number
        QColor ink = softInkOn(colour);
        ink.setAlpha(255);
        paintText(painter, pill, point.text, font, ink, Qt::AlignCenter);
        return;
    }
    const qreal end = d.plots[zone.panel].axis.pixel(std::max(point.y, point.high));
    font.setBold(point.best);
    const QRectF room(end + 5 * s, mark.center().y() - lineHeight(font) / 2,
                      d.layout.panels[zone.panel].values.right() - end - 3 * s, lineHeight(font));
    if (textWidth(font, point.text) <= room.width() + 1) // half a number would be another one
        paintText(painter, room, point.text, font, d.theme.text);
}

} // namespace

void plotBars(ChartDrawing& d, int p) {
    ChartDrawing::Plot plot;
    plot.axis = axisOf(d.chart, d.chart.panels[p], d.layout.panels[p].plot, d.theme);
    d.plots.append(plot);
    addZones(d, p);
}

void paintBars(QPainter& painter, const ChartDrawing& d, int p) {
    const ChartLayout::Panel& at = d.layout.panels[p];
    const ChartDrawing::Plot& plot = d.plots[p];
    const qreal left = at.labels.isNull() ? at.plot.left() : at.labels.left();
    for (int c = 1; c < d.chart.categories.size(); c += 2) // zebra: the eye keeps the row across the panels
        painter.fillRect(
            QRectF(left, at.plot.top() + c * d.layout.rowHeight, at.values.right() - left, d.layout.rowHeight),
            d.theme.sunken);
    paintAxisBelow(painter, plot.axis, at.plot, true, at.plot.left() - 12 * d.theme.fontScale, at.ticks.right(),
                   d.theme);
    painter.setPen(QPen(d.theme.textMuted, d.theme.fontScale));
    painter.drawLine(at.plot.topLeft(), at.plot.bottomLeft());
    for (const ChartZone& zone : d.zones)
        if (zone.panel == p && zone.series >= 0)
            paintBar(painter, d, zone);
    for (const ChartGuide& guide : d.chart.panels[p].guides) {
        const qreal x = plot.axis.pixel(guide.points.first().x());
        painter.setPen(QPen(d.theme.attention, 1.2 * d.theme.fontScale, Qt::DashLine));
        painter.drawLine(QPointF(x, at.plot.top()), QPointF(x, at.plot.bottom()));
    }
    if (!at.labels.isNull())
        paintRowNames(painter, d, at);
    for (const ChartZone& zone : d.zones)
        if (zone.panel == p)
            paintValue(painter, d, zone);
}

// Why a row has no bars: over all panels of its line, on ground that hides their axes.
void paintRefusals(QPainter& painter, const ChartDrawing& d) {
    const Theme& theme = d.theme;
    const qreal s = theme.fontScale, line = lineHeight(theme.small());
    if (d.layout.rowHeight < line * 0.8)
        return;
    for (const ChartLayout::Panel& at : d.layout.panels)
        for (int c = 0; c < d.chart.categories.size() && !at.labels.isNull(); ++c) {
            if (d.chart.refused[c].isEmpty())
                continue;
            const QString words = QStringLiteral("\u2715 ") + d.chart.refused[c];
            const qreal left = at.plot.left() + 6 * s, middle = at.plot.top() + (c + 0.5) * d.layout.rowHeight;
            const qreal width = std::min(textWidth(theme.small(), words) + 4 * s, d.layout.title.right() - left);
            const QRectF place(left, middle - line / 2, width, line);
            const qreal high = std::min(line, d.layout.rowHeight - 4); // the axis below stays
            painter.fillRect(QRectF(left, middle - high / 2, width, high), c % 2 ? theme.sunken : theme.window);
            paintText(painter, place, words, theme.small(), theme.wrong);
        }
}

} // namespace warpglass
