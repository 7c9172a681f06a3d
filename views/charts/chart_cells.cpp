// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_cells.h"

#include "views/charts/chart_panels.h"
#include "views/charts/chart_words.h"
#include "views/charts/charts_text.h"
#include "views/common/marks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpglass {

namespace {

QColor between(const QColor& a, const QColor& b, double t) {
    const auto mix = [t](float x, float y) { return float(x + (y - x) * float(t)); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

qreal widest(const QStringList& words, const QFont& font) {
    qreal width = 0;
    for (const QString& word : words)
        width = std::max(width, textWidth(font, word));
    return width;
}

QStringList lineNames(const ChartPanel& panel) {
    QStringList names;
    for (const ChartSeries& series : panel.series)
        names << series.name;
    return names;
}

constexpr int scaleTicks = 6;

// The number with as many digits as there is room for, two at least; empty if not even those fit.
QString fitting(const ChartPoint& point, qreal width, const QFont& font) {
    if (textWidth(font, point.text) <= width)
        return point.text;
    for (const int digits : {3, 2}) {
        QString text = QString::number(point.y, 'g', digits);
        if (!text.contains(QLatin1Char('e')) && textWidth(font, text) <= width)
            return text;
    }
    return {};
}

} // namespace

NumberScale heatScale(const ChartPanel& panel, bool logarithmic) {
    double least = 0, most = 0;
    bool any = false;
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points) {
            least = any ? std::min(least, point.y) : point.y;
            most = any ? std::max(most, point.y) : point.y;
            any = true;
        }
    NumberScale scale{least, most, logarithmic && least > 0};
    if (panel.top && !scale.logarithmic)
        scale = {std::min(0.0, least), std::max(*panel.top, most), false};
    if (scale.to <= scale.from) // one number for all
        scale = {least > 0 ? 0 : least - 1, least > 0 ? least : least + 1, false};
    return scale;
}

QColor heatColour(double share, const Theme& theme) {
    static const std::array<QColor, 4> light{QColor(0xe9f2f9), QColor(0x9ecae1), QColor(0x3585b8), QColor(0x0a3a66)};
    static const std::array<QColor, 4> dark{QColor(0x232d38), QColor(0x22587f), QColor(0x3d9bd4), QColor(0xc9e9ff)};
    const auto& stops = theme.kind == ThemeKind::Dark ? dark : light;
    const double at = std::clamp(share, 0.0, 1.0) * double(stops.size() - 1);
    const auto n = std::min(std::size_t(at), stops.size() - 2);
    return between(stops[n], stops[n + 1], at - double(n));
}

QRectF CellTable::cell(int column, int line) const {
    const qreal w = grid.width() / std::max(1, columnCount), h = grid.height() / std::max(1, lineCount);
    return {grid.left() + column * w, grid.top() + line * h, w, h};
}

CellTable cellTable(const ChartPanel& panel, const QRectF& where, bool logarithmic, const Theme& theme) {
    CellTable t;
    t.columnCount = int(panel.columns.size());
    t.lineCount = int(panel.series.size());
    t.scale = heatScale(panel, logarithmic);
    const qreal s = theme.fontScale, line = lineHeight(theme.small()), gap = 6 * s;
    QStringList numbers;
    for (const double tick : t.scale.ticks(scaleTicks))
        numbers << valueText(tick);
    const qreal names =
        std::min(std::max(widest(lineNames(panel), theme.small()), textWidth(theme.small(), panel.yTitle)),
                 where.width() * 0.34);
    const qreal bar = 12 * s, scaleWidth = bar + gap + widest(numbers, theme.small());
    const qreal head = 2 * line * 1.15;
    const qreal width = std::max<qreal>(10, where.width() - names - gap - 2 * gap - scaleWidth);
    const qreal height = std::max<qreal>(10, where.height() - head - gap);
    // Cells stay cells in a large picture.
    const qreal w = std::min(width / std::max(1, t.columnCount), 190 * s);
    const qreal h = std::min(height / std::max(1, t.lineCount), 84 * s);
    t.grid = {where.left() + names + gap, where.top() + head, w * t.columnCount, h * t.lineCount};
    t.corner = {where.left(), where.top() + line * 1.15, names, line * 1.15};
    t.across = {t.grid.left(), where.top(), std::max(t.grid.width(), width), line * 1.15};
    t.columns = {t.grid.left(), where.top() + line * 1.15, t.grid.width(), line * 1.15};
    t.lines = {where.left(), t.grid.top(), names, t.grid.height()};
    const qreal low = std::min(std::max(t.grid.height(), 6 * line), height);
    t.colours = {t.grid.right() + 2 * gap, t.grid.top(), bar, low};
    return t;
}

void dropCrowdedTables(Chart& chart, const QRectF& area, const Theme& theme) {
    const auto all = chart.panels.size();
    const auto crowded = [&] {
        const ChartLayout layout = chartLayout(chart, area, theme);
        for (int p = 0; p < chart.panels.size(); ++p) {
            const QRectF& plot = layout.panels[p].plot;
            const QRectF cell = cellTable(chart.panels[p], plot, chart.logarithmic, theme).cell(0, 0);
            if (cell.height() < lineHeight(theme.small()) || cell.width() < 24 * theme.fontScale)
                return true;
        }
        return false;
    };
    while (chart.panels.size() > 1 && crowded()) {
        if (chart.panels.size() < all)
            chart.notes.removeFirst();
        chart.panels.removeLast();
        chart.notes.prepend(ChartsText::tr("%1 of %2 tables are drawn.").arg(chart.panels.size()).arg(all));
    }
}

void plotCells(ChartDrawing& d, int p) {
    const ChartPanel& panel = d.chart.panels[p];
    ChartDrawing::Plot plot;
    plot.cells = cellTable(panel, d.layout.panels[p].plot, d.chart.logarithmic, d.theme);
    for (int n = 0; n < panel.series.size(); ++n)
        for (int i = 0; i < panel.series[n].points.size(); ++i) {
            const QRectF cell = plot.cells.cell(int(panel.series[n].points[i].x), n);
            d.zones.append({.rect = cell, .mark = cell.adjusted(1, 1, -1, -1), .panel = p, .series = n, .point = i});
        }
    for (const ChartRefusal& refusal : panel.refusals) {
        const QRectF cell = plot.cells.cell(refusal.column, refusal.line);
        d.zones.append({.rect = cell, .mark = cell.adjusted(1, 1, -1, -1), .panel = p, .row = refusal.row});
    }
    d.plots.append(plot);
}

namespace {

void paintScale(QPainter& painter, const CellTable& t, const Theme& theme) {
    const qreal s = theme.fontScale, line = lineHeight(theme.small());
    const int steps = std::max(2, int(t.colours.height()));
    for (int n = 0; n < steps; ++n)
        painter.fillRect(QRectF(t.colours.left(), t.colours.bottom() - (n + 1) * t.colours.height() / steps,
                                t.colours.width(), t.colours.height() / steps + 0.5),
                         heatColour((n + 0.5) / steps, theme));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.border, 1));
    painter.drawRect(t.colours);
    qreal free = t.colours.bottom() + line;
    for (const double tick : t.scale.ticks(scaleTicks)) {
        const qreal y = t.colours.bottom() - t.scale.share(tick) * t.colours.height();
        painter.setPen(QPen(theme.textMuted, 1));
        painter.drawLine(QPointF(t.colours.right(), y), QPointF(t.colours.right() + 4 * s, y));
        if (y + line / 2 > free)
            continue;
        const QString text = valueText(tick);
        paintText(painter, {t.colours.right() + 6 * s, y - line / 2, textWidth(theme.small(), text) + 2, line}, text,
                  theme.small(), theme.textMuted);
        free = y - line / 2;
    }
}

