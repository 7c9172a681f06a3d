// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_paint.h"

#include "views/charts/plot_parts.h"
#include "views/common/marks.h"

#include <QPicture>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// Black or white, whichever stands out from the colour, and softly.
QColor inkOn(const QColor& ground) {
    const double luminance = 0.2126 * ground.redF() + 0.7152 * ground.greenF() + 0.0722 * ground.blueF();
    return luminance > 0.45 ? QColor(0, 0, 0, 150) : QColor(255, 255, 255, 190);
}

class Painting {
public:
    Painting(QPainter* painter, const Chart& chart, const ChartLayout& layout, const Theme& theme)
        : m_painter(painter), m_chart(chart), m_layout(layout), m_theme(theme) {}

    QVector<ChartZone> run() {
        if (m_painter)
            paintFrame();
        for (int p = 0; p < m_chart.panels.size(); ++p)
            m_chart.categories.isEmpty() ? paintPlane(p) : paintBars(p);
        if (m_painter && m_layout.rowHeight >= lineHeight(m_theme.small()) * 0.8)
            for (const ChartLayout::Panel& panel : m_layout.panels)
                if (!panel.labels.isNull())
                    paintRefusals(panel);
        return std::move(m_zones);
    }

private:
    void paintFrame() {
        QPainter& painter = *m_painter;
        paintText(painter, m_layout.title, m_chart.title, m_theme.title(), m_theme.text);
        paintText(painter, m_layout.subtitle, m_chart.subtitle, m_theme.small(), m_theme.textMuted);
        paintChartLegend(&painter, m_layout.legend, m_chart, m_theme);
        qreal y = m_layout.notes.top();
        for (const QString& note : m_chart.notes)
            y += paintParagraph(&painter, {m_layout.notes.left(), y, m_layout.notes.width(), 100}, note,
                                m_theme.small(), m_theme.textMuted);
    }

    void paintHead(const ChartPanel& panel, const QRectF& head) {
        const qreal s = m_theme.fontScale, below = chipHeight(m_theme) + 8 * s;
        paintParagraph(m_painter, {head.left(), head.top(), head.width(), head.height() - below}, panel.title,
                       chartHeadFont(m_theme), m_theme.text);
        qreal x = head.left();
        const qreal y = head.bottom() - below + 1 * s;
        if (!panel.unit.isEmpty())
            x += paintText(*m_painter, {x, y, head.width(), chipHeight(m_theme)}, panel.unit, m_theme.small(),
                           m_theme.textMuted) +
                 8 * s;
        for (const Origin origin : panel.origins) {
            if (x + chipWidth(originName(origin), m_theme) > head.right() + 1)
                break;
            x = paintOriginChip(*m_painter, {x, y}, origin, m_theme).right() + 6 * s;
        }
    }

    // ---- bars ----

    void paintRows(const ChartLayout::Panel& at) {
        const qreal s = m_theme.fontScale;
        for (int c = 0; c < m_chart.categories.size(); ++c) {
            const QRectF row(at.labels.left(), at.plot.top() + c * m_layout.rowHeight, at.labels.width(),
                             m_layout.rowHeight);
            m_zones.append({.rect = row, .mark = row, .category = c});
            if (!m_painter)
                continue;
            if (m_layout.rowHeight >= lineHeight(m_theme.small()) * 0.8 ||
                c % int(std::ceil(lineHeight(m_theme.small()) / std::max(m_layout.rowHeight, 0.5))) == 0) {
                const qreal height = std::max(m_layout.rowHeight, lineHeight(m_theme.small()));
                paintText(*m_painter, {row.left(), row.center().y() - height / 2, row.width() + 2 * s, height},
                          m_chart.categories[c], m_theme.small(), m_theme.text, Qt::AlignRight | Qt::AlignVCenter);
            }
        }
    }

