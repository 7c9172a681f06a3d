// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot knows axes, ticks, bars, graphs and error bars; here it is dressed in the theme's colours, given hatches and
// our numbers, and made to paint into a QPicture. Plots live as long as a function: nothing of them is shown.
#include "views/charts/plot_parts.h"

#include "views/charts/chart_kind.h"
#include "views/charts/chart_marks.h"
#include "views/charts/chart_words.h"
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
        const QColor ink = softInkOn(brush().color());
        for (const QCPBarsData& bar : *data())
            paintPattern(*painter, rectOf(bar.key, bar.value), m_pattern, ink, m_step);
    }

private:
    int m_pattern;
    qreal m_step;
};

// Numbers as the rest of the program writes them, also on a logarithmic axis. Two marks at least: an axis with nothing but
// "0" has no scale.
class PlainTicks : public QCPAxisTicker {
public:
    explicit PlainTicks(int most) { setTickCount(most); }

protected:
    double getTickStep(const QCPRange& range) override {
        double step = QCPAxisTicker::getTickStep(range);
        const auto marks = [&] { return std::floor(range.upper / step) - std::ceil(range.lower / step) + 1; };
        while (step > 0 && marks() > std::max(2, tickCount() + 1)) // that many are readable; the count is a wish
            step = cleanMantissa(step * 2.1);
        while (step > 0 && range.size() > 0 && marks() < 2)
            step = cleanMantissa(step / 2.1); // 1, 2, 2.5 or 5 times a power of ten, and always less
        return step;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return valueText(tick); }
};
class PlainLogTicks : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const double power = std::log10(std::abs(tick));
        const bool whole = std::abs(power - std::round(power)) < 1e-6; // else two marks would read alike
        if (whole && (power < -3 || power > 4))
            return QStringLiteral("10") + superscript(int(std::lround(power)));
        return valueText(tick);
    }

