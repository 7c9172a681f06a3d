// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/svg_device.h"
#include "views/common/shown_words.h"

#include <QBuffer>
#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainterPath>
#include <QPen>
#include <QPixmap>
#include <QStringList>
#include <QVector>

#include <cmath>
#include <limits>

namespace warpglass {

namespace {

constexpr int dotsAnInch = 96;

// Two digits after the point, no trailing zeros: a tenth of a pixel is more than anybody sees.
QString number(qreal value) {
    QString text = QString::number(value, 'f', 2);
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

QString pathData(const QPainterPath& path) {
    QString d;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& e = path.elementAt(i);
        switch (e.type) {
        case QPainterPath::MoveToElement:
            d += QLatin1Char('M');
            break;
        case QPainterPath::LineToElement:
            d += QLatin1Char('L');
            break;
        case QPainterPath::CurveToElement:
            d += QLatin1Char('C');
            break;
        case QPainterPath::CurveToDataElement:
            d += QLatin1Char(' ');
            break;
        }
        d += number(e.x) + QLatin1Char(' ') + number(e.y);
    }
    return d;
}

// name="colour", and its opacity where it has one.
QString paint(const char* name, const QColor& colour, qreal opacity) {
    QString text = QStringLiteral(" %1=\"%2\"").arg(QLatin1String(name), colour.name());
    const qreal alpha = colour.alphaF() * opacity;
    if (alpha < 0.999)
        text += QStringLiteral(" %1-opacity=\"%2\"").arg(QLatin1String(name), QString::number(alpha, 'g', 3));
    return text;
}

QString strokeOf(const QPen& pen, qreal opacity) {
    if (pen.style() == Qt::NoPen)
        return {};
    const qreal width = pen.widthF() > 0 ? pen.widthF() : 1;
    QString text = paint("stroke", pen.color(), opacity);
    if (width != 1)
        text += QStringLiteral(" stroke-width=\"%1\"").arg(number(width));
    if (pen.capStyle() != Qt::FlatCap)
        text += pen.capStyle() == Qt::RoundCap ? QStringLiteral(" stroke-linecap=\"round\"")
                                               : QStringLiteral(" stroke-linecap=\"square\"");
    if (pen.joinStyle() == Qt::RoundJoin)
        text += QStringLiteral(" stroke-linejoin=\"round\"");
    else if (pen.joinStyle() == Qt::BevelJoin)
        text += QStringLiteral(" stroke-linejoin=\"bevel\"");
    QStringList dashes;
    for (const qreal dash : pen.dashPattern())
        dashes << number(dash * width);
    if (!dashes.isEmpty())
        text += QStringLiteral(" stroke-dasharray=\"%1\"").arg(dashes.join(QLatin1Char(' ')));
    if (pen.dashOffset() != 0 && !dashes.isEmpty())
        text += QStringLiteral(" stroke-dashoffset=\"%1\"").arg(number(pen.dashOffset() * width));
    return text;
}

// The lines of Qt's hatched brushes in a tile of 8; empty for brushes that are none.
QString hatchLines(Qt::BrushStyle style) {
    switch (style) {
    case Qt::HorPattern:
        return QStringLiteral("M0 4H8");
    case Qt::VerPattern:
        return QStringLiteral("M4 0V8");
    case Qt::CrossPattern:
        return QStringLiteral("M0 4H8M4 0V8");
    case Qt::BDiagPattern:
        return QStringLiteral("M-1 9L9 -1M-1 1L1 -1M7 9L9 7");
    case Qt::FDiagPattern:
        return QStringLiteral("M-1 -1L9 9M7 -1L9 1M-1 7L1 9");
    case Qt::DiagCrossPattern:
        return QStringLiteral("M-1 9L9 -1M-1 1L1 -1M7 9L9 7M-1 -1L9 9M7 -1L9 1M-1 7L1 9");
    default:
        return {};
    }
}

// How much a dotted brush covers.
qreal densityOf(Qt::BrushStyle style) {
    const int n = int(style) - int(Qt::Dense1Pattern);
    return n >= 0 && n < 7 ? 1.0 - 0.94 * (n + 1) / 8.0 : 1.0;
}

} // namespace

class SvgEngine : public QPaintEngine {
public:
    explicit SvgEngine(QString prefix)
        : QPaintEngine(AllFeatures & ~(PerspectiveTransform | ConicalGradientFill | RadialGradientFill |
                                       LinearGradientFill | PorterDuff)),
          m_prefix(std::move(prefix)) {}