    // Why a row has no bars: over all panels of its line, on ground that hides their axes.
    void paintRefusals(const ChartLayout::Panel& at) {
        const qreal s = m_theme.fontScale, line = lineHeight(m_theme.small());
        for (int c = 0; c < m_chart.categories.size(); ++c) {
            if (m_chart.refused[c].isEmpty())
                continue;
            const QString words = QStringLiteral("\u2715 ") + m_chart.refused[c];
            const qreal left = at.plot.left() + 6 * s, middle = at.plot.top() + (c + 0.5) * m_layout.rowHeight;
            const qreal width = std::min(textWidth(m_theme.small(), words) + 4 * s, m_layout.title.right() - left);
            const QRectF place(left, middle - line / 2, width, line);
            const qreal high = std::min(line, m_layout.rowHeight - 4); // the axis below stays
            m_painter->fillRect(QRectF(left, middle - high / 2, width, high), c % 2 ? m_theme.sunken : m_theme.window);
            paintText(*m_painter, place, words, m_theme.small(), m_theme.wrong);
        }
    }

    // Value where the axis begins and ends.
    QPair<double, double> rangeOf(const ChartPanel& panel) const {
        if (m_chart.logarithmic && !panel.linear && panel.smallest > 0)
            return {std::pow(10, std::floor(std::log10(panel.smallest) - 0.15)), panel.maximum * 1.05};
        if (panel.top && panel.maximum > 0.35 * *panel.top)
            return {0, std::max(*panel.top, panel.maximum)};
        return {0, panel.maximum > 0 ? panel.maximum * 1.02 : 1};
    }

    void paintBars(int p) {
        const ChartPanel& panel = m_chart.panels[p];
        const ChartLayout::Panel& at = m_layout.panels[p];
        const auto [from, to] = rangeOf(panel);
        const int series = std::max(1, int(panel.series.size()));
        const double width = m_chart.stacked ? m_layout.thickness : m_layout.thickness / series;
        const bool logarithmic = m_chart.logarithmic && !panel.linear && panel.smallest > 0;
        const auto pixel = [&, from = from, to = to](double value) {
            const double share = logarithmic ? std::log(std::max(value, from) / from) / std::log(to / from)
                                             : (value - from) / (to - from);
            return at.plot.left() + share * at.plot.width();
        };
        if (m_painter) {
            paintHead(panel, at.head);
            for (int c = 1; c < m_chart.categories.size(); c += 2) // zebra: the eye keeps the row across the panels
                m_painter->fillRect(QRectF(at.labels.isNull() ? at.plot.left() : at.labels.left(),
                                           at.plot.top() + c * m_layout.rowHeight,
                                           at.values.right() - (at.labels.isNull() ? at.plot.left() : at.labels.left()),
                                           m_layout.rowHeight),
                                    m_theme.sunken);
            const int left = int(12 * m_theme.fontScale); // for half of the axis' first number
            BarPlot plot{.size = QSize(left + int(at.plot.width() + at.values.width()),
                                       int(at.plot.height() + at.ticks.height())),
                         .left = left,
                         .right = int(at.values.width()),
                         .bottom = int(at.ticks.height()),
                         .from = from,
                         .to = to,
                         .categories = int(m_chart.categories.size()),
                         .width = width,
                         .logarithmic = logarithmic,
                         .stacked = m_chart.stacked};
            playPicture(*m_painter, at.plot.topLeft() - QPointF(left, 0), barPicture(plot, panel, m_theme));
            for (const ChartGuide& guide : panel.guides) {
                const qreal x = pixel(guide.points.first().x());
                m_painter->setPen(QPen(m_theme.attention, 1.2 * m_theme.fontScale, Qt::DashLine));
                m_painter->drawLine(QPointF(x, at.plot.top()), QPointF(x, at.plot.bottom()));
            }
        }
        if (!at.labels.isNull())
            paintRows(at);
        std::map<int, double> stack;
        for (int n = 0; n < panel.series.size(); ++n)
            for (int i = 0; i < panel.series[n].points.size(); ++i) {
                const ChartPoint& point = panel.series[n].points[i];
                const double below = m_chart.stacked ? stack[int(point.x)] : 0;
                const double key = point.x + (m_chart.stacked ? 0 : (n - (series - 1) / 2.0) * width);
                const qreal middle = at.plot.top() + (key + 0.5) * m_layout.rowHeight;
                const qreal thick = width * m_layout.rowHeight;
                const qreal start = m_chart.stacked ? pixel(below) : at.plot.left(), end = pixel(below + point.y);
                stack[int(point.x)] += point.y;
                const QRectF mark(start, middle - thick / 2, std::max<qreal>(end - start, 1), thick);
                const QRectF rect = m_chart.stacked
                                        ? mark
                                        : QRectF(at.plot.left(), mark.top(), at.values.right() - at.plot.left(), thick);
                m_zones.append(
                    {.rect = rect, .mark = mark, .panel = p, .series = n, .point = i, .category = int(point.x)});
                if (m_painter)
                    paintValue(point, mark, pixel(std::max(point.y, point.high)), at, panel.series[n].colour);
            }
    }

