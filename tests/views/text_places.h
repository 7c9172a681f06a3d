// SPDX-License-Identifier: GPL-3.0-or-later
// Where the words of a picture are: a paint device that draws nothing and keeps each text with its place, and the lines
// and opaque areas painted before and after it.
#pragma once

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QSize>
#include <QVector>

#include <algorithm>
#include <optional>

namespace warpglass::samples {

struct TextPlace {
    QString text;
    QRectF where;  // in the device's pixels, as far as a clip lets it be seen
    QRectF whole;  // without the clip
    QRectF ink{};  // the letters themselves, without the clip
    QRectF clip{}; // null: none
    int order = 0; // of all that is painted
};
struct LinePlace { // as far as a clip lets it be seen
    QVector<QLineF> pieces;
    QColor colour;
    qreal length = 0; // of all pieces
    int order = 0;
};
struct FillPlace { // opaque
    QPainterPath area;
    int order = 0;
};

class TextPlacesEngine final : public QPaintEngine {
public:
    TextPlacesEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    Type type() const override { return QPaintEngine::User; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawRects(const QRectF* rects, int count) override {
        for (int i = 0; i < count; ++i) {
            QPainterPath path;
            path.addRect(rects[i]);
            keep(path);
        }
    }
    void drawLines(const QLineF* drawn, int count) override {
        for (int i = 0; i < count; ++i) {
            QPainterPath path(drawn[i].p1());
            path.lineTo(drawn[i].p2());
            stroke(path);
        }
    }
    void drawPath(const QPainterPath& path) override { keep(path); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path;
        for (int i = 0; i < count; ++i)
            i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]);
        if (mode == PolylineMode)
            return stroke(path);
        path.closeSubpath();
        keep(path);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QTransform& to = painter()->deviceTransform();
        // The middle of the letters: ascents and descents of two lines may touch.
        const QRectF box(at.x(), at.y() - item.ascent() * 0.72, item.width(), item.ascent() * 0.72);
        TextPlace place{item.text(), {}, to.mapRect(box)};
        place.ink = to.mapRect(QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at));
        place.order = ++m_order;
        place.where = place.whole;
        if (painter()->hasClipping()) {
            place.clip = to.mapRect(painter()->clipBoundingRect());
            place.where = place.whole.intersected(place.clip);
        }
        places.append(place);
    }
    QVector<TextPlace> places;
    QVector<LinePlace> lines;
    QVector<FillPlace> fills;

private:
    void keep(const QPainterPath& path) {
        const QBrush& brush = painter()->brush();
        constexpr qreal thin = 3; // px: an area that is a line
        if (brush.style() == Qt::SolidPattern && brush.color().alpha() == 255 && painter()->opacity() == 1) {
            const QRectF box = path.boundingRect();
            if (std::min(box.width(), box.height()) <= thin && box.width() + box.height() > 4 * thin) {
                const bool upright = box.width() < box.height();
                QPainterPath line(upright ? QPointF(box.center().x(), box.top())
                                          : QPointF(box.left(), box.center().y()));
                line.lineTo(upright ? QPointF(box.center().x(), box.bottom()) : QPointF(box.right(), box.center().y()));
                keepLine(line, brush.color());
            }
            FillPlace fill{painter()->deviceTransform().map(path), ++m_order};
            if (painter()->hasClipping()) {
                QPainterPath clip;
                clip.addRect(painter()->deviceTransform().mapRect(painter()->clipBoundingRect()));
                if (!clip.boundingRect().contains(fill.area.boundingRect()))
                    fill.area = fill.area.intersected(clip);
            }
            fills.append(fill);
        }
        stroke(path);
    }
    void stroke(const QPainterPath& path) {
        const QPen& pen = painter()->pen();
        if (pen.style() != Qt::NoPen && pen.color().alpha() > 127 && painter()->opacity() > 0.5)
            keepLine(path, pen.color());
    }
    void keepLine(const QPainterPath& path, const QColor& colour) {
        QRectF clip;
        if (painter()->hasClipping())
            clip = painter()->deviceTransform().mapRect(painter()->clipBoundingRect());
        for (const QPolygonF& part : path.toSubpathPolygons(painter()->deviceTransform())) {
            LinePlace line{{}, colour, 0, ++m_order};
            for (qsizetype i = 1; i < part.size(); ++i)
                if (const auto seen = within({part[i - 1], part[i]}, clip)) {
                    line.pieces.append(*seen);
                    line.length += seen->length();
                }
            if (!line.pieces.isEmpty())
                lines.append(line);
        }
    }

