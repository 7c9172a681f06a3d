// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/plane.h"

#include "views/charts/chart_kind.h"
#include "views/charts/chart_marks.h"
#include "views/common/marks.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpglass {

namespace {

// What the points ask for, then what the kind of chart makes of it.
PlaneAxes axesOf(QSize size, const Chart& chart, const ChartPanel& panel, const Theme& theme) {
    PlaneAxes axes{.left = std::numeric_limits<double>::max(), .right = 0};
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points) {
            axes.left = std::min(axes.left, point.x);
            axes.right = std::max(axes.right, point.x);
        }
    axes.logarithmicY = chart.logarithmic && panel.smallest > 0;
    if (axes.logarithmicY) {
        axes.low = panel.smallest / 1.5;
        axes.high = panel.maximum * 1.3;
    } else {
        axes.high = panel.top           ? std::max(*panel.top, panel.maximum) * 1.04
                    : panel.maximum > 0 ? panel.maximum * 1.08
                                        : 1;
    }
    if (chart.kind->axes)
        chart.kind->axes(axes, panel, size, theme);
    return axes;
}

QString titleBelow(const ChartPanel& panel) {
    return panel.xUnit.isEmpty() ? panel.xTitle : QStringLiteral("%1 / %2").arg(panel.xTitle, panel.xUnit);
}

constexpr double columnsTogether = 0.84; // of the room of a number

// Upright bars are put side by side.
double offsetOf(int series, int count, ChartMarks marks) {
    return marks == ChartMarks::Columns ? (series - (count - 1) / 2.0) * columnsTogether / count : 0;
}

// In the order of x.
QVector<int> orderOf(const QVector<ChartPoint>& points) {
    QVector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return points[a].x < points[b].x; });
    return order;
}

void paintLine(QPainter& painter, const Plane& plane, const Chart& chart, const ChartSeries& series,
               const QVector<QPointF>& pixels, bool alone, const Theme& theme) {
    const ChartMarks marks = chart.kind->marks;
    QPolygonF line;
    for (const int n : orderOf(series.points)) {
        if (marks == ChartMarks::Steps && !line.isEmpty()) // stays until the next number
            line << QPointF(pixels[n].x(), line.last().y());
        line << pixels[n];
    }
    if (marks == ChartMarks::Steps && alone && !line.isEmpty()) {
        QColor soft = series.colour;
        soft.setAlpha(48);
        QPolygonF ground = line;
        ground << QPointF(line.last().x(), plane.inside.bottom()) << QPointF(line.first().x(), plane.inside.bottom());
        painter.setPen(Qt::NoPen);
        painter.setBrush(soft);
        painter.drawPolygon(ground);
    }
    painter.setBrush(Qt::NoBrush);
    if (marks != ChartMarks::Dots) {
        painter.setPen(QPen(series.colour, 1.8 * theme.fontScale, dashOf(series)));
        painter.drawPolyline(line);
    }
    for (qsizetype n = 0; n < series.points.size(); ++n)
        paintWhisker(painter, plane.y, series.points[n], pixels[n].x(), true, theme);
    if (marks != ChartMarks::Steps)
        for (const QPointF& at : pixels)
            paintDot(painter, at, series, 9 * theme.fontScale);
}

} // namespace