    void paintValue(const ChartPoint& point, const QRectF& mark, qreal end, const ChartLayout::Panel& at,
                    const QColor& colour) {
        const qreal s = m_theme.fontScale;
        QFont font = m_theme.small();
        if (mark.height() < lineHeight(font) * 0.62)
            return; // too thin for words; hovering tells
        if (m_chart.stacked) {
            if (mark.width() < textWidth(font, point.text) + 8 * s || mark.height() < lineHeight(font) * 0.9)
                return;
            const QRectF pill(mark.center().x() - textWidth(font, point.text) / 2 - 3 * s,
                              mark.center().y() - lineHeight(font) / 2, textWidth(font, point.text) + 6 * s,
                              lineHeight(font));
            m_painter->fillRect(pill, colour); // no hatch behind the number
            QColor ink = inkOn(colour);
            ink.setAlpha(255);
            paintText(*m_painter, pill, point.text, font, ink, Qt::AlignCenter);
            return;
        }
        font.setBold(point.best);
        paintText(
            *m_painter,
            {end + 5 * s, mark.center().y() - lineHeight(font) / 2, at.values.right() - end - 3 * s, lineHeight(font)},
            point.text, font, m_theme.text);
    }

    // ---- two axes of numbers ----

    void paintPlane(int p) {
        const ChartPanel& panel = m_chart.panels[p];
        const ChartLayout::Panel& at = m_layout.panels[p];
        const Plane plane = planePicture(at.plot.size().toSize(), m_chart, panel, m_theme, m_painter != nullptr);
        if (m_painter) {
            paintHead(panel, at.head);
            playPicture(*m_painter, at.plot.topLeft(), plane.picture);
        }
        const qreal s = m_theme.fontScale, dot = 5 * s;
        QVector<QRectF> taken;
        for (int n = 0; n < panel.series.size(); ++n)
            for (int i = 0; i < panel.series[n].points.size(); ++i) {
                const QPointF middle = at.plot.topLeft() + plane.pixels[n][i];
                QRectF mark(middle.x() - dot, middle.y() - dot, 2 * dot, 2 * dot);
                if (m_chart.kind == ChartKind::Lanes)
                    mark = plane.bars[n][i].translated(at.plot.topLeft());
                m_zones.append({.rect = m_chart.kind == ChartKind::Lanes
                                            ? QRectF(mark.left(), at.plot.top(), mark.width(), at.plot.height())
                                            : mark,
                                .mark = mark,
                                .panel = p,
                                .series = n,
                                .point = i});
                taken.append(mark);
            }
        if (!m_painter)
            return;
        const QRectF inside = plane.inside.translated(at.plot.topLeft());
        for (int g = 0; g < panel.guides.size(); ++g) {
            // On the line where it is about to leave the picture, above it.
            const QString& words = panel.guides[g].text;
            const QPointF a = at.plot.topLeft() + plane.guides[g].first, b = at.plot.topLeft() + plane.guides[g].second;
            const qreal width = textWidth(m_theme.small(), words), line = lineHeight(m_theme.small());
            const bool flat = std::abs(a.y() - b.y()) < 1;
            QRectF place(flat ? std::min(b.x(), inside.right()) - width - 4 * s : a.x() + 8 * s,
                         flat ? a.y() - line - 2 * s : 0, width + 2, line);
            if (flat && place.top() < inside.top())
                place.moveTop(a.y() + 3 * s);
            if (!flat) { // left of the sloping line, at its upper third
                const QPointF on = a + (b - a) * 0.72;
                place = {std::max(inside.left() + 2, on.x() - width - 8 * s), on.y() - line * 1.1, width + 2, line};
            }
            paintText(*m_painter, place, words, m_theme.small(), m_theme.attention);
            taken.append(place);
        }
        if (m_chart.kind != ChartKind::Scatter && m_chart.kind != ChartKind::Roofline &&
            m_chart.kind != ChartKind::Model)
            return;
        for (int n = 0; n < panel.series.size(); ++n)
            for (int i = 0; i < panel.series[n].points.size(); ++i)
                paintDotName(panel.series[n].points[i].label, at.plot.topLeft() + plane.pixels[n][i], inside, taken);
    }