public:
    // The part of a line in a rectangle (all of it, if that is null), by the way of Liang and Barsky.
    static std::optional<QLineF> within(const QLineF& line, const QRectF& box) {
        if (box.isNull())
            return line;
        qreal from = 0, to = 1;
        const auto cut = [&](qreal step, qreal room) {
            if (step == 0)
                return room >= 0;
            const qreal at = room / step;
            if (step < 0)
                from = std::max(from, at);
            else
                to = std::min(to, at);
            return from <= to;
        };
        if (!cut(-line.dx(), line.x1() - box.left()) || !cut(line.dx(), box.right() - line.x1()) ||
            !cut(-line.dy(), line.y1() - box.top()) || !cut(line.dy(), box.bottom() - line.y1()))
            return std::nullopt;
        return QLineF(line.pointAt(from), line.pointAt(to));
    }

private:
    int m_order = 0;
};

class TextPlaces final : public QPaintDevice {
public:
    explicit TextPlaces(QSize size, int ratio = 1) : m_size(size), m_ratio(ratio) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const QVector<TextPlace>& places() const { return m_engine.places; }
    const QVector<LinePlace>& lines() const { return m_engine.lines; }
    const QVector<FillPlace>& fills() const { return m_engine.fills; }
    QSize size() const { return m_size; } // of the picture; a device pixel is a ratio-th of its pixels
    int ratio() const { return m_ratio; }

protected:
    int metric(PaintDeviceMetric which) const override {
        constexpr int dpi = 96;
        switch (which) {
        case PdmWidth:
        case PdmWidthMM:
            return m_size.width() * m_ratio;
        case PdmHeight:
        case PdmHeightMM:
            return m_size.height() * m_ratio;
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0;
        case PdmDevicePixelRatio:
            return m_ratio;
        case PdmDevicePixelRatioScaled:
            return m_ratio * int(devicePixelRatioFScale());
        default:
            return dpi;
        }
    }

private:
    QSize m_size;
    int m_ratio;
    mutable TextPlacesEngine m_engine;
};

// What is wrong with the words of a picture of this size: those that lie outside of it or over others.
// What a clip cuts is a list or a plot that scrolls.
inline QStringList misplaced(const QVector<TextPlace>& places, QSizeF size) {
    constexpr qreal slack = 1.5; // px
    QStringList wrong;
    const QRectF area = QRectF(QPointF(), size).adjusted(-slack, -slack, slack, slack);
    QVector<TextPlace> seen;
    for (const TextPlace& place : places) {
        if (place.text.trimmed().isEmpty() || place.where.width() < slack || place.where.height() < slack)
            continue;
        if (!area.contains(place.where))
            wrong
                << QStringLiteral("outside: \"%1\" at %2,%3").arg(place.text).arg(place.where.x()).arg(place.where.y());
        for (const TextPlace& other : seen) {
            const QRectF both = other.where.intersected(place.where);
            if (both.width() > 2 * slack && both.height() > 2 * slack && other.text != place.text)
                wrong << QStringLiteral("over: \"%1\" and \"%2\" at %3,%4")
                             .arg(other.text, place.text)
                             .arg(both.x())
                             .arg(both.y());
        }
        seen.append(place);
    }
    return wrong;
}

} // namespace warpglass::samples