private:
    static QString superscript(int n) {
        static const QString digits = QString::fromUtf8("⁰¹²³⁴⁵⁶⁷⁸⁹");
        QString text = n < 0 ? QString::fromUtf8("⁻") : QString();
        const QString plain = QString::number(std::abs(n));
        for (const QChar c : plain)
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
        auto ticker = QSharedPointer<PlainTicks>::create(std::max(ticks, 1));
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

double BarAxis::pixel(double value) const {
    const double share =
        logarithmic ? std::log(std::max(value, from) / from) / std::log(to / from) : (value - from) / (to - from);
    return left + share * width;
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
    setScale(plot.xAxis, spec.axis.logarithmic, spec.axis.from, spec.axis.to,
             std::clamp(int(inside / (44 * theme.fontScale)), 1, 6));
    QCPBars* below = nullptr;
    const int count = int(panel.series.size());
    for (int n = 0; n < count; ++n) {
        const ChartSeries& series = panel.series[n];
        auto* bars = new PatternBars(plot.yAxis, plot.xAxis, series.pattern, 6 * theme.fontScale);
        bars->setWidth(spec.width);
        bars->setBrush(series.colour);
        bars->setPen(QPen(series.colour.darker(theme.kind == ThemeKind::Dark ? 80 : 118), 0.6 * theme.fontScale));
        if (spec.axis.logarithmic)
            bars->setBaseValue(spec.axis.from);
        QVector<double> keys, values;
        const QVector<ChartPoint> points = byX(series.points);
        for (const ChartPoint& point : points) {
            keys << point.x + (spec.stacked ? 0 : (n - (count - 1) / 2.0) * spec.width);
            values << point.y - (spec.axis.logarithmic ? spec.axis.from : 0); // QCustomPlot adds the base
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

void setAxes(QCustomPlot& plot, const PlaneAxes& axes, QSize size, const Theme& theme) {
    const qreal s = theme.fontScale;
    const int columns = std::max(2, int(size.width() / (90 * s))), rows = std::max(2, int(size.height() / (56 * s)));
    setScale(plot.xAxis, axes.logarithmicX, axes.left, axes.right, std::min(columns, 8));
    setScale(plot.yAxis, axes.logarithmicY, axes.low, axes.high, std::min(rows, 6));
    if (axes.ticks.isEmpty())
        return;
    auto ticks = QSharedPointer<QCPAxisTickerText>::create();
    ticks->setTicks(axes.ticks);
    plot.xAxis->setTicker(ticks);
}

constexpr double columnsTogether = 0.84; // of the room of a number

// Upright bars are put side by side.
double offsetOf(int series, int count, ChartMarks marks) {
    return marks == ChartMarks::Columns ? (series - (count - 1) / 2.0) * columnsTogether / count : 0;
}

void addLine(QCustomPlot& plot, const ChartSeries& series, const QVector<double>& x, const QVector<double>& y,
             ChartMarks marks, bool alone, const Theme& theme) {
    QCPGraph* graph = plot.addGraph();
    graph->setData(x, y, marks != ChartMarks::Dots);
    graph->setAdaptiveSampling(false);
    graph->setLineStyle(marks == ChartMarks::Steps   ? QCPGraph::lsStepLeft
                        : marks == ChartMarks::Lines ? QCPGraph::lsLine
                                                     : QCPGraph::lsNone);
    graph->setPen(QPen(series.colour, 1.8 * theme.fontScale, dashOf(series)));
    if (marks == ChartMarks::Steps && alone) {
        QColor soft = series.colour;
        soft.setAlpha(48);
        graph->setBrush(soft);
    }
    if (marks != ChartMarks::Steps)
        graph->setScatterStyle(dotOf(series, 9 * theme.fontScale));
    whiskers(plot.xAxis, plot.yAxis, graph, byX(series.points), theme);
}

} // namespace

Plane planePicture(QSize size, const Chart& chart, const ChartPanel& panel, const Theme& theme) {
    const qreal s = theme.fontScale;
    const ChartMarks marks = chart.kind->marks;
    QCustomPlot plot;
    plot.setBackground(Qt::NoBrush);
    plot.setAntialiasedElements(QCP::aeAll);
    style(plot.xAxis, theme, marks != ChartMarks::Columns);
    style(plot.yAxis, theme, true);
    plot.axisRect()->setMinimumMargins(QMargins(int(8 * s), int(8 * s), int(14 * s), int(8 * s)));
    plot.xAxis->setLabel(panel.xUnit.isEmpty() ? panel.xTitle
                                               : QStringLiteral("%1 / %2").arg(panel.xTitle, panel.xUnit));
    const PlaneAxes axes = axesOf(size, chart, panel, theme);
    setAxes(plot, axes, size, theme);

    const int count = std::max(1, int(panel.series.size()));
    const double base = marks == ChartMarks::Columns && axes.logarithmicY ? axes.low : 0; // QCustomPlot adds it
    QVector<PatternBars*> columns;
    for (int n = 0; n < panel.series.size(); ++n) {
        const ChartSeries& series = panel.series[n];
        QVector<double> x, y;
        for (const ChartPoint& point : series.points) {
            x << point.x + offsetOf(n, count, marks);
            y << point.y - base;
        }
        if (marks != ChartMarks::Columns) {
            addLine(plot, series, x, y, marks, count == 1, theme);
            continue;
        }
        auto* one = new PatternBars(plot.xAxis, plot.yAxis, series.pattern, 5 * s);
        one->setWidth(columnsTogether / count);
        one->setBrush(series.colour);
        one->setPen(Qt::NoPen);
        if (axes.logarithmicY)
            one->setBaseValue(axes.low);
        one->setData(x, y, true);
        columns << one;
    }
    for (const ChartGuide& guide : panel.guides) {
        QCPGraph* graph = plot.addGraph();
        for (const QPointF& point : guide.points)
            graph->addData(point.x(), point.y());
        graph->setPen(QPen(theme.attention, 1.4 * s, marks == ChartMarks::Steps ? Qt::DashLine : Qt::SolidLine));
    }

    Plane plane;
    plane.picture = record(plot, size);
    plane.inside = plot.axisRect()->rect();
    const auto pixel = [&](double x, double y) {
        return QPointF(plot.xAxis->coordToPixel(x),
                       plot.yAxis->coordToPixel(axes.logarithmicY ? std::max(y, axes.low) : y));
    };
    for (int n = 0; n < panel.series.size(); ++n) {
        QVector<QPointF> points;
        QVector<QRectF> rects;
        for (const ChartPoint& point : panel.series[n].points) {
            const double x = point.x + offsetOf(n, count, marks);
            points << pixel(x, point.y);
            if (marks == ChartMarks::Columns)
                rects << columns[n]->rectOf(x, point.y - base);
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
