// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_marks.h"

#include "views/charts/chart_kind.h"
#include "views/charts/plot_parts.h"
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
