// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/plot_parts.h"

#include "views/charts/chart_paint.h"
#include "views/common/marks.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpglass {

namespace {

// Bars with a hatch over their colour.
class PatternBars : public QCPBars {
public:
    PatternBars(QCPAxis* key, QCPAxis* value, int pattern, qreal step)
        : QCPBars(key, value), m_pattern(pattern), m_step(step) {}
    QRectF rectOf(double key, double value) const { return getBarRect(key, value).normalized(); }

protected:
    void draw(QCPPainter* painter) override {
        QCPBars::draw(painter);
        const QColor fill = brush().color();
        const double luminance = 0.2126 * fill.redF() + 0.7152 * fill.greenF() + 0.0722 * fill.blueF();
        const QColor ink = luminance > 0.45 ? QColor(0, 0, 0, 150) : QColor(255, 255, 255, 190);
        for (const QCPBarsData& bar : *data())
            paintPattern(*painter, rectOf(bar.key, bar.value), m_pattern, ink, m_step);
    }

private:
    int m_pattern;
    qreal m_step;
};

// Numbers as the rest of the program writes them, also on a logarithmic axis.
class PlainTicks : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return valueText(tick); }
};
class PlainLogTicks : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const double power = std::log10(std::abs(tick));
        if (power < -3 || power > 4)
            return QStringLiteral("10") + superscript(int(std::lround(power)));
        return valueText(tick);
    }

private:
    static QString superscript(int n) {
        static const QString digits = QString::fromUtf8("⁰¹²³⁴⁵⁶⁷⁸⁹");
        QString text = n < 0 ? QString::fromUtf8("⁻") : QString();
        for (const QChar c : QString::number(std::abs(n)))
            text += digits[c.digitValue()];
        return text;
    }
};

void style(QCPAxis* axis, const Theme& theme, bool grid) {
    const qreal s = theme.fontScale;
    axis->setBasePen(QPen(theme.textMuted, s));
    axis->setTickPen(QPen(theme.textMuted, s));
    axis->setSubTickPen(QPen(theme.textMuted, 0.7 * s));
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(int(4 * s));
    axis->setSubTickLengthIn(0);
    axis->setSubTickLengthOut(int(2 * s));
    axis->setSubTicks(false);
    axis->setTickLabelFont(theme.small());
    axis->setTickLabelColor(theme.textMuted);
    axis->setTickLabelPadding(int(3 * s));
    axis->setLabelFont(theme.small());
    axis->setLabelColor(theme.text);
    axis->setLabelPadding(int(3 * s));
    axis->grid()->setVisible(grid);
    axis->grid()->setPen(QPen(theme.border, 0.8 * s));
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setZeroLinePen(Qt::NoPen);
}

void setScale(QCPAxis* axis, bool logarithmic, double from, double to, int ticks) {
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) {
        auto ticker = QSharedPointer<PlainLogTicks>::create();
        // Powers of two over less than two decades, of ten over more, none left out unless they crowd.
        const double decades = std::log10(to / from);
        const double base = decades < 2 ? 2 : 10;
        const int all = int(std::ceil(decades / std::log10(base)));
        ticker->setLogBase(std::pow(base, std::max(1, (all + ticks - 1) / std::max(ticks, 1))));
        ticker->setSubTickCount(8);
        axis->setTicker(ticker);
    } else {
        auto ticker = QSharedPointer<PlainTicks>::create();
        ticker->setTickCount(std::max(ticks, 1));
        axis->setTicker(ticker);
    }
    axis->setRange(from, to);
}

QPicture record(QCustomPlot& plot, QSize size) {
    QPicture picture;
    QCPPainter painter;
    painter.begin(&picture);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNonCosmetic);
    plot.toPainter(&painter, size.width(), size.height()); // sets pmNoCaching itself
    painter.end();
    return picture;
}