    // A dot's name beside it, where nothing else is; not at all if there is no such place.
    void paintDotName(const QString& name, QPointF dot, const QRectF& inside, QVector<QRectF>& taken) {
        const qreal s = m_theme.fontScale, gap = 7 * s;
        const QSizeF size(textWidth(m_theme.small(), name) + 2, lineHeight(m_theme.small()));
        for (const auto& [other, at] : m_named) // the same launch measured and modelled is named once
            if (other == name && (at - dot).manhattanLength() < 60 * s)
                return;
        // Close by first; farther away with a line to the dot.
        for (const qreal far : {1.0, 2.6, 4.2})
            for (const QPointF& way : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, -1), QPointF(0, 1), QPointF(0.7, -0.8),
                                       QPointF(0.7, 0.8), QPointF(-0.7, -0.8), QPointF(-0.7, 0.8)}) {
                const QPointF at = dot + way * gap * far;
                const qreal left = way.x() > 0   ? at.x()
                                   : way.x() < 0 ? at.x() - size.width()
                                                 : at.x() - size.width() / 2;
                const qreal top = way.y() > 0   ? at.y()
                                  : way.y() < 0 ? at.y() - size.height()
                                                : at.y() - size.height() / 2;
                const QRectF place(QPointF(left, top), size);
                if (!inside.contains(place) || std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) {
                        return other.adjusted(-2, 1, 2, -1).intersects(place);
                    }))
                    continue;
                if (far > 1) {
                    m_painter->setPen(QPen(m_theme.textMuted, 0.7 * s));
                    m_painter->drawLine(dot, at);
                }
                paintText(*m_painter, place, name, m_theme.small(), m_theme.text);
                taken.append(place);
                m_named.append({name, dot});
                return;
            }
    }

    QPainter* m_painter;
    const Chart& m_chart;
    const ChartLayout& m_layout;
    const Theme& m_theme;
    QVector<ChartZone> m_zones;
    QVector<QPair<QString, QPointF>> m_named;
};

} // namespace

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

void paintSeriesMark(QPainter& painter, const QRectF& mark, const ChartSeries& series, bool bars, bool dots,
                     const Theme& theme) {
    if (bars) {
        painter.fillRect(mark, series.colour);
        paintPattern(painter, mark, series.pattern, inkOn(series.colour), 5 * theme.fontScale);
    } else {
        paintLineMark(painter, mark, series, dots, theme);
    }
}

QVector<ChartZone> paintChart(QPainter* painter, const QRectF& area, const Chart& chart, const Theme& theme) {
    const ChartLayout layout = chartLayout(chart, area, theme);
    if (!painter)
        return Painting(nullptr, chart, layout, theme).run();
    painter->save();
    QVector<ChartZone> zones = Painting(painter, chart, layout, theme).run();
    painter->restore();
    return zones;
}

std::optional<ChartZone> zoneAt(const QVector<ChartZone>& zones, QPointF at, qreal near) {
    std::optional<ChartZone> best;
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

} // namespace warpglass