void paintNames(QPainter& painter, const CellTable& t, const ChartPanel& panel, const Theme& theme) {
    const qreal line = lineHeight(theme.small());
    paintText(painter, t.across, panel.xTitle, theme.small(), theme.textMuted);
    paintText(painter, t.corner, panel.yTitle, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    const qreal width = widest(panel.columns, theme.small()) + 6;
    const int every = std::max(1, int(std::ceil(width / std::max<qreal>(1, t.cell(0, 0).width()))));
    for (int c = 0; c < t.columnCount; c += every) {
        const QRectF cell = t.cell(c, 0);
        const qreal wide = every == 1 ? cell.width() : width;
        paintText(painter, {cell.center().x() - wide / 2, t.columns.top(), wide, t.columns.height()}, panel.columns[c],
                  theme.small(), theme.text, Qt::AlignCenter);
    }
    const int skip = std::max(1, int(std::ceil(line * 0.9 / std::max<qreal>(1, t.cell(0, 0).height()))));
    for (int n = 0; n < t.lineCount; n += skip) {
        const qreal middle = t.cell(0, n).center().y();
        paintText(painter, {t.lines.left(), middle - line / 2, t.lines.width(), line}, panel.series[n].name,
                  theme.small(), theme.text, Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace

void paintCells(QPainter& painter, const ChartDrawing& d, int p) {
    const ChartPanel& panel = d.chart.panels[p];
    const CellTable& t = d.plots[p].cells;
    const Theme& theme = d.theme;
    const qreal s = theme.fontScale, line = lineHeight(theme.small());
    paintNames(painter, t, panel, theme);
    for (int n = 0; n < t.lineCount; ++n) // what nobody ran is a hole
        for (int c = 0; c < t.columnCount; ++c) {
            painter.setPen(QPen(theme.border, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(t.cell(c, n).adjusted(1, 1, -1, -1));
        }
    for (int n = 0; n < panel.series.size(); ++n)
        for (const ChartPoint& point : panel.series[n].points) {
            const QRectF cell = t.cell(int(point.x), n).adjusted(0.5, 0.5, -0.5, -0.5);
            const QColor colour = heatColour(t.scale.share(point.y), theme);
            painter.fillRect(cell, colour);
            QFont font = theme.small();
            font.setBold(point.best);
            if (point.best && cell.height() > 8 * s) {
                painter.setPen(QPen(theme.attention, 2 * s));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(cell.adjusted(s, s, -s, -s));
            }
            if (cell.height() >= line * 0.9)
                paintText(painter, cell, fitting(point, cell.width() - 4 * s, font), font, inkOn(colour),
                          Qt::AlignCenter);
        }
    for (const ChartRefusal& refusal : panel.refusals) {
        const QRectF cell = t.cell(refusal.column, refusal.line).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.fillRect(cell, theme.sunken);
        paintHatch(painter, cell, Hatch::Cross, theme.border);
        if (cell.height() >= line * 0.9)
            paintText(painter, cell, QStringLiteral("\u2715"), theme.small(), theme.wrong, Qt::AlignCenter);
    }
    paintScale(painter, t, theme);
}

} // namespace warpglass