QCPErrorBars* whiskers(QCPAxis* key, QCPAxis* value, QCPAbstractPlottable* of, const QVector<ChartPoint>& points,
                       const Theme& theme) {
    QVector<double> minus, plus;
    bool any = false;
    for (const ChartPoint& point : points) {
        any |= point.high > point.low;
        const bool spread = point.high > point.low;
        minus << (spread ? point.y - point.low : std::numeric_limits<double>::quiet_NaN());
        plus << (spread ? point.high - point.y : std::numeric_limits<double>::quiet_NaN());
    }
    if (!any)
        return nullptr;
    auto* bars = new QCPErrorBars(key, value);
    bars->setDataPlottable(of);
    bars->setErrorType(QCPErrorBars::etValueError);
    bars->setPen(QPen(theme.text, 1.2 * theme.fontScale));
    bars->setWhiskerWidth(6 * theme.fontScale);
    bars->setSymbolGap(0);
    bars->setData(minus, plus);
    return bars;
}

QVector<ChartPoint> byX(QVector<ChartPoint> points) {
    std::stable_sort(points.begin(), points.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    return points;
}

QCPScatterStyle dotOf(const ChartSeries& series, qreal size) {
    static constexpr QCPScatterStyle::ScatterShape shapes[] = {
        QCPScatterStyle::ssDisc,      QCPScatterStyle::ssSquare,           QCPScatterStyle::ssDiamond,
        QCPScatterStyle::ssTriangle,  QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssCrossSquare,
        QCPScatterStyle::ssPlusCircle};
    return QCPScatterStyle(shapes[series.pattern % 7], QPen(series.colour, size / 6), QBrush(series.colour), size);
}

Qt::PenStyle dashOf(const ChartSeries& series) {
    static constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                              Qt::DashDotDotLine};
    return dashes[series.pattern % 5];
}

} // namespace

void playPicture(QPainter& painter, QPointF at, const QPicture& picture) {
    const QPaintDevice* device = painter.device();
    painter.save();
    painter.translate(at);
    if (device)
        painter.scale(double(picture.logicalDpiX()) / device->logicalDpiX(),
                      double(picture.logicalDpiY()) / device->logicalDpiY());
    painter.drawPicture(0, 0, picture);
    painter.restore();
}

void paintLineMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool dots, const Theme& theme) {
    painter.setPen(QPen(series.colour, 1.8 * theme.fontScale, dashOf(series)));
    painter.drawLine(QPointF(mark.left(), mark.center().y()), QPointF(mark.right(), mark.center().y()));
    if (!dots)
        return;
    QPicture dot;
    QCPPainter recorder;
    recorder.begin(&dot);
    recorder.setMode(QCPPainter::pmVectorized);
    const QCPScatterStyle style = dotOf(series, 8 * theme.fontScale);
    style.applyTo(&recorder, QPen(series.colour));
    style.drawShape(&recorder, 0, 0);
    recorder.end();
    playPicture(painter, mark.center(), dot);
}

QPicture barPicture(const BarPlot& spec, const ChartPanel& panel, const Theme& theme) {
    QCustomPlot plot;
    plot.setBackground(Qt::NoBrush);
    plot.setAntialiasedElements(QCP::aeAll);
    QCPAxisRect* rect = plot.axisRect();
    rect->setAutoMargins(QCP::msNone);
    rect->setMargins(QMargins(spec.left, 0, spec.right, spec.bottom));
    style(plot.xAxis, theme, true);
    style(plot.yAxis, theme, false);
    plot.yAxis->setTicks(false);
    plot.yAxis->setTickLabels(false);
    plot.yAxis->setRangeReversed(true);
    plot.yAxis->setRange(-0.5, spec.categories - 0.5);
    const int inside = spec.size.width() - spec.left - spec.right;
    setScale(plot.xAxis, spec.logarithmic, spec.from, spec.to, std::clamp(int(inside / (44 * theme.fontScale)), 1, 6));
    QCPBars* below = nullptr;
    const int count = int(panel.series.size());
    for (int n = 0; n < count; ++n) {
        const ChartSeries& series = panel.series[n];
        auto* bars = new PatternBars(plot.yAxis, plot.xAxis, series.pattern, 6 * theme.fontScale);
        bars->setWidth(spec.width);
        bars->setBrush(series.colour);
        bars->setPen(QPen(series.colour.darker(theme.kind == ThemeKind::Dark ? 80 : 118), 0.6 * theme.fontScale));
        if (spec.logarithmic)
            bars->setBaseValue(spec.from);
        QVector<double> keys, values;
        const QVector<ChartPoint> points = byX(series.points);
        for (const ChartPoint& point : points) {
            keys << point.x + (spec.stacked ? 0 : (n - (count - 1) / 2.0) * spec.width);
            values << point.y - (spec.logarithmic ? spec.from : 0); // QCustomPlot adds the base
        }
        bars->setData(keys, values, true);
        if (spec.stacked && below)
            bars->moveAbove(below);
        below = bars;
        if (!spec.stacked)
            whiskers(plot.yAxis, plot.xAxis, bars, points, theme);
    }
    return record(plot, spec.size);
}

