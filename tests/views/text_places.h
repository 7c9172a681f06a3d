// SPDX-License-Identifier: GPL-3.0-or-later
// Where the words of a picture are: a paint device that draws nothing and keeps each text with its place.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QSize>
#include <QVector>

namespace warpglass::samples {

struct TextPlace {
    QString text;
    QRectF where; // in the device's pixels, as far as a clip lets it be seen
    QRectF whole; // without the clip
};

class TextPlacesEngine final : public QPaintEngine {
public:
    TextPlacesEngine() : QPaintEngine(QPaintEngine::AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    Type type() const override { return QPaintEngine::User; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QTransform& to = painter()->deviceTransform();
        // The middle of the letters: ascents and descents of two lines may touch.
        const QRectF box(at.x(), at.y() - item.ascent() * 0.72, item.width(), item.ascent() * 0.72);
        TextPlace place{item.text(), {}, to.mapRect(box)};
        place.where = place.whole;
        if (painter()->hasClipping())
            place.where = place.whole.intersected(to.mapRect(painter()->clipBoundingRect()));
        places.append(place);
    }
    QVector<TextPlace> places;
};

class TextPlaces final : public QPaintDevice {
public:
    explicit TextPlaces(QSize size) : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const QVector<TextPlace>& places() const { return m_engine.places; }

protected:
    int metric(PaintDeviceMetric which) const override {
        constexpr int dpi = 96;
        switch (which) {
        case PdmWidth:
        case PdmWidthMM:
            return m_size.width();
        case PdmHeight:
        case PdmHeightMM:
            return m_size.height();
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        default:
            return dpi;
        }
    }

private:
    QSize m_size;
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