    bool begin(QPaintDevice*) override {
        m_body.clear();
        m_groups.clear();
        return true;
    }
    bool end() override {
        closeGroups();
        return true;
    }
    Type type() const override { return SVG; }

    void updateState(const QPaintEngineState& now) override {
        const DirtyFlags flags = now.state();
        if (flags & DirtyTransform)
            m_transform = now.transform();
        if (flags & DirtyPen)
            m_pen = now.pen();
        if (flags & DirtyBrush)
            m_brush = now.brush();
        if (flags & DirtyOpacity)
            m_opacity = now.opacity();
        if (flags & DirtyHints)
            m_smooth = now.renderHints().testFlag(QPainter::Antialiasing);
        if (flags & DirtyClipEnabled)
            m_clipEnabled = now.isClipEnabled();
        if (flags & DirtyClipPath) {
            clip(now.clipPath(), now.clipOperation());
        } else if (flags & DirtyClipRegion) {
            QPainterPath path;
            path.addRegion(now.clipRegion());
            clip(path, now.clipOperation());
        }
    }

    void drawPath(const QPainterPath& path) override {
        if (path.isEmpty())
            return;
        shape(m_brush.style() != Qt::NoBrush, path.fillRule() == Qt::OddEvenFill);
        m_body += QStringLiteral("<path d=\"%1\"/>\n").arg(pathData(path));
    }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        if (count < 2)
            return;
        shape(mode != PolylineMode && m_brush.style() != Qt::NoBrush, mode == OddEvenMode);
        m_body += mode == PolylineMode ? QStringLiteral("<polyline points=\"") : QStringLiteral("<polygon points=\"");
        for (int i = 0; i < count; ++i)
            m_body += number(points[i].x()) + QLatin1Char(',') + number(points[i].y()) + QLatin1Char(' ');
        m_body.chop(1);
        m_body += QStringLiteral("\"/>\n");
    }
    void drawRects(const QRectF* rects, int count) override {
        shape(m_brush.style() != Qt::NoBrush, false);
        for (int i = 0; i < count; ++i) {
            const QRectF r = rects[i].normalized();
            m_body += QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"/>\n")
                          .arg(number(r.x()), number(r.y()), number(r.width()), number(r.height()));
        }
    }
    void drawLines(const QLineF* lines, int count) override {
        shape(false, false);
        QString d;
        for (int i = 0; i < count; ++i)
            d += QStringLiteral("M%1 %2L%3 %4")
                     .arg(number(lines[i].x1()), number(lines[i].y1()), number(lines[i].x2()), number(lines[i].y2()));
        m_body += QStringLiteral("<path d=\"%1\"/>\n").arg(d);
    }
    void drawPoints(const QPointF* points, int count) override {
        for (int i = 0; i < count; ++i) {
            const QLineF dot(points[i] - QPointF(0.5, 0), points[i] + QPointF(0.5, 0));
            drawLines(&dot, 1);
        }
    }
    void drawEllipse(const QRectF& r) override {
        shape(m_brush.style() != Qt::NoBrush, false);
        m_body +=
            QStringLiteral("<ellipse cx=\"%1\" cy=\"%2\" rx=\"%3\" ry=\"%4\"/>\n")
                .arg(number(r.center().x()), number(r.center().y()), number(r.width() / 2), number(r.height() / 2));
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        if (item.text().isEmpty() || m_pen.style() == Qt::NoPen)
            return;
        group(QString());
        const QFont font = item.font();
        const qreal size = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * dotsAnInch / 72.0;
        m_body += QStringLiteral("<text x=\"%1\" y=\"%2\" font-family=\"%3\" font-size=\"%4\"")
                      .arg(number(at.x()), number(at.y()), families(font), number(size));
        if (font.weight() != QFont::Normal)
            m_body += QStringLiteral(" font-weight=\"%1\"").arg(int(font.weight()));
        if (font.italic())
            m_body += QStringLiteral(" font-style=\"italic\"");
        if (font.underline())
            m_body += QStringLiteral(" text-decoration=\"underline\"");
        m_body += paint("fill", m_pen.color(), m_opacity);
        if (item.text().size() > 1)
            m_body += QStringLiteral(" textLength=\"%1\" lengthAdjust=\"spacingAndGlyphs\"").arg(number(item.width()));
        m_body += QStringLiteral(" xml:space=\"preserve\">%1</text>\n").arg(xmlText(item.text()));
    }
    void drawPixmap(const QRectF& where, const QPixmap& pixmap, const QRectF& part) override {
        drawImage(where, pixmap.toImage(), part, Qt::AutoColor);
    }
    void drawImage(const QRectF& where, const QImage& image, const QRectF& part, Qt::ImageConversionFlags) override {
        group(QString());
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        (part.toRect() == image.rect() ? image : image.copy(part.toRect())).save(&buffer, "PNG");
        m_body += QStringLiteral("<image x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" preserveAspectRatio=\"none\" "
                                 "xlink:href=\"data:image/png;base64,%5\"/>\n")
                      .arg(number(where.x()), number(where.y()), number(where.width()), number(where.height()),
                           QString::fromLatin1(png.toBase64()));
    }

    QString body() const { return m_body; }