Plane planeOf(const QRectF& where, const Chart& chart, const ChartPanel& panel, const Theme& theme) {
    const qreal s = theme.fontScale, room = 8 * s;
    const ChartMarks marks = chart.kind->marks;
    const PlaneAxes axes = axesOf(where.size().toSize(), chart, panel, theme);
    Plane plane;
    plane.x.scale = {axes.left, axes.right, axes.logarithmicX};
    plane.y.scale = {axes.low, axes.high, axes.logarithmicY};
    for (NumberScale* one : {&plane.x.scale, &plane.y.scale})
        if (one->to <= one->from) // one number for all
            one->to = one->from + std::max(std::abs(one->from), 1.0);
    const qreal below = axisDepth(theme) + (panel.xTitle.isEmpty() ? 0 : lineHeight(theme.small()) + 2 * s);
    const qreal height = std::max<qreal>(10, where.height() - room - below);
    plane.y.marks = marksBeside(plane.y.scale, height, theme);
    const qreal beside = std::max(room, axisWidth(plane.y.marks, theme));
    plane.inside = {where.left() + beside, where.top() + room, std::max<qreal>(10, where.width() - beside - 14 * s),
                    height};
    plane.x.begin = plane.inside.left();
    plane.x.length = plane.inside.width();
    plane.y.begin = plane.inside.bottom();
    plane.y.length = -plane.inside.height();
    if (axes.ticks.isEmpty())
        plane.x.marks = marksBelow(plane.x.scale, plane.inside.width(), theme);
    for (const auto& [value, text] : axes.ticks.asKeyValueRange())
        plane.x.marks.append({value, text});

    const auto pixel = [&](double x, double y) { return QPointF(plane.x.pixel(x), plane.y.pixel(y)); };
    const int count = std::max(1, int(panel.series.size()));
    for (int n = 0; n < panel.series.size(); ++n) {
        QVector<QPointF> points;
        QVector<QRectF> rects;
        for (const ChartPoint& point : panel.series[n].points) {
            const double x = point.x + offsetOf(n, count, marks), half = columnsTogether / count / 2;
            points << pixel(x, axes.logarithmicY ? std::max(point.y, axes.low) : point.y);
            if (marks == ChartMarks::Columns)
                rects << QRectF(QPointF(plane.x.pixel(x - half), points.last().y()),
                                QPointF(plane.x.pixel(x + half), plane.inside.bottom()))
                             .normalized();
        }
        plane.pixels << points;
        plane.bars << rects;
    }
    for (const ChartGuide& guide : panel.guides)
        plane.guides.append({pixel(guide.points.first().x(), guide.points.first().y()),
                             pixel(guide.points.last().x(), guide.points.last().y())});
    return plane;
}

void paintPlaneMarks(QPainter& painter, const Plane& plane, const Chart& chart, const ChartPanel& panel,
                     const Theme& theme) {
    const qreal s = theme.fontScale;
    const ChartMarks marks = chart.kind->marks;
    const qreal left = plane.inside.left() - 12 * s, right = plane.inside.right() + 12 * s;
    paintAxisBeside(painter, plane.y, plane.inside, true, theme);
    paintAxisBelow(painter, plane.x, plane.inside, marks != ChartMarks::Columns, left, right, theme);
    const QString title = titleBelow(panel);
    const QFont font = fittedFont(theme.small(), title, right - left);
    paintText(painter,
              {left, plane.inside.bottom() + axisDepth(theme) + 2 * s, right - left, lineHeight(theme.small())}, title,
              font, theme.text, Qt::AlignCenter);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(plane.inside.adjusted(-s, -s, s, s), Qt::IntersectClip);
    for (int n = 0; n < panel.series.size(); ++n) {
        const ChartSeries& series = panel.series[n];
        for (const QRectF& bar : plane.bars[n]) {
            painter.fillRect(bar, series.colour);
            paintPattern(painter, bar, series.pattern, softInkOn(series.colour), 5 * s);
        }
        if (marks != ChartMarks::Columns)
            paintLine(painter, plane, chart, series, plane.pixels[n], panel.series.size() == 1, theme);
    }
    for (const ChartGuide& guide : panel.guides) {
        QPolygonF line;
        for (const QPointF& point : guide.points)
            line << QPointF(plane.x.pixel(point.x()), plane.y.pixel(point.y()));
        painter.setPen(QPen(theme.attention, 1.4 * s, marks == ChartMarks::Steps ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
    }
    painter.restore();
}

} // namespace warpglass
