// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_marks.h"

#include "views/charts/chart_kind.h"
#include "views/common/marks.h"

#include <algorithm>

namespace warpglass {

QColor softInkOn(const QColor& ground) {
    const double luminance = 0.2126 * ground.redF() + 0.7152 * ground.greenF() + 0.0722 * ground.blueF();
    return luminance > 0.45 ? QColor(0, 0, 0, 150) : QColor(255, 255, 255, 190);
}

void paintPattern(QPainter& painter, const QRectF& bar, int pattern, const QColor& ink, qreal step) {
    if (pattern <= 0 || bar.width() < 3 || bar.height() < 3)
        return;
    painter.save();
    painter.setClipRect(bar, Qt::IntersectClip);
    painter.setPen(QPen(ink, 1));
    const auto slopes = [&](int sign) {
        for (qreal x = bar.left() - bar.height(); x < bar.right() + bar.height(); x += step)
            painter.drawLine(QPointF(x, sign > 0 ? bar.bottom() : bar.top()),
                             QPointF(x + bar.height(), sign > 0 ? bar.top() : bar.bottom()));
    };
    switch (pattern % 7) {
    case 1:
        slopes(1);
        break;
    case 2:
        slopes(-1);
        break;
    case 3:
        slopes(1);
        slopes(-1);
        break;
    case 4:
        for (qreal x = bar.left() + step / 2; x < bar.right(); x += step)
            painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
        break;
    case 5:
        for (qreal y = bar.top() + step / 2; y < bar.bottom(); y += step * 0.8)
            painter.drawLine(QPointF(bar.left(), y), QPointF(bar.right(), y));
        break;
    case 6:
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        for (qreal y = bar.top() + step / 2; y < bar.bottom(); y += step)
            for (qreal x = bar.left() + step / 2; x < bar.right(); x += step)
                painter.drawEllipse(QPointF(x, y), 1.2, 1.2);
        break;
    default:
        break;
    }
    painter.restore();
}

Qt::PenStyle dashOf(const ChartSeries& series) {
    static constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                              Qt::DashDotDotLine};
    return dashes[series.pattern % 5];
}

// Disc, square, diamond, triangle up and down, square with a cross, ring with a plus.
void paintDot(QPainter& painter, QPointF at, const ChartSeries& series, qreal size) {
    const qreal r = size / 2;
    const QRectF box(at.x() - r, at.y() - r, size, size);
    const int shape = series.pattern % 7;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(series.colour, size / 6));
    painter.setBrush(shape < 5 ? QBrush(series.colour) : QBrush(Qt::NoBrush));
    switch (shape) {
    case 0:
        painter.drawEllipse(box);
        break;
    case 1:
        painter.drawRect(box.adjusted(r / 6, r / 6, -r / 6, -r / 6));
        break;
    case 2:
        painter.drawPolygon(
            QPolygonF{at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at + QPointF(-r, 0)});
        break;
    case 3:
        painter.drawPolygon(QPolygonF{at + QPointF(0, -r), at + QPointF(r, r), at + QPointF(-r, r)});
        break;
    case 4:
        painter.drawPolygon(QPolygonF{at + QPointF(0, r), at + QPointF(r, -r), at + QPointF(-r, -r)});
        break;
    case 5:
        painter.drawRect(box);
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.bottomLeft(), box.topRight());
        break;
    default:
        painter.drawEllipse(box);
        painter.drawLine(at + QPointF(-r, 0), at + QPointF(r, 0));
        painter.drawLine(at + QPointF(0, -r), at + QPointF(0, r));
        break;
    }
    painter.restore();
}

void paintLineMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool dots, const Theme& theme) {
    painter.setPen(QPen(series.colour, 1.8 * theme.fontScale, dashOf(series)));
    painter.drawLine(QPointF(mark.left(), mark.center().y()), QPointF(mark.right(), mark.center().y()));
    if (dots)
        paintDot(painter, mark.center(), series, 8 * theme.fontScale);
}

void paintWhisker(QPainter& painter, const NumberAxis& axis, const ChartPoint& point, qreal at, bool upright,
                  const Theme& theme) {
    if (point.high <= point.low)
        return;
    const qreal half = 3 * theme.fontScale, low = axis.pixel(point.low), high = axis.pixel(point.high);
    const auto line = [&](qreal a, qreal acrossA, qreal b, qreal acrossB) {
        painter.drawLine(upright ? QPointF(acrossA, a) : QPointF(a, acrossA),
                         upright ? QPointF(acrossB, b) : QPointF(b, acrossB));
    };
    painter.setPen(QPen(theme.text, 1.2 * theme.fontScale));
    line(low, at, high, at);
    line(low, at - half, low, at + half);
    line(high, at - half, high, at + half);
}

qreal paintChartLegend(QPainter* painter, const QRectF& where, const Chart& chart, const Theme& theme) {
    if (chart.legend.isEmpty())
        return 0;
    const qreal s = theme.fontScale, line = lineHeight(theme.small()) * 1.25, swatch = 22 * s;
    const bool bars = !chart.categories.isEmpty() || chart.kind->marks == ChartMarks::Columns;
    const bool dots = chart.kind->marks != ChartMarks::Steps;
    qreal x = where.left(), y = where.top();
    for (const ChartSeries& series : chart.legend) {
        const qreal width = swatch + 6 * s + textWidth(theme.small(), series.name);
        if (x > where.left() && x + width > where.right()) {
            x = where.left();
            y += line;
        }
        if (painter) {
            const QRectF mark(x, y + line * 0.2, swatch, line * 0.6);
            if (bars) {
                painter->fillRect(mark, series.colour);
                paintPattern(*painter, mark, series.pattern, softInkOn(series.colour), 5 * s);
            } else {
                paintLineMark(*painter, mark, series, dots, theme);
            }
            paintText(*painter, {x + swatch + 6 * s, y, std::min(width, where.right() - x) - swatch - 6 * s + 2, line},
                      series.name, theme.small(), theme.text);
        }
        x += width + 18 * s;
    }
    return y + line - where.top();
}

QFont chartHeadFont(const Theme& theme) {
    QFont bold = theme.small();
    bold.setBold(true);
    return bold;
}

} // namespace warpglass