private:
    static QString families(const QFont& font) {
        QStringList names = font.families();
        if (names.isEmpty())
            names << font.family();
        const bool mono = font.fixedPitch() || names.first().contains(QLatin1String("Mono"));
        for (QString& name : names)
            name = QStringLiteral("'%1'").arg(name.toHtmlEscaped().remove(QLatin1Char('\'')));
        return names.join(QLatin1Char(',')) + (mono ? QStringLiteral(",monospace") : QStringLiteral(",sans-serif"));
    }

    // Clips within clips become groups within groups: a clip path that is itself clipped is not understood everywhere.
    void clip(const QPainterPath& path, Qt::ClipOperation operation) {
        if (operation != Qt::IntersectClip)
            m_clip.clear();
        if (operation == Qt::NoClip) {
            m_clipEnabled = false;
            return;
        }
        const QString outline = pathData(m_transform.map(path));
        QString& id = m_clips[outline];
        if (id.isEmpty()) { // said when it is first needed
            id = QStringLiteral("%1-c%2").arg(m_prefix).arg(m_clips.size());
            closeGroups();
            // A clip is its outline, whatever the fill; readers that know no clips would paint it.
            m_body +=
                QStringLiteral("<clipPath id=\"%1\"><path fill=\"none\" d=\"%2\"/></clipPath>\n").arg(id, outline);
        }
        if (!m_clip.contains(id))
            m_clip << id;
    }

    // Opens groups for what follows, in those that are open already: beside each other, things of other colours lie in one
    // clip. The clip lies outside the transformation, in the drawing's own coordinates.
    void group(const QString& look) {
        QStringList wanted;
        for (const QString& id : m_clipEnabled ? m_clip : QStringList())
            wanted << QStringLiteral(" clip-path=\"url(#%1)\"").arg(id);
        if (!m_smooth && !look.isEmpty())
            wanted << QStringLiteral(" shape-rendering=\"crispEdges\"");
        QString inner = look;
        if (!m_transform.isIdentity())
            inner += QStringLiteral(" transform=\"matrix(%1,%2,%3,%4,%5,%6)\"")
                         .arg(QString::number(m_transform.m11(), 'g', 6), QString::number(m_transform.m12(), 'g', 6),
                              QString::number(m_transform.m21(), 'g', 6), QString::number(m_transform.m22(), 'g', 6),
                              number(m_transform.dx()), number(m_transform.dy()));
        if (!inner.isEmpty())
            wanted << inner;
        qsizetype same = 0;
        while (same < m_groups.size() && same < wanted.size() && m_groups[same] == wanted[same])
            ++same;
        if (same == m_groups.size() && same == wanted.size())
            return;
        closeGroups(same);
        for (qsizetype i = same; i < wanted.size(); ++i)
            m_body += QStringLiteral("<g%1>").arg(wanted[i]);
        if (same < wanted.size())
            m_body += QLatin1Char('\n');
        m_groups = wanted;
    }
    void closeGroups(qsizetype but = 0) {
        if (m_groups.size() <= but)
            return;
        m_body += QStringLiteral("</g>").repeated(m_groups.size() - but) + QLatin1Char('\n');
        m_groups.resize(but);
    }

    void shape(bool filled, bool oddEven) {
        QString look = filled ? fill() : QStringLiteral(" fill=\"none\"");
        if (filled && oddEven)
            look += QStringLiteral(" fill-rule=\"evenodd\"");
        look += strokeOf(m_pen, m_opacity);
        group(look);
    }

    QString fill() {
        const QString lines = hatchLines(m_brush.style());
        if (lines.isEmpty())
            return paint("fill", m_brush.color(), m_opacity * densityOf(m_brush.style()));
        const QString look = paint("stroke", m_brush.color(), m_opacity);
        QString& id = m_hatches[lines + look];
        if (id.isEmpty()) {
            id = QStringLiteral("%1-h%2").arg(m_prefix).arg(m_hatches.size());
            closeGroups();
            m_body += QStringLiteral("<pattern id=\"%1\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                                     "<path d=\"%2\" fill=\"none\"%3/></pattern>\n")
                          .arg(id, lines, look);
        }
        return QStringLiteral(" fill=\"url(#%1)\"").arg(id);
    }

    QString m_prefix, m_body;
    QTransform m_transform;
    QPen m_pen;
    QBrush m_brush;
    qreal m_opacity = 1;
    bool m_smooth = false, m_clipEnabled = false;
    QStringList m_clip;   // ids, from the outermost in
    QStringList m_groups; // that are open, likewise
    QHash<QString, QString> m_clips, m_hatches;
};