Plane planePicture(QSize size, const Chart& chart, const ChartPanel& panel, const Theme& theme, bool /*paint*/) {
    const qreal s = theme.fontScale;
    QCustomPlot plot;
    plot.setBackground(Qt::NoBrush);
    plot.setAntialiasedElements(QCP::aeAll);
    style(plot.xAxis, theme, chart.kind != ChartKind::Lanes);
    style(plot.yAxis, theme, true);
    plot.axisRect()->setMinimumMargins(QMargins(int(8 * s), int(8 * s), int(14 * s), int(8 * s)));
    plot.xAxis->setLabel(panel.xUnit.isEmpty() ? panel.xTitle
                                               : QStringLiteral("%1 / %2").arg(panel.xTitle, panel.xUnit));
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points) {
            least = std::min(least, point.x);
            most = std::max(most, point.x);
        }
    double low = 0, high = panel.maximum > 0 ? panel.maximum * 1.08 : 1;
    if (panel.top && panel.maximum > 0.35 * *panel.top)
        high = *panel.top * 1.04;
    double left = least, right = most;
    const bool roofline = chart.kind == ChartKind::Roofline;
    const bool logarithmic = chart.logarithmic && panel.smallest > 0;
    const bool logX =
        roofline || (logarithmic && least > 0 && (chart.kind == ChartKind::Lines || chart.kind == ChartKind::Model));
    if (roofline) {
        for (const ChartGuide& guide : panel.guides)
            for (const QPointF& point : guide.points) {
                left = std::min(left, point.x());
                right = std::max(right, point.x());
                high = std::max(high, point.y() * 1.8);
            }
        low = panel.smallest / 4;
    } else if (chart.kind == ChartKind::Lanes) {
        left = 0.25;
        right = 32.75;
    } else if (!chart.steps) {
        const double room = (most - least) * 0.06;
        left = logX ? least / 1.3 : least - (room > 0 ? room : std::max(1.0, std::abs(least) * 0.1));
        right = logX ? most * 1.3 : most + (room > 0 ? room * 1.8 : std::max(1.0, std::abs(most) * 0.1));
        if (chart.kind == ChartKind::Scatter && panel.xUnit == QLatin1String("%")) {
            left = least > 40 ? std::floor(least / 10) * 10 - 5 : 0;
            right = std::max(100.0, most) + 2;
        }
    }
    if (logarithmic && !roofline) {
        low = panel.smallest / 1.5;
        high = panel.maximum * 1.3;
    }
    const int columns = std::max(2, int(size.width() / (90 * s))), rows = std::max(2, int(size.height() / (56 * s)));
    setScale(plot.xAxis, logX, left, right, std::min(columns, 8));
    setScale(plot.yAxis, logarithmic, low, high, std::min(rows, 6));
    if (chart.kind == ChartKind::Lanes) {
        auto ticks = QSharedPointer<QCPAxisTickerText>::create();
        for (const int lanes : {1, 4, 8, 12, 16, 20, 24, 28, 32})
            ticks->addTick(lanes, QString::number(lanes));
        plot.xAxis->setTicker(ticks);
    } else if (chart.kind == ChartKind::Lines && !panel.series.isEmpty()) {
        // The values that were run, if they are few and do not crowd.
        std::vector<double> values;
        for (const ChartSeries& series : panel.series)
            for (const ChartPoint& point : series.points)
                values.push_back(point.x);
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        if (values.size() >= 2 && values.size() <= 12) {
            auto ticks = QSharedPointer<QCPAxisTickerText>::create();
            double before = 0;
            for (const double value : values) {
                const double at =
                    (logX ? std::log(value / left) / std::log(right / left) : (value - left) / (right - left)) *
                    size.width();
                const QString words = QString::number(value, 'g', 10);
                if (ticks->ticks().isEmpty() || at - before > textWidth(theme.small(), words) + 12 * s) {
                    ticks->addTick(value, words);
                    before = at;
                }
            }
            plot.xAxis->setTicker(ticks);
        }
    }

    const int count = std::max(1, int(panel.series.size()));
    QVector<PatternBars*> bars;
    for (int n = 0; n < panel.series.size(); ++n) {
        const ChartSeries& series = panel.series[n];
        QVector<double> x, y;
        const double offset = chart.kind == ChartKind::Lanes ? (n - (count - 1) / 2.0) * 0.84 / count : 0;
        for (const ChartPoint& point : series.points) {
            x << point.x + offset;
            y << point.y - (chart.kind == ChartKind::Lanes && logarithmic ? low : 0); // QCustomPlot adds the base
        }
        if (chart.kind == ChartKind::Lanes) {
            auto* one = new PatternBars(plot.xAxis, plot.yAxis, series.pattern, 5 * s);
            one->setWidth(0.84 / count);
            one->setBrush(series.colour);
            one->setPen(Qt::NoPen);
            if (logarithmic)
                one->setBaseValue(low);
            one->setData(x, y, true);
            bars << one;
            continue;
        }
        QCPGraph* graph = plot.addGraph();
        graph->setData(x, y, chart.kind == ChartKind::Lines || chart.steps);
        graph->setAdaptiveSampling(false);
        const bool dots = !chart.steps;
        graph->setLineStyle(chart.steps                      ? QCPGraph::lsStepLeft
                            : chart.kind == ChartKind::Lines ? QCPGraph::lsLine
                                                             : QCPGraph::lsNone);
        graph->setPen(QPen(series.colour, 1.8 * s, dashOf(series)));
        if (chart.steps && count == 1) {
            QColor soft = series.colour;
            soft.setAlpha(48);
            graph->setBrush(soft);
        }
        if (dots)
            graph->setScatterStyle(dotOf(series, 9 * s));
        whiskers(plot.xAxis, plot.yAxis, graph, byX(series.points), theme);
    }
    for (const ChartGuide& guide : panel.guides) {
        QCPGraph* graph = plot.addGraph();
        for (const QPointF& point : guide.points)
            graph->addData(point.x(), point.y());
        graph->setPen(QPen(theme.attention, 1.4 * s, chart.steps ? Qt::DashLine : Qt::SolidLine));
    }
    Plane plane;
    plane.picture = record(plot, size);
    plane.inside = plot.axisRect()->rect();
    const auto pixel = [&](double x, double y) {
        return QPointF(plot.xAxis->coordToPixel(x), plot.yAxis->coordToPixel(logarithmic ? std::max(y, low) : y));
    };
    for (int n = 0; n < panel.series.size(); ++n) {
        QVector<QPointF> points;
        QVector<QRectF> rects;
        const double offset = chart.kind == ChartKind::Lanes ? (n - (count - 1) / 2.0) * 0.84 / count : 0;
        for (const ChartPoint& point : panel.series[n].points) {
            points << pixel(point.x + offset, point.y);
            if (chart.kind == ChartKind::Lanes)
                rects << bars[n]->rectOf(point.x + offset, point.y - (logarithmic ? low : 0));
        }
        plane.pixels << points;
        plane.bars << rects;
    }
    for (const ChartGuide& guide : panel.guides)
        plane.guides.append({pixel(guide.points.first().x(), guide.points.first().y()),
                             pixel(guide.points.last().x(), guide.points.last().y())});
    return plane;
}

} // namespace warpglass
