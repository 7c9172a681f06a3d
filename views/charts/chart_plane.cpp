// SPDX-License-Identifier: GPL-3.0-or-later
// Panels with two axes of numbers: names beside guides and dots.
#include "views/charts/chart_kind.h"
#include "views/charts/chart_panels.h"
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// On the line where it is about to leave the picture, above it.
QRectF guidePlace(QPointF a, QPointF b, const QString& words, const QRectF& inside, const Theme& theme) {
    const qreal s = theme.fontScale, width = textWidth(theme.small(), words), line = lineHeight(theme.small());
    if (std::abs(a.y() - b.y()) >= 1) { // left of the sloping line, at its upper third
        const QPointF on = a + (b - a) * 0.72;
        return {std::max(inside.left() + 2, on.x() - width - 8 * s), on.y() - line * 1.1, width + 2, line};
    }
    QRectF place(std::min(b.x(), inside.right()) - width - 4 * s, a.y() - line - 2 * s, width + 2, line);
    if (place.top() < inside.top())
        place.moveTop(a.y() + 3 * s);
    return place;
}

// Where nothing is yet: as it is, or above, below, farther left; nowhere, as it is.
QRectF freePlace(const QRectF& wish, const QRectF& inside, const QVector<QRectF>& taken) {
    for (const qreal down : {0, -1, 1, 2, -2})
        for (const qreal left : {0.0, 0.5, 1.0}) {
            const QRectF place = wish.translated(-left * wish.width(), down * wish.height());
            if (inside.contains(place) &&
                std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); }))
                return place;
        }
    return wish;
}

// Names beside dots, where nothing else is; a dot without such a place stays without.
class DotNames {
public:
    DotNames(QPainter& painter, const QRectF& inside, QVector<QRectF> taken, const Theme& theme)
        : m_painter(painter), m_inside(inside), m_taken(std::move(taken)), m_theme(theme) {}

    void paint(const QString& name, QPointF dot) {
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
                if (!isFree(place))
                    continue;
                if (far > 1) {
                    m_painter.setPen(QPen(m_theme.textMuted, 0.7 * s));
                    m_painter.drawLine(dot, at);
                }
                m_painter.fillRect(place, m_theme.window); // a guide may pass there
                paintText(m_painter, place, name, m_theme.small(), m_theme.text);
                m_taken.append(place);
                m_named.append({name, dot});
                return;
            }
    }

private:
    bool isFree(const QRectF& place) const {
        return m_inside.contains(place) && std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& other) {
                   return other.adjusted(-2, 1, 2, -1).intersects(place);
               });
    }

    QPainter& m_painter;
    QRectF m_inside;
    QVector<QRectF> m_taken;
    const Theme& m_theme;
    QVector<QPair<QString, QPointF>> m_named;
};

} // namespace

void plotPlane(ChartDrawing& d, int p) {
    const ChartPanel& panel = d.chart.panels[p];
    const QRectF& where = d.layout.panels[p].plot;
    Plane plane = planeOf(where, d.chart, panel, d.theme);
    const bool columns = d.chart.kind->marks == ChartMarks::Columns;
    const qreal dot = 5 * d.theme.fontScale;
    for (int n = 0; n < panel.series.size(); ++n)
        for (int i = 0; i < panel.series[n].points.size(); ++i) {
            const QPointF middle = plane.pixels[n][i];
            const QRectF mark =
                columns ? plane.bars[n][i] : QRectF(middle.x() - dot, middle.y() - dot, 2 * dot, 2 * dot);
            const QRectF rect = columns ? QRectF(mark.left(), where.top(), mark.width(), where.height()) : mark;
            d.zones.append({.rect = rect, .mark = mark, .panel = p, .series = n, .point = i});
        }
    ChartDrawing::Plot plot;
    plot.plane = std::move(plane);
    d.plots.append(plot);
}

void paintPlane(QPainter& painter, const ChartDrawing& d, int p) {
    const ChartPanel& panel = d.chart.panels[p];
    const Plane& plane = d.plots[p].plane;
    paintPlaneMarks(painter, plane, d.chart, panel, d.theme);
    const QRectF& inside = plane.inside;
    QVector<QRectF> taken;
    for (const ChartZone& zone : d.zones)
        if (zone.panel == p)
            taken.append(zone.mark);
    for (int g = 0; g < panel.guides.size(); ++g) {
        const auto& [from, to] = plane.guides[g];
        const QRectF place = freePlace(guidePlace(from, to, panel.guides[g].text, inside, d.theme), inside, taken);
        painter.fillRect(place, d.theme.window); // of another guide nothing is seen there
        paintText(painter, place, panel.guides[g].text, d.theme.small(), d.theme.attention);
        taken.append(place);
    }
    if (d.chart.kind->marks != ChartMarks::Dots)
        return;
    DotNames names(painter, inside, std::move(taken), d.theme);
    for (int n = 0; n < panel.series.size(); ++n)
        for (int i = 0; i < panel.series[n].points.size(); ++i)
            names.paint(panel.series[n].points[i].label, plane.pixels[n][i]);
}

} // namespace warpglass