QString xmlText(const QString& text) {
    return shown(text).toHtmlEscaped();
}

SvgDevice::SvgDevice(QSize size, const QString& title, const QString& description, const QString& prefix)
    : m_size(size), m_title(title), m_description(description), m_engine(std::make_unique<SvgEngine>(prefix)) {}

SvgDevice::~SvgDevice() = default;

QPaintEngine* SvgDevice::paintEngine() const {
    return m_engine.get();
}

QByteArray SvgDevice::document() const {
    return (QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                           "width=\"%1\" height=\"%2\" viewBox=\"0 0 %1 %2\" role=\"img\">\n"
                           "<title>%3</title>\n<desc>%4</desc>\n")
                .arg(m_size.width())
                .arg(m_size.height())
                .arg(xmlText(m_title), xmlText(m_description)) +
            m_engine->body() + QStringLiteral("</svg>\n"))
        .toUtf8();
}

int SvgDevice::metric(PaintDeviceMetric which) const {
    switch (which) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return int(std::lround(m_size.width() * 25.4 / dotsAnInch));
    case PdmHeightMM:
        return int(std::lround(m_size.height() * 25.4 / dotsAnInch));
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return dotsAnInch;
    case PdmNumColors:
        return std::numeric_limits<int>::max();
    case PdmDepth:
        return 32;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return int(devicePixelRatioFScale());
    default:
        return 0;
    }
}

} // namespace warpglass
